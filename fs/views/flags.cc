// flags/user.pgn, flags/tactics.pgn, ..., flags/custom1-Text.pgn: games that have a flag; and
// flags/annotated.pgn: games with comments, variations or NAGs. Each is a set, flags/tactics/.
#include <fmt/format.h>

#include <array>

#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/search/facet.h"
#include "fs/views/all.h"
#include "fs/views/found_games.h"

namespace scidfs::fs {
namespace {

using codec::scid::Flag;

// By the bits of Flag; the flag with an empty name has its own directory, deleted/.
constexpr std::array<std::string_view, codec::scid::kFlagCustom1> kNames = {
    "start-position", "promotion",      "underpromotion", "",
    "white-opening",  "black-opening",  "middlegame",     "endgame",
    "novelty",        "pawn-structure", "tactics",        "kingside",
    "queenside",      "brilliancy",     "blunder",        "user"};

// The numbers that follow the flags of Scid.
constexpr std::uint32_t kAnnotated = codec::scid::kFlagCount;
constexpr std::uint32_t kSets = kAnnotated + 1;

std::string flag_name(const Database& database, std::uint32_t flag) {
  if (flag == kAnnotated) return "annotated";
  if (flag < kNames.size()) return std::string(kNames[flag]);
  const std::size_t custom = flag - kNames.size();
  const std::string& text = database.files().info().custom_flags[custom];
  return text.empty() ? fmt::format("custom{}", custom + 1)
                      : fmt::format("custom{}-{}", custom + 1, escape_name(text));
}

bool has_flag(const Database& database, std::uint32_t flag) {
  if (flag == kAnnotated) return database.loaded().has_annotated();
  return flag < codec::scid::kFlagCount && flag != codec::scid::kFlagDeleted &&
         database.loaded().has_flag(static_cast<Flag>(flag));
}

class FlagsView : public PlacesView {
 public:
  std::string_view name() const override { return "flags"; }
  bool has_content(const Database& database) const override {
    for (std::uint32_t flag = 0; flag < kSets; ++flag) {
      if (has_flag(database, flag)) return true;
    }
    return false;
  }
  bool is_directory(LocalId place) const override { return place.entry == 0; }
  bool exists(const Version&, LocalId place) const override { return place == LocalId{kFlagsView}; }

  absl::Status list(const Version& version, LocalId, std::uint64_t first, const WorkBudget&,
                    EmitChild emit) const override {
    return list_children(
        first, kSets,
        [&](std::uint64_t i) -> std::optional<Child> {
          const auto flag = static_cast<std::uint32_t>(i);
          if (!has_flag(*version.database(), flag)) return std::nullopt;
          return flag_view().games_file(flag_name(*version.database(), flag) + ".pgn", flag);
        },
        emit);
  }

  std::optional<Child> find(const Version& version, LocalId, std::string_view name) const override {
    const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
    for (std::uint32_t flag = 0; flag < kSets; ++flag) {
      if (!has_flag(*version.database(), flag)) continue;
      const std::string known = flag_name(*version.database(), flag);
      if (known == stem) return flag_view().games_file(std::string(name), flag);
      if (known == name) return flag_view().set_directory(std::string(name), flag);
    }
    return std::nullopt;
  }
};

class FlaggedSet : public Set {
 public:
  using Set::Set;

  absl::StatusOr<GameSet> games(const WorkBudget& budget) const override {
    if (flag() == kAnnotated) return annotated(budget);
    return DatabaseGames(database_ptr(),
                         database().lists().flag_games(static_cast<Flag>(flag())).games(0));
  }
  std::string name() const override { return flag_name(database(), flag()); }
  std::string title() const override {
    if (flag() == kAnnotated) return "Games with comments, variations or NAGs";
    return fmt::format("Games with the flag {}", name());
  }
  LocalId parent() const override { return {.view = kFlagsView}; }

 private:
  std::uint32_t flag() const { return directory().key; }
  // Only the index file has the counts of annotations.
  absl::StatusOr<GameSet> annotated(const WorkBudget& budget) const {
    static const absl::StatusOr<Facet> kFacet = parse_facet("annotated=any");
    if (!kFacet.ok()) return kFacet.status();
    const FacetGroup group = {*kFacet};
    return found_games(*database_view().set_of(version(), 0), {&group, 1}, budget);
  }
};

// The key is the number of the flag.
SetPtr bind_flag(const Version& version, LocalId directory) {
  if (!has_flag(*version.database(), directory.key)) return nullptr;
  return std::make_unique<FlaggedSet>(version, directory);
}

}  // namespace

const View& flags_view() {
  static const FlagsView kView;
  return kView;
}

const SetView& flag_view() {
  static const SetView kView(kFlagView, &bind_flag);
  return kView;
}

}  // namespace scidfs::fs
