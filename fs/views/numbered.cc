// games/, deleted/ and fens/: one file a game, at most 1,000 in a directory, found by number.
#include "fs/database/filename.h"
#include "fs/database/game_content.h"
#include "fs/database/index_tsv.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

enum Level : std::uint8_t { kDirectory, kThousand, kGame, kAllGames, kIndexTsv };

// What is in the files.
enum class Kind : std::uint8_t { Game, Positions };

// Game numbers, not indices: directory n holds the numbers n * 1000 to n * 1000 + 999.
class NumberedView : public View {
 public:
  NumberedView(std::string_view name, Part part, Kind kind)
      : name_(name), part_(part), kind_(kind) {}

  std::string_view name() const override { return name_; }
  bool has_content(const Database& database) const override { return !list_of(database).empty(); }
  bool is_directory(Place place) const override { return place.level <= kThousand; }

  bool exists(const Database& database, Place place) const override {
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kThousand:
        return place.key <= last_thousand(database);
      case kGame:
        return holds(database, place.key);
      case kAllGames:
      case kIndexTsv:
        return has_tables() && place.key == 0;
      default:
        return false;
    }
  }

  void list(const Database& database, Place directory, std::uint64_t first,
            EmitChild emit) const override {
    if (directory.level == kDirectory) {
      const std::uint64_t files = has_tables() ? 2 : 0;
      list_children(
          first, files + last_thousand(database) + 1,
          [&](std::uint64_t position) -> std::optional<Child> {
            if (position < files) return file(position == 0 ? kAllGames : kIndexTsv);
            const auto thousand = static_cast<std::uint32_t>(position - files);
            if (!has_games(database, thousand)) return std::nullopt;
            return thousand_directory(thousand);
          },
          emit);
      return;
    }
    list_children(
        first, kGamesPerDirectory,
        [&](std::uint64_t position) -> std::optional<Child> {
          const auto number =
              static_cast<std::uint32_t>(directory.key * kGamesPerDirectory + position);
          if (!holds(database, number)) return std::nullopt;
          return game(number, listed_name(database, number));
        },
        emit);
  }

  std::optional<Child> lookup(const Database& database, Place directory,
                              std::string_view name) const override {
    if (directory.level == kDirectory) {
      if (has_tables() && name == "all.pgn") return file(kAllGames);
      if (has_tables() && name == "index.tsv") return file(kIndexTsv);
      if (const auto thousand = parse_games_directory(name)) {
        if (!has_games(database, *thousand)) return std::nullopt;
        return thousand_directory(*thousand);
      }
    }
    bool only_number = false;
    const std::optional<std::uint32_t> number = parse_game_number(name, &only_number, suffix());
    if (!number.has_value() || !holds(database, *number)) return std::nullopt;
    // A number alone finds its game in any directory, a whole name only where it is listed.
    if (!only_number &&
        (directory.level != kThousand || directory.key != *number / kGamesPerDirectory ||
         name != listed_name(database, *number))) {
      return std::nullopt;
    }
    return game(*number, std::string(name));
  }

  bool is_cheap(Place file) const override { return file.level == kGame; }

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    if (file.level != kAllGames) return std::nullopt;
    return GameSet(database, list_of(*database));
  }

 private:
  absl::StatusOr<std::unique_ptr<Content>> open_other(const DatabasePtr& database, Place file,
                                                      const Effort& effort) const override {
    if (file.level == kIndexTsv) return open_index_tsv(database, part_);
    return kind_ == Kind::Game ? open_game(database, file.key - 1, effort)
                               : open_positions(database, file.key - 1, effort);
  }

  // The files about all shown games stand in the directory of the database.
  bool has_tables() const { return part_ == Part::Deleted; }
  std::string_view suffix() const { return kind_ == Kind::Game ? kGameSuffix : kPositionsSuffix; }
  GameList list_of(const Database& database) const {
    return part_ == Part::Deleted ? database.deleted() : database.shown();
  }
  bool holds(const Database& database, std::uint32_t number) const {
    if (number == 0 || number > database.games()) return false;
    return database.has(part_, number - 1);
  }
  static std::uint32_t last_thousand(const Database& database) {
    return database.games() / kGamesPerDirectory;
  }
  bool has_games(const Database& database, std::uint32_t thousand) const {
    if (thousand > last_thousand(database)) return false;
    for (std::uint32_t i = 0; i < kGamesPerDirectory; ++i) {
      const std::uint32_t number = thousand * kGamesPerDirectory + i;
      if (holds(database, number)) return true;
    }
    return false;
  }

  std::string listed_name(const Database& database, std::uint32_t number) const {
    const codec::scid::GameEntry entry = database.entry(number - 1);
    const codec::scid::NameTable& players = database.names()[codec::scid::NameKind::Player];
    return game_file_name(number, players.text(entry.white), players.text(entry.black), entry.date,
                          entry.result, suffix());
  }
  static Child game(std::uint32_t number, std::string name) {
    return {.name = std::move(name), .place = {.level = kGame, .key = number}};
  }
  static Child thousand_directory(std::uint32_t thousand) {
    return {.name = games_directory_name(thousand * kGamesPerDirectory),
            .place = {.level = kThousand, .key = thousand},
            .is_directory = true};
  }
  static Child file(Level level) {
    return {.name = level == kAllGames ? "all.pgn" : "index.tsv", .place = {.level = level}};
  }

  const std::string_view name_;
  const Part part_;
  const Kind kind_;
};

}  // namespace

const View& games_view() {
  static const NumberedView kView(directory_of(Part::Shown), Part::Shown, Kind::Game);
  return kView;
}

const View& deleted_view() {
  static const NumberedView kView(directory_of(Part::Deleted), Part::Deleted, Kind::Game);
  return kView;
}

const View& fens_view() {
  static const NumberedView kView("fens", Part::Shown, Kind::Positions);
  return kView;
}

}  // namespace scidfs::fs
