// Sets of games that were played together: events, and tournaments.
#pragma once

#include <absl/container/node_hash_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/types.h"
#include "fs/crosstable/crosstable.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Besides what all sets have: a crosstable and standings; and games.pgn by rounds, where that is
// asked for.
class EventSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  SetKind kind() const final { return SetKind::Event; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(GameSet games,
                                                           const WorkBudget& budget) const override;

  // crosstable.txt, standings.tsv and crosstable.tsv. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> open_crosstable(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_standings_tsv(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_crosstable_tsv(const WorkBudget& budget) const;

 protected:
  // What the crosstable is headed with.
  virtual CrosstableInfo heading() const = 0;
  // Does the work that comes before any question about rounds and players. Unavailable if it wants
  // more effort.
  virtual absl::Status prepare_tables(const WorkBudget&) const { return absl::OkStatus(); }
  // A round by the id of its name.
  virtual std::string round(std::uint32_t round_id) const;
  // Who plays under the id of a name in a game of that date, for the tables.
  struct Player {
    std::uint32_t id = 0;
    std::string_view name;  // clean, and valid as long as the database
  };
  virtual Player player(std::uint32_t name_id, codec::Date date) const;
  // Appends the path of a player, by the id that player() gives.
  virtual void append_path(std::uint32_t id, std::string& out) const;

 private:
  // The rounds of some games by the ids of their names, and the games.
  struct Played {
    absl::node_hash_map<std::uint32_t, std::string> rounds;
    std::vector<CrosstableGame> games;
  };
  // All that a table needs; nothing if there are too many games for one. Errors: Unavailable if
  // that, and a table of it, wants more effort; Cancelled.
  absl::StatusOr<std::optional<Played>> played(const WorkBudget& budget) const;
  static std::span<const CrosstableGame> games_of(const std::optional<Played>& played);
};

}  // namespace scidfs::fs
