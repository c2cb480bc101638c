#include "fs/pages/explorer_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "codec/eco.h"
#include "codec/san.h"
#include "codec/uci.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Result;
using codec::scid::GameEntry;
using codec::scid::NameKind;
using Json = nlohmann::ordered_json;

Json opening_of(const OpeningNames* names, OpeningNumber number) {
  if (names == nullptr || number == kNoOpening) return nullptr;
  return {{"eco", codec::eco_to_string(names->code(number))}, {"name", names->name(number)}};
}

void add_score(const Score& score, Json& object) {
  object["white"] = score[Outcome::Win];
  object["draws"] = score[Outcome::Draw];
  object["black"] = score[Outcome::Loss];
}

Json move_json(const codec::Position& position, const PlayedMove& played,
               const OpeningNames* names) {
  codec::Position after = position;
  after.make(played.move);
  Json move = {{"uci", codec::to_uci(played.move)},
               {"san", codec::to_san(position, played.move)},
               {"averageRating", played.games.elo.value()}};
  add_score(played.games.score, move);
  move["opening"] = opening_of(names, names == nullptr ? kNoOpening : names->find(after));
  return move;
}

Json winner_of(Result result) {
  if (result == Result::WhiteWins) return "white";
  if (result == Result::BlackWins) return "black";
  return nullptr;
}

Json game_json(const Database& database, const NotableGame& game) {
  const GameEntry entry = database.entry(game.game);
  const codec::scid::NameTable& players = database.names()[NameKind::Player];
  Json object = {{"id", fmt::to_string(game.game + 1)},
                 {"uci", game.next.has_value() ? Json(codec::to_uci(*game.next)) : Json(nullptr)},
                 {"winner", winner_of(entry.result)},
                 {"white", {{"name", players.text(entry.white)}, {"rating", entry.white_rating.value}}},
                 {"black", {{"name", players.text(entry.black)}, {"rating", entry.black_rating.value}}},
                 {"year", entry.date.year}};
  object["month"] = entry.date.year == 0 || entry.date.month == 0
                        ? Json(nullptr)
                        : Json(fmt::format("{:04}-{:02}", entry.date.year, entry.date.month));
  return object;
}

Json games_json(const Database& database, const std::vector<NotableGame>& games) {
  Json list = Json::array();
  for (const NotableGame& game : games) list.push_back(game_json(database, game));
  return list;
}

}  // namespace

std::string explorer_json(const Database& database, const codec::Position& position,
                          const MoveTable& table, const NamedPosition& named,
                          const NotableGames& games) {
  Json object = Json::object();
  add_score(table.all().score, object);
  object["moves"] = Json::array();
  for (const PlayedMove& move : table.moves()) {
    if (move.games.score.decided() == 0) continue;
    object["moves"].push_back(move_json(position, move, named.names));
  }
  object["topGames"] = games_json(database, games.strongest);
  object["recentGames"] = games_json(database, games.newest);
  object["opening"] = opening_of(
      named.names, named.names == nullptr ? kNoOpening : named.names->find(position));
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace scidfs::fs
