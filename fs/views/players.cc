// players/ca/Carlsen,M/{all,white,black}.pgn; players/Carlsen,M as well, though not listed.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "fs/database/filename.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

// Keys: of a shard its group in the player set, of all else the key of the player.
enum Level : std::uint8_t { kDirectory, kShard, kPlayer, kPlayerAlias, kAll, kWhite, kBlack };

constexpr std::array<std::string_view, 3> kFiles = {"all.pgn", "white.pgn", "black.pgn"};

// The games of the i-th file of a player.
GameList games_of(const Database& database, std::uint32_t player, std::uint64_t i) {
  constexpr std::array<std::optional<unsigned>, kFiles.size()> kTags = {
      std::nullopt, GameLists::kWhiteTag, GameLists::kBlackTag};
  return database.lists().player_games().games(player, kTags[i]);
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
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kShard:
        return database.lists().player_set().find_group(place.key) != nullptr;
      case kPlayer:
      case kPlayerAlias:
        return database.lists().player_set().find_key(place.key).has_value();
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
    const NamedSet& players = database.lists().player_set();
    const std::optional<std::uint32_t> player = players.find_key(directory.key);
    if (!player.has_value()) return {};
    return {.level = kShard, .key = players.group_of(*player)};
  }

  void list(const Database& database, Place directory, std::uint64_t first,
            EmitChild emit) const override {
    const NamedSet& players = database.lists().player_set();
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
            NamedSet::Listed player =
                players.at(*shard, static_cast<std::uint32_t>(shard->begin + i));
            return player_directory(kPlayer, std::move(player.name), player.key);
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
    const NamedSet& players = database.lists().player_set();
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

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    const std::optional<std::uint32_t> player = database->lists().player_set().find_key(file.key);
    if (!player.has_value()) return std::nullopt;
    return GameSet(database, games_of(*database, *player, file.level - kAll));
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
    const std::optional<NamedSet::Listed> player = players.find(*group, name);
    if (!player.has_value()) return std::nullopt;
    return player_directory(level, std::string(name), player->key);
  }

  // The i-th file of a player; nothing if it would be empty.
  static std::optional<Child> file_child(const Database& database, std::uint32_t key,
                                         std::uint64_t i) {
    const std::optional<std::uint32_t> player = database.lists().player_set().find_key(key);
    if (!player.has_value() || games_of(database, *player, i).empty()) return std::nullopt;
    return Child{.name = std::string(kFiles[i]),
                 .place = {.level = static_cast<std::uint8_t>(kAll + i), .key = key}};
  }
};

}  // namespace

const View& players_view() {
  static const PlayersView kView;
  return kView;
}

}  // namespace scidfs::fs
