// Sets of games that were played together: events and tournaments.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/crosstable/crosstable.h"
#include "fs/tables/identities.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Open games.pgn, crosstable.txt, standings.tsv and crosstable.tsv of a set. If the mount is so
// configured, games.pgn is in the order of the rounds. Errors: see Snapshot::open(). REQUIRES: it
// is an event, of one database or of several.
absl::StatusOr<std::unique_ptr<Content>> open_event_games(const Set& set, const GameSet& games,
                                                          const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_crosstable(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_standings_tsv(const Set& set,
                                                            const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_crosstable_tsv(const Set& set,
                                                             const WorkBudget& budget);

// A set that has them.
class EventSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  const EventSet* event() const final { return this; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(
      const GameSet& games, const WorkBudget& budget) const override {
    return open_event_games(*this, games, budget);
  }

  // Returns the heading of the crosstable. Valid as long as the set.
  virtual CrosstableInfo heading() const = 0;
  // Returns what the tables count as one player.
  virtual Identities::Of tables_count() const { return Identities::Of::Spellings; }
};

}  // namespace scidfs::fs
