// The players of FIDE's list, in a few large arrays: made in one pass over the list, then mapped
// from a file of the cache folder.
//
// The sections of that file (fs/file/section_file.h), for N players:
//
//  number  values          what
//       1  1 of 4 bytes    the month of the ratings (MonthRating::month); 0: unknown
//       2  N + 1 rows      PlayerList::Row, by ascending id; the last one only ends the names
//       3  bytes           the names, one after the other
//       4  N of 8 bytes    PlayerList::Keyed, by ascending hash, then player
//       5  bytes           the federations, three letters each
//
// A change of these tables requires another kLayoutVersion.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/spelling_file.h"
#include "fs/file/section_file.h"
#include "fs/reference/fide_lines.h"

namespace scidfs::fs {

// Players are numbers, 0 .. players()-1, by ascending FIDE id. Names are UTF-8 without control
// characters. No value of a mapped file leads out of it. Immutable; any number of threads may use
// it.
class PlayerList {
 public:
  static constexpr std::uint32_t kLayoutVersion = 1;

  struct Row {
    std::uint32_t name = 0;  // where it begins in the names
    std::uint32_t id = 0;
    std::uint16_t born = 0;
    std::uint16_t rating = 0;
    std::uint16_t federation = 0;  // its number; kNoFederation: unknown
    std::uint16_t facts = 0;       // bits 13..0: titles; 14: a woman; 15: inactive
  };
  static_assert(sizeof(Row) == 16);
  static constexpr unsigned kWomanBit = codec::scid::kTitles;
  static constexpr unsigned kInactiveBit = kWomanBit + 1;
  static_assert(kInactiveBit < 16);
  static constexpr std::uint16_t kNoFederation = 0xFFFF;
  struct Keyed {
    std::uint32_t hash = 0;  // see hash_of()
    std::uint32_t player = 0;
  };
  static_assert(sizeof(Keyed) == 8);

  // The arrays in memory.
  struct Arrays {
    std::uint32_t month = 0;
    std::vector<Row> rows{};
    std::string names{};
    std::vector<Keyed> order{};
    std::string federations{};

    // The arrays outlive the image.
    SectionImage image(std::uint64_t key) const;
  };

  // Makes a list without players.
  PlayerList() : PlayerList(Arrays{.rows = std::vector<Row>(1)}) {}
  explicit PlayerList(Arrays arrays);
  // Takes a mapped file. Returns DataLoss if its sections do not fit each other.
  static absl::StatusOr<std::unique_ptr<const PlayerList>> from(
      std::unique_ptr<const SectionFile> file);
  PlayerList(const PlayerList&) = delete;
  PlayerList& operator=(const PlayerList&) = delete;

  std::uint32_t players() const { return static_cast<std::uint32_t>(order_.size()); }
  // Returns the month of all ratings, as MonthRating has it; 0: unknown.
  std::uint16_t month() const { return month_; }
  // REQUIRES: player < players().
  FidePlayer player(std::uint32_t player) const;
  std::optional<std::uint32_t> find_id(std::uint32_t id) const;
  // Returns the players whose names can be equal to one if only ASCII letters, digits and letters
  // beyond ASCII count: all whose name is, and few others. Ascending. None if they are more than
  // have one name in real lists.
  std::vector<std::uint32_t> find_alike(std::string_view name) const;

  // Returns the bytes of memory that this takes; mapped ones are none.
  std::size_t memory() const;

 private:
  friend class PlayerListBuilder;

  explicit PlayerList(std::unique_ptr<const SectionFile> file) : file_(std::move(file)) {}
  static std::uint32_t hash_of(std::string_view name);

  // One of these is used.
  Arrays arrays_;
  std::unique_ptr<const SectionFile> file_;

  std::uint16_t month_ = 0;
  std::span<const Row> rows_;
  std::string_view names_;
  std::span<const Keyed> order_;
  std::string_view federations_;
};

// Makes the arrays from the lines of a list.
class PlayerListBuilder {
 public:
  // Adds a line; the first one is the header.
  void add(std::string_view line);
  // Returns InvalidArgument if the header is none, or there are no players, or too many. `month`:
  // that of the ratings. Call this once, at the end.
  absl::StatusOr<PlayerList::Arrays> finish(std::uint16_t month);

  // Returns the number of lines that name no player, or one whose id an earlier line has; all of
  // them after finish().
  std::uint64_t skipped() const { return skipped_; }
  // Returns whether finish() will fail, with any further lines.
  bool has_failed() const { return !status_.ok(); }

 private:
  std::uint16_t federation(std::string_view text);
  PlayerList::Arrays sorted() const;

  std::optional<FideColumns> columns_;
  absl::Status status_;
  std::vector<PlayerList::Row> rows_;
  std::string names_;
  std::string federations_;
  absl::flat_hash_map<std::string, std::uint16_t> numbers_;  // of federations
  std::uint64_t skipped_ = 0;
};

}  // namespace scidfs::fs
