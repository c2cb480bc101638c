#include "fs/pages/explorer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "codec/eco.h"
#include "codec/san.h"
#include "codec/uci.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using codec::scid::GameEntry;
using codec::scid::NameKind;
using Json = nlohmann::ordered_json;

// Returns null for a position that is no opening.
Json opening_json(const NamedPosition& named, const codec::Position& position) {
  const OpeningNumber number = named.find(position);
  if (number == kNoOpening) return nullptr;
  // Clients know codes of three characters.
  return {{"eco", codec::eco_base_to_string(codec::eco_base(named.names->code(number)))},
          {"name", named.names->name(number)}};
}

void add_score(const Score& score, Json& object) {
  object["white"] = score[Outcome::Win];
  object["draws"] = score[Outcome::Draw];
  object["black"] = score[Outcome::Loss];
}

// Returns the winner as clients name them; null: none.
Json winner_of(Result result) {
  if (result == Result::WhiteWins) return "white";
  if (result == Result::BlackWins) return "black";
  return nullptr;
}

// Returns "2014-06"; null for a month that is unknown or that no calendar has.
Json month_of(codec::Date date) {
  constexpr unsigned kMonths = 12;
  if (date.year == 0 || date.month == 0 || date.month > kMonths) return nullptr;
  return fmt::format("{:04}-{:02}", date.year, date.month);
}

Json game_json(const GameSet& parts, const codec::Position& position, const NotableGame& notable) {
  const auto& [part, game] = notable.game;
  const Database& database = *parts[part].database();
  const GameEntry entry = database.entry(game);
  const codec::scid::NameTable& players = database.names()[NameKind::Player];
  const auto player = [&](std::uint32_t id, codec::Rating rating) {
    return Json{{"name", players.text(id)}, {"rating", rating.elo()}};
  };
  return {{"id", game_id(parts[part], game)},
          {"uci",
           notable.next.has_value() ? Json(codec::to_uci(position, *notable.next)) : Json(nullptr)},
          {"winner", winner_of(entry.result)},
          {"white", player(entry.white, entry.white_rating)},
          {"black", player(entry.black, entry.black_rating)},
          {"year", entry.date.year},
          {"month", month_of(entry.date)}};
}

Json move_json(const GameSet& parts, const codec::Position& position, const PlayedMove& played,
               const NamedPosition& named) {
  const MoveScore& games = played.games;
  codec::Position after = position;
  after.make(played.move);
  Json move = {{"uci", codec::to_uci(position, played.move)},
               {"san", codec::to_san(position, played.move)}};
  add_score(games.score, move);
  move["averageRating"] = games.elo.value();
  move["game"] = games.score.decided() == 1
                     ? game_json(parts, position, {.game = games.last_decided, .next = played.move})
                     : Json(nullptr);
  move["opening"] = opening_json(named, after);
  return move;
}

// Returns the moves that games with a known result play, most of these games first, then in the
// order of the table.
std::vector<const PlayedMove*> decided_moves(const MoveTable& table) {
  std::vector<const PlayedMove*> moves;
  for (const PlayedMove& move : table.moves()) {
    if (move.games.score.decided() != 0) moves.push_back(&move);
  }
  std::ranges::stable_sort(moves, std::greater(),
                           [](const PlayedMove* move) { return move->games.score.decided(); });
  return moves;
}

Json games_json(const GameSet& parts, const codec::Position& position,
                const std::vector<NotableGame>& games) {
  Json list = Json::array();
  for (const NotableGame& game : games) list.push_back(game_json(parts, position, game));
  return list;
}

}  // namespace

std::string explorer_json(const GameSet& parts, const codec::Position& position,
                          const MoveTable& table, const NamedPosition& named,
                          const NotableGames& games) {
  Json object = Json::object();
  add_score(table.all().score, object);
  Json moves = Json::array();
  for (const PlayedMove* const move : decided_moves(table)) {
    moves.push_back(move_json(parts, position, *move, named));
  }
  object["moves"] = std::move(moves);
  object["topGames"] = games_json(parts, position, games.strongest);
  object["recentGames"] = games_json(parts, position, games.newest);
  object["opening"] = opening_json(named, position);
  // Names of an index file that lies may be no UTF-8.
  constexpr auto kReplace = Json::error_handler_t::replace;
  return object.dump(-1, ' ', false, kReplace) + '\n';
}

}  // namespace scidfs::fs
