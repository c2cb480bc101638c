#include "tests/mounted/set_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tests/mounted/set_queries.h"

namespace scidfs::tests {
namespace {

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return small;
}

// A number in tenths.
std::string tenths(unsigned long number) { return fmt::format("{}.{}", number / 10, number % 10); }

std::string known(unsigned number) { return number == 0 ? "" : std::to_string(number); }

// The first field of a line.
std::string key_of(const std::string& name) { return name.empty() ? "_unknown" : name; }

struct Results {
  unsigned wins = 0, draws = 0, losses = 0, unknown = 0;

  void add(std::string_view result, bool as_white) {
    if (result == "1/2-1/2") {
      ++draws;
    } else if (result == "*") {
      ++unknown;
    } else {
      ++((result == "1-0") == as_white ? wins : losses);
    }
  }
  unsigned games() const { return wins + draws + losses + unknown; }
  std::string points() const { return tenths(10UL * wins + 5UL * draws); }
  // Percentage, rounded half up.
  std::string score() const {
    const unsigned long most = 2UL * (wins + draws + losses);
    if (most == 0) return "";
    const unsigned long points = 2UL * wins + draws;
    return tenths((points * 1000 * 2 + most) / (2 * most));
  }
};

struct PlayerLine {
  Results results, with_white, with_black;
  unsigned games = 0, white = 0, black = 0, first_year = 0, last_year = 0, highest_elo = 0;
  const IndexLine* last = nullptr;

  void add(const IndexLine& line, bool as_white, unsigned elo) {
    results.add(line[kResultColumn], as_white);
    (as_white ? with_white : with_black).add(line[kResultColumn], as_white);
    // A game counts once for a player on both sides.
    if (std::exchange(last, &line) != &line) ++games;
    ++(as_white ? white : black);
    const unsigned year = line.year();
    if (year != 0) {
      first_year = first_year == 0 ? year : std::min(first_year, year);
      last_year = std::max(last_year, year);
    }
    highest_elo = std::max(highest_elo, elo);
  }
};

// Most games first; results from a map are sorted by name already.
template <class Line, class Games>
std::vector<std::pair<std::string, Line>> by_games(const std::map<std::string, Line>& lines,
                                                   const Games& games) {
  std::vector<std::pair<std::string, Line>> sorted(lines.begin(), lines.end());
  std::ranges::stable_sort(sorted, [&](const auto& one, const auto& other) {
    return games(one.second) > games(other.second);
  });
  return sorted;
}

// Returns the name that counts: an empty one is the same as `?`.
std::string counted_name(std::string_view name) { return std::string(name.empty() ? "?" : name); }

std::string write_players(const std::map<std::string, PlayerLine>& players,
                          const ListedThings& listed) {
  std::string text =
      "name\tgames\twhite\tblack\twins\tdraws\tlosses\tpoints\tscore\tfirst_year\tlast_year\t"
      "highest_elo\tpath\twhite_score\tblack_score\n";
  for (const auto& [name, line] :
       by_games(players, [](const PlayerLine& player) { return player.games; })) {
    const Results& results = line.results;
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                    key_of(name == "?" ? "" : name), line.games, line.white, line.black,
                    results.wins, results.draws, results.losses, results.points(), results.score(),
                    known(line.first_year), known(line.last_year), known(line.highest_elo),
                    listed.path_of_player(name), line.with_white.score(), line.with_black.score());
  }
  return text;
}

struct Average {
  unsigned long sum = 0, count = 0;

  void add(unsigned value) {
    sum += value;
    count += value == 0 ? 0 : 1;
  }
  std::string text() const {
    return count == 0 ? "" : std::to_string((2 * sum + count) / (2 * count));
  }
};

struct OpeningLine {
  Results results;
  Average year, elo;
};

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

// "1,234" as 1234.
std::size_t shown_number(std::string_view text) {
  std::size_t number = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

// The rows of the parts of a summary, by the first word of each. Cells are separated by two or more
// blanks.
std::map<std::string, Rows> parts_of_summary(std::string_view summary) {
  std::map<std::string, Rows> parts;
  Rows* part = nullptr;
  while (!summary.empty()) {
    std::string_view line = summary.substr(0, summary.find('\n'));
    summary.remove_prefix(std::min(line.size() + 1, summary.size()));
    if (line.empty()) {
      part = nullptr;
    } else if (part == nullptr) {
      part = &parts[std::string(line.substr(0, line.find(' ')))];
    } else if (line.starts_with("  ")) {
      Row& row = part->emplace_back();
      while (!line.empty()) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const std::size_t size = std::min(line.find("  "), line.size());
        if (size > 0) row.emplace_back(line.substr(0, size));
        line.remove_prefix(size);
      }
      row.resize(std::max<std::size_t>(row.size(), 6));
    }
  }
  return parts;
}

// Without the head line.
Rows rows_of_table(std::string_view table) {
  Rows rows;
  table.remove_prefix(table.find('\n') + 1);
  while (!table.empty()) {
    std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(line.size() + 1);
    Row& row = rows.emplace_back();
    while (true) {
      row.emplace_back(line.substr(0, line.find('\t')));
      if (row.back().size() == line.size()) break;
      line.remove_prefix(row.back().size() + 1);
    }
  }
  return rows;
}

}  // namespace

ListedThings::ListedThings(const IndexTable& games) {
  for (const IndexLine& line : games.lines()) {
    openings_.emplace(line[kEcoColumn].substr(0, 3));
    for (const IndexColumn column : {kWhiteColumn, kBlackColumn}) {
      if (!players_.emplace(line[column]).second) continue;
      const std::string directory = small_letters(directory_name(line[column]));
      if (!seen_.insert(directory).second) shared_.insert(directory);
    }
  }
}

std::string ListedThings::path_of_player(std::string_view name) const {
  if (!players_.contains(name) && (name != "?" || !players_.contains(""))) return "";
  const std::string directory = directory_name(name);
  return fmt::format("players/{}/{}", shard_name(directory), directory);
}

bool ListedThings::shares_directory(std::string_view name) const {
  return shared_.contains(small_letters(directory_name(name)));
}

std::string ListedThings::path_of_opening(std::string_view code) const {
  if (!openings_.contains(code)) return "";
  return code.empty() ? "eco/_unknown" : fmt::format("eco/{}/{}", code[0], code);
}

std::string players_table(const std::vector<SetGame>& games, const ListedThings& listed) {
  std::map<std::string, PlayerLine> players;
  for (const SetGame& game : games) {
    const IndexLine& line = *game.line;
    players[counted_name(line[kWhiteColumn])].add(line, true, line.elo(kWhiteEloColumn));
    players[counted_name(line[kBlackColumn])].add(line, false, line.elo(kBlackEloColumn));
  }
  return write_players(players, listed);
}

std::string opponents_table(const std::vector<SetGame>& games, const ListedThings& listed) {
  std::map<std::string, PlayerLine> opponents;
  for (const SetGame& game : games) {
    const IndexLine& line = *game.line;
    if (game.subject_is_white) {
      opponents[counted_name(line[kBlackColumn])].add(line, true, line.elo(kBlackEloColumn));
    }
    if (game.subject_is_black) {
      opponents[counted_name(line[kWhiteColumn])].add(line, false, line.elo(kWhiteEloColumn));
    }
  }
  return write_players(opponents, listed);
}

std::string openings_table(const std::vector<SetGame>& games, const ListedThings& listed) {
  std::map<std::string, OpeningLine> openings;
  for (const SetGame& game : games) {
    const IndexLine& line = *game.line;
    OpeningLine& opening = openings[std::string(line[kEcoColumn].substr(0, 3))];
    opening.results.add(line[kResultColumn], true);
    opening.year.add(line.year());
    opening.elo.add(line.elo(kWhiteEloColumn));
    opening.elo.add(line.elo(kBlackEloColumn));
  }
  std::string text =
      "eco\tname\tgames\twhite_wins\tdraws\tblack_wins\tscore\taverage_year\taverage_elo\tpath\n";
  for (const auto& [code, line] :
       by_games(openings, [](const OpeningLine& opening) { return opening.results.games(); })) {
    const Results& results = line.results;
    text += fmt::format("{}\t\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", key_of(code), results.games(),
                        results.wins, results.draws, results.losses, results.score(),
                        line.year.text(), line.elo.text(), listed.path_of_opening(code));
  }
  return text;
}

std::vector<std::string> faults_of_summary(std::string_view summary,
                                           const std::vector<SetGame>& games, bool has_subject) {
  constexpr std::size_t kMostRows = 10;
  std::vector<std::string> faults;
  const std::map<std::string, Rows> parts = parts_of_summary(summary);
  const auto rows_of = [&](const std::string& part) {
    const auto found = parts.find(part);
    return found == parts.end() ? Rows() : found->second;
  };
  const auto expect = [&faults](const std::string& what, std::size_t found, std::size_t expected) {
    if (found != expected) faults.push_back(fmt::format("{}: {}, not {}", what, found, expected));
  };
  const auto second_line = summary.substr(std::min(summary.find('\n'), summary.size() - 1) + 1);
  expect("games", shown_number(second_line.substr(0, second_line.find(' '))), games.size());
  if (games.empty()) return faults;

  // Charts without known values are omitted.
  const Rows years = rows_of("Years");
  const bool has_years =
      std::ranges::any_of(games, [](const SetGame& game) { return game.line->year() != 0; });
  std::size_t in_years = 0;
  for (const Row& row : years) in_years += shown_number(row.at(1));
  expect("games by year", in_years, has_years ? games.size() : 0);
  Results results;
  for (const SetGame& game : games) results.add((*game.line)[kResultColumn], true);
  const std::map<std::string, unsigned> by_result = {{"White wins", results.wins},
                                                     {"draws", results.draws},
                                                     {"Black wins", results.losses},
                                                     {"unknown", results.unknown}};
  unsigned longest = 0;
  for (const SetGame& game : games) {
    longest = std::max(longest, to_number((*game.line)[kPliesColumn]));
  }
  if (!has_subject) {
    for (const Row& row : rows_of("Results")) {
      const auto result = by_result.find(row.at(0));
      if (result != by_result.end()) expect(row[0], shown_number(row.at(1)), result->second);
    }
  }
  const std::string length = fmt::format("\nLongest game: {} move", (longest + 1) / 2);
  if (longest > 0 && summary.find(length) == std::string_view::npos)
    faults.push_back("not there:" + length);

  // The first rows of the tables, with fewer columns.
  const auto compare = [&](const std::string& part, const std::string& table,
                           const std::vector<std::size_t>& columns) {
    const Rows rows = rows_of(part);
    const Rows expected = rows_of_table(table);
    expect("rows of " + part, rows.size(), std::min(expected.size(), kMostRows));
    for (std::size_t row = 0; row < std::min(rows.size(), expected.size()); ++row) {
      // A name of only blanks is not a cell.
      if (expected[row][0].find_first_not_of(' ') == std::string::npos) continue;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& found = rows[row].at(1 + i);
        const std::string& value = expected[row][columns[i]];
        if (shown_number(found) == to_number(value)) continue;
        faults.push_back(fmt::format("{}, {}: {}, not {}", part, rows[row][0], found, value));
      }
    }
  };
  const ListedThings nothing{IndexTable("")};
  compare("Openings", openings_table(games, nothing), {2});
  if (has_subject) {
    compare("Opponents", opponents_table(games, nothing), {1, 4, 5, 6});
  } else {
    compare("Players", players_table(games, nothing), {1, 4, 5, 6});
  }
  return faults;
}

std::string without_suffixes(std::string_view table, const ListedThings& listed) {
  std::string text;
  while (!table.empty()) {
    const std::size_t size = std::min(table.find('\n'), table.size() - 1) + 1;
    std::string_view line = table.substr(0, size);
    table.remove_prefix(size);
    const std::size_t suffix = line.rfind('~');
    const std::string_view name = line.substr(0, line.find('\t'));
    if (suffix != std::string_view::npos &&
        listed.shares_directory(name == "_unknown" ? "" : name)) {
      text += line.substr(0, suffix);
      line.remove_prefix(line.find_first_of("\t\n", suffix));
    }
    text += line;
  }
  return text;
}

}  // namespace scidfs::tests
