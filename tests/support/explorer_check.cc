#include "tests/support/explorer_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <regex>

namespace scidfs::tests {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostTop = 15;
constexpr std::size_t kMostRecent = 8;
constexpr std::uint64_t kMostRating = 4095;
constexpr std::uint64_t kMostYear = 9999;

class ExplorerCheck {
 public:
  std::vector<std::string> run(const Json& explorer) {
    if (!has_keys(explorer, "the object",
                  {"white", "draws", "black", "moves", "topGames", "recentGames", "opening"})) {
      return faults_;
    }
    check_score(explorer, "the object");
    check_opening(explorer["opening"], "the object");
    for (const char* const list : {"moves", "topGames", "recentGames"}) {
      if (!expect(explorer[list].is_array(), list, "is no list")) return faults_;
    }
    for (const Json& move : explorer["moves"]) check_move(move);
    for (const char* const list : {"topGames", "recentGames"}) {
      for (const Json& game : explorer[list]) check_game(game, list);
    }
    // The rest looks at values, which must have their types.
    if (faults_.empty()) check_numbers(explorer);
    return faults_;
  }

 private:
  bool expect(bool holds, const std::string& where, const std::string& fault) {
    if (!holds) faults_.push_back(where + ' ' + fault);
    return holds;
  }

  bool has_keys(const Json& object, const std::string& where,
                std::initializer_list<const char*> keys) {
    if (!expect(object.is_object(), where, "is no object")) return false;
    std::vector<std::string> found;
    for (const auto& [key, value] : object.items()) found.push_back(key);
    return expect(std::ranges::equal(found, keys), where, "has other keys, or in another order");
  }
  void check_number(const Json& number, std::uint64_t most, const std::string& where) {
    expect(number.is_number_unsigned() && number.get<std::uint64_t>() <= most, where,
           "is no number, or out of range");
  }
  void check_text(const Json& text, const std::regex& pattern, const std::string& where) {
    expect(text.is_string() && std::regex_match(text.get<std::string>(), pattern), where,
           "is no string, or another one");
  }

  void check_score(const Json& object, const std::string& where) {
    for (const char* const key : {"white", "draws", "black"}) {
      check_number(object[key], std::numeric_limits<std::uint32_t>::max(), where + ": " + key);
    }
  }
  void check_opening(const Json& opening, const std::string& where) {
    if (opening.is_null() || !has_keys(opening, where + ": opening", {"eco", "name"})) return;
    static const std::regex kEco("[A-E][0-9]{2}([a-z][1-4]?)?");
    check_text(opening["eco"], kEco, where + ": eco");
    expect(opening["name"].is_string() && opening["name"] != "", where, "has an opening unnamed");
  }
  void check_uci(const Json& uci, const std::string& where) {
    static const std::regex kUci("([a-h][1-8]){2}[qrbn]?|0000");
    check_text(uci, kUci, where + ": uci");
  }
  void check_player(const Json& player, const std::string& where) {
    if (!has_keys(player, where, {"name", "rating"})) return;
    expect(player["name"].is_string(), where, "has no name");
    check_number(player["rating"], kMostRating, where + ": rating");
  }

  void check_game(const Json& game, const std::string& where) {
    if (!has_keys(game, where, {"id", "uci", "winner", "white", "black", "year", "month"})) return;
    static const std::regex kNumber("[1-9][0-9]*");
    static const std::regex kMonth("[0-9]{4}-(0[1-9]|1[0-2])");
    check_text(game["id"], kNumber, where + ": id");
    if (!game["uci"].is_null()) check_uci(game["uci"], where);
    expect(game["winner"].is_null() || game["winner"] == "white" || game["winner"] == "black",
           where, "has another winner");
    for (const char* const side : {"white", "black"}) check_player(game[side], where);
    check_number(game["year"], kMostYear, where + ": year");
    if (game["month"].is_null() || !game["year"].is_number_unsigned()) return;
    check_text(game["month"], kMonth, where + ": month");
    if (!game["month"].is_string()) return;
    const std::string year = std::to_string(game["year"].get<std::uint64_t>());
    expect(game["month"].get<std::string>().substr(0, 4) ==
               std::string(4 - std::min<std::size_t>(4, year.size()), '0') + year,
           where, "has a month of another year");
  }

  void check_move(const Json& move) {
    if (!has_keys(move, "a move",
                  {"uci", "san", "white", "draws", "black", "averageRating", "game", "opening"})) {
      return;
    }
    check_uci(move["uci"], "a move");
    expect(move["san"].is_string() && move["san"] != "", "a move", "has no SAN");
    check_score(move, "a move");
    check_number(move["averageRating"], kMostRating, "averageRating");
    check_opening(move["opening"], "a move");
    if (!move["game"].is_null()) check_game(move["game"], "the game of a move");
  }

  static std::uint64_t number(const Json& object, const char* key) {
    return object[key].get<std::uint64_t>();
  }
  static std::uint64_t games_of(const Json& object) {
    return number(object, "white") + number(object, "draws") + number(object, "black");
  }

  void check_numbers(const Json& explorer) {
    const Json& moves = explorer["moves"];
    for (const char* const key : {"white", "draws", "black"}) {
      std::uint64_t sum = 0;
      for (const Json& move : moves) sum += number(move, key);
      expect(sum <= number(explorer, key), key, "is less than that of the moves");
    }
    expect(std::ranges::is_sorted(moves, std::ranges::greater(), games_of), "moves",
           "are not sorted");
    for (const Json& move : moves) {
      expect(games_of(move) != 0, "a move", "has no games");
      const Json& game = move["game"];
      expect(game.is_null() == (games_of(move) != 1), "a move", "has a game, or has none");
      expect(game.is_null() || game["uci"] == move["uci"], "the game of a move", "plays another");
    }
    const auto ratings = [](const Json& game) {
      return number(game["white"], "rating") + number(game["black"], "rating");
    };
    expect(std::ranges::is_sorted(explorer["topGames"], std::ranges::greater(), ratings),
           "topGames", "are not sorted");
    expect(std::ranges::is_sorted(explorer["recentGames"], std::ranges::greater(),
                                  [](const Json& game) { return number(game, "year"); }),
           "recentGames", "are not sorted");
    const std::uint64_t games = games_of(explorer);
    expect(explorer["topGames"].size() == std::min<std::uint64_t>(games, kMostTop), "topGames",
           "are too many or too few");
    expect(explorer["recentGames"].size() == std::min<std::uint64_t>(games, kMostRecent),
           "recentGames", "are too many or too few");
  }

  std::vector<std::string> faults_;
};

}  // namespace

Json parse_explorer(std::string_view text) { return Json::parse(text, nullptr, false); }

std::vector<std::string> explorer_faults(std::string_view text) {
  if (text.find('\n') + 1 != text.size()) return {"it is not one line"};
  const Json explorer = parse_explorer(text);
  if (explorer.is_discarded()) return {"it is no JSON"};
  return ExplorerCheck().run(explorer);
}

}  // namespace scidfs::tests
