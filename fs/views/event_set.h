// Sets of games that were played together: events and tournaments.
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

// A set that also has a crosstable and standings and, if the mount is so configured, games.pgn in
// the order of the rounds.
class EventSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  SetKind kind() const final { return SetKind::Event; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(GameSet games,
                                                           const WorkBudget& budget) const override;

  // Open crosstable.txt, standings.tsv and crosstable.tsv. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> open_crosstable(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_standings_tsv(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_crosstable_tsv(const WorkBudget& budget) const;

 protected:
  // Returns the heading of the crosstable.
  virtual CrosstableInfo heading() const = 0;
  // Does the work that round() and player() depend on. Unavailable if that exceeds the budget.
  virtual absl::Status prepare_tables(const WorkBudget&) const { return absl::OkStatus(); }
  // Returns a round by the id of its name.
  virtual std::string round(std::uint32_t round_id) const;
  // The player whom the tables show for the id of a name in a game of that date.
  struct Player {
    std::uint32_t id = 0;
    std::string_view name;  // clean; valid as long as the database
  };
  virtual Player player(std::uint32_t name_id, codec::Date date) const;
  // Appends the path of a player by the id that player() returns.
  virtual void append_path(std::uint32_t id, std::string& out) const;

 private:
  // Some games, and their rounds by the ids of their names.
  struct Played {
    absl::node_hash_map<std::uint32_t, std::string> rounds;
    std::vector<CrosstableGame> games;
  };
  // Returns the data for a table; nothing if there are too many games for one. Errors: Unavailable
  // if that and the table together exceed the budget; Cancelled.
  absl::StatusOr<std::optional<Played>> played(const WorkBudget& budget) const;
  static std::span<const CrosstableGame> games_of(const std::optional<Played>& played);
};

}  // namespace scidfs::fs
