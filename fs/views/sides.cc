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
  const SetView& view = with(kEntries[i].color);
  if (!view.has_set(version(), directory().key)) return std::nullopt;
  return view.games_file(std::string(kEntries[i].file), directory().key);
}

std::optional<Child> SideSet::find_child(std::string_view name) const {
  for (std::uint64_t i = 0; i < child_count(); ++i) {
    if (kEntries[i].file == name) return child(i);
    const SetView& view = with(kEntries[i].color);
    if (kEntries[i].directory == name && view.has_set(version(), directory().key)) {
      return view.set_directory(std::string(name), directory().key);
    }
  }
  return std::nullopt;
}

}  // namespace scidfs::fs
