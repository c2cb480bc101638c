// The index signatures of games (codec/scid/index_signature.h), as far as they are verified.
#pragma once

#include <absl/status/statusor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/scid/index_signature.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_bitmap.h"

namespace scidfs::fs {

// The index signatures of a database's games, loaded if they save time, and which of them are
// verified.
class ScanSignatures {
 public:
  static constexpr std::size_t kWordGames = 64;  // games in a word of bits

  // Replaying this many games takes longer than reading the index signatures of a large database.
  static constexpr std::size_t kWorthReading = 20'000;

  // Returns the signatures for a scan of `games` games. Makes them if they are missing and the
  // games are enough to make that pay.
  static absl::StatusOr<ScanSignatures> of(const Database& database, std::size_t games,
                                           const WorkBudget& budget) {
    ScanSignatures marks(database);
    marks.table_ = database.made_signatures();
    if (marks.table_ != nullptr || games < kWorthReading) return marks;
    ASSIGN_OR_RETURN(const SignatureTable* const made, database.signatures(budget));
    marks.table_ = made;
    return marks;
  }

  // Returns the index signatures of a word of games.
  std::span<const codec::scid::IndexSignature> word(std::size_t block, std::size_t word) const {
    const std::size_t first = block * PackedIndex::kBlock + word * kWordGames;
    return table_->games().subspan(first, std::min(kWordGames, table_->games().size() - first));
  }
  const codec::scid::IndexSignature& of(GameIndex game) const { return table_->games()[game]; }

  // Returns a bit for each game of a word whose index signature is verified.
  std::uint64_t verified(std::size_t block, std::size_t word) const {
    if (table_ == nullptr) return 0;
    const std::size_t first = block * PackedIndex::kBlock + word * kWordGames;
    if (first >= table_->games().size()) return 0;
    if (table_->are_verified()) return ~std::uint64_t{0};
    return database_->sizes().verified_signatures(
        static_cast<GameIndex>(first),
        static_cast<unsigned>(std::min(kWordGames, table_->games().size() - first)));
  }

  // Returns the games of a block whose index signatures are verified.
  BlockMask verified(std::size_t block) const { return {verified(block, 0), verified(block, 1)}; }

 private:
  explicit ScanSignatures(const Database& database) : database_(&database) {}

  const Database* database_;
  const SignatureTable* table_ = nullptr;
};

}  // namespace scidfs::fs
