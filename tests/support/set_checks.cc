#include "tests/support/set_checks.h"

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "fs/database/index_tsv_line.h"
#include "tests/support/pgn_check.h"

namespace scidfs::tests {
namespace {

constexpr int kPathColumn = 13;  // of index.tsv, from 1

// The parts of which sets consist.
class SetChecks : WalkedDatabase {
 public:
  explicit SetChecks(const WalkedDatabase& database) : WalkedDatabase(database) {}

  void run() {
    check_part("games", "", true);
    if (has("deleted/all.pgn")) check_part("deleted", "deleted/", false);
    check_lists();
    check_people();
    check_sets();
    check_openings();
    for (const char* const view : {"events/", "tournaments/"}) check_events(view);
    check_keys();
  }

 private:
  // Compares the games of a part with all.pgn and index.tsv.
  void check_part(const std::string& directory, const std::string& place, bool shown) {
    const std::string_view all = text(place + "all.pgn");
    for (const std::string& what : pgn_faults(all)) fault(place + "all.pgn", what);
    std::string together;
    std::size_t count = 0;
    for_each(directory + "/", [&](std::string_view path, std::string_view game) {
      if (std::ranges::count(path, '/') != 2) return;
      if (cut_games(game).size() != 1) fault(path, "is not one game");
      if (shown) ++games_[std::string(game)];
      together += game;
      ++count;
    });
    if (together != all) fault(place + "all.pgn", "is not what the games are together");
    check_table(place + "index.tsv", count);
  }

  void check_table(const std::string& path, std::size_t games) {
    std::string_view table = text(path);
    if (!table.starts_with(fs::IndexTsvLines::kHead)) fault(path, "has no head");
    std::size_t lines = 0;
    const auto tabs = std::ranges::count(fs::IndexTsvLines::kHead, '\t');
    for (; !table.empty(); ++lines) {
      const std::string_view line = table.substr(0, table.find('\n'));
      table.remove_prefix(std::min(line.size() + 1, table.size()));
      if (std::ranges::count(line, '\t') != tabs) fault(path, "has a line of other columns");
      const bool clean = std::ranges::none_of(line, [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7F;
      });
      if (!clean) fault(path, "has control characters");
    }
    if (lines != games + 1) {
      fault(path, fmt::format("has {} lines for {} games", lines, games));
    }
  }

  // The views that contain every game.
  void check_lists() {
    std::size_t size = 0;
    for (const auto& [game, times] : games_) size += game.size() * times;
    const auto is_year = [](std::string_view path) { return path.ends_with("/all.pgn"); };
    const auto is_month = [](std::string_view path) {
      return path.ends_with(".pgn") && !path.ends_with("/all.pgn");
    };
    const auto is_games = [](std::string_view path) { return path.ends_with("/games.pgn"); };
    const auto any = [](std::string_view path) { return path.ends_with(".pgn"); };
    check_shares("years/", is_year, size);
    check_shares("years/", is_month, size);
    check_shares("events/", is_games, size);
    check_shares("eco/", any, size);
    check_shares("flags/", any, std::string::npos);
    check_shares("players/", any, std::string::npos);
    check_shares("people/", any, std::string::npos);
    check_shares("endings/", any, std::string::npos);
    if (has("people.tsv")) check_shares("tournaments/", is_games, size);
  }

  // With a spelling file: a line for each person, with the games in the person's directory.
  void check_people() {
    std::set<std::string> people;
    for_each("people/", [&](std::string_view path, std::string_view) {
      if (std::ranges::count(path, '/') == 3) {
        people.insert(std::string(path.substr(0, path.rfind('/'))));
      }
    });
    if (!has("people.tsv")) {
      if (!people.empty()) fault("people.tsv", "is missing");
      return;
    }
    for_each_line(text("people.tsv"), [&](std::string_view line) {
      std::vector<std::string> fields;
      for (std::size_t tab = 0; tab != std::string_view::npos;) {
        tab = line.find('\t');
        fields.emplace_back(line.substr(0, tab));
        line.remove_prefix(tab == std::string_view::npos ? 0 : tab + 1);
      }
      constexpr std::size_t kColumns = 21;
      constexpr std::size_t kPath = 12;
      constexpr std::size_t kWhite = 2;
      if (fields.size() != kColumns) {
        fault("people.tsv", "has a line of other columns");
      } else if (people.erase(fields[kPath]) == 0) {
        fault("people.tsv", "lists somebody without a directory");
      } else if (fields[kWhite] != games_in(fields[kPath] + "/white.pgn") ||
                 fields[kWhite + 1] != games_in(fields[kPath] + "/black.pgn")) {
        fault(fields[kPath], "has other games than people.tsv says");
      }
    });
    for (const std::string& person : people) fault(person, "is not in people.tsv");
  }

  std::string games_in(const std::string& path) {
    return std::to_string(has(path) ? cut_games(text(path)).size() : 0);
  }

  template <class Wanted>
  void check_shares(const std::string& view, const Wanted& wanted, std::size_t expected) {
    std::size_t size = 0;
    for_each(view, [&](std::string_view path, std::string_view games) {
      if (!wanted(path)) return;
      size += games.size();
      for (const std::string& game : cut_games(games)) {
        if (!games_.contains(game)) fault(path, "has a game that no other file has");
      }
      if (games.empty()) fault(path, "is empty");
    });
    if (expected != std::string::npos && size != expected) {
      fault(view, fmt::format("holds {} bytes of games, not {}", size, expected));
    }
  }

  // Every list of games has a table with lines of the database's own, in its order. The file of
  // games beside it has the same games.
  void check_sets() {
    std::map<std::string_view, std::string_view> paths;  // of games, by their line
    for (const char* const path : {"index.tsv", "deleted/index.tsv"}) {
      if (!has(path)) continue;
      for_each_line(text(path), [&](std::string_view line) {
        std::string_view rest = line;
        for (int column = 1; column < kPathColumn; ++column)
          rest.remove_prefix(rest.find('\t') + 1);
        paths.emplace(line, rest.substr(0, rest.find('\t')));
      });
    }
    for_each("", [&](std::string_view path, std::string_view table) {
      if (!path.ends_with("/index.tsv")) return;
      const std::string directory(path.substr(0, path.rfind('/') + 1));
      if (!has(directory + "summary.txt")) fault(directory, "has no summary.txt");
      std::string together;
      for_each_line(table, [&](std::string_view line) {
        const auto game = paths.find(line);
        if (game == paths.end()) {
          fault(path, "has a line that the database's table has not");
        } else {
          together += text(std::string(game->second));
        }
      });
      for (const char* const games : {"all.pgn", "games.pgn"}) {
        if (has(directory + games) && text(directory + games) != together) {
          fault(directory + games, "is not what the games of index.tsv are together");
        }
      }
    });
  }

  // An opening has the games of those below it, each game in at most one of them; openings/ itself
  // has all games with an opening.
  void check_openings() {
    const std::string start = "openings/";
    std::map<std::string, std::set<std::string_view>, std::less<>> lines;  // by directory
    for_each(start, [&](std::string_view path, std::string_view table) {
      constexpr std::string_view kTable = "index.tsv";
      if (!path.ends_with(kTable)) return;
      std::set<std::string_view>& own = lines[std::string(path.substr(0, path.rfind('/') + 1))];
      for_each_line(table, [&](std::string_view line) { own.insert(line); });
    });
    std::map<std::string, std::size_t> below;
    for (const auto& [directory, games] : lines) {
      if (directory == start) continue;
      if (games.empty()) fault(directory, "is listed without games");
      const std::string parent =
          directory.substr(0, directory.rfind('/', directory.size() - 2) + 1);
      const std::set<std::string_view>& all = lines[parent];
      if (!std::ranges::includes(all, games)) fault(parent, "lacks games of " + directory);
      below[parent] += games.size();
    }
    for (const auto& [directory, games] : below) {
      if (games > lines[directory].size()) fault(directory, "has games in two openings below it");
    }
    if (!lines.empty() && below[start] != lines[start].size()) {
      fault(start, "has games that no opening has");
    }
  }

  // The tables of an event: each game counts for two players, and in two pairs.
  void check_events(const std::string& view) {
    for_each(view, [&](std::string_view path, std::string_view table) {
      constexpr std::string_view kName = "standings.tsv";
      if (!path.ends_with(kName)) return;
      const std::string event(path.substr(0, path.size() - kName.size()));
      std::size_t games = 0;
      for_each_line(text(event + "index.tsv"), [&](std::string_view) { ++games; });
      const std::size_t of_players = sum_of_column(table, "games");
      if (of_players > 2 * games) fault(path, "counts more games than there are");
      if (sum_of_column(text(event + "crosstable.tsv"), "games") != of_players) {
        fault(event + "crosstable.tsv", "has not the games of standings.tsv");
      }
      if (text(event + "crosstable.txt").empty()) fault(event + "crosstable.txt", "is empty");
    });
  }

  // In the first column of a table what is not known is `_unknown`.
  void check_keys() {
    for_each("", [&](std::string_view path, std::string_view table) {
      if (!path.ends_with(".tsv")) return;
      for_each_line(table, [&](std::string_view line) {
        const std::string_view key = column_of(line, 0);
        if (key.empty() || key == "?") fault(path, "has a line without a key");
      });
    });
  }

  static std::string_view column_of(std::string_view line, std::ptrdiff_t column) {
    for (; column > 0; --column) line.remove_prefix(std::min(line.find('\t') + 1, line.size()));
    return line.substr(0, line.find('\t'));
  }
  static std::size_t sum_of_column(std::string_view table, std::string_view name) {
    const std::string_view head = table.substr(0, table.find('\n'));
    std::ptrdiff_t column = 0;
    while (column < std::ranges::count(head, '\t') && column_of(head, column) != name) ++column;
    std::size_t sum = 0;
    for_each_line(table, [&](std::string_view line) {
      sum += std::stoul("0" + std::string(column_of(line, column)));
    });
    return sum;
  }

  std::unordered_map<std::string, std::size_t> games_;  // shown games, and how many have this text
};

}  // namespace

void check_sets(const WalkedDatabase& database) { SetChecks(database).run(); }

}  // namespace scidfs::tests
