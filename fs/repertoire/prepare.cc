#include "fs/repertoire/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "codec/target_position.h"
#include "fs/base/status_macros.h"
#include "fs/base/text_table.h"
#include "fs/base/tsv.h"
#include "fs/content/step_watch.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

using codec::Color;

constexpr std::size_t kRowsOfLook = 256;
constexpr std::size_t kMostPrepared = 40;  // in the text

struct PreparedRow {
  SideLines::Place place = 0;
  Score theirs{};
  std::optional<Score> mine{};  // nothing: it is not known whose they are
  Score all{};
  std::string line{};
  std::string path{};
};

constexpr TsvColumns kPreparedColumns{
    TsvColumn{"games", [](const PreparedRow& row) { return row.theirs.all(); }},
    TsvColumn{"score", [](const PreparedRow& row) { return percent_of(row.theirs); }},
    TsvColumn{"my_games",
              [](const PreparedRow& row) {
                return row.mine.has_value() ? std::optional(row.mine->all()) : std::nullopt;
              }},
    TsvColumn{"my_score",
              [](const PreparedRow& row) {
                return row.mine.has_value() ? percent_of(*row.mine) : std::string();
              }},
    TsvColumn{"all_games", [](const PreparedRow& row) { return row.all.all(); }},
    TsvColumn{"all_score", [](const PreparedRow& row) { return percent_of(row.all); }},
    TsvColumn{"line", [](const PreparedRow& row) -> std::string_view { return row.line; }},
    TsvColumn{"path", [](const PreparedRow& row) -> std::string_view { return row.path; }},
};

// Returns the rows, without their texts and the scores of all games.
absl::StatusOr<std::vector<PreparedRow>> prepared_rows(const PreparedGames& games,
                                                       const WorkBudget& budget) {
  const SideLines& lines = games.theirs->lines();
  const auto score_at = [&lines](const RepertoireReplay& replay, SideLines::Place place) {
    return replay.score(place).seen_by(lines.side());
  };
  std::vector<PreparedRow> rows;
  StepWatch watch(budget, kRowsOfLook);
  for (SideLines::Place place = 0; place < lines.size(); ++place) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    if (games.theirs->played(place) == nullptr) continue;
    rows.push_back({.place = place,
                    .theirs = score_at(*games.theirs, place),
                    .mine = games.mine == nullptr ? std::nullopt
                                                  : std::optional(score_at(*games.mine, place))});
  }
  std::ranges::stable_sort(rows, std::greater(),
                           [](const PreparedRow& row) { return row.theirs.all(); });
  return rows;
}

absl::Status add_scores_of_all(const PreparedGames& games, std::span<PreparedRow> rows) {
  std::vector<SideLines::Place> places;
  places.reserve(rows.size());
  for (const PreparedRow& row : rows) places.push_back(row.place);
  ASSIGN_OR_RETURN(const std::vector<Score> scores, games.all(places));
  const Color side = games.theirs->lines().side();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].all = scores[i].seen_by(side);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> prepare_table(const PreparedGames& games, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(std::vector<PreparedRow> rows, prepared_rows(games, budget));
  RETURN_IF_ERROR(add_scores_of_all(games, rows));
  const SideLines& lines = games.theirs->lines();
  LineWriter writer(lines);
  std::string text = kPreparedColumns.header();
  StepWatch watch(budget, kRowsOfLook);
  for (PreparedRow& row : rows) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    row.line = writer.line(row.place);
    row.path = "positions/" + codec::position_name({.position = lines.position(row.place)});
    kPreparedColumns.append_row(row, text);
  }
  return text;
}

absl::StatusOr<std::string> prepare_text(const PreparedGames& games, std::string_view title,
                                         const WorkBudget& budget) {
  ASSIGN_OR_RETURN(std::vector<PreparedRow> rows, prepared_rows(games, budget));
  std::string text = fmt::format("{}\n", title);
  text += fmt::format("{} in {} of my lines; scores are mine\n\n",
                      counted(games.theirs->all().all(), "game"), counted(rows.size(), "position"));
  TextTable table;
  const auto add_columns = [&table](std::string header) {
    table.add_column(std::move(header), TextTable::Align::Right);
    table.add_column("score", TextTable::Align::Right);
  };
  const auto add = [&table](const Score& score) {
    table.add(grouped(score.all()));
    table.add(with_sign(percent_of(score)));
  };
  add_columns("theirs");
  if (games.mine != nullptr) add_columns("mine");
  add_columns("all");
  table.add_column("line", TextTable::Align::Left);
  LineWriter writer(games.theirs->lines());
  rows.resize(std::min(rows.size(), kMostPrepared));
  RETURN_IF_ERROR(add_scores_of_all(games, rows));
  for (const PreparedRow& row : rows) {
    add(row.theirs);
    if (row.mine.has_value()) add(*row.mine);
    add(row.all);
    table.add(writer.line(row.place));
  }
  table.write(text);
  return text;
}

}  // namespace scidfs::fs
