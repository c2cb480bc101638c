#include "fs/views/database_snapshot.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "cache/hash.h"
#include "fs/views/directory_pages.h"
#include "fs/views/view.h"

namespace scidfs::fs {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> next = 0;
  return ++next;
}

}  // namespace

DatabaseSnapshot::DatabaseSnapshot(DatabasePtr database, std::shared_ptr<QueryContext> searches,
                                   bool is_in_folder)
    : version_{
          .database = std::move(database),
          .searches = searches != nullptr ? std::move(searches) : std::make_shared<QueryContext>(),
          .id = next_id(),
          .is_in_folder = is_in_folder} {}

std::string DatabaseSnapshot::summary() const {
  return fmt::format("{} games", database()->games());
}

std::uint64_t DatabaseSnapshot::memory() const {
  const auto doubles = version_.doubles->made();
  return database()->memory() + (doubles == nullptr ? 0 : doubles->memory());
}

bool DatabaseSnapshot::is_directory(LocalId place) const {
  const View* const view = find_view(place.view);
  return view != nullptr && view->is_directory(place);
}

bool DatabaseSnapshot::exists(LocalId place) const {
  const View* const view = find_view(place.view);
  return view != nullptr && view->exists(version_, place);
}

std::uint64_t DatabaseSnapshot::identity(LocalId place) const {
  if (!is_query(place)) return 0;
  const QueryPtr query = version_.searches->queries.find(query_number(place));
  if (query == nullptr) return 0;
  return cache::fingerprint(query->path, pack({.place = query->base}));
}

LocalId DatabaseSnapshot::parent(LocalId directory) const {
  const View* const view = find_view(directory.view);
  return view == nullptr ? LocalId{} : view->parent(version_, directory);
}

absl::Status DatabaseSnapshot::list(LocalId directory, std::uint64_t first,
                                    const WorkBudget& budget, EmitChild emit) const {
  const View* const view = find_view(directory.view);
  if (view == nullptr) return absl::OkStatus();
  return view->list(version_, directory, first, budget, emit);
}

std::optional<Child> DatabaseSnapshot::lookup(LocalId directory, std::string_view name) const {
  const View* const view = find_view(directory.view);
  if (view == nullptr) return std::nullopt;
  // Beside groups all names of members are found, but none hides a page.
  const bool is_beside_groups = view->sets() == nullptr && directory.entry == 0;
  std::optional<Child> page;
  if (is_beside_groups) page = find_page_file(directory, name);
  if (page.has_value()) return page;
  std::optional<Child> child = view->lookup(version_, directory, name);
  return child.has_value() ? child : find_page_file(directory, name);
}

// Pages load style sheet and script from their own directories.
std::optional<Child> DatabaseSnapshot::find_page_file(LocalId directory,
                                                      std::string_view name) const {
  if (!database()->options().pages) return std::nullopt;
  if (name == "index.html") return directory_page(directory);
  const bool is_shared = name == "style.css" || name == "board.js";
  if (!is_shared || directory == LocalId{}) return std::nullopt;
  return lookup(LocalId{}, name);
}

bool DatabaseSnapshot::is_cheap(LocalId file) const {
  const View* const view = find_view(file.view);
  return view != nullptr && view->is_cheap(file);
}

absl::StatusOr<std::unique_ptr<Content>> DatabaseSnapshot::open(LocalId file,
                                                                const WorkBudget& budget) const {
  const View* const view = find_view(file.view);
  if (view == nullptr || view->is_directory(file) || !view->exists(version_, file)) {
    return absl::NotFoundError("no such file");
  }
  return view->open(version_, file, budget);
}

}  // namespace scidfs::fs
