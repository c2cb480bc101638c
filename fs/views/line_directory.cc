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
  const QuestionPtr before = question_at(version, set);
  if (before == nullptr) return std::nullopt;
  return question_directory(version, asked_in_tree(*before), kTreeName);
}

absl::Status list_positions(Place set, std::uint64_t first, EmitChild emit) {
  return list_children(
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
  const QuestionPtr before = question_at(version, set);
  if (before == nullptr) return std::nullopt;
  absl::StatusOr<Question> question = asked_in_positions(*before, name);
  // Programs ask everywhere for names of their own, which begin so.
  if (absl::IsInvalidArgument(question.status()) && !name.starts_with('.')) {
    version.searches->refusals.note(Refusals::Kind::Position, codec::clean_line(name),
                                    std::string(question.status().message()));
  }
  return question_directory(version, std::move(question), name);
}

std::string positions_help() { return std::string(kHelp); }

std::optional<Child> find_move(const Version& version, const Question& question,
                               std::string_view name) {
  // Names of files are no moves: that need not be found out each time.
  if (name.find('.') != std::string_view::npos) return std::nullopt;
  return question_directory(version, asked_after_move(question, name), name);
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
