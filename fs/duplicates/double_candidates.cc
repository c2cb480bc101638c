#include "fs/duplicates/double_candidates.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "codec/scid/record.h"
#include "fs/base/status_macros.h"
#include "fs/content/sort.h"
#include "fs/content/step_watch.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kBlocksOfTask = 256;
// A shorter record has too few moves.
constexpr std::uint32_t kLeastLength = codec::scid::kMinRecordSize + kFewestPlies;

// Some blocks of the index of a part.
struct BlocksOfPart {
  std::size_t part = 0;
  std::size_t begin = 0, end = 0;
};

std::vector<BlocksOfPart> blocks_of(const GameNumbers& numbers) {
  std::vector<BlocksOfPart> tasks;
  for (std::size_t part = 0; part < numbers.parts(); ++part) {
    const std::size_t blocks = (numbers.part(part)->games() + kBlock - 1) / kBlock;
    for (std::size_t begin = 0; begin < blocks; begin += kBlocksOfTask) {
      tasks.push_back(
          {.part = part, .begin = begin, .end = std::min(begin + kBlocksOfTask, blocks)});
    }
  }
  return tasks;
}

// Returns how many threads scan the indexes.
std::size_t workers_of(const GameNumbers& numbers, const WorkBudget& budget) {
  return std::max<std::size_t>(1, workers_for(budget, numbers.size() / kBlock / kBlocksOfTask));
}

// Calls visit(game, players) for each shown game of a block that is long enough and whose players
// have names.
template <class Visit>
void visit_block(const Database& database, const PlayerIdentities::OfPart& identities,
                 std::size_t block, const Visit& visit) {
  const PackedIndex& index = database.index();
  PackedIndex::Values white, black, white_rating, black_rating, date, event, flags, length;
  index.values(block, Column::White, white);
  index.values(block, Column::Black, black);
  index.values(block, Column::WhiteRating, white_rating);
  index.values(block, Column::BlackRating, black_rating);
  index.values(block, Column::Date, date);
  index.values(block, Column::Event, event);
  index.values(block, Column::Flags, flags);
  index.values(block, Column::Length, length);
  const std::size_t first = block * kBlock;
  const auto identity_of = [&](std::size_t i, codec::Color color) {
    const bool is_white = color == codec::Color::White;
    return identities.of({.player = (is_white ? white : black)[i],
                          .date = date[i],
                          .elo = PackedIndex::elo_of((is_white ? white_rating : black_rating)[i]),
                          .event = event[i],
                          .game = static_cast<GameIndex>(first + i),
                          .color = color});
  };
  const std::size_t count = std::min<std::size_t>(kBlock, database.games() - first);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t of_white = identity_of(i, codec::Color::White);
    const std::uint64_t of_black = identity_of(i, codec::Color::Black);
    if (of_white == kNobody || of_black == kNobody || length[i] < kLeastLength ||
        !database.loaded().holds(Part::Shown, flags[i])) {
      continue;
    }
    visit(static_cast<GameIndex>(first + i), of_white << 32 | of_black);
  }
}

// Calls visit(worker, game, players) for these games of all parts.
template <class Visit>
absl::Status for_each_game(const GameNumbers& numbers, const PlayerIdentities& identities,
                           const WorkBudget& budget, const Visit& visit) {
  const std::vector<BlocksOfPart> tasks = blocks_of(numbers);
  return run_tasks(tasks.size(), workers_of(numbers, budget), budget,
                   [&](std::size_t worker, std::size_t task) {
                     const auto part = static_cast<std::uint32_t>(tasks[task].part);
                     const PlayerIdentities::OfPart of_part = identities.of_part(part);
                     for (std::size_t block = tasks[task].begin; block < tasks[task].end; ++block) {
                       visit_block(*numbers.part(part), of_part, block,
                                   [&](GameIndex game, std::uint64_t players) {
                                     visit(worker, GameOfPart{.part = part, .game = game}, players);
                                   });
                     }
                     return absl::OkStatus();
                   });
}

// Pairs of players that are looked at between two looks at the budget; most have few games.
constexpr std::size_t kPairsOfLook = 1024;

std::uint64_t hash_of(std::uint64_t players) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  constexpr unsigned kHalf = 32;
  players = (players ^ players >> kHalf) * kGolden;
  return (players ^ players >> kHalf) * kGolden;
}

}  // namespace

// A filter for pairs of players that have only one game. It uses hashes of pairs, so it may report
// that a pair with one game has several. Several threads may add.
class DoubleCandidates::PairFilter {
 public:
  explicit PairFilter(std::size_t games)
      : bits_(std::clamp(std::bit_ceil((games + 1) * kBitsOfGame), kWord, kMostBits)),
        once_(bits_ / kWord),
        twice_(bits_ / kWord) {}

  void add(std::uint64_t hash) {
    const std::size_t bit = hash % bits_;
    const std::uint64_t mask = std::uint64_t{1} << bit % kWord;
    if ((once_[bit / kWord].fetch_or(mask, std::memory_order_relaxed) & mask) != 0) {
      twice_[bit / kWord].fetch_or(mask, std::memory_order_relaxed);
    }
  }
  bool may_have_several(std::uint64_t hash) const {
    const std::size_t bit = hash % bits_;
    return (twice_[bit / kWord].load(std::memory_order_relaxed) >> bit % kWord & 1) != 0;
  }

 private:
  static constexpr std::size_t kWord = 64;
  static constexpr std::size_t kBitsOfGame = 16;
  static constexpr std::size_t kMostBits = std::size_t{1} << 27;

  const std::size_t bits_;
  std::vector<std::atomic<std::uint64_t>> once_, twice_;
};

absl::StatusOr<DoubleCandidates> DoubleCandidates::find(const GameNumbers& numbers,
                                                        const PlayerIdentities& identities,
                                                        const WorkBudget& budget) {
  const auto filter = std::make_shared<PairFilter>(numbers.size());
  RETURN_IF_ERROR(for_each_game(numbers, identities, budget,
                                [&](std::size_t, const GameOfPart&, std::uint64_t players) {
                                  filter->add(hash_of(players));
                                }));
  std::vector<std::size_t> counts(workers_of(numbers, budget));
  RETURN_IF_ERROR(for_each_game(numbers, identities, budget,
                                [&](std::size_t worker, const GameOfPart&, std::uint64_t players) {
                                  if (filter->may_have_several(hash_of(players))) ++counts[worker];
                                }));
  std::size_t count = 0;
  for (const std::size_t of_worker : counts) count += of_worker;
  return DoubleCandidates(numbers, identities, filter, (count + kGamesOfPart - 1) / kGamesOfPart);
}

absl::StatusOr<std::vector<DoubleCandidate>> DoubleCandidates::part(
    std::size_t part, const WorkBudget& budget) const {
  constexpr unsigned kUpperHalf = 32;
  std::vector<std::vector<DoubleCandidate>> found(workers_of(*numbers_, budget));
  RETURN_IF_ERROR(for_each_game(
      *numbers_, *identities_, budget,
      [&](std::size_t worker, const GameOfPart& game, std::uint64_t players) {
        const std::uint64_t hash = hash_of(players);
        if ((hash >> kUpperHalf) % parts_ != part || !filter_->may_have_several(hash)) return;
        const PackedIndex& index = numbers_->part(game.part)->index();
        found[worker].push_back(
            {.players = players,
             .game = numbers_->of(game),
             .facts = {index.value(game.game, Column::Date),
                       static_cast<codec::Result>(index.value(game.game, Column::Result))}});
      }));
  std::vector<DoubleCandidate> candidates = std::move(found[0]);
  for (std::size_t worker = 1; worker < found.size(); ++worker) {
    candidates.insert(candidates.end(), found[worker].begin(), found[worker].end());
    std::vector<DoubleCandidate>().swap(found[worker]);
  }
  RETURN_IF_ERROR(sort_while_wanted(std::span(candidates), budget,
                                    [](const DoubleCandidate& a, const DoubleCandidate& b) {
                                      if (a.players != b.players) return a.players < b.players;
                                      if (a.facts != b.facts) return a.facts < b.facts;
                                      return a.game < b.game;
                                    }));
  StepWatch watch(budget, kPairsOfLook);
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    while (end < candidates.size() && candidates[end].players == candidates[begin].players) ++end;
    // Kept games overwrite earlier ones; so read the facts of all games of the pair first.
    std::vector<std::size_t> agreeing;
    for_each_agreeing(
        end - begin, [&](std::size_t i) { return candidates[begin + i].facts; },
        [&](std::size_t i) { agreeing.push_back(begin + i); });
    for (const std::size_t i : agreeing) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
  return candidates;
}

}  // namespace scidfs::fs
