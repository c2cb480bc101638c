#include "fs/crosstable/crosstable_standings.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <system_error>
#include <tuple>
#include <unordered_map>

#include "codec/unicode.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Result;

// Removes the digits at the start of `text` and returns their number; 0 if there are none or too
// many.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

void sort_by_play(std::vector<RankedGame>& games) {
  const bool by_round =
      std::ranges::all_of(games, [](const RankedGame& game) { return game.round.number != 0; });
  std::ranges::stable_sort(games, {}, [by_round](const RankedGame& game) {
    const Round round = by_round ? game.round : Round{};
    return std::tuple(round.number, game.game->date, round.part);
  });
}

}  // namespace

bool is_no_player(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (std::string_view(" ?-.,()[]*_").find(c) == std::string_view::npos) {
      letters += codec::to_ascii_lower(c);
    }
  }
  return letters.empty() || letters == "bye";
}

void count_game(Result result, Color color, Standing& player) {
  const unsigned points = half_points(result, color);
  ++player.games;
  player.points += points;
  if (result == Result::Unknown) return;
  ++(points == 2 ? player.wins : points == 1 ? player.draws : player.losses);
}

Round parse_round(std::string_view text) {
  Round round;
  round.number = take_number(text);
  if (round.number == 0 || text.empty()) return round;
  if (text.front() != '.') return {};
  text.remove_prefix(1);
  round.part = take_number(text);
  return round;
}

Standings collect_standings(std::span<const CrosstableGame> games) {
  Standings result;
  std::unordered_map<std::uint32_t, std::uint32_t> index_of_id;
  const auto player = [&](std::uint32_t id, std::string_view name, codec::Rating rating) {
    const auto next = static_cast<std::uint32_t>(result.players.size());
    const auto [at, is_new] = index_of_id.try_emplace(id, next);
    if (is_new) result.players.push_back({.id = id, .name = name});
    Standing& standing = result.players[at->second];
    if (standing.rating.value == 0) standing.rating = rating;
    return at->second;
  };
  result.games.reserve(games.size());
  for (const CrosstableGame& game : games) {
    const bool has_white = !is_no_player(game.white);
    const bool has_black = !is_no_player(game.black);
    if (game.white_id == game.black_id || (!has_white && !has_black)) {
      ++(game.white_id == game.black_id ? result.left_out : result.nameless);
      continue;
    }
    if (!has_white || !has_black) {
      const std::uint32_t only = has_white ? player(game.white_id, game.white, game.white_rating)
                                           : player(game.black_id, game.black, game.black_rating);
      const Color color = has_white ? Color::White : Color::Black;
      count_game(game.result, color, result.players[only]);
      result.unpaired.push_back(
          {.player = only, .color = color, .round = parse_round(game.round), .game = &game});
      continue;
    }
    const std::uint32_t white = player(game.white_id, game.white, game.white_rating);
    const std::uint32_t black = player(game.black_id, game.black, game.black_rating);
    count_game(game.result, Color::White, result.players[white]);
    count_game(game.result, Color::Black, result.players[black]);
    result.games.push_back(
        {.white = white, .black = black, .round = parse_round(game.round), .game = &game});
  }
  sort_by_play(result.games);
  return result;
}

void rank_players(TieBreak tie_break, Standings& standings) {
  std::vector<Standing>& players = standings.players;
  for (Standing& player : players) player.tie_break = 0;
  for (const RankedGame& game : standings.games) {
    if (tie_break == TieBreak::None) break;
    if (game.game->result == Result::Unknown) continue;
    const auto add = [&](std::uint32_t to, std::uint32_t from, Color color) {
      const bool weighted = tie_break == TieBreak::SonnebornBerger;
      const unsigned factor = weighted ? half_points(game.game->result, color) : 1;
      players[to].tie_break += std::uint64_t{factor} * players[from].points;
    };
    add(game.white, game.black, Color::White);
    add(game.black, game.white, Color::Black);
  }

  std::vector<std::uint32_t> order(players.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
    const Standing& a = players[left];
    const Standing& b = players[right];
    return std::tie(b.stage, b.points, b.tie_break, b.rating.value, a.name, a.id) <
           std::tie(a.stage, a.points, a.tie_break, a.rating.value, b.name, b.id);
  });
  std::vector<Standing> ranked;
  std::vector<std::uint32_t> rank_of(players.size());
  ranked.reserve(players.size());
  for (const std::uint32_t index : order) {
    rank_of[index] = static_cast<std::uint32_t>(ranked.size());
    ranked.push_back(players[index]);
  }
  players = std::move(ranked);
  for (RankedGame& game : standings.games) {
    game.white = rank_of[game.white];
    game.black = rank_of[game.black];
  }
  for (UnpairedGame& game : standings.unpaired) game.player = rank_of[game.player];
}

}  // namespace scidfs::fs
