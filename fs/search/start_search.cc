#include "fs/search/start_search.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/position.h"
#include "codec/scid/index.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/packed_index.h"
#include "fs/scan/game_records.h"
#include "fs/scan/narrow.h"
#include "fs/search/condition.h"

namespace scidfs::fs {
namespace {

// Returns whether a game that begins so meets a facet.
bool accepts(const Facet& facet, StartKind start) {
  const bool is_listed = std::ranges::any_of(
      *facet.alternatives,
      [start](const Condition& condition) { return condition.as<StartKind>() == start; });
  return is_listed != facet.is_negated;
}

bool all_accept(std::span<const Facet* const> facets, StartKind start) {
  return std::ranges::all_of(facets,
                             [start](const Facet* facet) { return accepts(*facet, start); });
}

// A test of the flags of games, by what the index tells of their start.
struct HasStart {
  bool without_fen = false;
  bool with_fen = false;
  bool chess960 = false;

  bool operator()(std::uint32_t flags) const {
    if ((flags & PackedIndex::kChess960) != 0) return chess960;
    return (flags & 1U << codec::scid::kFlagStart) != 0 ? with_fen : without_fen;
  }
  ZoneMatch of(PackedIndex::Range range) const {
    return has_one_value(range) ? verdict_of((*this)(range.least)) : ZoneMatch::Some;
  }
};

std::unique_ptr<ColumnFilter> filter_flags_of_start(HasStart test) {
  return test_column(PackedIndex::Column::Flags, test);
}

// Decides about the games with a FEN.
class FenTest {
 public:
  explicit FenTest(std::span<const Facet* const> facets)
      : with_standard_(all_accept(facets, StartKind::Standard)),
        with_others_(all_accept(facets, StartKind::Fen)) {}

  // Keeps the games of a block without a FEN, and of the others those that meet the facets.
  absl::Status narrow_block(const PackedIndex& index, GameRecords& records, std::size_t block,
                            BlockMask& mask) const {
    BlockMask with_fen = mask;
    has_fen_->narrow(index, block, with_fen);
    BlockMask standard{};
    const BlockGames games(block, with_fen);
    const std::span<const GameIndex> wanted = games;
    absl::Status status =
        records.for_each_start(wanted, [&](std::size_t i, const codec::Position& start) {
          const std::size_t game = wanted[i] % PackedIndex::kBlock;
          standard[game / 64] |= std::uint64_t{start == standard_} << game % 64;
        });
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const std::uint64_t others = with_fen[i] & ~standard[i];
      if (!with_standard_) mask[i] &= ~standard[i];
      if (!with_others_) mask[i] &= ~others;
    }
    return status;
  }
  // Returns the games of a list with a FEN.
  absl::StatusOr<DeltaList> games_with_fen(const Database& database, const GameList& games,
                                           const WorkBudget& budget) const {
    return narrow(games, database.games(), budget,
                  [&](std::size_t, std::size_t block, BlockMask& mask) {
                    has_fen_->narrow(database.index(), block, mask);
                    return absl::OkStatus();
                  });
  }

 private:
  const bool with_standard_, with_others_;
  const codec::Position standard_;
  const std::unique_ptr<ColumnFilter> has_fen_ = filter_flags_of_start({.with_fen = true});
};

}  // namespace

std::unique_ptr<ColumnFilter> filter_start(const Facet& facet) {
  const bool standard = accepts(facet, StartKind::Standard);
  return filter_flags_of_start({.without_fen = standard,
                                .with_fen = standard || accepts(facet, StartKind::Fen),
                                .chess960 = accepts(facet, StartKind::Chess960)});
}

bool depends_on_fen(const Facet& facet) {
  return accepts(facet, StartKind::Standard) != accepts(facet, StartKind::Fen);
}

absl::StatusOr<DeltaList> narrow_by_start(const Database& database, const GameList& games,
                                          std::span<const Facet* const> facets,
                                          const WorkBudget& budget) {
  const FenTest test(facets);
  ASSIGN_OR_RETURN(const DeltaList with_fen, test.games_with_fen(database, games, budget));
  if (with_fen.size() == 0) {
    return narrow(games, database.games(), budget,
                  [](std::size_t, std::size_t, BlockMask&) { return absl::OkStatus(); });
  }
  RETURN_IF_ERROR(begin_decoding(database, GameList::of(with_fen.bytes()), budget));
  return scan_records(database, [&](GameFile::Check check) {
    std::vector<GameRecords> workers;
    for (std::size_t i = 0; i < scan_workers(budget); ++i) {
      workers.emplace_back(database, check, budget);
    }
    return narrow(games, database.games(), budget,
                  [&](std::size_t worker, std::size_t block, BlockMask& mask) {
                    return test.narrow_block(database.index(), workers[worker], block, mask);
                  });
  });
}

}  // namespace scidfs::fs
