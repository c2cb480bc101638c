#include "tests/mounted/set_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tests/mounted/set_questions.h"

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
  // Of a hundred, rounded half up.
  std::string score() const {
    const unsigned long most = 2UL * (wins + draws + losses);
    if (most == 0) return "";
    const unsigned long points = 2UL * wins + draws;
    return tenths((points * 1000 * 2 + most) / (2 * most));
  }
};

struct PlayerLine {
  Results results;
  unsigned white = 0, black = 0, first_year = 0, last_year = 0, highest_elo = 0;

  void add(const IndexLine& line, bool as_white, unsigned elo) {
    results.add(line[kResultColumn], as_white);
    ++(as_white ? white : black);
    const unsigned year = line.year();
    if (year != 0) {
      first_year = first_year == 0 ? year : std::min(first_year, year);
      last_year = std::max(last_year, year);
    }
    highest_elo = std::max(highest_elo, elo);
  }
};

// Most games first; what comes out of a map is sorted by name.
template <class Line, class Games>
std::vector<std::pair<std::string, Line>> by_games(const std::map<std::string, Line>& lines,
                                                   const Games& games) {
  std::vector<std::pair<std::string, Line>> sorted(lines.begin(), lines.end());
  std::ranges::stable_sort(sorted, [&](const auto& one, const auto& other) {
    return games(one.second) > games(other.second);
  });
  return sorted;
}

std::string write_players(const std::map<std::string, PlayerLine>& players,
                          const ListedThings& listed) {
  std::string text =
      "name\tgames\twhite\tblack\twins\tdraws\tlosses\tpoints\tscore\tfirst_year\tlast_year\t"
      "highest_elo\tpath\n";
  for (const auto& [name, line] :
       by_games(players, [](const PlayerLine& player) { return player.results.games(); })) {
    const Results& results = line.results;
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", name, results.games(),
                    line.white, line.black, results.wins, results.draws, results.losses,
                    results.points(), results.score(), known(line.first_year),
                    known(line.last_year), known(line.highest_elo), listed.path_of_player(name));
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
  if (!players_.contains(name)) return "";
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
    players[std::string(line[kWhiteColumn])].add(line, true, line.elo(kWhiteEloColumn));
    players[std::string(line[kBlackColumn])].add(line, false, line.elo(kBlackEloColumn));
  }
  return write_players(players, listed);
}

std::string opponents_table(const std::vector<SetGame>& games, const ListedThings& listed) {
  std::map<std::string, PlayerLine> opponents;
  for (const SetGame& game : games) {
    const IndexLine& line = *game.line;
    if (game.subject_is_white) {
      opponents[std::string(line[kBlackColumn])].add(line, true, line.elo(kBlackEloColumn));
    }
    if (game.subject_is_black) {
      opponents[std::string(line[kWhiteColumn])].add(line, false, line.elo(kWhiteEloColumn));
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
    text += fmt::format("{}\t\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", code, results.games(),
                        results.wins, results.draws, results.losses, results.score(),
                        line.year.text(), line.elo.text(), listed.path_of_opening(code));
  }
  return text;
}

std::string without_suffixes(std::string_view table, const ListedThings& listed) {
  std::string text;
  while (!table.empty()) {
    const std::size_t size = std::min(table.find('\n'), table.size() - 1) + 1;
    std::string_view line = table.substr(0, size);
    table.remove_prefix(size);
    const std::size_t suffix = line.rfind('~');
    if (suffix != std::string_view::npos &&
        listed.shares_directory(line.substr(0, line.find('\t')))) {
      text += line.substr(0, suffix);
      line = "\n";
    }
    text += line;
  }
  return text;
}

}  // namespace scidfs::tests
