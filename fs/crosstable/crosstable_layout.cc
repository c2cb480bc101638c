#include "fs/crosstable/crosstable_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codec/date.h"
#include "fs/base/text_table.h"
#include "fs/crosstable/crosstable_knockout.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Result;
using Align = TextTable::Align;

constexpr std::size_t kMaxNameWidth = 40;
constexpr std::size_t kMaxRoundWidth = 12;

// Returns the points. A whole number ends with a blank in place of the half, so that right-aligned
// points have their units in line.
std::string points_text(std::uint64_t halves) {
  if (halves == 1) return "½";
  return fmt::format("{}{}", halves / 2, halves % 2 == 0 ? " " : "½");
}

std::string_view result_digit(Result result, Color color) {
  constexpr std::array<std::string_view, 3> kDigits = {"0", "½", "1"};
  return result == Result::Unknown ? "*" : kDigits[half_points(result, color)];
}

constexpr std::string_view score(Result result) {
  return result == Result::Draw ? "½-½" : codec::result_token(result);
}

// The columns that every layout has: the players and their results.
class Ranking {
 public:
  enum Columns : unsigned { kRank = 1, kGames = 2, kWinsDrawsLosses = 4 };

  Ranking(const Standings& standings, unsigned columns)
      : columns_(columns),
        rated_(std::ranges::any_of(
            standings.players, [](const Standing& player) { return player.rating.value != 0; })) {
    // If all players have the same number of games, the header already shows it.
    const auto same = [&](const Standing& player) {
      return player.games == standings.players.front().games;
    };
    if (std::ranges::all_of(standings.players, same)) columns_ &= ~unsigned{kGames};
  }

  void add_head_columns(TextTable& table) const { add_head_columns("Name", table); }
  void add_head_columns(std::string name, TextTable& table) const {
    if (has(kRank)) table.add_column("#", Align::Right);
    table.add_column(std::move(name), Align::Left);
    if (rated_) table.add_column("Rating", Align::Right);
  }
  void add_head(const Standing& player, std::size_t rank, TextTable& table) const {
    if (has(kRank)) table.add(fmt::to_string(rank + 1));
    table.add(clip(player.name, kMaxNameWidth));
    if (rated_) table.add(player.rating.value == 0 ? "" : fmt::to_string(player.rating.value));
  }

  void add_tail_columns(TextTable& table) const {
    table.add_column("Points", Align::Right);
    if (has(kGames)) table.add_column("Games", Align::Right);
    if (!has(kWinsDrawsLosses)) return;
    for (const char* header : {"+", "=", "-"}) table.add_column(header, Align::Right);
  }
  void add_tail(const Standing& player, TextTable& table) const {
    table.add(points_text(player.points));
    if (has(kGames)) table.add(fmt::to_string(player.games));
    if (!has(kWinsDrawsLosses)) return;
    for (const std::uint32_t count : {player.wins, player.draws, player.losses}) {
      table.add(fmt::to_string(count));
    }
  }

 private:
  bool has(Columns column) const { return (columns_ & column) != 0; }

  unsigned columns_;
  bool rated_;
};

// The results of one player against one opponent, in the order of play.
struct Encounter {
  std::string digits;
  std::uint32_t games = 0;
  std::uint32_t points = 0;  // in halves

  void add(Result result, Color color) {
    ++games;
    points += half_points(result, color);
    if (games <= kMaxGamesInCell) digits += result_digit(result, color);
  }
  std::string text() const {
    if (games <= kMaxGamesInCell) return games == 0 ? "." : digits;
    const std::string sum = points_text(points);
    return fmt::format("{}/{}", std::string_view(sum).substr(0, sum.find(' ')), games);
  }
};

// A cell of a Swiss: the opponents of one round with colors and results.
class RoundCell {
 public:
  void add_unpaired(Color color, Result result) {
    text_ += text_.empty() ? "-" : ",-";
    add_result(color, result);
  }
  void add(std::uint32_t opponent, Color color, Result result) {
    if (text_.empty() || opponent != opponent_) {
      text_ += fmt::format("{}{}", text_.empty() ? "" : ",", opponent + 1);
    }
    opponent_ = opponent;
    add_result(color, result);
  }
  std::string text() && { return text_.empty() ? "." : std::move(text_); }

 private:
  void add_result(Color color, Result result) {
    text_ += color == Color::White ? 'w' : 'b';
    text_ += result_digit(result, color);
  }

  std::string text_;
  std::uint32_t opponent_ = 0;
};

std::string stage_title(const KnockoutStage& stage) {
  if (stage.first_round == stage.last_round) return fmt::format("Round {}", stage.first_round);
  return fmt::format("Rounds {}-{}", stage.first_round, stage.last_round);
}

// Appends two lines for each pair, with an empty line between pairs.
void write_stage(const Standings& standings, const KnockoutStage& stage, std::string& out) {
  std::size_t most = 0;
  for (const KnockoutMatch& match : stage.matches) most = std::max(most, match.games.size());
  const Ranking ranking(standings, 0);
  TextTable table;
  ranking.add_head_columns(stage_title(stage), table);
  const std::size_t first = table.columns();
  for (std::size_t i = 0; i < most; ++i) {
    table.add_column(fmt::to_string(i + 1), Align::Left, i == 0 ? 2 : 1);
  }
  table.level(first, table.columns());
  table.add_column("Points", Align::Right);
  for (const KnockoutMatch& match : stage.matches) {
    if (&match != &stage.matches.front()) {
      for (std::size_t i = 0; i < table.columns(); ++i) table.add("");
    }
    for (const std::uint32_t player : {match.winner, match.loser}) {
      ranking.add_head(standings.players[player], player, table);
      unsigned points = 0;
      for (const std::size_t index : match.games) {
        const RankedGame& game = standings.games[index];
        const Color color = game.white == player ? Color::White : Color::Black;
        table.add(std::string(result_digit(game.game->result, color)));
        points += half_points(game.game->result, color);
      }
      for (std::size_t i = match.games.size(); i < most; ++i) table.add("");
      table.add(points_text(points));
    }
  }
  table.write(out);
}

}  // namespace

std::string sonneborn_berger_text(std::uint64_t quarters) {
  return fmt::format("{}.{:02}", quarters / 4, quarters % 4 * 25);
}

std::vector<std::uint32_t> round_columns(const Standings& standings) {
  std::vector<std::uint32_t> rounds;
  for (const RankedGame& game : standings.games) rounds.push_back(game.round.number);
  for (const UnpairedGame& game : standings.unpaired) rounds.push_back(game.round.number);
  std::ranges::sort(rounds);
  rounds.erase(std::unique(rounds.begin(), rounds.end()), rounds.end());
  if (!rounds.empty() && rounds.front() == 0) {
    std::rotate(rounds.begin(), rounds.begin() + 1, rounds.end());
  }
  return rounds;
}

void write_match(const Standings& standings, std::string& out) {
  const Ranking ranking(standings, Ranking::kWinsDrawsLosses);
  TextTable table;
  ranking.add_head_columns(table);
  const std::size_t first = table.columns();
  for (std::size_t i = 0; i < standings.games.size(); ++i) {
    table.add_column(fmt::to_string(i + 1), Align::Left, i == 0 ? 2 : 1);
  }
  table.level(first, table.columns());
  ranking.add_tail_columns(table);
  for (std::size_t rank = 0; rank < standings.players.size(); ++rank) {
    const Standing& player = standings.players[rank];
    ranking.add_head(player, rank, table);
    for (const RankedGame& game : standings.games) {
      const Color color = game.white == rank ? Color::White : Color::Black;
      table.add(std::string(result_digit(game.game->result, color)));
    }
    ranking.add_tail(player, table);
  }
  table.write(out);
}

void write_round_robin(const Standings& standings, std::string& out) {
  const std::size_t size = standings.players.size();
  std::vector<Encounter> encounters(size * size);
  for (const RankedGame& game : standings.games) {
    encounters[game.white * size + game.black].add(game.game->result, Color::White);
    encounters[game.black * size + game.white].add(game.game->result, Color::Black);
  }

  const Ranking ranking(standings, Ranking::kRank | Ranking::kGames);
  TextTable table;
  ranking.add_head_columns(table);
  const std::size_t first = table.columns();
  for (std::size_t i = 0; i < size; ++i) {
    table.add_column(fmt::to_string(i + 1), Align::Left, i == 0 ? 2 : 1);
  }
  ranking.add_tail_columns(table);
  table.add_column("S-B", Align::Right);
  for (std::size_t rank = 0; rank < size; ++rank) {
    const Standing& player = standings.players[rank];
    ranking.add_head(player, rank, table);
    for (std::size_t other = 0; other < size; ++other) {
      table.add(other == rank ? "X" : encounters[rank * size + other].text());
    }
    ranking.add_tail(player, table);
    table.add(sonneborn_berger_text(player.tie_break));
  }
  table.level(first, first + size);
  table.write(out);
}

void write_knockout(const Standings& standings, std::string& out) {
  const std::vector<KnockoutStage> stages =
      find_knockout(standings).value_or(std::vector<KnockoutStage>());
  bool is_first = true;
  for (const KnockoutStage& stage : stages) {
    if (!std::exchange(is_first, false)) out += '\n';
    write_stage(standings, stage, out);
  }
}

void write_swiss(const Standings& standings, std::string& out) {
  const std::vector<std::uint32_t> rounds = round_columns(standings);
  std::vector<RoundCell> cells(standings.players.size() * rounds.size());
  const auto column_of = [&](const Round& round) {
    return static_cast<std::size_t>(std::ranges::find(rounds, round.number) - rounds.begin());
  };
  for (const RankedGame& game : standings.games) {
    const std::size_t column = column_of(game.round);
    const Result result = game.game->result;
    cells[game.white * rounds.size() + column].add(game.black, Color::White, result);
    cells[game.black * rounds.size() + column].add(game.white, Color::Black, result);
  }
  for (const UnpairedGame& game : standings.unpaired) {
    cells[game.player * rounds.size() + column_of(game.round)].add_unpaired(game.color,
                                                                            game.game->result);
  }

  const Ranking ranking(standings, Ranking::kRank | Ranking::kGames);
  TextTable table;
  ranking.add_head_columns(table);
  for (const std::uint32_t round : rounds) {
    table.add_column(round == 0 ? "?" : fmt::to_string(round), Align::Right);
  }
  ranking.add_tail_columns(table);
  table.add_column("Buchholz", Align::Right);
  for (std::size_t rank = 0; rank < standings.players.size(); ++rank) {
    const Standing& player = standings.players[rank];
    ranking.add_head(player, rank, table);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      table.add(std::move(cells[rank * rounds.size() + i]).text());
    }
    ranking.add_tail(player, table);
    table.add(points_text(player.tie_break));
  }
  table.write(out);
}

void write_standings(const Standings& standings, std::string& out) {
  const Ranking ranking(standings, Ranking::kRank | Ranking::kGames | Ranking::kWinsDrawsLosses);
  TextTable table;
  ranking.add_head_columns(table);
  ranking.add_tail_columns(table);
  const std::size_t shown = std::min(standings.players.size(), kMaxStandings);
  for (std::size_t rank = 0; rank < shown; ++rank) {
    ranking.add_head(standings.players[rank], rank, table);
    ranking.add_tail(standings.players[rank], table);
  }
  table.write(out);
  if (shown < standings.players.size()) {
    out += fmt::format("... and {} more\n", standings.players.size() - shown);
  }
}

void write_games(const Standings& standings, std::string& out) {
  const auto has_round = [](const RankedGame& game) {
    return game.game->round.find_first_not_of("?- ") != std::string_view::npos;
  };
  const auto has_date = [](const RankedGame& game) { return !game.game->date.empty(); };
  const bool rounds = std::ranges::any_of(standings.games, has_round);
  const bool dates = std::ranges::any_of(standings.games, has_date);

  TextTable table;
  if (rounds) table.add_column("Round", Align::Left);
  table.add_column("White", Align::Left);
  table.add_column("Black", Align::Left);
  table.add_column("Result", Align::Left);
  if (dates) table.add_column("Date", Align::Left);
  for (const RankedGame& game : standings.games) {
    if (rounds) table.add(clip(game.game->round, kMaxRoundWidth));
    for (const std::uint32_t player : {game.white, game.black}) {
      table.add(clip(standings.players[player].name, kMaxNameWidth));
    }
    table.add(std::string(score(game.game->result)));
    if (dates) table.add(codec::to_string(game.game->date));
  }
  table.write(out);
}

}  // namespace scidfs::fs
