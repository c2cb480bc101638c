// flags/user.pgn, flags/tactics.pgn, ..., flags/custom1-Text.pgn: games that carry a flag.
#include <fmt/format.h>

#include <array>

#include "fs/base/names.h"
#include "fs/database/filename.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

using codec::scid::Flag;

// Keys: of a file the number of the flag.
enum Level : std::uint8_t { kDirectory, kFlag };

// By the bits of Flag; the empty one has a directory of its own, deleted/.
constexpr std::array<std::string_view, codec::scid::kFlagCustom1> kNames = {
    "start-position", "promotion",      "underpromotion", "",
    "white-opening",  "black-opening",  "middlegame",     "endgame",
    "novelty",        "pawn-structure", "tactics",        "kingside",
    "queenside",      "brilliancy",     "blunder",        "user"};

std::string flag_name(const Database& database, std::uint32_t flag) {
  if (flag < kNames.size()) return std::string(kNames[flag]);
  const std::size_t custom = flag - kNames.size();
  const std::string& text = database.info().custom_flags[custom];
  return text.empty() ? fmt::format("custom{}", custom + 1)
                      : fmt::format("custom{}-{}", custom + 1, escape_name(text));
}

std::optional<Child> flag_child(const Database& database, std::uint32_t flag) {
  if (flag >= codec::scid::kFlagCount || flag == codec::scid::kFlagDeleted ||
      !database.has_flag(static_cast<Flag>(flag))) {
    return std::nullopt;
  }
  return Child{.name = flag_name(database, flag) + ".pgn", .place = {.level = kFlag, .key = flag}};
}

class FlagsView : public View {
 public:
  std::string_view name() const override { return "flags"; }
  bool has_content(const Database& database) const override {
    for (std::uint32_t flag = 0; flag < codec::scid::kFlagCount; ++flag) {
      if (flag_child(database, flag).has_value()) return true;
    }
    return false;
  }
  bool is_directory(Place place) const override { return place.level == kDirectory; }

  bool exists(const Database& database, Place place) const override {
    if (place.level == kDirectory) return place.key == 0;
    return place.level == kFlag && flag_child(database, place.key).has_value();
  }

  void list(const Database& database, Place, std::uint64_t first, EmitChild emit) const override {
    list_children(
        first, codec::scid::kFlagCount,
        [&](std::uint64_t i) { return flag_child(database, static_cast<std::uint32_t>(i)); }, emit);
  }

  std::optional<Child> lookup(const Database& database, Place,
                              std::string_view name) const override {
    const std::optional<std::string_view> wanted = strip_suffix(name, ".pgn");
    if (!wanted.has_value()) return std::nullopt;
    for (std::uint32_t flag = 0; flag < codec::scid::kFlagCount; ++flag) {
      if (flag_name(database, flag) == *wanted) return flag_child(database, flag);
    }
    return std::nullopt;
  }

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    return GameSet(database, database->lists().flag_games(static_cast<Flag>(file.key)).games(0));
  }
};

}  // namespace

const View& flags_view() {
  static const FlagsView kView;
  return kView;
}

}  // namespace scidfs::fs
