#include "fs/views/database_files.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "fs/base/status_macros.h"
#include "fs/pages/shared_files.h"
#include "fs/views/all.h"
#include "fs/views/database_texts.h"
#include "fs/views/position_set.h"
#include "fs/views/search_directory.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {
namespace {

using TextOr = absl::StatusOr<std::string>;

// The files, which are the entries of the view. A name that has two texts has two files.
enum DatabaseFile : std::uint8_t {
  kInfo,
  kInfoCounted,
  kErrors,
  kIgnore,
  kFdIgnore,
  kSearchGuide,
  kPositionsGuide,
  kStyle,
  kScript,
  kIconFile,
  kTogetherInfo,
  kTogetherHidden,
  kDatabaseFiles
};

// Of which versions a file is.
enum class FileOf : std::uint8_t { One, Together, Both };

struct FileRow {
  std::string_view name{};  // in the directory of the database; empty: found by another function
  FileOf of = FileOf::One;
  bool is_of_pages = false;
  TextOr (*text)(const Version& version, const WorkBudget& budget) = nullptr;
};

template <const std::string_view& kText>
TextOr constant(const Version&, const WorkBudget&) {
  return std::string(kText);
}

template <bool kIsCounted>
TextOr info(const Version& version, const WorkBudget&) {
  return info_text(*version.database(), kIsCounted);
}

// The program fd searches for names and should find all files: .fdignore overrides .ignore.
constexpr std::string_view kFindAll = "!*\n";

constexpr std::array<FileRow, kDatabaseFiles> kRows = {{
    {.name = "info.txt", .text = &info<false>},
    {.text = &info<true>},
    {.name = "errors.tsv",
     .text = [](const Version& version,
                const WorkBudget& budget) { return errors_text(*version.database(), budget); }},
    {.name = ".ignore",
     .text = [](const Version& version, const WorkBudget&) -> TextOr {
       return ignore_text(version.reference());
     }},
    {.name = ".fdignore", .text = &constant<kFindAll>},
    {.of = FileOf::Both,
     .text = [](const Version& version, const WorkBudget&) -> TextOr {
       return search_help(*version.databases.front());
     }},
    {.of = FileOf::Both,
     .text = [](const Version&, const WorkBudget&) -> TextOr { return positions_help(); }},
    {.name = kPageFiles[1], .is_of_pages = true, .text = &constant<kStyleSheet>},
    {.name = kPageFiles[2], .is_of_pages = true, .text = &constant<kBoardScript>},
    {.name = kPageFiles[3], .is_of_pages = true, .text = &constant<kIcon>},
    {.name = "info.txt",
     .of = FileOf::Together,
     .text = [](const Version& version, const WorkBudget&) -> TextOr {
       return together_text(*version.together);
     }},
    {.name = ".ignore", .of = FileOf::Together, .text = &constant<kTogetherIgnore>},
}};

bool has(const Version& version, std::uint8_t file) {
  const FileRow& row = kRows[file];
  const FileOf own = !version.is_together() ? FileOf::One : FileOf::Together;
  if (row.of != own && row.of != FileOf::Both) return false;
  if (file == kInfoCounted) return version.database()->sizes().complete();
  return !row.is_of_pages || version.options().pages != PagesMode::None;
}

Child child_of(std::uint8_t file, std::string_view name) {
  return {.name = std::string(name), .place = {.view = kDatabaseFilesView, .entry = file}};
}

// info.txt is one file until all games have been looked at, and another one, which counts the
// damaged games, from then on.
Child child_now(const Version& version, std::uint8_t file) {
  if (file != kInfo) return child_of(file, kRows[file].name);
  const bool is_complete = has(version, kInfoCounted);
  Child child = child_of(is_complete ? kInfoCounted : kInfo, kRows[kInfo].name);
  child.is_settled = is_complete;
  return child;
}

class DatabaseFilesView : public PlacesView {
 public:
  bool is_directory(LocalId) const override { return false; }
  bool is_table(LocalId file) const override { return file.entry == kErrors; }
  bool exists(const Version& version, LocalId place) const override {
    return place.key == 0 && place.entry < kRows.size() && has(version, place.entry);
  }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(std::string text, kRows[file.entry].text(version, budget));
    return std::make_unique<TextContent>(std::move(text));
  }
};

}  // namespace

std::optional<Child> database_file(const Version& version, std::uint64_t position) {
  constexpr std::array<DatabaseFile, kListedDatabaseFiles> kOfOne = {kInfo, kErrors};
  if (version.is_together()) {
    return position == 0 ? std::optional(child_now(version, kTogetherInfo)) : std::nullopt;
  }
  return position < kOfOne.size() ? std::optional(child_now(version, kOfOne[position]))
                                  : std::nullopt;
}

std::optional<Child> find_database_file(const Version& version, std::string_view name) {
  for (std::uint8_t file = 0; file < kDatabaseFiles; ++file) {
    const bool is_it = !name.empty() && kRows[file].name == name && has(version, file);
    if (is_it) return child_now(version, file);
  }
  return std::nullopt;
}

std::optional<Child> search_guide(const Set&) { return child_of(kSearchGuide, "README.txt"); }

std::optional<Child> positions_guide(const Set&) { return child_of(kPositionsGuide, "README.txt"); }

std::string ignore_text(const Reference& reference) {
  std::string text = "# Each game once, in all.pgn. `rg -u` reads everything.\n";
  const auto leave_out = [&text](std::string_view name) { text += fmt::format("/{}\n", name); };
  for (const SetFile* const file : listed_files(Listing::Database)) {
    const bool is_there = !file->needs_spelling || reference.spelling != nullptr;
    if (is_there && file->entry != kSetGames) leave_out(file->name);
  }
  for (const std::string_view name : kPageFiles) leave_out(name);
  leave_out("source.*");  // a PGN file itself
  for (std::uint8_t number = 0; number < kViews; ++number) {
    const View& view = *find_view(number);
    if (!view.name().empty() && view.is_known(reference)) leave_out(view.name());
  }
  return text;
}

const View& database_files_view() {
  static const DatabaseFilesView kView;
  return kView;
}

}  // namespace scidfs::fs
