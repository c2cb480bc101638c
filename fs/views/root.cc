// The directory of a database: the files about all of it, and the other views.
#include <array>

#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/database_texts.h"

namespace scidfs::fs {
namespace {

enum Level : std::uint8_t { kDirectory, kInfo, kIndexTsv, kErrors, kAllGames };

struct File {
  std::string_view name;
  Level level;
};
constexpr std::array<File, 4> kFiles = {{
    {"info.txt", kInfo},
    {"index.tsv", kIndexTsv},
    {"errors.tsv", kErrors},
    {"all.pgn", kAllGames},
}};

// info.txt has two texts, each under a key of its own: one that does not count damaged games, which
// can always be read, and one that does, which is there as soon as all games have been looked at.
enum InfoKey : std::uint32_t { kNotCounted, kCounted };

Child file_child(const Database& database, const File& file) {
  const bool has_two_texts = file.level == kInfo;
  const bool is_complete = database.sizes().complete();
  return {
      .name = std::string(file.name),
      .place = {.level = file.level, .key = has_two_texts && is_complete ? kCounted : kNotCounted},
      .is_settled = !has_two_texts || is_complete};
}

std::optional<Child> view_child(const Database& database, std::size_t number) {
  const View& view = *views()[number];
  if (!view.has_content(database)) return std::nullopt;
  return Child{.name = std::string(view.name()),
               .place = {.view = static_cast<std::uint8_t>(number)},
               .is_directory = true};
}

class RootView : public View {
 public:
  std::string_view name() const override { return ""; }
  bool has_content(const Database&) const override { return true; }
  bool is_directory(Place place) const override { return place.level == kDirectory; }

  bool exists(const Database& database, Place place) const override {
    if (place.level == kInfo && place.key == kCounted) return database.sizes().complete();
    return place.level <= kAllGames && place.key == 0;
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

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    if (file.level != kAllGames) return std::nullopt;
    return GameSet(database, database->shown());
  }

 private:
  absl::StatusOr<std::unique_ptr<Content>> open_other(const DatabasePtr& database, Place file,
                                                      const Effort& effort) const override {
    if (file.level == kInfo) {
      return std::make_unique<TextContent>(info_text(*database, file.key == kCounted));
    }
    if (file.level == kIndexTsv) return open_index_tsv(database, Part::Shown);
    absl::StatusOr<std::string> text = errors_text(*database, effort);
    if (!text.ok()) return text.status();
    return std::make_unique<TextContent>(*std::move(text));
  }
};

}  // namespace

const View& root_view() {
  static const RootView kView;
  return kView;
}

}  // namespace scidfs::fs
