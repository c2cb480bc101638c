#include "fs/views/position_set.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/pages/explorer_json.h"
#include "fs/pages/notable_games.h"
#include "fs/positions/frequent_tables.h"
#include "fs/positions/move_texts.h"
#include "fs/positions/moves_played.h"
#include "fs/search/condition.h"
#include "fs/views/found_games.h"
#include "fs/views/kept_parts.h"
#include "fs/views/query_directory.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {
namespace {

using codec::TargetPosition;
using ContentOr = absl::StatusOr<std::unique_ptr<Content>>;

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
  explorer.json  the same for programs, with the strongest and the newest games
  board.svg      a picture of the board; board-black.svg: seen from Black
  board.txt      a diagram, the FEN, ECO codes of the games
  games.pgn      the games, and all else that a set of games has: index.tsv,
                 summary.txt, players.tsv, openings.tsv, search/, tree/
  Nf3/, e4/      the positions after one move more

tree/ is the same from the first move on: tree/e4/c5/Nf3/. In both a move may be
written as is usual (Nf3, Ngf3, exd5, e8=Q, e8Q, O-O, 0-0, g1f3, -- or 0000 for
a null move), and one name may have several: tree/e4,c5/Nf3,d6/.

Both stand in every set of games: players/Carlsen,M/black/tree/d4/moves.txt, and
search/elo=2700../positions/FEN/summary.txt.
)";

// Returns a key that distinguishes the results for a query in a version from all others of the
// type.
std::string key_of(const Set& set, std::string_view query) {
  return fmt::format("{}:{}", set.version().id, query);
}
std::string query_key(LocalId base, FacetGroups groups, const TargetPosition& position) {
  return fmt::format("{}/{}", answer_key_of(base, groups), codec::position_name(position));
}

// Returns the groups without the last, which is the position itself.
FacetGroups groups_of_tree(const Query& query) {
  const FacetGroups groups(query.groups);
  return groups.first(groups.size() - 1);
}

// Returns the opening of the last position of a line that has one.
NamedPosition named_position(const Reference& reference, const Line& line) {
  const OpeningNames* const names = reference.openings.get();
  if (names == nullptr) return {};
  OpeningNumber last = names->find(line.root.position);
  codec::Position position = line.root.position;
  for (const codec::Move& move : line.moves) {
    position.make(move);
    const OpeningNumber here = names->find(position);
    if (here != kNoOpening) last = here;
  }
  return {.names = names, .opening = names->name(last)};
}

}  // namespace

const TargetPosition& PositionSet::target() const {
  return query().groups.back().front().condition().as<TargetPosition>();
}

absl::StatusOr<GameSet> PositionSet::games_of_tree(const WorkBudget& budget) const {
  return found_games(base(), groups_of_tree(query()), budget);
}

bool PositionSet::is_of_all_games() const {
  return base().has_all_games() && query().groups.size() == 1 && query().groups.back().size() == 1;
}

std::shared_ptr<const MoveTable> PositionSet::known_table(const TargetPosition& position) const {
  return is_of_all_games() ? fs::known_table(version(), position) : nullptr;
}

std::string PositionSet::tree_key() const {
  return key_of(*this, query_key(query().base, groups_of_tree(query()), query().line->root));
}

absl::StatusOr<std::shared_ptr<const OpeningTree>> PositionSet::tree(
    const WorkBudget& budget) const {
  return version().searches->results.get<OpeningTree>(
      tree_key(), budget, [&]() -> absl::StatusOr<std::shared_ptr<const OpeningTree>> {
        ASSIGN_OR_RETURN(const GameSet all, games_of_tree(budget));
        return OpeningTree::make(all, query().line->root, budget,
                                 [this](const auto& position) { return known_table(position); });
      });
}

absl::StatusOr<std::shared_ptr<const MoveTable>> PositionSet::table(
    const WorkBudget& budget) const {
  ResultCache& results = version().searches->results;
  if (const auto tree = results.find<OpeningTree>(tree_key())) {
    const MoveTable* const table = tree->find(codec::position_name(target()));
    if (table != nullptr) return std::shared_ptr<const MoveTable>(tree, table);
  }
  const std::string key = query_key(query().base, query().groups, target());
  return results.get<MoveTable>(
      key_of(*this, key), budget, [&]() -> absl::StatusOr<std::shared_ptr<const MoveTable>> {
        if (auto stored = known_table(target())) return stored;
        ASSIGN_OR_RETURN(const GameSet here, games(budget));
        if (!version().is_together()) return moves_played(here, target(), budget);
        MoveTally all;
        RETURN_IF_ERROR(add_kept_parts<MoveTally>(
            *this, key, here, budget,
            [&](const DatabaseGames& part) -> absl::StatusOr<std::shared_ptr<const MoveTally>> {
              auto stored =
                  is_of_all_games() ? stored_position(*part.database(), target()) : std::nullopt;
              if (!stored.has_value()) return tally_moves(part, target(), budget);
              return std::make_shared<const MoveTally>(std::move(stored->moves));
            },
            [&all](std::uint32_t part, const MoveTally& tally) { all.add_part(tally, part); }));
        return std::make_shared<const MoveTable>(std::move(all).table(target().position));
      });
}

// Lists the files of a position and the moves that follow. After the last child the kernel calls
// again to learn that there are no more; the offset after the last child answers that without the
// tree.
absl::Status PositionSet::list(std::uint64_t first, const WorkBudget& budget,
                               EmitChild emit) const {
  constexpr std::uint64_t kAfterAll = 1000;  // more than there can be
  if (first >= kAfterAll) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::shared_ptr<const OpeningTree> tree, this->tree(budget));
  const std::span<const std::string> moves = tree->listed(query().line->moves);
  const std::vector<const SetFile*> files = listed_files(Listing::Position);
  const std::uint64_t count = files.size() + moves.size();
  return list_children(
      first, count,
      [&](std::uint64_t i) {
        return i < files.size() ? set_child(*this, *files[i]) : find_child(moves[i - files.size()]);
      },
      [&](Child child, std::uint64_t next) {
        return emit(std::move(child), next == count ? kAfterAll : next);
      });
}

std::optional<Child> PositionSet::find_child(std::string_view name) const {
  // Skips names of files, which are no moves.
  if (name.find('.') != std::string_view::npos) return std::nullopt;
  return query_directory(version(), asked_after_move(query(), name), name);
}

void PositionSet::note_unknown(std::string_view name) const {
  // Programs look up files of theirs everywhere.
  if (name.find('.') != std::string_view::npos) return;
  const absl::Status status = asked_after_move(query(), name).status();
  version().searches->rejected_names.note(RejectedNames::Kind::Move, codec::clean_line(name),
                                          std::string(status.message()));
}

NamedPosition PositionSet::named() const {
  return named_position(version().reference(), *query().line);
}

ContentOr PositionSet::open_moves(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const MoveTable> table, this->table(budget));
  return std::make_unique<TextContent>(
      moves_text(position(), codec::clean_line(title()), *table, named()));
}

ContentOr PositionSet::open_moves_tsv(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const MoveTable> table, this->table(budget));
  return std::make_unique<TextContent>(moves_tsv(position(), *table));
}

ContentOr PositionSet::open_board(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const MoveTable> table, this->table(budget));
  return std::make_unique<TextContent>(board_text(position(), *table, named()));
}

ContentOr PositionSet::open_explorer(const WorkBudget& budget) const {
  const auto json = [this](const GameSet& parts, const MoveTable& table,
                           const NotableGames& notable) {
    return std::make_unique<TextContent>(explorer_json(parts, position(), table, named(), notable));
  };
  const std::optional<KnownPosition> known =
      is_of_all_games() ? known_position(version(), target()) : std::nullopt;
  if (known.has_value()) {
    ASSIGN_OR_RETURN(const GameSet all, games_of_tree(budget));
    const auto notable = with_moves(all, known->strongest, known->newest, target(), budget);
    if (notable.ok()) return json(all, *known->table, *notable);
    if (!absl::IsNotFound(notable.status())) return notable.status();
  }
  ASSIGN_OR_RETURN(const std::shared_ptr<const MoveTable> table, this->table(budget));
  ASSIGN_OR_RETURN(const GameSet here, games(budget));
  ASSIGN_OR_RETURN(const NotableGames notable,
                   notable_games(here, target(), kTopGames, kRecentGames, budget));
  return json(here, *table, notable);
}

std::optional<Child> find_tree(const Set& set) {
  return query_directory(set.version(), asked_in_tree(*set.asked()), "tree");
}

std::optional<Child> find_in_positions(const Set& set, std::string_view name) {
  absl::StatusOr<Query> query = asked_in_positions(*set.asked(), name);
  // Programs look up names of their own everywhere; these begin with a dot.
  if (absl::IsInvalidArgument(query.status()) && !name.starts_with('.')) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Position,
                                                codec::clean_line(name),
                                                std::string(query.status().message()));
  }
  return query_directory(set.version(), std::move(query), name);
}

std::string positions_help() { return std::string(kHelp); }

}  // namespace scidfs::fs
