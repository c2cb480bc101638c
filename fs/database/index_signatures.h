// The index signatures of all games of a database, for searches.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "codec/scid/index_signature.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_sizes.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {

// Its own signatures, or those of an index file, which outlives it. Immutable.
class SignatureTable {
 public:
  using Signatures = std::vector<codec::scid::IndexSignature>;
  SignatureTable(Signatures own, bool are_verified)
      : own_(std::move(own)), games_(own_), are_verified_(are_verified) {}
  explicit SignatureTable(std::span<const codec::scid::IndexSignature> stored)
      : games_(stored), are_verified_(true) {}
  SignatureTable(const SignatureTable&) = delete;
  SignatureTable& operator=(const SignatureTable&) = delete;

  std::span<const codec::scid::IndexSignature> games() const { return games_; }
  // Returns whether all of them can be used: unverified ones are kNoSignature then. Otherwise only
  // those of GameSizes::has_verified_signature() can.
  bool are_verified() const { return are_verified_; }

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const { return own_.capacity() * sizeof(games_[0]); }

 private:
  const Signatures own_;
  const std::span<const codec::scid::IndexSignature> games_;
  const bool are_verified_;
};

// Reads the signatures from the index file, on all processors if the budget is unlimited. The
// signatures of blocks that cannot be read tell nothing (codec::scid::kNoSignature), so that their
// games are replayed; if all sizes are known, so do those of games without a verified signature.
// Errors: Unavailable if there are so many that the work exceeds the budget; Cancelled.
absl::StatusOr<std::shared_ptr<const SignatureTable>> read_signatures(const IndexFile& file,
                                                                      const GameSizes& sizes,
                                                                      const WorkBudget& budget);

}  // namespace scidfs::fs
