// Sets of somebody's games: all of them, and those with either colour, white/ and black/.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {

// The games of somebody with one colour or either; keys say who it is, the same in all three views.
class SideView : public ListedSetView {
 public:
  SideView(std::uint8_t number, std::uint8_t files, std::optional<codec::Color> color)
      : ListedSetView(number, files), color_(color) {}

  bool has_subject(const Version&, std::uint32_t) const override { return true; }
  absl::StatusOr<std::optional<Subject>> subject(const Version& version, std::uint32_t key,
                                                 const Effort&) const override;
  std::string directory_name(const Version& version, std::uint32_t key) const override;
  std::string title(const Version& version, std::uint32_t key) const override;

 protected:
  // Who somebody is: the ids of his names, nothing for a key that means nothing; the name that his
  // directory has, and the one that people know; his games; the directory that his lies in.
  virtual std::optional<NameIds> players(const Version& version, std::uint32_t key) const = 0;
  virtual std::string own_name(const Version& version, std::uint32_t key) const = 0;
  virtual std::string own_title(const Version& version, std::uint32_t key) const = 0;
  virtual GameList own_games(const Version& version, std::uint32_t key,
                             std::optional<unsigned> tag) const = 0;
  virtual Place own_directory_above(const Version& version, std::uint32_t key) const = 0;
  // The view of the same people's sets with another colour, or either.
  virtual const SetView& with(std::optional<codec::Color> color) const = 0;

  std::optional<codec::Color> color() const { return color_; }

  Place directory_above(const Version& version, std::uint32_t key) const override;
  GameList list_of(const Version& version, std::uint32_t key) const override;
  std::string_view games_name() const override {
    return color_.has_value() ? "games.pgn" : "all.pgn";
  }
  std::uint64_t own_count(const Version&, std::uint32_t) const override {
    return color_.has_value() ? 0 : kSides.size();
  }
  std::optional<Child> own_child(const Version& version, std::uint32_t key,
                                 std::uint64_t i) const override;
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override;

 private:
  struct Side {
    codec::Color color;
    std::string_view file;
    std::string_view directory;
  };
  static constexpr std::array<Side, 2> kSides = {{
      {codec::Color::White, "white.pgn", "white"},
      {codec::Color::Black, "black.pgn", "black"},
  }};

  const std::optional<codec::Color> color_;
};

}  // namespace scidfs::fs
