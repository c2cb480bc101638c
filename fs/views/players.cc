// players/ca/Carlsen,M/{all,white,black}.pgn; also players/Carlsen,M, which is not listed. Each
// player is a set, and so are the player's games with one color, white/ and black/.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/database/group_names.h"
#include "fs/search/nearest_names.h"
#include "fs/views/all.h"
#include "fs/views/grouped_view.h"
#include "fs/views/sides.h"

namespace scidfs::fs {
namespace {

using codec::Color;

const NamedSet& player_set(const Version& version) {
  return version.database()->lists().player_set();
}

// The directories players/ and its shards.
class PlayersView : public GroupedView {
 public:
  PlayersView() : GroupedView(kPlayersView) {}

  std::string_view name() const override { return "players"; }
  bool has_content(const Database& database) const override {
    return !database.shown().empty() && database.names()[codec::scid::NameKind::Player].size() != 0;
  }

 protected:
  const NamedSet& named(const Version& version) const override { return player_set(version); }
  CommonSetOr common(const Version& together, const WorkBudget& budget) const override {
    return share(players_of(together, budget), &CommonPlayers::set);
  }
  const SetView& members() const override { return player_view(); }
  Finder finder() const override { return {.facet = "player", .groups = "By first letters"}; }
  void for_each(const Version& version, VisitGames visit) const override {
    const Postings& games = version.database()->lists().player_games();
    for (std::uint32_t id = 0; id < games.keys() && visit(id, games.games(id)); ++id) continue;
  }
  // Looks at the names as they are in the database, which takes less time.
  absl::StatusOr<NearestNames> nearest_members(const Version& version, const MisspelledName& wanted,
                                               const WorkBudget& budget) const override {
    const Postings& games = version.database()->lists().player_games();
    const codec::scid::NameTable& names =
        version.database()->names()[codec::scid::NameKind::Player];
    return nearest_names(
        std::min(games.keys(), names.size()), wanted, budget,
        [&](std::uint32_t player, std::string&) -> std::optional<std::string_view> {
          if (games.games(player).empty()) return std::nullopt;
          return names.text(player);
        });
  }
  std::string group_name(std::uint32_t shard) const override { return shard_name(shard); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    if (name.size() != 2) return std::nullopt;
    return shard_key(name);
  }
  std::optional<MembersOf> alias(std::string_view name) const override {
    return MembersOf{.group = shard_key(shard_of(name)), .view = player_alias_view()};
  }
};

const PlayersView& players() {
  static const PlayersView kView;
  return kView;
}

class PlayerSet : public SideSet {
 public:
  PlayerSet(const Version& version, const Where& where, GameList games, std::uint32_t player,
            bool is_alias)
      : SideSet(version, where, games), player_(player), is_alias_(is_alias) {}

 protected:
  Subject player() const override { return {.players = NameIds(player_), .color = side()}; }
  std::string own_name() const override { return player_set(version()).of(player_).name; }
  std::string own_title() const override {
    return std::string(database().names()[codec::scid::NameKind::Player].text(player_));
  }
  LocalId own_parent() const override {
    if (is_alias_) return {.view = kPlayersView};
    return fs::players().group_of(version(), directory().key);
  }
  bool has_games(Color color) const override {
    return !database().lists().player_games().games(player_, tag_of(color)).empty();
  }
  const SetView& with(Side side) const override {
    if (!side.has_value()) return is_alias_ ? player_alias_view() : player_view();
    if (*side == Color::White) return is_alias_ ? white_alias_view() : white_view();
    return is_alias_ ? black_alias_view() : black_view();
  }

 private:
  const std::uint32_t player_;
  const bool is_alias_;
};

// Keys are those of the player set. A directory that two paths lead to has a number for each: with
// one number, the kernel would move the directory between the paths.
template <ViewNumber kFiles, bool kIsAlias>
SetPtr bind_player(const Version& version, LocalId directory) {
  const std::optional<std::uint32_t> player = player_set(version).find_key(directory.key);
  if (!player.has_value()) return nullptr;
  const Side side = kFiles == kPlayerView  ? Side()
                    : kFiles == kWhiteView ? Side(Color::White)
                                           : Side(Color::Black);
  const GameList games = version.database()->lists().player_games().games(*player, tag_of(side));
  if (games.empty()) return nullptr;
  const SideSet::Where where{.directory = directory, .files = kFiles, .side = side};
  return std::make_unique<PlayerSet>(version, where, games, *player, kIsAlias);
}

}  // namespace

const View& players_view() { return players(); }

const SetView& player_view() {
  static const SetView kView(kPlayerView, &bind_player<kPlayerView, false>);
  return kView;
}

const SetView& white_view() {
  static const SetView kView(kWhiteView, &bind_player<kWhiteView, false>);
  return kView;
}

const SetView& black_view() {
  static const SetView kView(kBlackView, &bind_player<kBlackView, false>);
  return kView;
}

const SetView& player_alias_view() {
  static const SetView kView(kPlayerAliasView, &bind_player<kPlayerView, true>);
  return kView;
}

const SetView& white_alias_view() {
  static const SetView kView(kWhiteAliasView, &bind_player<kWhiteView, true>);
  return kView;
}

const SetView& black_alias_view() {
  static const SetView kView(kBlackAliasView, &bind_player<kBlackView, true>);
  return kView;
}

}  // namespace scidfs::fs
