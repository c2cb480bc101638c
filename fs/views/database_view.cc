// The directory of a database: the set of all its games, the files about it, and the other views.
//
// It does not list .ignore and .fdignore. These tell programs that read whole folders where they
// would find each game many times.
#include <memory>

#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/database_files.h"
#include "fs/views/joined_set.h"

namespace scidfs::fs {
namespace {

class DatabaseSet : public Set {
 public:
  using Set::Set;

  bool is_database() const override { return true; }
  Listing listing() const override { return Listing::Database; }
  absl::StatusOr<GameSet> games(const WorkBudget&) const override {
    return DatabaseGames(database_ptr(), database().shown());
  }
  std::string name() const override { return database().name(); }
  std::string title() const override { return database().name(); }
  LocalId parent() const override { return {}; }
  absl::StatusOr<std::unique_ptr<Content>> open_index(const WorkBudget&) const override {
    return open_index_tsv(database_ptr(), Part::Shown);
  }

 protected:
  std::uint64_t child_count() const override { return kListedDatabaseFiles + kViews; }
  std::optional<Child> child(std::uint64_t i) const override {
    return i < kListedDatabaseFiles
               ? database_file(version(), i)
               : view_directory(static_cast<std::uint8_t>(i - kListedDatabaseFiles));
  }
  std::optional<Child> find_child(std::string_view name) const override {
    for (std::uint8_t number = 0; number < kViews; ++number) {
      if (find_view(number)->name() == name) return view_directory(number);
    }
    return find_database_file(version(), name);
  }

 private:
  // Returns nothing if the view is not in this directory, or has no content.
  std::optional<Child> view_directory(std::uint8_t number) const {
    const View& view = *find_view(number);
    if (view.name().empty() || !view.is_known(database().reference()) ||
        !view.has_content(database())) {
      return std::nullopt;
    }
    return Child{.name = std::string(view.name()), .place = {.view = number}, .is_directory = true};
  }
};

SetPtr bind_database(const Version& version, LocalId directory) {
  if (directory.key != 0) return nullptr;
  if (version.is_together()) return JoinedDirectory::set_of(version, directory, "");
  return std::make_unique<DatabaseSet>(version, directory);
}

}  // namespace

const SetView& database_view() {
  static const SetView kView(kDatabaseView, &bind_database);
  return kView;
}

}  // namespace scidfs::fs
