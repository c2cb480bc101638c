#include "fs/search/moves_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "codec/scid/seek.h"
#include "fs/base/status_macros.h"
#include "fs/database/game_bitmap.h"
#include "fs/positions/position_games.h"
#include "fs/positions/scan_signatures.h"
#include "fs/scan/game_records.h"
#include "fs/scan/narrow.h"
#include "fs/search/facet_row.h"
#include "fs/search/moves_filter.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::Judged;

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kWordGames = ScanSignatures::kWordGames;

using Seekers = std::vector<std::unique_ptr<MovesFilter::Seeker>>;

// One thread of narrow_by_moves().
struct MovesWorker {
  MovesWorker(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget), damage(database.files().format().castling) {}

  GameRecords records;
  std::vector<Seekers> seekers;  // of each facet, one for each alternative
  codec::scid::DamageSeeker damage;
};

// A facet, bound to the castling rule of a database.
struct BoundFacet {
  BoundFacet(const Facet& facet, codec::CastlingRule rule) : is_negated(facet.is_negated) {
    for (const Condition& condition : *facet.alternatives) {
      alternatives.push_back(facet.row->filter_moves(condition, rule));
    }
  }

  std::vector<std::unique_ptr<MovesFilter>> alternatives;  // at least one
  // Otherwise a game must meet one of the alternatives. If it is negated, it must meet none of
  // them, its moves must be known to the end, and each alternative must be known.
  bool is_negated;
};

// Judges which games meet any alternative.
Judged judge(const BoundFacet& facet, std::span<const codec::scid::IndexSignature> games) {
  Judged all;
  for (const auto& filter : facet.alternatives) {
    const Judged one = filter->judge(games);
    all.maybe |= one.maybe;
    all.surely |= one.surely;
  }
  all.maybe &= ~all.surely;
  return all;
}

bool meets_any(const Seekers& seekers, Bytes record) {
  return std::ranges::any_of(
      seekers, [record](const auto& seeker) { return seeker->seek(record).has_value(); });
}

bool are_known(const Seekers& seekers, Bytes record) {
  return std::ranges::all_of(seekers,
                             [record](const auto& seeker) { return seeker->is_known(record); });
}

class MovesSearch {
 public:
  MovesSearch(const Database& database, std::span<const BoundFacet> facets, ScanSignatures marks)
      : database_(database), facets_(facets), marks_(marks) {}

  MovesWorker worker(GameFile::Check check, const WorkBudget& budget) const {
    MovesWorker worker(database_, check, budget);
    for (const BoundFacet& facet : facets_) {
      Seekers& seekers = worker.seekers.emplace_back();
      for (const auto& filter : facet.alternatives) seekers.push_back(filter->seeker());
    }
    return worker;
  }

  // Keeps in the mask of a block the games that meet all facets.
  absl::Status narrow_block(MovesWorker& worker, std::size_t block, BlockMask& mask) const {
    std::vector<BlockMask> to_replay(facets_.size(), mask);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const std::uint64_t verified = mask[i] == 0 ? 0 : marks_.verified(block, i);
      if (verified == 0) continue;
      for (std::size_t facet = 0; facet < facets_.size(); ++facet) {
        const Judged judged = judge(facets_[facet], marks_.word(block, i));
        const std::uint64_t may_pass =
            facets_[facet].is_negated ? ~judged.surely : judged.maybe | judged.surely;
        mask[i] &= ~verified | may_pass;
        to_replay[facet][i] &= ~verified | judged.maybe;
      }
    }
    return replay(worker, block, to_replay, mask);
  }

 private:
  absl::Status replay(MovesWorker& worker, std::size_t block, std::span<const BlockMask> to_replay,
                      BlockMask& mask) const {
    BlockMask any{};
    for (const BlockMask& of_facet : to_replay) {
      for (std::size_t i = 0; i < any.size(); ++i) any[i] |= of_facet[i] & mask[i];
    }
    const BlockGames games(block, any);
    const std::span<const GameIndex> wanted = games;
    // A game without a record meets no facet.
    BlockMask met{};
    absl::Status status = worker.records.for_each(wanted, [&](std::size_t i, Bytes record) {
      const GameIndex game = wanted[i];
      const auto is_asked = [&](std::size_t facet) { return is_in(to_replay[facet], game); };
      if (!passes(worker, game, record, is_asked)) return;
      met[game % kBlock / kWordGames] |= std::uint64_t{1} << game % kWordGames;
    });
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= ~any[i] | met[i];
    return status;
  }

  // Returns whether a game meets the facets for which is_asked() is true.
  template <class IsAsked>
  bool passes(MovesWorker& worker, GameIndex game, Bytes record, const IsAsked& is_asked) const {
    bool must_be_known = false;
    for (std::size_t facet = 0; facet < facets_.size(); ++facet) {
      if (!is_asked(facet)) continue;
      const bool is_negated = facets_[facet].is_negated;
      if (meets_any(worker.seekers[facet], record) == is_negated) return false;
      must_be_known |= is_negated;
    }
    if (!must_be_known) return true;
    // The condition may be met after the damage. Games with a verified signature are whole.
    if (!database_.sizes().is_whole(game) && worker.damage.seek(record)) return false;
    for (std::size_t facet = 0; facet < facets_.size(); ++facet) {
      const bool is_negated = is_asked(facet) && facets_[facet].is_negated;
      if (is_negated && !are_known(worker.seekers[facet], record)) return false;
    }
    return true;
  }

  const Database& database_;
  const std::span<const BoundFacet> facets_;
  const ScanSignatures marks_;
};

// Returns how often a game may be decoded: for each alternative, and once to look for damage.
std::size_t times_decoded(std::span<const Facet* const> facets) {
  std::size_t times = 0;
  bool is_any_negated = false;
  for (const Facet* const facet : facets) {
    times += facet->alternatives->size();
    is_any_negated |= facet->is_negated;
  }
  return times + (is_any_negated ? 1 : 0);
}

// Returns the position that all games must come to; null if there is none.
const codec::TargetPosition* position_of(std::span<const Facet* const> facets) {
  for (const Facet* const facet : facets) {
    if (facet->is_negated || facet->alternatives->size() > 1) continue;
    const auto* const target = facet->alternatives->front().find<codec::TargetPosition>();
    if (target != nullptr) return target;
  }
  return nullptr;
}

absl::StatusOr<DeltaList> narrow_by_decoding(const Database& database, const GameList& games,
                                             std::span<const Facet* const> facets,
                                             const WorkBudget& budget) {
  RETURN_IF_ERROR(begin_decoding(database, games, budget, times_decoded(facets)));
  ASSIGN_OR_RETURN(
      ScanSignatures marks,
      ScanSignatures::of(database, games.count(ScanSignatures::kWorthReading), budget));
  std::vector<BoundFacet> bound;
  for (const Facet* const facet : facets) {
    bound.emplace_back(*facet, database.files().format().castling);
  }
  const MovesSearch search(database, bound, marks);
  return scan_records(database, [&](GameFile::Check check) {
    std::vector<MovesWorker> workers;
    for (std::size_t i = 0; i < scan_workers(budget); ++i) {
      workers.push_back(search.worker(check, budget));
    }
    return narrow(games, database.games(), budget,
                  [&](std::size_t worker, std::size_t block, BlockMask& mask) {
                    return search.narrow_block(workers[worker], block, mask);
                  });
  });
}

}  // namespace

absl::StatusOr<DeltaList> narrow_by_moves(const Database& database, const GameList& games,
                                          std::span<const Facet* const> facets,
                                          const WorkBudget& budget) {
  if (const codec::TargetPosition* const target = position_of(facets)) {
    ASSIGN_OR_RETURN(const std::optional<DeltaList> few,
                     games_that_may_come(database, games, *target, budget));
    if (few.has_value()) {
      return narrow_by_decoding(database, GameList::of(few->bytes()), facets, budget);
    }
  }
  return narrow_by_decoding(database, games, facets, budget);
}

}  // namespace scidfs::fs
