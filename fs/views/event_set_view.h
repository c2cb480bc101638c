// Sets of games that were played together: events, and tournaments.
#pragma once

#include <absl/container/node_hash_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/types.h"
#include "fs/views/crosstable.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {

// Besides what all sets have: crosstable.txt, standings.tsv, crosstable.tsv; and games.pgn by
// rounds, where that is asked for.
class EventSetView : public ListedSetView {
 public:
  using ListedSetView::ListedSetView;

 protected:
  // What the crosstable is headed with.
  virtual CrosstableInfo heading(const Version& version, std::uint32_t key) const = 0;
  // Does the work that comes before any question about rounds and players. Unavailable if it wants
  // more effort.
  virtual absl::Status prepare_tables(const Database&, const Effort&) const {
    return absl::OkStatus();
  }
  // A round by the id of its name.
  virtual std::string round(const Database& database, std::uint32_t round_id) const;
  // Who plays under the id of a name in a game of that date, for its tables.
  struct Player {
    std::uint32_t id = 0;
    std::string_view name;  // clean, and valid as long as the database
  };
  virtual Player player(const Database& database, std::uint32_t name_id, codec::Date date) const;
  // Appends the path of a player, by the id that player() gives.
  virtual void append_path(const Database& database, std::uint32_t id, std::string& out) const;

  std::uint64_t own_count(const Version&, std::uint32_t) const override;
  std::optional<Child> own_child(const Version&, std::uint32_t key, std::uint64_t i) const override;
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override;
  bool own_exists(const Version&, Place place) const override;
  absl::StatusOr<std::unique_ptr<Content>> open_own(const Version& version, Place file,
                                                    const Effort& effort) const override;
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(const Version& version,
                                                           std::uint32_t key, GameSet set,
                                                           const Effort& effort) const override;

 private:
  // The rounds of some games by the ids of their names, and the games.
  struct Played {
    absl::node_hash_map<std::uint32_t, std::string> rounds;
    std::vector<CrosstableGame> games;
  };
  // Errors: Unavailable if that, and a table of it, wants more effort; Cancelled.
  absl::StatusOr<Played> played(const GameSet& set, const Effort& effort) const;
};

}  // namespace scidfs::fs
