#include "fs/crosstable/round_order.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
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
  std::uint32_t round = 0;  // first its number in Rounds, later its place among all rounds
  std::uint32_t date = 0;
  GameIndex game = 0;  // its number in the row of all databases

  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const Played&, const Played&) = default;
};

// The rounds that occur, numbered from 0.
class Rounds {
 public:
  std::uint32_t number_of(std::size_t part, std::uint32_t id) {
    const auto next = static_cast<std::uint32_t>(number_of_.size());
    return number_of_.try_emplace(std::pair(part, id), next).first->second;
  }

  // Returns the place of each among all. The same round may have several texts, each with an id.
  std::vector<std::uint32_t> places(
      absl::FunctionRef<std::string(std::size_t part, std::uint32_t id)> round_of) const {
    std::vector<std::pair<RoundNumbers, std::uint32_t>> rounds;
    rounds.reserve(number_of_.size());
    for (const auto& [round, number] : number_of_) {
      rounds.emplace_back(RoundNumbers::of(round_of(round.first, round.second)), number);
    }
    std::ranges::sort(rounds);
    std::vector<std::uint32_t> places(rounds.size());
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      if (i != 0 && rounds[i].first != rounds[i - 1].first) ++place;
      places[rounds[i].second] = place;
    }
    return places;
  }

 private:
  absl::flat_hash_map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> number_of_;
};

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

absl::StatusOr<GameOrder> order_by_round(
    const GameSet& sets,
    absl::FunctionRef<std::string(std::size_t part, std::uint32_t id)> round_of,
    const WorkBudget& budget) {
  constexpr std::size_t kBetween = std::size_t{1} << 16;  // games between checks for cancellation
  constexpr std::size_t kBytesOfGame = 2 * sizeof(Played) + sizeof(GameIndex);
  std::vector<DatabasePtr> databases;
  for (const DatabaseGames& set : sets) databases.push_back(set.database());
  GameNumbers numbers(std::move(databases));
  if (numbers.size() > kNoGame) return absl::UnimplementedError("too many games for an order");
  MemoryClaim memory(budget);
  std::vector<Played> played;
  Rounds rounds;
  for (std::uint32_t part = 0; part < sets.size(); ++part) {
    const PackedIndex& index = sets[part].database()->index();
    GameList::Cursor rest = sets[part].begin();
    for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
      if (played.size() % kEventEntriesOfGame == kEventEntriesOfGame - 1 && !budget.spend(1)) {
        return WorkBudget::exceeded();
      }
      if (played.size() % kBetween == 0) {
        if (budget.is_cancelled()) return WorkBudget::cancelled();
        RETURN_IF_ERROR(memory.grow_to((played.size() + kBetween) * kBytesOfGame));
      }
      played.push_back({.round = rounds.number_of(part, index.value(game, Column::Round)),
                        .date = index.value(game, Column::Date),
                        .game = numbers.of({.part = part, .game = game})});
    }
  }
  const std::vector<std::uint32_t> places = rounds.places(round_of);
  for (Played& game : played) game.round = places[game.round];
  RETURN_IF_ERROR(sort_while_wanted(std::span(played), budget));
  std::vector<GameIndex> games;
  games.reserve(played.size());
  for (const Played& game : played) games.push_back(game.game);
  return GameOrder(std::move(numbers), std::move(games));
}

}  // namespace scidfs::fs
