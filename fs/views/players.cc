// players/ca/Carlsen,M/{all,white,black}.pgn; players/Carlsen,M as well, though not listed. Each
// player is a set, and so are his games with either colour, white/ and black/.
#include <array>
#include <optional>

#include "fs/database/filename.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"
#include "fs/views/grouped_view.h"

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

// The games of a player with one colour or either. Keys are those of the player set. Directories
// that can be reached in two ways have numbers of their own each: the kernel would move one about.
class PlayerSetView : public ListedSetView {
 public:
  struct Kind {
    ViewNumber number;
    ViewNumber files;
    std::optional<Color> color{};
    bool is_alias = false;  // not below a shard
  };
  explicit PlayerSetView(const Kind& kind) : ListedSetView(kind.number, kind.files), kind_(kind) {}

  bool has_subject(const Version&, std::uint32_t) const override { return true; }
  absl::StatusOr<std::optional<Subject>> subject(const Version& version, std::uint32_t key,
                                                 const Effort&) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    if (!player.has_value()) return std::nullopt;
    return Subject{.players = NameIds(*player), .color = kind_.color};
  }
  std::string directory_name(const Version& version, std::uint32_t key) const override {
    if (kind_.color.has_value()) return *kind_.color == Color::White ? "white" : "black";
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    return player.has_value() ? players_of(version).of(*player).name : "";
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    if (!player.has_value()) return "";
    std::string title(version.database->names()[codec::scid::NameKind::Player].text(*player));
    if (kind_.color.has_value()) title += *kind_.color == Color::White ? ", White" : ", Black";
    return title;
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    if (kind_.color.has_value()) return view_of(std::nullopt).set_directory("", key).place;
    if (kind_.is_alias) return {.view = kPlayersView};
    return players().group_of(version, key);
  }
  GameList list_of(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> player = players_of(version).find_key(key);
    if (!player.has_value()) return {};
    const Postings& lists = version.database->lists().player_games();
    if (!kind_.color.has_value()) return lists.games(*player);
    return lists.games(*player,
                       *kind_.color == Color::White ? GameLists::kWhiteTag : GameLists::kBlackTag);
  }
  std::string_view games_name() const override {
    return kind_.color.has_value() ? "games.pgn" : "all.pgn";
  }
  std::uint64_t own_count(const Version&, std::uint32_t) const override {
    return kind_.color.has_value() ? 0 : kColors.size();
  }
  std::optional<Child> own_child(const Version& version, std::uint32_t key,
                                 std::uint64_t i) const override {
    const SetView& view = view_of(kColors[i].color);
    if (!view.has_set(version, key)) return std::nullopt;
    return view.games_file(std::string(kColors[i].file), key);
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    if (kind_.color.has_value()) return std::nullopt;
    for (std::uint64_t i = 0; i < kColors.size(); ++i) {
      if (kColors[i].file == name) return own_child(version, key, i);
      const SetView& view = view_of(kColors[i].color);
      if (kColors[i].directory == name && view.has_set(version, key)) {
        return view.set_directory(std::string(name), key);
      }
    }
    return std::nullopt;
  }

 private:
  struct OfColor {
    Color color;
    std::string_view file;
    std::string_view directory;
  };
  static constexpr std::array<OfColor, 2> kColors = {{
      {Color::White, "white.pgn", "white"},
      {Color::Black, "black.pgn", "black"},
  }};

  // The same player's set with another colour.
  const SetView& view_of(std::optional<Color> color) const {
    if (!color.has_value()) return kind_.is_alias ? player_alias_view() : player_view();
    if (*color == Color::White) return kind_.is_alias ? white_alias_view() : white_view();
    return kind_.is_alias ? black_alias_view() : black_view();
  }

  const Kind kind_;
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
