// The events of a database that are one tournament by the spelling file.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "fs/database/game_list.h"
#include "fs/database/game_lists.h"
#include "fs/database/named_set.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// The tournaments of a database. A tournament has one correct event, one correct site and one year.
// Its number is that of the first of its events. Immutable; any number of threads may use it.
class Tournaments {
 public:
  // The lists must outlive them.
  Tournaments(const GameLists& lists, const codec::scid::Names& names, const Spelling& spelling);

  // Returns the tournaments by year.
  const NamedSet& set() const { return set_; }
  // Returns how many there are: their numbers are 0 .. size()-1.
  std::uint32_t size() const { return static_cast<std::uint32_t>(data_->of.size()); }
  std::string_view event(std::uint32_t tournament) const { return *data_->of[tournament].event; }
  std::string_view site(std::uint32_t tournament) const { return *data_->of[tournament].site; }
  std::uint16_t year(std::uint32_t tournament) const { return data_->of[tournament].year; }
  // Returns its shown games.
  GameList games(std::uint32_t tournament) const;

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  // The names that occur, each once.
  using Texts = std::vector<std::unique_ptr<const std::string>>;
  struct Tournament {
    const std::string* event = nullptr;
    const std::string* site = nullptr;
    std::uint16_t year = 0;
    std::uint32_t only_event = 0;  // if it has only one
  };
  // The source of the directory names, at an address that does not change when the tournaments are
  // moved.
  struct Data {
    Texts texts;
    std::vector<Tournament> of;
  };

  const GameLists* lists_ = nullptr;
  std::shared_ptr<const Data> data_;
  // The games of tournaments with several events.
  absl::flat_hash_map<std::uint32_t, DeltaList> merged_;
  NamedSet set_;
};

}  // namespace scidfs::fs
