#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "codec/eco.h"
#include "fs/base/status_macros.h"
#include "fs/base/text_table.h"
#include "fs/tables/chart.h"
#include "fs/tables/game_names.h"
#include "fs/tables/paths.h"
#include "fs/tables/set_findings.h"
#include "fs/tables/set_tables.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::scid::NameKind;
using Align = TextTable::Align;
using Column = PackedIndex::Column;

constexpr std::size_t kWidth = 80;
constexpr std::size_t kBarWidth = 40;
constexpr std::size_t kMostOpenings = 10;
constexpr std::size_t kNarrowBar = 20;
constexpr std::size_t kOpeningWidth = 28;
constexpr std::string_view kIndent = "  ";

class Summary {
 public:
  // REQUIRES: the set has games.
  Summary(const GameSet& parts, Identities who, bool has_subject, const SetFindings& findings)
      : parts_(parts),
        who_(std::move(who)),
        has_subject_(has_subject),
        games_(findings.games),
        findings_(findings) {
    assert(games_ != 0);
  }

  // Each function appends a part of the text; all parts but the first begin with an empty line.
  void write_head(std::string_view title, std::string& out) const;
  void write_results(std::string& out) const;
  void write_years(std::string& out) const;
  void write_ratings(std::string& out) const;
  void write_openings(std::string& out) const;
  void write_players(std::string& out) const;
  void write_length(std::string_view what, const GameLength& length, std::string& out) const;

 private:
  const SetFacts& facts() const { return findings_.facts; }
  // Returns the name of a player of the game, or "?".
  std::string name_in(GameOfPart game, Color side) const;
  std::string_view score_header() const { return has_subject_ ? "own score" : "White's score"; }
  // Returns the share of all games, as "12.5%".
  std::string share(std::uint64_t part) const { return percent(part, games_) + '%'; }
  void write_own_results(std::string& out) const;
  void add_ratings(std::string_view who, const Ratings& ratings, TextTable& table) const;

  const GameSet& parts_;
  const Identities who_;
  const bool has_subject_;
  const std::size_t games_;
  const SetFindings& findings_;
};

std::string or_unknown(std::string_view name) { return std::string(name.empty() ? "?" : name); }

std::string indented(std::string_view text) { return std::string(kIndent).append(text); }

void write_part(const TextTable& table, std::string& out) {
  out += '\n';
  table.write(out);
}

void Summary::write_head(std::string_view title, std::string& out) const {
  out += clip(title, kWidth) + '\n' + counted(games_, "game");
  const std::vector<std::uint32_t>& years = facts().years;
  const auto is_known = [](std::uint32_t games) { return games != 0; };
  const auto first = std::find_if(years.begin() + 1, years.end(), is_known);
  if (first != years.end()) {
    const auto last = std::find_if(years.rbegin(), years.rend(), is_known);
    const auto first_year = first - years.begin();
    const auto last_year = years.rend() - last - 1;
    out += first_year == last_year ? fmt::format(" of {}", first_year)
                                   : fmt::format(" from {} to {}", first_year, last_year);
  }
  out += '\n';
}

void Summary::write_own_results(std::string& out) const {
  TextTable table;
  table.add_column("Results", Align::Left);
  table.add_column("games", Align::Right);
  for (const char* const header : {"wins", "draws", "losses"}) {
    table.add_column(header, Align::Right);
    table.add_column("", Align::Right, 1);
  }
  table.add_column("score", Align::Right);
  // Greater numbers fit only without commas.
  constexpr std::uint32_t kGreatestGrouped = 9'999'999;
  const ScoreByColor& own = facts().score;
  const bool fits = own.games() <= kGreatestGrouped;
  const auto number = [&](std::uint32_t games) {
    return fits ? grouped(games) : fmt::to_string(games);
  };
  // Shares are of the sides with a result.
  const auto row = [&](std::string_view name, std::uint32_t games, const Score& score) {
    table.add(indented(name));
    table.add(number(games));
    for (const Outcome outcome : {Outcome::Win, Outcome::Draw, Outcome::Loss}) {
      table.add(number(score[outcome]));
      table.add(score.all() == 0 ? "" : percent(score[outcome], score.all()) + '%');
    }
    table.add(with_sign(percent_of(score)));
  };
  row("all", own.games(), own.results());
  row("White", own[Color::White].all(), own[Color::White]);
  row("Black", own[Color::Black].all(), own[Color::Black]);
  write_part(table, out);
}

void Summary::write_results(std::string& out) const {
  if (has_subject_) {
    write_own_results(out);
    return;
  }
  TextTable table;
  table.add_column("Results", Align::Left);
  table.add_column("games", Align::Right);
  table.add_column("share", Align::Right);
  table.add_column("", Align::Left);
  const Score& score = facts().score[Color::White];
  const std::uint32_t most = *std::ranges::max_element(score.games);
  const auto row = [&](std::string_view name, Outcome outcome) {
    table.add(indented(name));
    table.add(grouped(score[outcome]));
    table.add(share(score[outcome]));
    table.add(bar(score[outcome], most, kBarWidth));
  };
  row("White wins", Outcome::Win);
  row("draws", Outcome::Draw);
  row("Black wins", Outcome::Loss);
  if (score[Outcome::Unknown] != 0) row("unknown", Outcome::Unknown);
  write_part(table, out);
  if (score.decided() == 0) return;
  out += fmt::format("{}score: White {}%, Black {}%\n", kIndent, percent_of(score),
                     percent_of(score.reversed()));
}

void Summary::write_years(std::string& out) const {
  const std::vector<YearSpan> spans = year_spans(facts().years);
  if (spans.empty()) return;
  TextTable table;
  table.add_column("Years", Align::Left);
  table.add_column("games", Align::Right);
  table.add_column("share", Align::Right);
  table.add_column("", Align::Left);
  const std::uint64_t unknown = facts().years[0];
  const std::uint64_t most =
      std::max(unknown, std::ranges::max_element(spans, {}, &YearSpan::games)->games);
  const auto row = [&](std::string_view name, std::uint64_t games) {
    table.add(indented(name));
    table.add(grouped(games));
    table.add(share(games));
    table.add(bar(games, most, kBarWidth));
  };
  for (const YearSpan& span : spans) {
    row(span.first == 0           ? fmt::format("to {}", span.last)
        : span.first == span.last ? fmt::to_string(span.first)
                                  : fmt::format("{}–{}", span.first, span.last),
        span.games);
  }
  if (unknown != 0) row("unknown", unknown);
  write_part(table, out);
}

std::string Summary::name_in(GameOfPart game, Color side) const {
  const Database& database = *parts_[game.part].database();
  const std::uint32_t id =
      database.index().value(game.game, side == Color::White ? Column::White : Column::Black);
  return or_unknown(database.names()[NameKind::Player].text(id));
}

void Summary::add_ratings(std::string_view who, const Ratings& ratings, TextTable& table) const {
  constexpr std::size_t kNameWidth = 36;
  if (ratings.highest == 0) return;
  table.add(indented(who));
  table.add(fmt::to_string(ratings.average.value()));
  table.add(percent(ratings.average.count, ratings.sides) + '%');
  table.add(fmt::to_string(ratings.highest));
  table.add(clip(name_in(ratings.game, ratings.color), kNameWidth));
}

void Summary::write_ratings(std::string& out) const {
  if (facts().own.highest == 0 && facts().opponents.highest == 0) return;
  TextTable table;
  table.add_column("Ratings", Align::Left);
  table.add_column("average", Align::Right);
  table.add_column("rated", Align::Right);
  table.add_column("highest", Align::Right);
  table.add_column("", Align::Left);
  add_ratings(has_subject_ ? "own" : "players", facts().own, table);
  add_ratings("opponents", facts().opponents, table);
  write_part(table, out);
}

void Summary::write_openings(std::string& out) const {
  // Names leave less space for bars.
  const bool has_names = parts_.reference().openings != nullptr;
  const std::size_t bar_width = has_names ? kNarrowBar / 2 : kNarrowBar;
  TextTable table;
  table.add_column("Openings", Align::Left);
  table.add_column("games", Align::Right);
  table.add_column("share", Align::Right);
  table.add_column(std::string(score_header()), Align::Right);
  table.add_column("", Align::Left);
  const std::span<const OpeningScore> openings = findings_.openings;
  for (const OpeningScore& opening : openings.first(std::min(kMostOpenings, openings.size()))) {
    const std::string code = codec::eco_base_to_string(opening.eco_base);
    std::string name(opening_name(parts_.reference(), opening.eco_base));
    if (!name.empty()) name = " " + clip(name, kOpeningWidth);
    table.add(indented(code.empty() ? "unknown" : code + name));
    table.add(grouped(opening.score.games()));
    table.add(share(opening.score.games()));
    table.add(with_sign(percent_of(opening.score.results())));
    table.add(bar(opening.score.games(), openings.front().score.games(), bar_width));
  }
  write_part(table, out);
}

void Summary::write_players(std::string& out) const {
  const std::span<const PlayerScore> players = findings_.players;
  const auto listed = players.first(std::min(kSummaryPlayers, players.size()));
  if (listed.empty()) return;
  const std::string_view score_header = has_subject_ ? "own score" : "score";
  // The name gets the width that the numbers leave; the widest numbers are those of games.
  constexpr std::size_t kNumbers = 4;
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kWidestHeader = std::string_view("losses").size();
  const std::size_t number_width =
      std::max(grouped(listed.front().score.games()).size(), kWidestHeader);
  const std::size_t name_width = kWidth - kIndent.size() - kNumbers * (kGap + number_width) - kGap -
                                 std::max(score_header.size(), std::string_view("100.0%").size());
  TextTable table;
  table.add_column(has_subject_ ? "Opponents" : "Players", Align::Left);
  for (const char* const header : {"games", "wins", "draws", "losses"}) {
    table.add_column(header, Align::Right);
  }
  table.add_column(std::string(score_header), Align::Right);
  for (const PlayerScore& player : listed) {
    const Score results = player.score.results();
    table.add(indented(clip(or_unknown(who_.name(player.player)), name_width)));
    table.add(grouped(player.score.games()));
    for (const Outcome outcome : {Outcome::Win, Outcome::Draw, Outcome::Loss}) {
      table.add(grouped(results[outcome]));
    }
    table.add(with_sign(percent_of(results)));
  }
  write_part(table, out);
}

void Summary::write_length(std::string_view what, const GameLength& length,
                           std::string& out) const {
  if (length.plies == 0) return;
  const DatabaseGames& part = parts_[length.game.part];
  const GameIndex game = length.game.game;
  const codec::scid::GameEntry entry = part.database()->entry(game);
  const std::string database =
      part.database_path().empty() ? "" : fmt::format(" of {}", part.database_path());
  const std::string played =
      fmt::format(", {}, {}", codec::to_string(entry.date), codec::result_token(entry.result));
  const std::string names = fmt::format("{}{} - {}", kIndent, name_in(length.game, Color::White),
                                        name_in(length.game, Color::Black));
  out += fmt::format("\n{} game: {}, number {}{}\n{}{}\n{}{}\n", what,
                     counted((length.plies + 1) / 2, "move"), game + 1, database,
                     clip(names, kWidth - played.size()), played, kIndent, game_path(part, game));
}

}  // namespace

std::string summary_text(const GameSet& parts, const Identities& who, bool has_subject,
                         const SummaryHead& head, const SetFindings& findings) {
  if (findings.games == 0) return clip(head.title, kWidth) + "\nno games\n";
  const Summary summary(parts, who, has_subject, findings);
  std::string text;
  summary.write_head(head.title, text);
  text += head.introduction;
  summary.write_results(text);
  summary.write_years(text);
  summary.write_ratings(text);
  summary.write_openings(text);
  summary.write_players(text);
  summary.write_length("Longest", findings.facts.longest, text);
  summary.write_length("Shortest", findings.facts.shortest, text);
  return text;
}

absl::StatusOr<std::string> set_summary(const GameSet& parts, Subjects subjects,
                                        const SummaryHead& head, const WorkBudget& budget) {
  const Identities who(parts, head.players);
  ASSIGN_OR_RETURN(const SetFindings findings,
                   find_out(parts, who, subjects, kSummaryPlayers, budget));
  return summary_text(parts, who, subjects.has_value(), head, findings);
}

}  // namespace scidfs::fs
