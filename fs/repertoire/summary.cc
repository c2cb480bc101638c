#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "codec/eco.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/base/text_table.h"
#include "fs/repertoire/tables.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using Align = TextTable::Align;
using Depths = RepertoireReplay::Depths;

constexpr std::size_t kMostOpenings = 20;
constexpr std::size_t kMostCostly = 10;

std::uint64_t games_of(const Depths& depths) {
  return std::accumulate(depths.begin(), depths.end(), std::uint64_t{0});
}

// Returns the depth that half of the games reach. REQUIRES: there are games.
std::size_t median(const Depths& depths) {
  const std::uint64_t half = (games_of(depths) + 1) / 2;
  std::uint64_t games = 0;
  std::size_t ply = 0;
  for (; ply < depths.size(); ++ply) {
    games += depths[ply];
    if (games >= half) break;
  }
  return ply;
}

void write_scores(const RepertoireReplay& replay, std::string& out) {
  TextTable table;
  table.add_column("Left the lines by", Align::Left);
  table.add_column("games", Align::Right);
  table.add_column("score", Align::Right);
  const auto add = [&table](std::string_view name, const Score& score) {
    table.add(fmt::format("  {}", name));
    table.add(grouped(score.all()));
    table.add(with_sign(percent_of(score)));
  };
  for (const LeftBy by : {LeftBy::End, LeftBy::Me, LeftBy::Opponent}) {
    add(kLeftBy[static_cast<std::size_t>(by)], replay.left(by));
  }
  add("total", replay.all());
  table.write(out);
}

void add_depths(std::string_view name, const Depths& depths, TextTable& table) {
  table.add(fmt::format("  {}", name));
  table.add(grouped(games_of(depths)));
  table.add(fmt::to_string(median(depths)));
}

void write_depths(const RepertoireReplay& replay, std::string& out) {
  Depths all;
  std::vector<std::pair<std::uint64_t, unsigned>> openings;
  for (unsigned eco = 0; eco < replay.depths().size(); ++eco) {
    const Depths& depths = replay.depths()[eco];
    if (depths.empty()) continue;
    openings.emplace_back(games_of(depths), eco);
    all.resize(std::max(all.size(), depths.size()));
    for (std::size_t ply = 0; ply < depths.size(); ++ply) all[ply] += depths[ply];
  }
  if (openings.empty()) return;
  std::ranges::stable_sort(openings, std::greater(), [](const auto& one) { return one.first; });
  openings.resize(std::min(openings.size(), kMostOpenings));
  TextTable table;
  table.add_column("Opening", Align::Left);
  table.add_column("games", Align::Right);
  table.add_column("half stay for plies", Align::Right);
  for (const auto& [games, eco] : openings) {
    add_depths(eco == codec::kEcoBases ? "without a code" : codec::eco_base_to_string(eco),
               replay.depths()[eco], table);
  }
  add_depths("all openings", all, table);
  out += '\n';
  table.write(out);
}

struct CostlyGap {
  Gap gap;
  Score score;      // of my side
  double cost = 0;  // in points
};

std::vector<CostlyGap> costly_gaps(const RepertoireReplay& replay, const std::vector<Gap>& gaps) {
  const Score& all = replay.all();
  if (all.decided() == 0) return {};
  const double usual = static_cast<double>(all.points()) / 2 / all.decided();
  std::vector<CostlyGap> costly;
  for (const Gap& gap : gaps) {
    const Score score = gap.move->games.score.seen_by(replay.lines().side());
    const double cost = usual * score.decided() - static_cast<double>(score.points()) / 2;
    if (cost > 0) costly.push_back({.gap = gap, .score = score, .cost = cost});
  }
  std::ranges::stable_sort(costly, std::greater(), &CostlyGap::cost);
  costly.resize(std::min(costly.size(), kMostCostly));
  return costly;
}

void write_gaps(const RepertoireReplay& replay, const std::vector<Gap>& gaps, std::string& out) {
  const std::vector<CostlyGap> costly = costly_gaps(replay, gaps);
  if (costly.empty()) return;
  TextTable table;
  table.add_column("Gaps that cost most", Align::Left);
  table.add_column("games", Align::Right);
  table.add_column("score", Align::Right);
  table.add_column("points", Align::Right);
  LineWriter writer(replay.lines());
  for (const CostlyGap& gap : costly) {
    const std::string line = writer.line(gap.gap.place);
    table.add(fmt::format("  {}{}{}", line, line.empty() ? "" : " ", gap.gap.move->san));
    table.add(grouped(gap.score.all()));
    table.add(with_sign(percent_of(gap.score)));
    table.add(fmt::format("{:.1f}", gap.cost));
  }
  out += '\n';
  table.write(out);
}

}  // namespace

absl::StatusOr<std::string> lines_summary(const RepertoireReplay& replay, std::string_view title,
                                          const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::vector<Gap> gaps, find_gaps(replay, budget));
  const SideLines& lines = replay.lines();
  std::uint64_t met = 0;
  for (SideLines::Place place = 0; place < lines.size(); ++place) {
    met += replay.played(place) != nullptr ? 1 : 0;
  }
  std::string text = fmt::format("{}\n", title);
  text += fmt::format(
      "{} of the lines of {}, {} of them met; {}\n\n", counted(lines.size(), "position"),
      lines.side() == Color::White ? "White" : "Black", grouped(met), counted(gaps.size(), "gap"));
  write_scores(replay, text);
  write_depths(replay, text);
  write_gaps(replay, gaps, text);
  return text;
}

}  // namespace scidfs::fs
