#include "fs/search/first_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "codec/scid/index.h"
#include "fs/base/status_macros.h"
#include "fs/content/step_watch.h"
#include "fs/content/work_cost.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/parts_scan.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;
using Order = FirstGames::Order;

// The place of a game before others: games of a lower rank are taken before those of a higher one.
using Rank = std::uint32_t;

// Returns the greatest value that games can have in an order.
constexpr Rank most_value(Order order) {
  constexpr unsigned kDate = PackedIndex::kColumnBits[static_cast<std::size_t>(Column::Date)];
  switch (order) {
    case Order::Elo:
      return 2 * PackedIndex::kMostElo;
    case Order::Date:
      return (Rank{1} << kDate) - 1;
    case Order::Plies:
      return std::numeric_limits<std::uint16_t>::max();
    case Order::Database:
      break;
  }
  return 0;
}

// The ranks of the games of a block, for one thread.
class Ranks {
 public:
  explicit Ranks(const FirstGames& wanted)
      : order_(wanted.order),
        is_descending_((wanted.order == Order::Elo) == (wanted.end == FirstGames::End::First)),
        most_(most_value(wanted.order)) {}

  // Returns how many ranks there are.
  std::size_t size() const { return std::size_t{most_} + 2; }

  // Returns the ranks of some games of a block, valid until the next call.
  absl::StatusOr<std::span<const Rank>> read(const Database& database, std::size_t block,
                                             std::span<const GameIndex> games) {
    ranks_.clear();
    if (order_ == Order::Plies) {
      RETURN_IF_ERROR(database.files().index_file().read_entries(block, games, entries_));
      for (const codec::scid::IndexEntry& entry : entries_) ranks_.push_back(known(entry.plies));
      return ranks_;
    }
    ColumnBatch& rows = order_ == Order::Date ? dates_ : ratings_;
    rows.read(database.index(), block, games);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      ranks_.push_back(order_ == Order::Date ? by_date(rows.date(row)) : by_elo(rows, row));
    }
    return ranks_;
  }

 private:
  Rank known(Rank value) const { return is_descending_ ? most_ - value : value; }
  Rank unknown() const { return most_ + 1; }
  Rank by_date(std::uint32_t date) const {
    return codec::unpack_date(date).year == 0 ? unknown() : known(date);
  }
  Rank by_elo(const ColumnBatch& rows, std::size_t row) const {
    const std::uint32_t white = rows.elo(row, codec::Color::White);
    const std::uint32_t black = rows.elo(row, codec::Color::Black);
    return white == 0 || black == 0 ? unknown() : known(white + black);
  }

  Order order_;
  bool is_descending_;
  Rank most_;
  ColumnBatch dates_{Column::Date};
  ColumnBatch ratings_{Column::WhiteRating, Column::BlackRating};
  std::vector<codec::scid::IndexEntry> entries_;
  std::vector<Rank> ranks_;
};

std::vector<DatabaseGames> parts_of(const GameSet& set, std::vector<DeltaList> lists) {
  std::vector<DatabaseGames> parts;
  for (std::size_t part = 0; part < set.size(); ++part) {
    parts.emplace_back(set[part].database(), std::move(lists[part]), set[part].part());
  }
  return parts;
}

// Returns the games of a set without the first `skipped`, at most `count`.
absl::StatusOr<std::vector<DatabaseGames>> find_range(const GameSet& set, std::size_t skipped,
                                                      std::size_t count, const WorkBudget& budget) {
  constexpr std::size_t kBetween = std::size_t{1} << 16;
  if (!budget.spend((skipped + count) / kMemoryEntriesOfGame)) return WorkBudget::exceeded();
  StepWatch watch(budget, kBetween);
  std::vector<DeltaList> lists(set.size());
  for (std::size_t part = 0; part < set.size() && count != 0; ++part) {
    GameList::Cursor rest = set[part].begin();
    for (GameIndex game = rest.next(); game != kNoGame && count != 0; game = rest.next()) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      if (skipped != 0) {
        --skipped;
      } else {
        lists[part].add(game);
        --count;
      }
    }
  }
  return parts_of(set, std::move(lists));
}

// How many games of the highest rank that is taken, and which.
struct Border {
  Rank rank = 0;
  std::size_t games = 0;  // of that rank
};

// Returns where the first `count` games end. REQUIRES: the set has more.
absl::StatusOr<Border> find_border(const GameSet& set, const PartsScan& scan, const Ranks& of_one,
                                   std::size_t count, const WorkBudget& budget) {
  const std::size_t workers = std::max<std::size_t>(1, workers_for(budget, scan.chunks()));
  std::vector<Ranks> ranks(workers, of_one);
  std::vector<std::vector<std::uint32_t>> counts(workers,
                                                 std::vector<std::uint32_t>(of_one.size()));
  const auto add = [&](std::size_t worker, std::size_t part, std::size_t block,
                       std::span<const GameIndex> games) -> absl::Status {
    ASSIGN_OR_RETURN(const std::span<const Rank> of_block,
                     ranks[worker].read(*set[part].database(), block, games));
    for (const Rank rank : of_block) ++counts[worker][rank];
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(scan.visit_all(workers, budget, add));
  for (Border border{.rank = 0, .games = count};; ++border.rank) {
    std::size_t games = 0;
    for (const std::vector<std::uint32_t>& of_worker : counts) games += of_worker[border.rank];
    if (games >= border.games) return border;
    border.games -= games;
  }
}

// Returns the first `count` games by their ranks. Counts the games of each rank, and then takes
// those below the border: that needs no memory in proportion to the games. REQUIRES: the set has
// more games.
absl::StatusOr<std::vector<DatabaseGames>> find_ranked(const GameSet& set, const FirstGames& wanted,
                                                       const WorkBudget& budget) {
  constexpr std::size_t kPasses = 2;
  const bool reads_file = wanted.order == Order::Plies;
  ASSIGN_OR_RETURN(
      const PartsScan scan,
      PartsScan::over(set, (reads_file ? kFileEntriesOfGame : kMemoryEntriesOfGame) / kPasses,
                      budget));
  if (reads_file && !scan.spend_blocks(budget)) return WorkBudget::exceeded();
  Ranks ranks(wanted);
  ASSIGN_OR_RETURN(Border border, find_border(set, scan, ranks, wanted.count, budget));
  std::vector<DeltaList> lists(set.size());
  const auto take = [&](std::size_t, std::size_t part, std::size_t block,
                        std::span<const GameIndex> games) -> absl::Status {
    ASSIGN_OR_RETURN(const std::span<const Rank> of_block,
                     ranks.read(*set[part].database(), block, games));
    for (std::size_t i = 0; i < games.size(); ++i) {
      if (of_block[i] > border.rank || (of_block[i] == border.rank && border.games == 0)) continue;
      if (of_block[i] == border.rank) --border.games;
      lists[part].add(games[i]);
    }
    return absl::OkStatus();
  };
  // One thread gets the blocks in order.
  RETURN_IF_ERROR(scan.visit_all(1, budget, take));
  return parts_of(set, std::move(lists));
}

}  // namespace

absl::StatusOr<std::vector<DatabaseGames>> find_first(const GameSet& set, const FirstGames& wanted,
                                                      const WorkBudget& budget) {
  const bool is_at_start = wanted.order == Order::Database && wanted.end == FirstGames::End::First;
  // A limited budget may not count all games of a large set.
  std::size_t limit = budget.is_unlimited() ? std::numeric_limits<std::size_t>::max()
                                            : (budget.left() + 1) * kMemoryEntriesOfGame;
  if (is_at_start) limit = std::min(limit, std::size_t{wanted.count} + 1);
  const std::size_t games = set.count(limit);
  if (!budget.spend(games / kMemoryEntriesOfGame)) return WorkBudget::exceeded();
  if (games <= wanted.count) return set.parts();
  if (wanted.order != Order::Database) return find_ranked(set, wanted, budget);
  return find_range(set, is_at_start ? 0 : games - wanted.count, wanted.count, budget);
}

}  // namespace scidfs::fs
