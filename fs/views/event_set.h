// Sets of games that were played together: events and tournaments.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/crosstable/crosstable.h"
#include "fs/tables/identities.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// A set that also has a crosstable and standings and, if the mount is so configured, games.pgn in
// the order of the rounds.
class EventSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  const EventSet* event() const final { return this; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(const GameSets& games,
                                                           const WorkBudget& budget) const override;

  // Returns the heading of the crosstable. Valid as long as the set.
  virtual CrosstableInfo heading() const = 0;
  // Returns what the tables count as one player.
  virtual Identities::Of tables_count() const { return Identities::Of::Spellings; }
};

// Open crosstable.txt, standings.tsv and crosstable.tsv of a set. Errors: see Snapshot::open().
// REQUIRES: it is an event, of one database or of several.
absl::StatusOr<std::unique_ptr<Content>> open_crosstable(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_standings_tsv(const Set& set,
                                                            const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_crosstable_tsv(const Set& set,
                                                             const WorkBudget& budget);

}  // namespace scidfs::fs
