#include "fs/views/database_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "fs/base/names.h"
#include "fs/content/csv_content.h"
#include "fs/pages/shared_files.h"
#include "fs/views/directory_pages.h"
#include "fs/views/query_directory.h"
#include "fs/views/view.h"

namespace scidfs::fs {
namespace {

// What a directory may list of its page: kPageFiles, and the pictures of a position.
constexpr std::array<std::string_view, 6> kListedPageFiles = {
    kPageFiles[0], kPageFiles[1], kPageFiles[2], kPageFiles[3], "board.svg", "board-black.svg"};

// The position of these in a listing: after everything that a view lists.
constexpr std::uint64_t kAfterView = std::uint64_t{1} << 39;

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> next = 0;
  return ++next;
}

// A table that is opened by a place, and in which form.
struct TableForm {
  LocalId place;
  bool is_csv = false;
};

// Returns the place of the table if `file` is its twin.
TableForm table_form(LocalId file) {
  LocalId table = file;
  table.entry &= static_cast<std::uint8_t>(~unsigned{kSetCsvTwin});
  const View* const view = find_view(file.view);
  if (view == nullptr || table == file || !view->is_table(table)) return {.place = file};
  return {.place = table, .is_csv = true};
}

}  // namespace

DatabaseSnapshot::DatabaseSnapshot(DatabasePtr database, std::shared_ptr<QueryContext> searches,
                                   bool is_in_folder)
    : version_(std::make_shared<const Version>(Version{
          .database = std::move(database),
          .searches = searches != nullptr ? std::move(searches) : std::make_shared<QueryContext>(),
          .id = next_id(),
          .is_in_folder = is_in_folder})) {}

DatabaseSnapshot::DatabaseSnapshot(const std::shared_ptr<const Together>& together)
    : version_(std::make_shared<const Version>(
          Version{.database = together->members.front().version->database,
                  .searches = together->members.front().version->searches,
                  .id = next_id(),
                  .is_in_folder = true,
                  .together = together})) {}

std::string DatabaseSnapshot::summary() const {
  std::uint64_t games = 0;
  for (std::size_t part = 0; part < version_->parts(); ++part) {
    games += version_->part(part).database->games();
  }
  return fmt::format("{} games", games);
}

std::vector<std::string> DatabaseSnapshot::problems() const {
  // Those of several databases are in their own info.txt.
  if (version_->together != nullptr) return {};
  return database()->files().problems();
}

std::uint64_t DatabaseSnapshot::memory() const {
  const auto memory_of = [](const auto& made) { return made == nullptr ? 0 : made->memory(); };
  // Those of several databases count with these.
  const Together* const together = version_->together.get();
  const std::uint64_t own = together == nullptr ? database()->memory()
                                                : memory_of(together->players->made()) +
                                                      memory_of(together->events->made()) +
                                                      memory_of(together->tournaments->made());
  return own + memory_of(version_->doubles->made()) + memory_of(version_->endings->made()) +
         memory_of(version_->findings->made());
}

bool DatabaseSnapshot::is_directory(LocalId place) const {
  const View* const view = find_view(place.view);
  return view != nullptr && view->is_directory(place);
}

bool DatabaseSnapshot::exists(LocalId place) const {
  const View* const view = find_view(place.view);
  return view != nullptr && view->exists(*version_, table_form(place).place);
}

std::uint64_t DatabaseSnapshot::identity(LocalId place) const {
  return query_identity(*version_->searches, place);
}

LocalId DatabaseSnapshot::parent(LocalId directory) const {
  const View* const view = find_view(directory.view);
  return view == nullptr ? LocalId{} : view->parent(*version_, directory);
}

absl::Status DatabaseSnapshot::list(LocalId directory, std::uint64_t first,
                                    const WorkBudget& budget, EmitChild emit) const {
  const View* const view = find_view(directory.view);
  if (view == nullptr) return absl::OkStatus();
  bool stopped = false;
  absl::Status status;
  if (first < kAfterView) {
    status = view->list(*version_, directory, first, budget, [&](Child child, std::uint64_t next) {
      stopped = !emit(std::move(child), next);
      return !stopped;
    });
  }
  if (!status.ok() || stopped) return status;
  return list_pages(
      *view, directory, first - std::min(first, kAfterView),
      [&](Child child, std::uint64_t next) { return emit(std::move(child), kAfterView + next); });
}

absl::Status DatabaseSnapshot::list_pages(const View& view, LocalId directory, std::uint64_t first,
                                          EmitChild emit) const {
  if (!has_pages()) return absl::OkStatus();
  bool stopped = false;
  absl::Status status = list_children(
      first, kListedPageFiles.size(),
      [&](std::uint64_t i) { return listed_page_file(directory, i); },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (stopped || database()->options().pages != PagesMode::Listed) return status;
  return view.list_game_pages(*version_, directory,
                              first - std::min<std::uint64_t>(first, kListedPageFiles.size()),
                              [&](Child child, std::uint64_t next) {
                                return emit(std::move(child), kListedPageFiles.size() + next);
                              });
}

std::optional<Child> DatabaseSnapshot::listed_page_file(LocalId directory,
                                                        std::size_t number) const {
  const bool is_mount_point = !version_->is_in_folder && directory == LocalId{};
  if (!lists_page_file(number, database()->options().pages, is_mount_point)) return std::nullopt;
  // Only positions have pictures; in directories of groups the name may be that of a member.
  const bool is_of_set = find_view(directory.view)->sets() != nullptr && directory.entry == kSet;
  if (number >= kPageFiles.size() && !is_of_set) return std::nullopt;
  std::optional<Child> child = lookup(directory, kListedPageFiles[number]);
  if (!child.has_value() || child->is_directory) return std::nullopt;
  return child;
}

std::optional<Child> DatabaseSnapshot::lookup(LocalId directory, std::string_view name) const {
  const View* const view = find_view(directory.view);
  if (view == nullptr) return std::nullopt;
  if (std::optional<Child> csv = find_csv(directory, name); csv.has_value()) return csv;
  // Beside groups all names of members are found, and in positions/ and others any name is a
  // question, but none hides a page.
  const bool has_any_names = (view->sets() == nullptr) == (directory.entry == 0);
  std::optional<Child> page;
  if (has_any_names) page = find_page_file(directory, name);
  if (page.has_value()) return page;
  std::optional<Child> child = view->lookup(*version_, directory, name);
  return child.has_value() ? child : find_page_file(directory, name);
}

std::optional<Child> DatabaseSnapshot::find_csv(LocalId directory, std::string_view name) const {
  const std::optional<std::string_view> stem = strip_suffix(name, ".csv");
  // Other directories have no tables, and note names that they do not know.
  const bool has_tables = directory.entry == kSet || directory.entry == kSetValues;
  if (!stem.has_value() || !has_tables) return std::nullopt;
  std::optional<Child> table =
      find_view(directory.view)->lookup(*version_, directory, fmt::format("{}.tsv", *stem));
  if (!table.has_value() || table->is_directory) return std::nullopt;
  const View* const view = find_view(table->place.view);
  if (view == nullptr || !view->is_table(table->place)) return std::nullopt;
  table->name = name;
  table->place.entry |= kSetCsvTwin;
  return table;
}

// Pages load style sheet, script and icon from their own directories.
std::optional<Child> DatabaseSnapshot::find_page_file(LocalId directory,
                                                      std::string_view name) const {
  if (!has_pages()) return std::nullopt;
  if (name == kPageFiles.front()) return directory_page(directory);
  const bool is_shared = std::ranges::find(kPageFiles, name) != kPageFiles.end();
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
  const TableForm form = table_form(file);
  if (view == nullptr || view->is_directory(form.place) || !view->exists(*version_, form.place)) {
    return absl::NotFoundError("no such file");
  }
  absl::StatusOr<std::unique_ptr<Content>> content = view->open(*version_, form.place, budget);
  if (!content.ok() || !form.is_csv) return content;
  return open_csv(*std::move(content), database()->options().csv, budget);
}

}  // namespace scidfs::fs
