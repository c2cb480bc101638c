// The directory of a database: the set of all its games, the files about it, and the other views.
//
// It does not list .ignore and .fdignore. These tell programs that read whole folders where they
// would find each game many times.
#include "fs/views/database_view.h"

#include <fmt/format.h>

#include <iterator>
#include <memory>

#include "fs/database/index_tsv.h"
#include "fs/pages/shared_files.h"
#include "fs/views/all.h"
#include "fs/views/joined_set.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {
namespace {

class DatabaseSet : public Set {
 public:
  using Set::Set;

  SetKind kind() const override { return SetKind::Database; }
  Listing listing() const override { return Listing::Database; }
  absl::StatusOr<GameSets> games(const WorkBudget&) const override {
    return GameSet(database_ptr(), database().shown());
  }
  std::string name() const override { return database().name(); }
  std::string title() const override { return database().name(); }
  LocalId parent() const override { return {}; }
  absl::StatusOr<std::unique_ptr<Content>> open_index(const WorkBudget&) const override {
    return open_index_tsv(database_ptr(), Part::Shown);
  }

 protected:
  std::uint64_t child_count() const override { return kViews; }
  // Returns nothing if the view is not in this directory, or has no content.
  std::optional<Child> child(std::uint64_t i) const override {
    const auto number = static_cast<std::uint8_t>(i);
    const View& view = *find_view(number);
    if (view.name().empty() || !view.is_known(database().reference()) ||
        !view.has_content(database())) {
      return std::nullopt;
    }
    return Child{.name = std::string(view.name()), .place = {.view = number}, .is_directory = true};
  }
  std::optional<Child> find_child(std::string_view name) const override {
    for (std::uint8_t number = 0; number < kViews; ++number) {
      if (find_view(number)->name() == name) return child(number);
    }
    return std::nullopt;
  }
};

SetPtr bind_database(const Version& version, LocalId directory) {
  if (directory.key != 0) return nullptr;
  if (version.together != nullptr) return JoinedDirectory::set_of(version, directory, "");
  return std::make_unique<DatabaseSet>(version, directory);
}

}  // namespace

std::optional<Child> info_file(const Set& database) {
  const bool is_complete = database.database().sizes().complete();
  return Child{.name = "info.txt",
               .place = database.file(is_complete ? kSetInfoCounted : kSetInfo),
               .is_settled = is_complete};
}

std::string ignore_text(const Reference& reference) {
  std::string text = "# Each game once, in all.pgn. `rg -u` reads everything.\n";
  const auto leave_out = [&text](std::string_view name) {
    fmt::format_to(std::back_inserter(text), "/{}\n", name);
  };
  for (const SetFile& file : set_files()) {
    const bool is_here = (file.listed & SetFile::in(Listing::Database)) != 0 &&
                         file.directory == kSet && file.need != SetNeed::Database &&
                         file.need != SetNeed::Together;
    const bool is_there = file.need != SetNeed::Spelling || reference.spelling != nullptr;
    if (is_here && is_there && file.entry != kSetGames) leave_out(file.name);
  }
  for (const std::string_view name : kPageFiles) leave_out(name);
  leave_out("source.*");  // a PGN file itself
  for (std::uint8_t number = 0; number < kViews; ++number) {
    const View& view = *find_view(number);
    if (!view.name().empty() && view.is_known(reference)) leave_out(view.name());
  }
  return text;
}

const SetView& database_view() {
  static const SetView kView(kDatabaseView, &bind_database);
  return kView;
}

}  // namespace scidfs::fs
