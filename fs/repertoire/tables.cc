#include "fs/repertoire/tables.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "codec/target_position.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/memory_claim.h"
#include "fs/content/step_watch.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::Position;
using Place = SideLines::Place;

constexpr std::size_t kStepsOfLook = 256;

std::string path_of(const Position& position) {
  return "positions/" + codec::position_name({.position = position});
}

// Returns the percentage that moves.tsv has for White, of the side of the lines.
std::string score_of(const SideLines& lines, const Score& score) {
  return percent_of(score.seen_by(lines.side()));
}

// What the rows of games that left at one position have in common.
struct LeftAt {
  Position position;
  std::string moves;
  std::string path;

  static LeftAt of(const SideLines& lines, Place place) {
    LeftAt left{.position = lines.position(place), .moves = {}, .path = {}};
    for (const SideLines::Move& move : lines.moves(place)) {
      if (!left.moves.empty()) left.moves += ',';
      left.moves += san_without_marks(left.position, move.move);
    }
    left.path = path_of(left.position);
    return left;
  }
};

struct LeftRow {
  std::uint32_t number = 0;
  const Leave* leave = nullptr;  // null: the game never came to the lines
  const LeftAt* at = nullptr;
  codec::Result result{};
};

constexpr TsvColumns kLeftColumns{
    TsvColumn{"number", [](const LeftRow& row) { return row.number; }},
    TsvColumn{"ply",
              [](const LeftRow& row) {
                return row.leave == nullptr ? std::nullopt : std::optional(row.leave->ply);
              }},
    TsvColumn{"left",
              [](const LeftRow& row) {
                return row.leave == nullptr ? std::string_view()
                                            : kLeftBy[static_cast<std::size_t>(row.leave->by)];
              }},
    TsvColumn{"move",
              [](const LeftRow& row) {
                if (row.leave == nullptr || !row.leave->next.has_value()) return std::string();
                return san_without_marks(row.at->position, *row.leave->next);
              }},
    TsvColumn{"moves",
              [](const LeftRow& row) -> std::string_view {
                return row.at == nullptr ? std::string_view() : row.at->moves;
              }},
    TsvColumn{"path",
              [](const LeftRow& row) -> std::string_view {
                return row.at == nullptr ? std::string_view() : row.at->path;
              }},
    TsvColumn{"result", [](const LeftRow& row) { return codec::result_token(row.result); }},
};

// A row about a position, or a move there.
struct PlaceRow {
  const SideLines& lines;
  std::string line;
  std::string path;
  std::string_view move{};
  const MoveScore* games = nullptr;  // null: none
  std::size_t positions = 0;
};

constexpr TsvColumn kMove{"move", [](const PlaceRow& row) { return row.move; }};
constexpr TsvColumn kGames{"games", [](const PlaceRow& row) {
                             return row.games == nullptr ? 0U : row.games->score.all();
                           }};
constexpr TsvColumn kScore{"score", [](const PlaceRow& row) {
                             return row.games == nullptr ? std::string()
                                                         : score_of(row.lines, row.games->score);
                           }};
constexpr TsvColumn kLine{"line", [](const PlaceRow& row) -> std::string_view { return row.line; }};
constexpr TsvColumn kPath{"path", [](const PlaceRow& row) -> std::string_view { return row.path; }};

constexpr TsvColumns kGapColumns{
    kMove,
    kGames,
    kScore,
    TsvColumn{"average_elo", [](const PlaceRow& row) { return known(row.games->elo.value()); }},
    TsvColumn{"last_year", [](const PlaceRow& row) { return known(row.games->last_year); }},
    kLine,
    kPath};
constexpr TsvColumns kChoiceColumns{kMove, kGames, kScore, kLine, kPath};
constexpr TsvColumns kUnusedColumns{
    TsvColumn{"positions", [](const PlaceRow& row) { return row.positions; }}, kLine, kPath};

// Writes rows about positions.
template <class Columns>
class PlaceTable {
 public:
  PlaceTable(const SideLines& lines, const Columns& columns, const WorkBudget& budget)
      : lines_(lines),
        writer_(lines),
        columns_(columns),
        text_(columns.header()),
        watch_(budget, kStepsOfLook),
        memory_(budget) {}

  // Errors: Cancelled; those of WorkBudget::take_memory().
  absl::Status add(Place place, PlaceRow row) {
    if (watch_.is_cancelled()) return WorkBudget::cancelled();
    row.line = writer_.line(place);
    row.path = path_of(lines_.position(place));
    columns_.append_row(row, text_);
    return memory_.grow_to(text_.capacity());
  }
  PlaceRow row() const { return {.lines = lines_, .line = {}, .path = {}}; }
  std::string text() && { return std::move(text_); }

 private:
  const SideLines& lines_;
  LineWriter writer_;
  const Columns& columns_;
  std::string text_;
  StepWatch watch_;
  MemoryClaim memory_;
};

// The search for the positions that no game comes to.
class UnusedSearch {
 public:
  struct Root {
    Place place = 0;
    std::size_t below = 0;
  };

  UnusedSearch(const RepertoireReplay& replay, const WorkBudget& budget)
      : replay_(replay), lines_(replay.lines()), watch_(budget, kStepsOfLook * 4) {}

  absl::StatusOr<std::vector<Root>> find() {
    std::vector<bool> has_met_before(lines_.size());
    for (Place place = 0; place < lines_.size(); ++place) {
      if (watch_.is_cancelled()) return WorkBudget::cancelled();
      if (!is_met(place)) continue;
      for (const SideLines::Move& move : lines_.moves(place)) has_met_before[move.to] = true;
    }
    std::vector<Root> roots;
    for (Place place = 0; place < lines_.size(); ++place) {
      const bool is_start = lines_.before(place) == SideLines::kNoPlace;
      if (!is_met(place) && (has_met_before[place] || is_start)) roots.push_back({.place = place});
    }
    counted_.assign(lines_.size(), false);
    for (const Root& root : roots) counted_[root.place] = true;
    for (Root& root : roots) {
      if (!count_below(root)) return WorkBudget::cancelled();
    }
    std::ranges::stable_sort(roots, std::greater(), &Root::below);
    return roots;
  }

 private:
  bool is_met(Place place) const { return replay_.played(place) != nullptr; }

  // Counts the positions below one that no other has counted. Returns false if cancelled.
  bool count_below(Root& root) {
    std::vector<Place> open = {root.place};
    while (!open.empty()) {
      if (watch_.is_cancelled()) return false;
      const Place place = open.back();
      open.pop_back();
      for (const SideLines::Move& move : lines_.moves(place)) {
        if (counted_[move.to] || is_met(move.to)) continue;
        counted_[move.to] = true;
        ++root.below;
        open.push_back(move.to);
      }
    }
    return true;
  }

  const RepertoireReplay& replay_;
  const SideLines& lines_;
  StepWatch watch_;
  std::vector<bool> counted_;
};

}  // namespace

absl::StatusOr<std::string> left_table(const RepertoireReplay& replay, const GameSet& parts,
                                       const Subjects& subjects, const WorkBudget& budget) {
  if (parts.count(kMostLeaves + 1) > kMostLeaves) {
    return absl::UnimplementedError(
        fmt::format("more than {} games: too many to list where each leaves", kMostLeaves));
  }
  const SideLines& lines = replay.lines();
  absl::flat_hash_map<Place, LeftAt> positions;
  std::string text = kLeftColumns.header();
  add_database_column(parts, text);
  MemoryClaim memory(budget);
  auto leave = replay.leaves().begin();
  StepWatch watch(budget, kStepsOfLook);
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const PackedIndex& index = parts[part].database()->index();
    DatabaseGames::Cursor rest = parts[part].begin();
    for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      if (!counts_for(subjects.of(part), index, game, lines.side())) continue;
      LeftRow row{
          .number = game + 1,
          .result = static_cast<codec::Result>(index.value(game, PackedIndex::Column::Result))};
      if (leave != replay.leaves().end() && leave->game == GameOfPart{part, game}) {
        const auto [at, is_new] = positions.try_emplace(leave->place);
        if (is_new) at->second = LeftAt::of(lines, leave->place);
        row.leave = &*leave++;
        row.at = &at->second;
      }
      kLeftColumns.append_row(row, text);
      add_database(parts[part], text);
      RETURN_IF_ERROR(memory.grow_to(text.capacity()));
    }
  }
  return text;
}

absl::StatusOr<std::vector<Gap>> find_gaps(const RepertoireReplay& replay,
                                           const WorkBudget& budget) {
  const SideLines& lines = replay.lines();
  std::vector<Gap> gaps;
  StepWatch watch(budget, kStepsOfLook);
  for (Place place = 0; place < lines.size(); ++place) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    const MoveTable* const table = replay.played(place);
    if (table == nullptr || lines.is_mine(place) || lines.moves(place).empty()) continue;
    for (const PlayedMove& move : table->moves()) {
      const Place after = lines.after(place, move.move);
      const bool has_reply = after != SideLines::kNoPlace && !lines.moves(after).empty();
      if (!has_reply) gaps.push_back({.place = place, .move = &move});
    }
  }
  std::ranges::stable_sort(gaps, std::greater(),
                           [](const Gap& gap) { return gap.move->games.score.all(); });
  return gaps;
}

absl::StatusOr<std::string> gap_table(const RepertoireReplay& replay, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::vector<Gap> gaps, find_gaps(replay, budget));
  PlaceTable table(replay.lines(), kGapColumns, budget);
  for (const Gap& gap : gaps) {
    PlaceRow row = table.row();
    row.move = gap.move->san;
    row.games = &gap.move->games;
    RETURN_IF_ERROR(table.add(gap.place, std::move(row)));
  }
  return std::move(table).text();
}

absl::StatusOr<std::string> choice_table(const RepertoireReplay& replay, const WorkBudget& budget) {
  const SideLines& lines = replay.lines();
  std::vector<Place> places;
  for (Place place = 0; place < lines.size(); ++place) {
    if (lines.is_mine(place) && lines.moves(place).size() > 1) places.push_back(place);
  }
  std::ranges::stable_sort(places, std::greater(),
                           [&](Place place) { return replay.score(place).all(); });
  PlaceTable table(lines, kChoiceColumns, budget);
  for (const Place place : places) {
    struct Choice {
      std::string san;
      const MoveScore* games = nullptr;
    };
    std::vector<Choice> choices;
    const Position position = lines.position(place);
    const MoveTable* const played = replay.played(place);
    for (const SideLines::Move& move : lines.moves(place)) {
      Choice choice{.san = san_without_marks(position, move.move)};
      if (played != nullptr) {
        const auto found =
            std::ranges::find(played->moves(), number_of(move.move),
                              [](const PlayedMove& one) { return number_of(one.move); });
        if (found != played->moves().end()) choice.games = &found->games;
      }
      choices.push_back(std::move(choice));
    }
    std::ranges::stable_sort(choices, std::greater(), [](const Choice& choice) {
      return choice.games == nullptr ? 0U : choice.games->score.all();
    });
    for (const Choice& choice : choices) {
      PlaceRow row = table.row();
      row.move = choice.san;
      row.games = choice.games;
      RETURN_IF_ERROR(table.add(place, std::move(row)));
    }
  }
  return std::move(table).text();
}

absl::StatusOr<std::string> unused_table(const RepertoireReplay& replay, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::vector<UnusedSearch::Root> roots,
                   UnusedSearch(replay, budget).find());
  PlaceTable table(replay.lines(), kUnusedColumns, budget);
  for (const UnusedSearch::Root& root : roots) {
    PlaceRow row = table.row();
    row.positions = root.below;
    RETURN_IF_ERROR(table.add(root.place, std::move(row)));
  }
  return std::move(table).text();
}

}  // namespace scidfs::fs
