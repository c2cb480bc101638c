// players/ca/Carlsen,M/{all,white,black}.pgn; players/Carlsen,M as well, though not listed. Each
// player is a set, and so are his games with either colour, white/ and black/.
#include <optional>

#include "fs/base/filename.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"
#include "fs/views/grouped_view.h"
#include "fs/views/sides.h"

namespace scidfs::fs {
namespace {

using codec::Color;

const NamedSet& players_of(const Version& version) {
  return version.database->lists().player_set();
}

// players/ and its shards.
class PlayersView : public GroupedView {
 public:
  PlayersView() : GroupedView(kPlayersView) {}

  std::string_view name() const override { return "players"; }
  bool has_content(const Database& database) const override {
    return !database.shown().empty() && database.names()[codec::scid::NameKind::Player].size() != 0;
  }

 protected:
  const NamedSet& named(const Version& version) const override { return players_of(version); }
  const SetView& members() const override { return player_view(); }
  std::string group_name(std::uint32_t shard) const override { return shard_name(shard); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    if (name.size() != 2) return std::nullopt;
    return shard_key(name);
  }
  std::optional<Child> find_other(const Version& version, std::string_view name) const override {
    return find_member(version, shard_key(shard_of(name)), name, player_alias_view());
  }
};

const PlayersView& players() {
  static const PlayersView kView;
  return kView;
}

// Keys are those of the player set. Directories that can be reached in two ways have numbers of
// their own each: the kernel would move one about.
class PlayerSetView : public SideView {
 public:
  struct Kind {
    ViewNumber number;
    ViewNumber files;
    std::optional<Color> color{};
    bool is_alias = false;  // not below a shard
  };
  explicit PlayerSetView(const Kind& kind)
      : SideView(kind.number, kind.files, kind.color), is_alias_(kind.is_alias) {}

 protected:
  std::optional<NameIds> players(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    if (!player.has_value()) return std::nullopt;
    return NameIds(*player);
  }
  std::string own_name(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    return player.has_value() ? players_of(version).of(*player).name : "";
  }
  std::string own_title(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    if (!player.has_value()) return "";
    return std::string(version.database->names()[codec::scid::NameKind::Player].text(*player));
  }
  GameList own_games(const Version& version, std::uint32_t key,
                     std::optional<unsigned> tag) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    if (!player.has_value()) return {};
    return version.database->lists().player_games().games(*player, tag);
  }
  Place own_directory_above(const Version& version, std::uint32_t key) const override {
    if (is_alias_) return {.view = kPlayersView};
    return fs::players().group_of(version, key);
  }
  const SetView& with(std::optional<Color> color) const override {
    if (!color.has_value()) return is_alias_ ? player_alias_view() : player_view();
    if (*color == Color::White) return is_alias_ ? white_alias_view() : white_view();
    return is_alias_ ? black_alias_view() : black_view();
  }

 private:
  const bool is_alias_;
};

}  // namespace

const View& players_view() { return players(); }

const SetView& player_view() {
  static const PlayerSetView kView({.number = kPlayerView, .files = kPlayerView});
  return kView;
}

const SetView& white_view() {
  static const PlayerSetView kView(
      {.number = kWhiteView, .files = kWhiteView, .color = Color::White});
  return kView;
}

const SetView& black_view() {
  static const PlayerSetView kView(
      {.number = kBlackView, .files = kBlackView, .color = Color::Black});
  return kView;
}

const SetView& player_alias_view() {
  static const PlayerSetView kView(
      {.number = kPlayerAliasView, .files = kPlayerView, .is_alias = true});
  return kView;
}

const SetView& white_alias_view() {
  static const PlayerSetView kView(
      {.number = kWhiteAliasView, .files = kWhiteView, .color = Color::White, .is_alias = true});
  return kView;
}

const SetView& black_alias_view() {
  static const PlayerSetView kView(
      {.number = kBlackAliasView, .files = kBlackView, .color = Color::Black, .is_alias = true});
  return kView;
}

}  // namespace scidfs::fs
