// What is derived from a loaded database at its first use.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>

#include "codec/scid/names.h"
#include "fs/content/work_budget.h"
#include "fs/database/database_files.h"
#include "fs/database/derived.h"
#include "fs/database/game_lists.h"
#include "fs/database/game_openings.h"
#include "fs/database/game_sizes.h"
#include "fs/database/index_signatures.h"
#include "fs/database/loaded_index.h"
#include "fs/database/people.h"
#include "fs/database/tournaments.h"
#include "fs/reference/reference.h"

namespace scidfs::fs {

// The derived values of a database. All stay as long as the database. Thread-safe.
class DerivedData {
 public:
  // All must outlive this.
  DerivedData(const DatabaseFiles& files, const LoadedIndex& index, const GameSizes& sizes,
              const Reference& reference)
      : files_(files),
        index_(index),
        sizes_(sizes),
        reference_(reference),
        lists_(index, files.names()) {}

  const GameLists& lists() const { return lists_; }
  // Return which people the players are, and which events are one tournament; null without a
  // spelling file. Errors: Unavailable, Cancelled; none without a budget.
  absl::StatusOr<const People*> people(const WorkBudget& budget) const;
  absl::StatusOr<const Tournaments*> tournaments(const WorkBudget& budget) const;
  const People* people() const { return *people(WorkBudget::unlimited(nullptr)); }
  const Tournaments* tournaments() const { return *tournaments(WorkBudget::unlimited(nullptr)); }

  // Returns the index signatures of all games. A search uses them to skip games that need no
  // replay. Errors: Unavailable, Cancelled.
  absl::StatusOr<const SignatureTable*> signatures(const WorkBudget& budget) const;
  // Returns null if they have not been made yet.
  const SignatureTable* made_signatures() const { return signatures_.made(); }

  // Returns the opening of each game; openings_of() (fs/positions/game_openings.h) makes it.
  const Derived<GameOpenings>& openings() const { return openings_; }

  // Returns the bytes of memory that the values made so far take.
  std::size_t memory() const;

 private:
  bool allows_spelling(codec::scid::NameKind kind, const WorkBudget& budget) const;

  const DatabaseFiles& files_;
  const LoadedIndex& index_;
  const GameSizes& sizes_;
  const Reference& reference_;
  const GameLists lists_;
  Derived<People> people_;
  Derived<Tournaments> tournaments_;
  Derived<SignatureTable> signatures_;
  Derived<GameOpenings> openings_;
};

}  // namespace scidfs::fs
