// Sets of the games of one player or person: all games, and those with one color, white/ and
// black/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {

using Side = std::optional<codec::Color>;  // nothing: either color

// A set of a player's games with one color or either. In the views of all three, a key means the
// same player.
class SideSet : public ListedSet {
 public:
  struct Where {
    LocalId directory;
    std::uint8_t files = 0;
    Side side{};
  };
  SideSet(const Version& version, const Where& where, GameList games)
      : ListedSet(version, where.directory, where.files, games), side_(where.side) {}

  Listing listing() const override {
    return side_.has_value() ? Listing::Games : Listing::AllGames;
  }
  bool has_subject() const override { return true; }
  absl::StatusOr<std::vector<Subject>> subject(const WorkBudget&) const override {
    return std::vector<Subject>{player()};
  }
  std::string name() const override;
  std::string title() const override;
  LocalId parent() const override;

 protected:
  Side side() const { return side_; }
  // Return the player, with this color; the name of the directory; the name for users; and the
  // directory above.
  virtual Subject player() const = 0;
  virtual std::string own_name() const = 0;
  virtual std::string own_title() const = 0;
  virtual LocalId own_parent() const = 0;
  // Returns whether there are games with a color.
  virtual bool has_games(codec::Color color) const = 0;
  // Returns the view of the same players' sets with another color, or either.
  virtual const SetView& with(Side side) const = 0;

  std::uint64_t child_count() const override;
  std::optional<Child> child(std::uint64_t i) const override;
  std::optional<Child> find_child(std::string_view name) const override;

 private:
  const Side side_;
};

// Returns the tag of a side's games in the lists of games; nothing: all games.
std::optional<unsigned> tag_of(Side side);

}  // namespace scidfs::fs
