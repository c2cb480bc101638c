#include "fs/serve/explorer_address.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <map>
#include <optional>

#include "codec/number.h"
#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/search/facet_value.h"
#include "fs/search/query.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPlayerAddress = "/player";
constexpr std::array<std::string_view, 4> kPositionAddresses = {"/masters", "/master", "/lichess",
                                                                kPlayerAddress};
constexpr std::array<std::string_view, 2> kGameAddresses = {"/masters/pgn/", "/master/pgn/"};
constexpr std::string_view kInitialPosition =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
constexpr std::string_view kDigits = "0123456789";

// Parameters with their values, which are not empty.
using Parameters = std::map<std::string_view, std::string, std::less<>>;

// The parameters that mean something, and whether the values of one that is given several times are
// a list.
struct KnownParameter {
  std::string_view name;
  bool is_list = false;
};
constexpr auto kKnown = std::to_array<KnownParameter>({{"color"},
                                                       {"db"},
                                                       {"fen"},
                                                       {"moves"},
                                                       {"play", true},
                                                       {"player"},
                                                       {"ratings", true},
                                                       {"recentGames"},
                                                       {"since"},
                                                       {"topGames"},
                                                       {"until"},
                                                       {"variant"}});

absl::Status wrong(std::string_view parameter, std::string_view why) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", parameter, why));
}
absl::Status wrong(std::string_view parameter, const absl::Status& error) {
  return wrong(parameter, std::string(error.message()));
}

absl::StatusOr<Parameters> read_parameters(
    std::span<const std::pair<std::string, std::string>> query) {
  Parameters parameters;
  for (const auto& [written, value] : query) {
    const std::string_view name = strip_suffix(written, "[]").value_or(written);
    const auto* const known = std::ranges::find(kKnown, name, &KnownParameter::name);
    if (known == kKnown.end() || value.empty()) continue;
    const auto [place, is_new] = parameters.emplace(known->name, value);
    if (is_new) continue;
    if (!known->is_list) return wrong(known->name, "it is given more than once");
    place->second += ',';
    place->second += value;
  }
  return parameters;
}

// Returns the value of a parameter; empty if it is not given.
std::string_view value_of(const Parameters& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

// Removes the text before the first comma, and the comma, from a list and returns it.
std::string_view take_item(std::string_view& list) {
  const std::string_view item = list.substr(0, list.find(','));
  list.remove_prefix(std::min(item.size() + 1, list.size()));
  return item;
}

// Returns the names of a path, which a directory may have; nothing if they could not be names.
std::optional<std::vector<std::string>> names_of_path(std::string_view path) {
  std::vector<std::string> names;
  while (true) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string_view::npos) {
      return std::nullopt;
    }
    names.emplace_back(name);
    if (name.size() == path.size()) return names;
    path.remove_prefix(name.size() + 1);
  }
}

// A game of /masters/pgn/ID.
struct GameId {
  std::vector<std::string> database;  // none: the id has only a number
  std::string_view number;
};

std::optional<GameId> parse_game_id(std::string_view id) {
  GameId game;
  const std::size_t mark = id.rfind('~');
  if (mark != std::string_view::npos) {
    std::optional<std::vector<std::string>> database = names_of_path(id.substr(0, mark));
    if (!database.has_value()) return std::nullopt;
    game.database = *std::move(database);
  }
  game.number = id.substr(mark == std::string_view::npos ? 0 : mark + 1);
  const bool is_number =
      !game.number.empty() && game.number.find_first_not_of(kDigits) == std::string_view::npos;
  if (!is_number) return std::nullopt;
  return game;
}

std::optional<GameId> game_of_address(std::string_view path) {
  for (const std::string_view start : kGameAddresses) {
    if (path.starts_with(start)) return parse_game_id(path.substr(start.size()));
  }
  return std::nullopt;
}

absl::Status read_count(const Parameters& parameters, std::string_view name, std::size_t& count) {
  const std::string_view text = value_of(parameters, name);
  if (text.empty()) return absl::OkStatus();
  const std::optional<std::uint32_t> number = codec::parse_number<std::uint32_t>(text);
  if (!number.has_value()) return wrong(name, "a number such as 12 is wanted");
  count = *number;
  return absl::OkStatus();
}

// Returns the bound of `date=` that `since` or `until` means, with a dot before the month; empty
// for none.
absl::StatusOr<std::string> date_bound(const Parameters& parameters, std::string_view name) {
  // Years beyond which lichess has no games: bounds that clients send for no bounds.
  constexpr unsigned kFirst = 1;
  constexpr unsigned kLast = 2999;
  constexpr unsigned kMost = 9999;
  const std::string_view text = value_of(parameters, name);
  if (text.empty()) return std::string();
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto year = codec::parse_number<unsigned>(text.substr(0, dash));
  const auto month = dash == text.size() ? std::optional<unsigned>(1)
                                         : codec::parse_number<unsigned>(text.substr(dash + 1));
  const bool is_since = name == "since";
  const bool is_date = year.has_value() && month.has_value() && *year <= kMost && *month >= 1 &&
                       *month <= 12 && (is_since || *year >= kFirst);
  if (!is_date) return wrong(name, "a year or a month such as 2014 or 2014-06 is wanted");
  if (is_since ? *year < kFirst : *year > kLast) return std::string();
  if (dash == text.size()) return fmt::format("{:04}", *year);
  return fmt::format("{:04}.{:02}", *year, *month);
}

// Returns the range of `elo=` from the lowest of some groups to the end of the highest. A rating
// means the group that it is in.
absl::StatusOr<std::string> elo_range(std::string_view ratings) {
  // The least rating of each of lichess' groups.
  constexpr auto kGroups =
      std::to_array<unsigned>({0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500});
  const auto* lowest = kGroups.end();
  const auto* next = kGroups.begin();  // after the highest
  while (!ratings.empty()) {
    const auto rating = codec::parse_number<std::uint32_t>(take_item(ratings));
    if (!rating.has_value()) {
      return wrong("ratings", "numbers such as 1600,1800 are wanted");
    }
    const auto* const after = std::ranges::upper_bound(kGroups, *rating);
    lowest = std::min(lowest, after - 1);
    next = std::max(next, after);
  }
  // No rating that is known is 0.
  const unsigned least = std::max(*lowest, 1U);
  return next == kGroups.end() ? fmt::format("{}..", least)
                               : fmt::format("{}..{}", least, *next - 1);
}

// Returns `white=` or `black=` with a name in which no character is special.
absl::StatusOr<std::string> player_facet(const Parameters& parameters) {
  const std::string_view player = value_of(parameters, "player");
  const std::string_view color = value_of(parameters, "color");
  if (player.empty()) return wrong("player", "it is missing");
  if (color != "white" && color != "black") return wrong("color", "white or black is wanted");
  // No name in a database has any of these.
  if (!codec::is_clean_utf8(codec::as_bytes(player)) ||
      std::ranges::any_of(player, &codec::is_ascii_control)) {
    return wrong("player", "it has control characters, or is not UTF-8");
  }
  return fmt::format("{}={}", color, escape_value(player));
}

absl::Status check_moves(std::string_view moves) {
  const auto is_square = [](std::string_view text) {
    return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
  };
  constexpr std::string_view kPromotions = "nbrq";
  while (!moves.empty()) {
    const bool is_last = moves.find(',') == std::string_view::npos;
    const std::string_view move = take_item(moves);
    const bool is_move = (move.size() == 4 || (move.size() == 5 && kPromotions.find(move[4]) !=
                                                                       std::string_view::npos)) &&
                         is_square(move) && is_square(move.substr(2));
    if (!is_move || (moves.empty() && !is_last)) {
      return wrong("play", "moves such as e2e4,c7c5 are wanted");
    }
  }
  return absl::OkStatus();
}

// Returns the name in positions/ of a FEN.
absl::StatusOr<std::string> position_name_of(std::string_view fen) {
  static constexpr std::string_view kOthers = "/ _-";
  const auto may_be_in_fen = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kOthers.find(c) != std::string_view::npos;
  };
  if (!std::ranges::all_of(fen, may_be_in_fen)) {
    return wrong("fen", "it has a character that is in no FEN");
  }
  std::string name(fen);
  std::ranges::replace(name, '/', '-');
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Composes the path of a set of games. Each name has a meaning: the query says so.
class SetPath {
 public:
  // Adds a condition, which a parameter asks for.
  absl::Status add_facet(std::string_view parameter, std::string_view facet) {
    if (names_.empty()) {
      names_.emplace_back("search");
      return add(parameter, facet, asked_in_search(query_, facet));
    }
    return add(parameter, facet, asked_further(query_, facet));
  }
  // Ends with a position and moves from there.
  absl::Status add_position(std::string_view name, std::string_view moves) {
    names_.emplace_back("positions");
    RETURN_IF_ERROR(add("fen", name, asked_in_positions(query_, name)));
    if (moves.empty()) return absl::OkStatus();
    return add("play", moves, asked_after_move(query_, moves));
  }
  std::vector<std::string> take() && { return std::move(names_); }

 private:
  absl::Status add(std::string_view parameter, std::string_view name, absl::StatusOr<Query> query) {
    if (!query.ok()) return wrong(parameter, query.status());
    query_ = *std::move(query);
    names_.emplace_back(name);
    return absl::OkStatus();
  }

  Query query_;
  std::vector<std::string> names_;
};

absl::Status read_set(std::string_view address, const Parameters& parameters, SetPath& path) {
  if (address == kPlayerAddress) {
    ASSIGN_OR_RETURN(const std::string facet, player_facet(parameters));
    RETURN_IF_ERROR(path.add_facet("player", facet));
  }
  ASSIGN_OR_RETURN(const std::string since, date_bound(parameters, "since"));
  ASSIGN_OR_RETURN(const std::string until, date_bound(parameters, "until"));
  if (!since.empty() || !until.empty()) {
    RETURN_IF_ERROR(path.add_facet("since, until", fmt::format("date={}..{}", since, until)));
  }
  if (const std::string_view ratings = value_of(parameters, "ratings"); !ratings.empty()) {
    ASSIGN_OR_RETURN(const std::string range, elo_range(ratings));
    RETURN_IF_ERROR(path.add_facet("ratings", "elo=" + range));
  }
  const std::string_view fen = value_of(parameters, "fen");
  ASSIGN_OR_RETURN(const std::string position,
                   position_name_of(fen.empty() ? kInitialPosition : fen));
  const std::string_view moves = value_of(parameters, "play");
  RETURN_IF_ERROR(check_moves(moves));
  return path.add_position(position, moves);
}

absl::Status read_counts(const Parameters& parameters, ExplorerQuestion& question) {
  RETURN_IF_ERROR(read_count(parameters, "moves", question.moves));
  RETURN_IF_ERROR(read_count(parameters, "topGames", question.top_games));
  return read_count(parameters, "recentGames", question.recent_games);
}

constexpr std::size_t kNoLimit = std::string_view::npos;

// Returns how many items of a list of explorer.json the client wants.
std::size_t most_of(std::string_view list, const ExplorerQuestion& question) {
  if (list == "moves") return question.moves;
  if (list == "topGames") return question.top_games;
  return list == "recentGames" ? question.recent_games : kNoLimit;
}

}  // namespace

bool is_explorer_address(std::string_view path) {
  return std::ranges::find(kPositionAddresses, path) != kPositionAddresses.end() ||
         game_of_address(path).has_value();
}

std::string with_plain_id(std::string_view raw_target, std::string_view base) {
  std::string target(raw_target);
  for (const std::string_view address : kGameAddresses) {
    const std::string start = fmt::format("{}{}", base, address.substr(1));
    if (!target.starts_with(start)) continue;
    for (std::size_t at = start.size(); (at = target.find("%2", at)) < target.find('?'); ++at) {
      if (at + 2 < target.size() && (target[at + 2] | ' ') == 'f') target.replace(at, 3, "/");
    }
  }
  return target;
}

absl::StatusOr<ExplorerQuestion> explorer_question(
    std::string_view path, std::span<const std::pair<std::string, std::string>> query) {
  assert(is_explorer_address(path));
  ASSIGN_OR_RETURN(const Parameters parameters, read_parameters(query));
  ExplorerQuestion question;
  if (const std::string_view path_of_one = value_of(parameters, "db"); !path_of_one.empty()) {
    std::optional<std::vector<std::string>> database = names_of_path(path_of_one);
    if (!database.has_value()) return wrong("db", "it is no path of a database");
    question.database = *std::move(database);
  }
  if (std::optional<GameId> game = game_of_address(path)) {
    question.is_game = true;
    if (!game->database.empty()) question.database = std::move(game->database);
    question.names = {"games", fmt::format("{}{}", game->number, kGameSuffix)};
    return question;
  }
  const std::string_view variant = value_of(parameters, "variant");
  if (!variant.empty() && variant != "standard" && variant != "chess") {
    return wrong("variant", "there is only standard chess here");
  }
  question.is_stream = path == kPlayerAddress;
  RETURN_IF_ERROR(read_counts(parameters, question));
  SetPath set;
  RETURN_IF_ERROR(read_set(path, parameters, set));
  question.names = std::move(set).take();
  question.names.emplace_back("explorer.json");
  return question;
}

// Looks at quotes, brackets and commas alone, which takes a tenth of the time of parsing.
std::string cut_explorer_json(std::string_view json, const ExplorerQuestion& question) {
  constexpr std::size_t kOfObject = 1;
  constexpr std::size_t kOfList = 2;
  std::string cut;
  std::size_t kept = 0;  // what is before is in `cut`, or left out
  std::size_t depth = 0;
  std::size_t left = kNoLimit;      // how many more commas the list may have, and one
  std::size_t cut_from = kNoLimit;  // where the list goes on with what is left out
  std::string_view key;             // the last text in the object
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t begin = at + 1;
      for (++at; at < json.size() && json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
      if (depth == kOfObject) key = json.substr(begin, at - begin);
    } else if (c == '{' || c == '[') {
      if (++depth != kOfList) continue;
      left = most_of(key, question);
      cut_from = left == 0 ? at + 1 : kNoLimit;
    } else if (c == ',' && depth == kOfList) {
      if (--left == 0) cut_from = at;
    } else if (c == '}' || c == ']') {
      if (--depth != kOfObject || cut_from == kNoLimit) continue;
      cut += json.substr(kept, cut_from - kept);
      kept = at;
      cut_from = kNoLimit;
    }
  }
  cut += json.substr(kept);
  return cut;
}

}  // namespace scidfs::fs
