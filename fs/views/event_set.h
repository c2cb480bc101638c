// Sets of games that were played together: events and tournaments.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fs/crosstable/crosstable.h"
#include "fs/crosstable/event_games.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// A set that also has a crosstable and standings and, if the mount is so configured, games.pgn in
// the order of the rounds.
class EventSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  SetKind kind() const final { return SetKind::Event; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(const GameSets& games,
                                                           const WorkBudget& budget) const override;

  // Open crosstable.txt, standings.tsv and crosstable.tsv. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> open_crosstable(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_standings_tsv(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_crosstable_tsv(const WorkBudget& budget) const;

 protected:
  // Returns the heading of the crosstable.
  virtual CrosstableInfo heading() const = 0;
  // Returns the names of the tables. Valid as long as the set.
  virtual const EventNames& table_names() const { return names_; }
  // Appends the path of a player by the id that EventNames::player() returns.
  virtual void append_path(std::uint32_t id, std::string& out) const;

 private:
  // Returns the data for a table. Errors: those of event_games().
  absl::StatusOr<std::optional<EventGames>> played(const WorkBudget& budget) const;

  const EventNames names_{database()};
};

}  // namespace scidfs::fs
