// The marks of all games of a database, for searches.
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
  // Whether all of them may be believed: those that may not tell nothing. Else only those of
  // GameSizes::has_verified_signature().
  bool are_sound = false;

  // Bytes of memory that keeping it costs.
  std::size_t memory() const { return games.capacity() * sizeof(games[0]); }
};

// Reads them from the index file, on all processors if the effort is whole. The marks of blocks
// that cannot be read tell nothing (codec::scid::kNoSignature), so that their games are replayed;
// if all sizes are known, those of games that do not have sound marks, too. Errors: Unavailable if
// there are so many that it would take more than the effort allows; Cancelled.
absl::StatusOr<std::shared_ptr<const SignatureTable>> read_signatures(const IndexFile& file,
                                                                      const GameSizes& sizes,
                                                                      const WorkBudget& budget);

}  // namespace scidfs::fs
