#include "fs/views/database_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/content/csv_content.h"
#include "fs/pages/shared_files.h"
#include "fs/views/directory_pages.h"
#include "fs/views/listed_sizes.h"
#include "fs/views/query_directory.h"
#include "fs/views/set.h"
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

// A place of a view, and whether it is the twin of a table there.
struct TableForm {
  LocalId place;
  bool is_csv = false;
};

TableForm table_form(LocalId file) {
  LocalId table = file;
  table.entry &= static_cast<std::uint8_t>(~unsigned{kSetCsvTwin});
  const View* const view = find_view(file.view);
  if (view == nullptr || table == file || !view->is_table(table)) return {.place = file};
  return {.place = table, .is_csv = true};
}

// The twin of a table.
class CsvFile : public Node {
 public:
  CsvFile(NodePtr table, CsvForm form) : table_(std::move(table)), form_(form) {}

  bool is_directory() const override { return false; }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(std::unique_ptr<Content> table, table_->open(budget));
    return open_csv(std::move(table), form_, budget);
  }

 private:
  const NodePtr table_;
  const CsvForm form_;
};

std::vector<DatabasePtr> databases_of(const Together& together) {
  std::vector<DatabasePtr> databases;
  for (const Together::Member& member : together.members) {
    databases.push_back(member.version->database());
  }
  return databases;
}

std::shared_ptr<AskedRepertoires> or_new(std::shared_ptr<AskedRepertoires> repertoires,
                                         const QueryContext& searches) {
  if (repertoires != nullptr) return repertoires;
  return std::make_shared<AskedRepertoires>(searches.repertoires, "");
}

// Returns a table, or its twin.
NodePtr in_form(NodePtr table, TableForm form, const DatabaseOptions& options) {
  if (table == nullptr || !form.is_csv) return table;
  return std::make_shared<const CsvFile>(std::move(table), options.csv);
}

}  // namespace

// A directory of a view, with its page and the twins of its tables.
class DatabaseSnapshot::Directory : public Node {
 public:
  Directory(const DatabaseSnapshot& snapshot, LocalId place, ViewNodePtr node)
      : snapshot_(snapshot), place_(place), node_(std::move(node)) {}

  bool is_directory() const override { return true; }
  LocalId parent() const override { return node_->parent(); }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const override;
  absl::StatusOr<std::vector<std::string>> nearest(std::string_view name,
                                                   const WorkBudget& budget) const override {
    return node_->nearest(name, budget);
  }
  NodePtr bind_child(const Child& child) const override {
    const TableForm form = table_form(child.place);
    Child of_view = child;
    of_view.place = form.place;
    return in_form(node_->bind_child(of_view), form, snapshot_.version_->options());
  }

 private:
  // Finds NAME.csv beside a table NAME.tsv.
  std::optional<Child> find_csv(std::string_view name) const;
  // Lists the page with what it loads, and the pages of the games, as far as the listing has them.
  absl::Status list_pages(std::uint64_t first, EmitChild emit) const;
  std::optional<Child> listed_page_file(std::size_t number) const;
  // Finds the page of a directory that is no set, or a file that all pages load.
  std::optional<Child> find_page_file(std::string_view name) const;

  const Version& version() const { return *snapshot_.version_; }
  bool is_of_sets() const { return find_view(place_.view)->sets() != nullptr; }

  const DatabaseSnapshot& snapshot_;
  const LocalId place_;
  const ViewNodePtr node_;
};

DatabaseSnapshot::DatabaseSnapshot(const DatabasePtr& database,
                                   std::shared_ptr<QueryContext> searches, bool is_in_folder,
                                   std::shared_ptr<AskedRepertoires> repertoires)
    : DatabaseSnapshot(database,
                       searches != nullptr ? std::move(searches) : std::make_shared<QueryContext>(),
                       std::move(repertoires), is_in_folder) {}

DatabaseSnapshot::DatabaseSnapshot(const DatabasePtr& database,
                                   const std::shared_ptr<QueryContext>& searches,
                                   std::shared_ptr<AskedRepertoires> repertoires, bool is_in_folder)
    : version_(std::make_shared<const Version>(
          Version{.databases = {database},
                  .searches = searches,
                  .repertoires = or_new(std::move(repertoires), *searches),
                  .listed_sizes = ListedSizes::of(*database, is_in_folder),
                  .id = next_id(),
                  .is_in_folder = is_in_folder})) {}

DatabaseSnapshot::DatabaseSnapshot(const std::shared_ptr<const Together>& together,
                                   std::shared_ptr<AskedRepertoires> repertoires)
    : version_(std::make_shared<const Version>(
          Version{.databases = databases_of(*together),
                  .searches = together->members.front().version->searches,
                  .repertoires =
                      or_new(std::move(repertoires), *together->members.front().version->searches),
                  .id = next_id(),
                  .is_in_folder = true,
                  .together = together})) {}

std::string DatabaseSnapshot::summary() const {
  std::uint64_t games = 0;
  for (const DatabasePtr& database : version_->databases) games += database->games();
  return fmt::format("{} games", games);
}

std::vector<std::string> DatabaseSnapshot::problems() const {
  // Those of several databases are in their own info.txt.
  if (version_->is_together()) return {};
  return database()->files().problems();
}

std::uint64_t DatabaseSnapshot::memory() const {
  const auto memory_of = [](const auto& made) { return made == nullptr ? 0 : made->memory(); };
  // Those of several databases count with these.
  const Together* const together = version_->together.get();
  const std::uint64_t own = together == nullptr ? database()->memory()
                                                : memory_of(together->events->made()) +
                                                      memory_of(together->tournaments->made());
  return own + memory_of(version_->players->made()) + memory_of(version_->doubles->made()) +
         memory_of(version_->endings->made()) + memory_of(version_->findings->made());
}

NodePtr DatabaseSnapshot::bind(LocalId place) const {
  const TableForm form = table_form(place);
  ViewNodePtr node = bind_place(*version_, form.place);
  if (node == nullptr) return nullptr;
  if (node->is_directory()) {
    return std::make_shared<const Directory>(*this, place, std::move(node));
  }
  return in_form(std::move(node), form, version_->options());
}

std::uint64_t DatabaseSnapshot::identity(LocalId place) const {
  return query_identity(*version_->searches, place);
}

absl::Status DatabaseSnapshot::Directory::list(std::uint64_t first, const WorkBudget& budget,
                                               EmitChild emit) const {
  bool stopped = false;
  absl::Status status;
  if (first < kAfterView) {
    status = node_->list(first, budget, [&](Child child, std::uint64_t next) {
      stopped = !emit(std::move(child), next);
      return !stopped;
    });
  }
  if (!status.ok() || stopped) return status;
  return list_pages(first - std::min(first, kAfterView), [&](Child child, std::uint64_t next) {
    return emit(std::move(child), kAfterView + next);
  });
}

absl::Status DatabaseSnapshot::Directory::list_pages(std::uint64_t first, EmitChild emit) const {
  if (!snapshot_.has_pages()) return absl::OkStatus();
  bool stopped = false;
  absl::Status status = list_children(
      first, kListedPageFiles.size(), [&](std::uint64_t i) { return listed_page_file(i); },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (stopped || version().options().pages != PagesMode::Listed) return status;
  return node_->list_game_pages(first - std::min<std::uint64_t>(first, kListedPageFiles.size()),
                                [&](Child child, std::uint64_t next) {
                                  return emit(std::move(child), kListedPageFiles.size() + next);
                                });
}

std::optional<Child> DatabaseSnapshot::Directory::listed_page_file(std::size_t number) const {
  const bool is_mount_point = !version().is_in_folder && place_ == LocalId{};
  if (!lists_page_file(number, version().options().pages, is_mount_point)) {
    return std::nullopt;
  }
  // Only positions have pictures; in directories of groups the name may be that of a member.
  if (number >= kPageFiles.size() && node_->set() == nullptr) return std::nullopt;
  std::optional<Child> child = find(kListedPageFiles[number]);
  if (!child.has_value() || child->is_directory) return std::nullopt;
  return child;
}

std::optional<Child> DatabaseSnapshot::Directory::find(std::string_view name) const {
  if (std::optional<Child> csv = find_csv(name); csv.has_value()) return csv;
  // Beside groups all names of members are found, and in positions/ and others any name is a
  // question, but none hides a page.
  const bool has_any_names = is_of_sets() != (place_.entry == kSet);
  std::optional<Child> page;
  if (has_any_names) page = find_page_file(name);
  if (page.has_value()) return page;
  std::optional<Child> child = node_->find(name);
  return child.has_value() ? child : find_page_file(name);
}

std::optional<Child> DatabaseSnapshot::Directory::find_csv(std::string_view name) const {
  const std::optional<std::string_view> stem = strip_suffix(name, ".csv");
  // Other directories have no tables, and note names that they do not know.
  const bool has_tables = place_.entry == kSet || place_.entry == kSetValues ||
                          place_.entry == kSetRepertoireSide || place_.entry == kSetPrepareSide;
  if (!stem.has_value() || !has_tables) return std::nullopt;
  std::optional<Child> table = node_->find(fmt::format("{}.tsv", *stem));
  if (!table.has_value() || table->is_directory) return std::nullopt;
  const View* const view = find_view(table->place.view);
  if (view == nullptr || !view->is_table(table->place)) return std::nullopt;
  table->name = name;
  table->place.entry |= kSetCsvTwin;
  return table;
}

// Pages load style sheet, script and icon from their own directories.
std::optional<Child> DatabaseSnapshot::Directory::find_page_file(std::string_view name) const {
  if (!snapshot_.has_pages()) return std::nullopt;
  if (name == kPageFiles.front()) return directory_page(place_);
  const bool is_shared = std::ranges::find(kPageFiles, name) != kPageFiles.end();
  if (!is_shared || place_ == LocalId{}) return std::nullopt;
  return snapshot_.bind(LocalId{})->find(name);
}

}  // namespace scidfs::fs
