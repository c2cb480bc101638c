#include "fs/crosstable/round_order.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "fs/content/sort.h"
#include "fs/content/work_cost.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

constexpr std::uint32_t kTooLarge = std::numeric_limits<std::uint32_t>::max();

// Removes the number at the start of `text` and returns it; a number that is too large becomes the
// largest.
std::uint32_t take_round(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : kTooLarge;
}

struct Played {
  std::uint32_t round = 0;  // first an id, later its place among all rounds
  std::uint32_t date = 0;
  GameIndex game = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const Played&, const Played&) = default;
};

// Replaces each id of a round by its place among the rounds that occur. The same round may have
// several texts, each with an id.
void rank_rounds(absl::FunctionRef<std::string(std::uint32_t)> round_of,
                 std::vector<Played>& games) {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> place_of_id;
  for (const Played& game : games) place_of_id.try_emplace(game.round, 0);
  std::vector<std::pair<RoundNumbers, std::uint32_t>> rounds;
  rounds.reserve(place_of_id.size());
  for (const auto& [id, place] : place_of_id) {
    rounds.emplace_back(RoundNumbers::of(round_of(id)), id);
  }
  std::ranges::sort(rounds);
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    if (i != 0 && rounds[i].first != rounds[i - 1].first) ++place;
    place_of_id[rounds[i].second] = place;
  }
  for (Played& game : games) game.round = place_of_id[game.round];
}

}  // namespace

RoundNumbers RoundNumbers::of(std::string_view round) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr RoundNumbers kNotKnown{{kTooLarge}};
  RoundNumbers result;
  if (round.find_first_of(kDigits) != 0) return kNotKnown;
  for (std::uint32_t& number : result.numbers) {
    if (round.empty()) break;
    number = take_round(round);
    round.remove_prefix(std::min(round.find_first_of(kDigits), round.size()));
  }
  return result.numbers.front() == 0 ? kNotKnown : result;
}

absl::StatusOr<GameOrder> order_by_round(const GameSet& set,
                                         absl::FunctionRef<std::string(std::uint32_t)> round_of,
                                         const WorkBudget& budget) {
  constexpr std::size_t kBetween = std::size_t{1} << 16;  // games between checks for cancellation
  const Database& database = *set.database();
  std::vector<Played> played;
  GameList::Cursor rest = set.begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    if (played.size() % kEventEntriesOfGame == kEventEntriesOfGame - 1 && !budget.spend(1)) {
      return WorkBudget::exceeded();
    }
    if (played.size() % kBetween == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
    played.push_back({.round = database.index().value(game, Column::Round),
                      .date = database.index().value(game, Column::Date),
                      .game = game});
  }
  rank_rounds(round_of, played);
  if (absl::Status status = sort_while_wanted(std::span(played), budget); !status.ok()) {
    return status;
  }
  std::vector<GameIndex> games;
  games.reserve(played.size());
  for (const Played& game : played) games.push_back(game.game);
  return GameOrder(set.database(), std::move(games));
}

}  // namespace scidfs::fs
