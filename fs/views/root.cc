// The directory of a database: the files about all of it, and the other views.
#include <array>

#include "fs/database/game_content.h"
#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/database_texts.h"

namespace scidfs::fs {
namespace {

enum Level : std::uint8_t { kDirectory, kInfo, kIndexTable, kErrors, kAllGames };

struct File {
  std::string_view name;
  Level level;
  bool may_be_late;
};
constexpr std::array<File, 4> kFiles = {{
    {"info.txt", kInfo, false},
    {"index.tsv", kIndexTable, false},
    {"errors.tsv", kErrors, true},
    {"all.pgn", kAllGames, true},
}};

// info.txt says more once all games have been looked at: another text, so another number.
std::uint32_t file_key(const Database& database, Level level) {
  return level == kInfo && database.all_sizes_known() ? 1 : 0;
}

Child file_child(const Database& database, const File& file) {
  return {.name = std::string(file.name),
          .place = {.level = file.level, .key = file_key(database, file.level)},
          .may_be_late = file.may_be_late};
}

std::optional<Child> view_child(const Database& database, std::size_t number) {
  const View& view = *views()[number];
  if (!view.has_content(database)) return std::nullopt;
  return Child{.name = std::string(view.name()),
               .place = {},
               .is_directory = true,
               .view = static_cast<std::uint8_t>(number)};
}

class RootView : public View {
 public:
  std::string_view name() const override { return ""; }
  bool has_content(const Database&) const override { return true; }
  bool is_directory(Place place) const override { return place.level == kDirectory; }

  bool exists(const Database& database, Place place) const override {
    if (place.level == kDirectory) return place.key == 0;
    if (place.level > kAllGames) return false;
    return place.key == file_key(database, static_cast<Level>(place.level));
  }

  void list(const Database& database, Place, std::uint64_t first, EmitChild emit) const override {
    list_children(
        first, kFiles.size() + views().size() - 1,
        [&](std::uint64_t position) -> std::optional<Child> {
          if (position < kFiles.size()) return file_child(database, kFiles[position]);
          return view_child(database, position - kFiles.size() + 1);
        },
        emit);
  }

  std::optional<Child> lookup(const Database& database, Place,
                              std::string_view name) const override {
    for (const File& file : kFiles) {
      if (file.name == name) return file_child(database, file);
    }
    for (std::size_t number = 1; number < views().size(); ++number) {
      if (views()[number]->name() == name) return view_child(database, number);
    }
    return std::nullopt;
  }

  absl::StatusOr<std::unique_ptr<Content>> open(const DatabasePtr& database,
                                                Place file, const Effort& effort) const override {
    switch (file.level) {
      case kInfo:
        return std::make_unique<TextContent>(info_text(*database));
      case kIndexTable:
        return open_index_table(database, Part::Shown);
      case kErrors: {
        absl::StatusOr<std::string> text = errors_text(*database);
        if (!text.ok()) return text.status();
        return std::make_unique<TextContent>(*std::move(text));
      }
      case kAllGames:
        return open_games(database, database->shown(), effort);
      default:
        return absl::NotFoundError("no such file");
    }
  }
};

}  // namespace

const View& root_view() {
  static const RootView kView;
  return kView;
}

}  // namespace scidfs::fs
