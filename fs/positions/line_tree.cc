#include "fs/positions/line_tree.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "codec/uci.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/step_watch.h"
#include "fs/positions/target_scan.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;
using codec::TargetPosition;
using PlayedMoves = std::span<const LinePositions::Move>;

// Of the first round; each further one samples twice as many, since it looks for rarer positions.
constexpr std::size_t kSampledGames = 32'768;
constexpr std::size_t kMostSampledGames = 131'072;

// Places whose moves are made and sorted between two looks at the budget.
constexpr std::size_t kPlacesOfLook = 32;

// Its moves, its name, and its place in a tree.
constexpr std::size_t kBytesOfPosition = 1024;

// Returns whether the rights of a position allow a move that its board allows.
bool has_right(const Position& board, const codec::Move& move) {
  constexpr int kShortFile = 6;
  if (move.kind == codec::MoveKind::EnPassant) return board.en_passant() == move.to;
  if (move.kind != codec::MoveKind::Castling) return true;
  const bool is_short = codec::file_of(move.to) == kShortFile;
  const unsigned right = board.side_to_move() == Color::White
                             ? (is_short ? codec::kWhiteShort : codec::kWhiteLong)
                             : (is_short ? codec::kBlackShort : codec::kBlackLong);
  return (board.castling() & right) != 0;
}

// Returns whether a side prefers a move by its score. A score without a known result is the worst.
bool scores_better(const LinePositions::Move& a, const LinePositions::Move& b, Color side) {
  const Score of_a = a.score.seen_by(side);
  const Score of_b = b.score.seen_by(side);
  if ((of_a.decided() == 0) != (of_b.decided() == 0)) return of_b.decided() == 0;
  const std::uint64_t points_a = of_a.points() * of_b.decided();
  const std::uint64_t points_b = of_b.points() * of_a.decided();
  if (points_a != points_b) return points_a > points_b;
  if (of_a.all() != of_b.all()) return of_a.all() > of_b.all();
  return codec::to_uci(a.move) < codec::to_uci(b.move);
}

// Returns the moves of a position that lines within the bounds may have, by their places in
// `moves`; how many games they have is not asked.
std::vector<std::size_t> allowed_moves(PlayedMoves moves, const Position& board,
                                       const LineBounds& bounds) {
  const bool is_one = bounds.side == board.side_to_move();
  std::vector<std::size_t> allowed;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!has_right(board, moves[i].move)) continue;
    if (is_one && moves[i].score.all() < bounds.best) continue;
    if (!is_one || allowed.empty()) {
      allowed.push_back(i);
    } else if (bounds.best != 0 &&
               scores_better(moves[i], moves[allowed[0]], board.side_to_move())) {
      allowed[0] = i;
    }
  }
  return allowed;
}

// Returns the lines whose moves have at least `games` games, from the position with number 0 on, as
// far as positions have been counted. Ends early at more than `most` moves. Errors: Cancelled.
absl::StatusOr<LineTree> grow(LinePositions& positions, const Position& board,
                              const LineBounds& bounds, std::uint32_t games, std::size_t most,
                              const WorkBudget& budget) {
  LineTree tree{.places = {{.board = board}}, .moves = {}, .games = games, .missing = {}};
  std::vector<std::uint32_t> places = {0};  // by number of the position
  StepWatch watch(budget, kPlacesOfLook);
  for (std::uint32_t from = 0; from < tree.places.size() && tree.moves.size() <= most; ++from) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    const LineTree::Place here = tree.places[from];
    tree.places[from].first_move = tree.moves.size();
    if (here.plies < bounds.plies && !positions.is_counted(here.position)) {
      tree.missing.push_back(
          {.target = positions.target(here.position), .plies = bounds.plies - here.plies});
    } else if (here.plies < bounds.plies) {
      const PlayedMoves played = positions.moves(here.position);
      for (const std::size_t i : allowed_moves(played, here.board, bounds)) {
        if (played[i].score.all() < games) break;
        const std::uint32_t next = positions.after(here.position, i);
        places.resize(std::max<std::size_t>(places.size(), next + std::size_t{1}),
                      LinePositions::kNone);
        if (places[next] == LinePositions::kNone) {
          places[next] = static_cast<std::uint32_t>(tree.places.size());
          tree.places.push_back({.position = next,
                                 .board = here.board,
                                 .before = static_cast<std::uint32_t>(tree.moves.size()),
                                 .plies = here.plies + 1});
          tree.places.back().board.make(played[i].move);
        }
        tree.moves.push_back({.played = played[i], .from = from, .to = places[next]});
      }
    }
    tree.places[from].end_move = tree.moves.size();
  }
  return tree;
}

// Returns the lines for the smallest number of games from 2 on that leaves at most
// LineTree::kFewMoves. Errors: Cancelled.
absl::StatusOr<LineTree> grow_most(LinePositions& positions, const Position& board,
                                   const LineBounds& bounds, const WorkBudget& budget) {
  const auto with = [&](std::uint32_t games) {
    return grow(positions, board, bounds, games, LineTree::kFewMoves, budget);
  };
  const auto fits = [](const LineTree& tree) { return tree.moves.size() <= LineTree::kFewMoves; };
  std::uint32_t too_few = 2;
  absl::StatusOr<LineTree> tree = with(too_few);
  if (!tree.ok() || fits(*tree)) return tree;
  std::uint32_t enough = std::numeric_limits<std::uint32_t>::max();
  tree = with(enough);
  while (tree.ok() && enough - too_few > 1) {
    const std::uint32_t games = too_few + (enough - too_few) / 2;
    absl::StatusOr<LineTree> other = with(games);
    if (!other.ok() || fits(*other)) {
      enough = games;
      tree = std::move(other);
    } else {
      too_few = games;
    }
  }
  return tree;
}

// Takes the tables that are known of positions, and of those that lines from there come to, moves
// with most games first: the lines with at most `most` moves are then among those taken, as far as
// they are known. Returns whether there are any. Errors: Unavailable, Cancelled.
absl::StatusOr<bool> take_known(std::span<const std::uint32_t> numbers, std::size_t most,
                                LinePositions& positions, KnownTable known,
                                const WorkBudget& budget) {
  constexpr std::size_t kGamesOfTable = 16;  // decoded in the time that one takes
  struct Next {
    std::uint32_t games = 0;
    std::uint32_t from = 0;
    std::uint32_t move = 0;  // by its place in LinePositions::moves()
    bool operator<(const Next& other) const { return games < other.games; }
  };
  std::priority_queue<Next> queue;
  bool is_any = false;
  const auto visit = [&](std::uint32_t number) {
    if (positions.is_counted(number)) return absl::OkStatus();
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    if (!budget.spend(kGamesOfTable)) return WorkBudget::exceeded();
    const std::shared_ptr<const MoveTable> table = known(positions.target(number));
    if (table == nullptr) return absl::OkStatus();
    is_any = true;
    LineTally tally;
    for (const PlayedMove& played : table->moves()) tally.add(played.move, played.games.score);
    positions.add(number, tally);
    const PlayedMoves moves = positions.moves(number);
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      queue.push({.games = moves[i].score.all(), .from = number, .move = i});
    }
    return absl::OkStatus();
  };
  for (const std::uint32_t number : numbers) RETURN_IF_ERROR(visit(number));
  for (std::size_t taken = 0; taken <= most && !queue.empty(); ++taken) {
    const Next next = queue.top();
    queue.pop();
    RETURN_IF_ERROR(visit(positions.after(next.from, next.move)));
  }
  return is_any;
}

// Counts the target positions that have not been counted yet.
absl::Status count_missing(std::span<const PositionSample::Part> parts,
                           std::span<const TargetPosition> targets, LinePositions& positions,
                           const WorkBudget& budget) {
  std::vector<TargetPosition> wanted;
  std::vector<std::uint32_t> numbers;
  StepWatch watch(budget, kPlacesOfLook);
  for (const TargetPosition& target : targets) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    const std::uint32_t number = positions.number_of(target);
    if (positions.is_counted(number)) continue;
    positions.add(number, {});  // the same position may come twice
    wanted.push_back(target);
    numbers.push_back(number);
  }
  for (const PositionSample::Part& part : parts) {
    ASSIGN_OR_RETURN(const std::vector<LineTally> tallies,
                     count_lines(part.database, part.games, wanted, budget));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      positions.add(numbers[i], tallies[i]);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LineTree> find_line_tree(const GameSet& parts, const TargetPosition& root,
                                        const Position& board, const LineBounds& bounds,
                                        const WorkBudget& budget, KnownTable known) {
  const bool is_bounded = bounds.games != 0;
  const std::size_t most = is_bounded ? LineTree::kMostMoves : LineTree::kFewMoves;
  const std::uint32_t fewest = is_bounded ? bounds.games : 2;
  LinePositions positions(bounds.best == 0 ? fewest : std::min(fewest, bounds.best));
  positions.number_of(root);
  MemoryClaim memory(budget);
  std::size_t games = kSampledGames;
  bool may_know = true;  // positions after unknown ones have fewer games still
  while (true) {
    ASSIGN_OR_RETURN(LineTree tree, is_bounded
                                        ? grow(positions, board, bounds, bounds.games, most, budget)
                                        : grow_most(positions, board, bounds, budget));
    if (tree.moves.size() > most) {
      return absl::UnimplementedError(fmt::format("the lines have more than {} moves", most));
    }
    if (tree.missing.empty()) return tree;
    if (may_know) {
      std::vector<std::uint32_t> missing;
      for (const Onward& onward : tree.missing) {
        missing.push_back(positions.number_of(onward.target));
      }
      ASSIGN_OR_RETURN(may_know, take_known(missing, most, positions, known, budget));
      RETURN_IF_ERROR(memory.grow_to(kBytesOfPosition * positions.size()));
      if (may_know) continue;
    }
    // Each round samples the games that come to what is missing.
    ASSIGN_OR_RETURN(
        PositionSample sample,
        PositionSample::of(
            parts, {.games = games, .one_in = games, .fewest = tree.games, .most = 3 * most},
            budget));
    ASSIGN_OR_RETURN(const auto targets, sample.frequent(tree.missing, budget));
    RETURN_IF_ERROR(memory.grow_to(kBytesOfPosition * (positions.size() + targets.size())));
    RETURN_IF_ERROR(count_missing(sample.parts(), targets, positions, budget));
    games = std::min(2 * games, kMostSampledGames);
  }
}

}  // namespace scidfs::fs
