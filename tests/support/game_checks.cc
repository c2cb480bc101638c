#include "tests/support/game_checks.h"

#include <map>
#include <set>
#include <vector>

#include "codec/position.h"
#include "tests/support/pgn_check.h"
#include "tests/support/tree_walk_lines.h"

namespace scidfs::tests {
namespace {

// Checks of single games.
class GameChecks : WalkedDatabase {
 public:
  explicit GameChecks(const WalkedDatabase& database) : WalkedDatabase(database) {}

  void run() {
    check_positions();
    check_lines();
    check_doubles();
    check_errors();
  }

 private:
  // A file for each game with its name and lines that are positions.
  void check_positions() {
    std::set<std::string> games;
    for_each("games/", [&](std::string_view path, std::string_view) {
      games.insert(std::string(path.substr(0, path.rfind('.'))).substr(5));
    });
    for_each("fens/", [&](std::string_view path, std::string_view positions) {
      if (games.erase(std::string(path.substr(0, path.rfind('.'))).substr(4)) == 0) {
        fault(path, "has no game");
      }
      if (!path.ends_with(".epd")) fault(path, "is called otherwise");
      std::string_view number = path.substr(path.rfind('/') + 1);
      number = number.substr(0, number.find('-'));
      number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
      bool is_over = positions.empty();
      for (std::size_t ply = 1; !positions.empty(); ++ply) {
        const std::string_view line = positions.substr(0, positions.find('\n'));
        positions.remove_prefix(std::min(line.size() + 1, positions.size()));
        const std::size_t at = line.find(fmt::format(" id \"{}.{}\"; ", number, ply));
        const std::string_view fields = line.substr(0, at);
        if (is_over || at == std::string::npos ||
            !codec::Position::from_fen(fields, codec::CastlingRule::Chess960).ok()) {
          fault(path, "has a line that is no position");
          return;
        }
        is_over = line.find("\"; c0 \"", at) != std::string::npos;
      }
      if (!is_over) fault(path, "does not end");
    });
    for (const std::string& game : games) fault("fens" + game, "is missing");
  }

  // Compares the positions in tree/ with those of the games.
  void check_lines() {
    PlayedInPositions played;
    for_each("fens/", [&](std::string_view, std::string_view positions) { played.add(positions); });
    std::size_t tables = 0;
    for_each("tree/", [&](std::string_view path, std::string_view table) {
      constexpr std::string_view kName = "moves.tsv";
      if (!path.ends_with(kName)) return;
      ++tables;
      const std::string board(path.substr(0, path.size() - kName.size()));
      for (const std::string& what :
           played.faults(fen_of_board(text(board + "board.txt")), table)) {
        fault(path, what);
      }
    });
    if (tables == 0) fault("tree/", "has no table");
  }

  // Doubles: each with its own text in all.pgn, one of each group in unique/ together with all
  // games without doubles.
  void check_doubles() {
    // A database without shown games has no such directory.
    if (text("all.pgn").empty() && !has("doubles/doubles.tsv")) return;
    constexpr std::size_t kLongest = 8;  // in doubles.tsv
    constexpr std::size_t kKept = 12;
    std::map<std::string, std::vector<std::vector<std::string>>> groups;
    std::string together;
    for_each_line(text("doubles/doubles.tsv"), [&](std::string_view line) {
      std::vector<std::string> fields(1);
      for (const char c : line)
        c == '\t' ? (void)fields.emplace_back() : fields.back().push_back(c);
      if (fields.size() != 15) {
        fault("doubles/doubles.tsv", "has a line of other columns");
        return;
      }
      together += game_text(fields.back());
      groups[fields[0]].push_back(std::move(fields));
    });
    if (text("doubles/all.pgn") != together) {
      fault("doubles/all.pgn", "is not what the games of doubles.tsv are together");
    }
    for (const auto& [number, games] : groups) {
      const auto kept =
          std::ranges::count_if(games, [](const auto& f) { return f[kKept] == "yes"; });
      const bool is_longest = std::ranges::all_of(
          games, [](const auto& f) { return f[kKept].empty() || f[kLongest] == "yes"; });
      if (games.size() < 2 || kept != 1 || !is_longest) {
        fault("doubles/doubles.tsv", "has no game to keep in group " + number);
      }
    }
    const std::size_t games = cut_games(text("all.pgn")).size();
    const std::size_t unique = cut_games(text("doubles/unique/games.pgn")).size();
    std::size_t doubles = 0;
    for (const auto& [number, members] : groups) doubles += members.size() - 1;
    if (unique + doubles != games) fault("doubles/unique/games.pgn", "has not each game once");
  }

  // Compares the numbers in errors.tsv with the remarks in the texts.
  void check_errors() {
    std::set<std::string> listed;
    std::string_view table = text("errors.tsv");
    if (!table.starts_with("number\toffset\treason\n")) fault("errors.tsv", "has no head");
    table.remove_prefix(std::min(table.find('\n') + 1, table.size()));
    while (!table.empty()) {
      const std::string_view line = table.substr(0, table.find('\n'));
      table.remove_prefix(std::min(line.size() + 1, table.size()));
      if (std::ranges::count(line, '\t') != 2) fault("errors.tsv", "has a line of other columns");
      listed.insert(std::string(line.substr(0, line.find('\t'))));
    }
    for (const char* const part : {"games/", "deleted/"}) {
      for_each(part, [&](std::string_view path, std::string_view game) {
        if (std::ranges::count(path, '/') != 2) return;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        std::string_view number = name.substr(0, name.find('-'));
        number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
        const bool remark = has_remark(game, number);
        if (remark != (listed.erase(std::string(number)) == 1)) {
          fault(path, remark ? "is damaged and not in errors.tsv" : "is in errors.tsv but whole");
        }
      });
    }
    for (const std::string& number : listed) fault("errors.tsv", "lists no game: " + number);
  }

  static bool has_remark(std::string_view game, std::string_view number) {
    // A line break may be anywhere in a remark.
    std::string folded(game);
    std::ranges::replace(folded, '\n', ' ');
    for (const char* const what : {"is damaged at byte", "cannot be read at byte"}) {
      if (folded.find(fmt::format("scidfs: game {} {}", number, what)) != std::string::npos) {
        return true;
      }
    }
    return false;
  }
};

}  // namespace

void check_games(const WalkedDatabase& database) { GameChecks(database).run(); }

}  // namespace scidfs::tests
