#include "fs/scan/set_cut.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {
namespace {

// How many games are visited before the next look whether the request has been cancelled.
constexpr std::size_t kStride = std::size_t{1} << 16;

// Returns a number of games that exceeds a limited budget in any case.
std::size_t most_games(const WorkBudget& budget) {
  return budget.is_unlimited() ? kNoGame : (budget.left() + 1) * kMemoryEntriesOfGame;
}

// Calls visit(part, game, before, length) for each game of a set in order, where `before` is the
// cursor that returned it. Errors: Cancelled.
template <class Visit>
absl::Status for_each_length(const GameSet& games, const WorkBudget& budget, const Visit& visit) {
  std::size_t visited = 0;
  for (std::uint32_t part = 0; part < games.size(); ++part) {
    const PackedIndex& index = games[part].database()->index();
    GameList::Cursor cursor = games[part].begin();
    PackedIndex::Values lengths{};
    std::size_t block = ~std::size_t{0};
    for (GameList::Cursor before = cursor;; before = cursor) {
      const GameIndex game = cursor.next();
      if (game == kNoGame) break;
      if (++visited % kStride == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
      if (game / PackedIndex::kBlock != block) {
        block = game / PackedIndex::kBlock;
        index.values(block, PackedIndex::Column::Length, lengths);
      }
      visit(part, game, before, std::uint64_t{lengths[game % PackedIndex::kBlock]});
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const SetCut>> SetCut::make(GameSet games, std::uint32_t parts,
                                                           const WorkBudget& budget) {
  assert(games.size() != 0);
  if (!budget.spend(2 * games.count(most_games(budget)) / kMemoryEntriesOfGame)) {
    return WorkBudget::exceeded();
  }
  const std::shared_ptr<SetCut> cut(new SetCut(std::move(games)));
  std::uint64_t total = 0;
  const auto add = [&](std::uint32_t, GameIndex, const GameList::Cursor&, std::uint64_t length) {
    total += length;
  };
  RETURN_IF_ERROR(for_each_length(cut->games_, budget, add));
  cut->cuts_.reserve(parts + std::size_t{1});
  std::uint64_t begin = 0;
  const auto place = [&](std::uint32_t part, GameIndex game, const GameList::Cursor& before,
                         std::uint64_t length) {
    // A record without bytes at the end begins behind the last part.
    const std::uint64_t of_game =
        total == 0 ? 0 : std::min<std::uint64_t>(begin * parts / total, parts - 1);
    while (cut->cuts_.size() <= of_game) {
      cut->cuts_.push_back({.first = {.part = part, .game = game}, .before = before});
    }
    begin += length;
  };
  RETURN_IF_ERROR(for_each_length(cut->games_, budget, place));
  const Cut end{.first = {.part = static_cast<std::uint32_t>(cut->games_.size()), .game = 0},
                .before = {}};
  cut->cuts_.resize(parts + std::size_t{1}, end);
  return cut;
}

absl::StatusOr<std::vector<DatabaseGames>> SetCut::between(const std::vector<Range>& ranges,
                                                           const WorkBudget& budget) const {
  const GameSet& sets = games_;
  std::vector<DeltaList> lists(sets.size());
  std::size_t left = most_games(budget);
  std::size_t visited = 0;
  for (const Range& range : ranges) {
    const GameOfPart end = cuts_[range.end].first;
    GameOfPart at = cuts_[range.begin].first;
    GameList::Cursor cursor = cuts_[range.begin].before;
    while (at < end) {
      at.game = cursor.next();
      if (at.game == kNoGame) {
        if (++at.part == sets.size()) break;
        cursor = sets[at.part].begin();
        at.game = 0;
        continue;
      }
      if (at >= end) break;
      if (left-- == 0) return WorkBudget::exceeded();
      if (++visited % kStride == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
      lists[at.part].add(at.game);
    }
  }
  if (!budget.spend(visited / kMemoryEntriesOfGame)) return WorkBudget::exceeded();
  std::vector<DatabaseGames> parts;
  for (std::size_t part = 0; part < sets.size(); ++part) {
    parts.emplace_back(sets[part].database(), std::move(lists[part]), sets[part].part());
  }
  return parts;
}

std::size_t SetCut::memory() const {
  std::size_t bytes = sizeof *this + cuts_.capacity() * sizeof(Cut);
  for (const DatabaseGames& games : games_) bytes += games.memory();
  return bytes;
}

}  // namespace scidfs::fs
