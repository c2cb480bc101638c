#include "fs/views/sides.h"

namespace scidfs::fs {

using codec::Color;

absl::StatusOr<std::optional<Subject>> SideView::subject(const Version& version, std::uint32_t key,
                                                         const Effort&) const {
  std::optional<NameIds> ids = players(version, key);
  if (!ids.has_value()) return std::nullopt;
  return Subject{.players = *std::move(ids), .color = color_};
}

std::string SideView::directory_name(const Version& version, std::uint32_t key) const {
  if (color_.has_value()) return *color_ == Color::White ? "white" : "black";
  return own_name(version, key);
}

std::string SideView::title(const Version& version, std::uint32_t key) const {
  std::string title = own_title(version, key);
  if (color_.has_value() && !title.empty()) {
    title += *color_ == Color::White ? ", White" : ", Black";
  }
  return title;
}

Place SideView::directory_above(const Version& version, std::uint32_t key) const {
  if (color_.has_value()) return with(std::nullopt).set_directory("", key).place;
  return own_directory_above(version, key);
}

GameList SideView::list_of(const Version& version, std::uint32_t key) const {
  if (!color_.has_value()) return own_games(version, key, std::nullopt);
  return own_games(version, key,
                   *color_ == Color::White ? GameLists::kWhiteTag : GameLists::kBlackTag);
}

std::optional<Child> SideView::own_child(const Version& version, std::uint32_t key,
                                         std::uint64_t i) const {
  const SetView& view = with(kSides[i].color);
  if (!view.has_set(version, key)) return std::nullopt;
  return view.games_file(std::string(kSides[i].file), key);
}

std::optional<Child> SideView::find_own(const Version& version, std::uint32_t key,
                                        std::string_view name) const {
  if (color_.has_value()) return std::nullopt;
  for (std::uint64_t i = 0; i < kSides.size(); ++i) {
    if (kSides[i].file == name) return own_child(version, key, i);
    const SetView& view = with(kSides[i].color);
    if (kSides[i].directory == name && view.has_set(version, key)) {
      return view.set_directory(std::string(name), key);
    }
  }
  return std::nullopt;
}

}  // namespace scidfs::fs
