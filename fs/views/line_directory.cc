#include "fs/views/line_directory.h"

#include <fmt/format.h>

#include <utility>

#include "codec/text.h"
#include "fs/sets/condition.h"
#include "fs/sets/moves_search.h"
#include "fs/views/question_directory.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {
namespace {

using codec::PositionGoal;

constexpr std::string_view kHelpName = "README.txt";

constexpr std::string_view kHelp =
    R"(positions/FEN/ is the set of the games that come to a position. It is there as
soon as you name it: `cd` there, or type the path. A FEN is written with _ for
blanks and - for slashes:

  positions/rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w/moves.txt
  positions/8-8-8-3k4-8-3K4-3P4-8_b/games.pgn

With two fields, board and side to move, these are compared. With four to six,
castling rights and en passant count too, en passant only where a pawn can take
so; the counters never count.

A game comes to a position if its main line has it after any number of moves, or
begins there; how it came there does not matter. Variations are not searched.

The directory of a position has

  moves.txt      what was played there: games, results, ratings
  moves.tsv      the same as a table
  board.txt      a diagram, the FEN, ECO codes of the games
  games.pgn      the games, and all else that a set of games has: index.tsv,
                 summary.txt, players.tsv, openings.tsv, search/, tree/
  Nf3/, e4/      the positions after one move more

tree/ is the same from the first move on: tree/e4/c5/Nf3/. In both a move may be
written as is usual (Nf3, Ngf3, exd5, e8=Q, e8Q, O-O, 0-0, g1f3, -- or 0000 for
a null move).

Both stand in every set of games: players/Carlsen,M/black/tree/d4/moves.txt, and
search/elo=2700../positions/FEN/summary.txt.
)";

// The position that a line leads to.
const PositionGoal& goal_of(const Question& question) {
  return question.groups.back().front().condition->as<PositionGoal>();
}

FacetGroup group_of(const PositionGoal& goal) { return {position_facet(goal)}; }

std::optional<Child> begin_line(const Version& version, Place set, const PositionGoal& root,
                                std::string path, std::string_view name) {
  std::optional<Question> question = narrower(version, set, std::move(path), group_of(root));
  if (!question.has_value()) return std::nullopt;
  question->line =
      std::make_shared<const Line>(Line{.root = root, .moves = {}, .position = root.position});
  absl::StatusOr<Child> child = question_directory(version, *std::move(question), name);
  if (!child.ok()) return std::nullopt;
  return *std::move(child);
}

// What tells the answers to a question in a version from all others of their kind.
std::string key_of(std::string_view kind, const Version& version, const Question& question,
                   FacetGroups groups, const PositionGoal& position) {
  return fmt::format("{}:{}:{}/{}/{}", kind, version.id, pack({.place = question.base}),
                     canonical_text(groups), codec::position_name(position));
}

std::string tree_key(const Version& version, const Question& question) {
  const FacetGroups groups(question.groups);
  return key_of("tree", version, question, groups.first(groups.size() - 1), question.line->root);
}

}  // namespace

std::optional<Child> find_tree(const Version& version, Place set) {
  return begin_line(version, set, PositionGoal{}, std::string(kTreeName), kTreeName);
}

void list_positions(Place set, std::uint64_t first, EmitChild emit) {
  list_children(
      first, 1,
      [&](std::uint64_t) {
        return Child{.name = std::string(kHelpName),
                     .place = {.view = set.view, .level = kSetPositionsHelp, .key = set.key}};
      },
      emit);
}

std::optional<Child> find_in_positions(const Version& version, Place set, std::string_view name) {
  if (name == kHelpName) {
    return Child{.name = std::string(name),
                 .place = {.view = set.view, .level = kSetPositionsHelp, .key = set.key}};
  }
  const absl::StatusOr<PositionGoal> goal = codec::parse_position_name(name);
  if (goal.ok()) {
    return begin_line(version, set, *goal, fmt::format("positions/{}", name), name);
  }
  // Programs ask everywhere for names of their own, which begin so.
  if (!name.starts_with('.')) {
    version.searches->refusals.note(Refusals::Kind::Position, codec::clean_line(name),
                                    std::string(goal.status().message()));
  }
  return std::nullopt;
}

std::string positions_help() { return std::string(kHelp); }

std::optional<Child> find_move(const Version& version, const Question& question,
                               std::string_view name) {
  // Names of files are no moves: that need not be found out each time.
  if (name.find('.') != std::string_view::npos) return std::nullopt;
  const PositionGoal& goal = goal_of(question);
  const std::optional<codec::Move> move = goal.parse_move(name);
  if (!move.has_value()) return std::nullopt;
  Question longer = question;
  longer.path = fmt::format("{}/{}", question.path, name);
  longer.groups.back() = group_of(goal.after(*move));
  Line line = *question.line;
  line.moves.push_back(*move);
  line.position.make(*move);
  longer.line = std::make_shared<const Line>(std::move(line));
  absl::StatusOr<Child> child = question_directory(version, std::move(longer), name);
  if (!child.ok()) return std::nullopt;
  return *std::move(child);
}

absl::StatusOr<std::shared_ptr<const OpeningTree>> tree_of(
    const Version& version, const Question& question, const Effort& effort,
    absl::FunctionRef<absl::StatusOr<GameSet>()> all) {
  const absl::StatusOr<std::shared_ptr<const Answer>> tree = version.searches->answers.get(
      tree_key(version, question), effort, [&]() -> absl::StatusOr<std::shared_ptr<const Answer>> {
        const absl::StatusOr<GameSet> set = all();
        if (!set.ok()) return set.status();
        return OpeningTree::make(*set, question.line->root, effort);
      });
  if (!tree.ok()) return tree.status();
  return std::static_pointer_cast<const OpeningTree>(*tree);
}

absl::StatusOr<std::shared_ptr<const MoveTable>> table_of(
    const Version& version, const Question& question, const Effort& effort,
    absl::FunctionRef<absl::StatusOr<GameSet>()> here) {
  const PositionGoal& goal = goal_of(question);
  Searches& searches = *version.searches;
  if (const auto kept = searches.answers.find(tree_key(version, question))) {
    const auto tree = std::static_pointer_cast<const OpeningTree>(kept);
    const MoveTable* const table = tree->find(codec::position_name(goal));
    if (table != nullptr) return std::shared_ptr<const MoveTable>(tree, table);
  }
  const absl::StatusOr<std::shared_ptr<const Answer>> table =
      searches.answers.get(key_of("moves", version, question, question.groups, goal), effort,
                           [&]() -> absl::StatusOr<std::shared_ptr<const Answer>> {
                             const absl::StatusOr<GameSet> set = here();
                             if (!set.ok()) return set.status();
                             return moves_played(*set, goal, effort);
                           });
  if (!table.ok()) return table.status();
  return std::static_pointer_cast<const MoveTable>(*table);
}

}  // namespace scidfs::fs
