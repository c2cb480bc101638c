#include "fs/views/sides.h"

#include <array>

#include "fs/database/game_lists.h"

namespace scidfs::fs {
namespace {

using codec::Color;

struct Entry {
  Color color;
  std::string_view file;
  std::string_view directory;
};
constexpr std::array<Entry, 2> kEntries = {{
    {Color::White, "white.pgn", "white"},
    {Color::Black, "black.pgn", "black"},
}};

}  // namespace

std::optional<unsigned> tag_of(Side side) {
  if (!side.has_value()) return std::nullopt;
  return *side == Color::White ? GameLists::kWhiteTag : GameLists::kBlackTag;
}

std::string SideSet::name() const {
  if (!side_.has_value()) return own_name();
  return *side_ == Color::White ? "white" : "black";
}

std::string SideSet::title() const {
  std::string title = own_title();
  if (side_.has_value()) title += *side_ == Color::White ? ", White" : ", Black";
  return title;
}

LocalId SideSet::parent() const {
  return side_.has_value() ? with(std::nullopt).directory_of(directory().key) : own_parent();
}

std::uint64_t SideSet::child_count() const { return side_.has_value() ? 0 : kEntries.size(); }

std::optional<Child> SideSet::child(std::uint64_t i) const {
  if (!has_games(kEntries[i].color)) return std::nullopt;
  return with(kEntries[i].color).games_file(std::string(kEntries[i].file), directory().key);
}

std::optional<Child> SideSet::find_child(std::string_view name) const {
  for (std::uint64_t i = 0; i < child_count(); ++i) {
    if (kEntries[i].file == name) return child(i);
    if (kEntries[i].directory == name && has_games(kEntries[i].color)) {
      return with(kEntries[i].color).set_directory(std::string(name), directory().key);
    }
  }
  return std::nullopt;
}

}  // namespace scidfs::fs
