// The index signatures of all games of a database, for searches.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "codec/scid/index_signature.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_sizes.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {

struct SignatureTable {
  std::vector<codec::scid::IndexSignature> games;
  // Whether all of them can be used: unverified ones are kNoSignature then. Otherwise only those of
  // GameSizes::has_verified_signature() can.
  bool are_verified = false;

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const { return games.capacity() * sizeof(games[0]); }
};

// Reads the signatures from the index file, on all processors if the budget is unlimited. The
// signatures of blocks that cannot be read tell nothing (codec::scid::kNoSignature), so that their
// games are replayed; if all sizes are known, so do those of games without a verified signature.
// Errors: Unavailable if there are so many that the work exceeds the budget; Cancelled.
absl::StatusOr<std::shared_ptr<const SignatureTable>> read_signatures(const IndexFile& file,
                                                                      const GameSizes& sizes,
                                                                      const WorkBudget& budget);

}  // namespace scidfs::fs
