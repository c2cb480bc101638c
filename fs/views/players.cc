// players/ca/Carlsen,M/{all,white,black}.pgn; players/Carlsen,M as well, though not listed.
#include <algorithm>
#include <array>
#include <iterator>

#include "fs/filename.h"
#include "fs/game_content.h"
#include "fs/group_names.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

// Keys: of a shard its group in the player set, of all else the key of the player.
enum Level : std::uint8_t { kDirectory, kShard, kPlayer, kPlayerAlias, kAll, kWhite, kBlack };

constexpr std::array<std::string_view, 3> kFiles = {"all.pgn", "white.pgn", "black.pgn"};

struct Games {
  std::span<const GameIndex> white;
  std::span<const GameIndex> black;
};

Games games_of(const Database& database, std::uint32_t player) {
  return {.white = database.white_games().games(player),
          .black = database.black_games().games(player)};
}

Child player_directory(Level level, std::string name, std::uint32_t key) {
  return {.name = std::move(name), .place = {.level = level, .key = key}, .is_directory = true};
}

class PlayersView : public View {
 public:
  std::string_view name() const override { return "players"; }
  bool has_content(const Database& database) const override {
    return !database.shown().empty() && database.names()[codec::scid::NameKind::Player].size() != 0;
  }
  bool is_directory(Place place) const override { return place.level <= kPlayerAlias; }

  bool exists(const Database& database, Place place) const override {
    const NamedSet& players = database.player_set();
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kShard:
        return players.find_group(place.key) != nullptr;
      case kPlayer:
      case kPlayerAlias:
        return players.find_key(place.key).has_value();
      case kAll:
      case kWhite:
      case kBlack:
        return file_child(database, place.key, place.level - kAll).has_value();
      default:
        return false;
    }
  }

  Place parent(const Database& database, Place directory) const override {
    if (directory.level != kPlayer) return {};
    const NamedSet& players = database.player_set();
    const std::optional<std::uint32_t> position = players.find_key(directory.key);
    if (!position.has_value()) return {};
    return {.level = kShard, .key = players.group_at(*position).group};
  }

  void list(const Database& database, Place directory, std::uint64_t first,
            EmitChild emit) const override {
    const NamedSet& players = database.player_set();
    if (directory.level == kDirectory) {
      list_children(
          first, players.groups().size(),
          [&](std::uint64_t i) { return shard_directory(players.groups()[i].group); }, emit);
    } else if (directory.level == kShard) {
      const NamedSet::Group* const shard = players.find_group(directory.key);
      if (shard == nullptr) return;
      list_children(
          first, shard->end - shard->begin,
          [&](std::uint64_t i) {
            const auto position = static_cast<std::uint32_t>(shard->begin + i);
            return player_directory(kPlayer, players.name_at(*shard, position),
                                    players.key_at(position));
          },
          emit);
    } else {
      list_children(
          first, kFiles.size(),
          [&](std::uint64_t i) { return file_child(database, directory.key, i); }, emit);
    }
  }

  std::optional<Child> lookup(const Database& database, Place directory,
                              std::string_view name) const override {
    const NamedSet& players = database.player_set();
    if (directory.level == kDirectory) {
      if (name.size() == 2 && players.find_group(shard_key(name)) != nullptr) {
        return shard_directory(shard_key(name));
      }
      return find_player(players, shard_key(shard_of(name)), name, kPlayerAlias);
    }
    if (directory.level == kShard) return find_player(players, directory.key, name, kPlayer);
    const auto* const file = std::find(kFiles.begin(), kFiles.end(), name);
    if (file == kFiles.end()) return std::nullopt;
    return file_child(database, directory.key,
                      static_cast<std::uint64_t>(std::distance(kFiles.begin(), file)));
  }

  absl::StatusOr<std::unique_ptr<Content>> open(const DatabasePtr& database,
                                                Place file) const override {
    const std::optional<std::uint32_t> position = database->player_set().find_key(file.key);
    if (!position.has_value()) return absl::NotFoundError("no such player");
    const Games games = games_of(*database, database->player_set().id_at(*position));
    if (file.level == kWhite) return open_games(database, GameList::of(games.white));
    if (file.level == kBlack) return open_games(database, GameList::of(games.black));
    std::vector<GameIndex> all;
    all.reserve(games.white.size() + games.black.size());
    // A game of a player against himself is in both lists and must not appear twice.
    std::set_union(games.white.begin(), games.white.end(), games.black.begin(), games.black.end(),
                   std::back_inserter(all));
    return open_games(database, std::move(all));
  }

 private:
  static Child shard_directory(std::uint32_t shard) {
    return {
        .name = shard_name(shard), .place = {.level = kShard, .key = shard}, .is_directory = true};
  }

  static std::optional<Child> find_player(const NamedSet& players, std::uint32_t shard,
                                          std::string_view name, Level level) {
    const NamedSet::Group* const group = players.find_group(shard);
    if (group == nullptr) return std::nullopt;
    const std::optional<std::uint32_t> position = players.find(*group, name);
    if (!position.has_value()) return std::nullopt;
    return player_directory(level, std::string(name), players.key_at(*position));
  }

  // The i-th file of a player; nothing if it would be empty.
  static std::optional<Child> file_child(const Database& database, std::uint32_t key,
                                         std::uint64_t i) {
    const std::optional<std::uint32_t> position = database.player_set().find_key(key);
    if (!position.has_value()) return std::nullopt;
    const Games games = games_of(database, database.player_set().id_at(*position));
    if ((i == kWhite - kAll && games.white.empty()) ||
        (i == kBlack - kAll && games.black.empty())) {
      return std::nullopt;
    }
    return Child{.name = std::string(kFiles[i]),
                 .place = {.level = static_cast<std::uint8_t>(kAll + i), .key = key},
                 .may_be_late = true};
  }
};

}  // namespace

const View& players_view() {
  static const PlayersView kView;
  return kView;
}

}  // namespace scidfs::fs
