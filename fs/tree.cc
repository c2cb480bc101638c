#include "fs/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "codec/text.h"
#include "fs/content_cache.h"
#include "fs/database.h"
#include "fs/library.h"
#include "fs/status_file.h"
#include "fs/view.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kContentCacheSize = std::size_t{16} << 20;

constexpr std::string_view kStatusName = "status.txt";
constexpr std::string_view kFolderInfoName = "info.txt";

// Nodes of the library itself: database 0, level 1, one of these as the view.
enum LibraryView : std::uint8_t { kFolder, kFolderInfo, kStatus };
constexpr std::uint8_t kLibraryLevel = 1;

// Where status.txt stands in the listing of a database that is the root: behind everything.
constexpr std::uint64_t kBehindDatabase = std::uint64_t{1} << 40;

absl::Status no_such(std::string_view what) {
  return absl::NotFoundError(fmt::format("no such {}", what));
}

std::string folder_info_text(const Library& library, const Folder& folder) {
  // Names of files are any bytes but `/` and NUL.
  const auto clean = [](std::string_view name) { return codec::clean_line(name); };
  std::string text = fmt::format("folder: {}\n", folder.path.empty() ? "." : clean(folder.path));
  for (const std::uint16_t slot : folder.databases) {
    const auto database = library.database(slot);
    fmt::format_to(std::back_inserter(text), "database: {}: {} games{}\n", clean(database->name()),
                   database->games(), database->problems().empty() ? "" : ", damaged");
  }
  for (const std::string& refused : folder.refused) {
    text += "refused: " + clean(refused) + "\n";
  }
  return text;
}

}  // namespace

class Tree::State {
 public:
  State(Library& library, const Options& options)
      : library_(library),
        blocks_(options.blocks),
        contents_(kContentCacheSize),
        status_(library, blocks_.blocks(), options.requests) {}

  absl::StatusOr<Entry> lookup(Inode parent, std::string_view name);
  absl::StatusOr<Attributes> attributes(Inode inode);
  absl::Status list(Inode directory, std::uint64_t first,
                    absl::FunctionRef<bool(const DirectoryEntry&)> emit);
  absl::StatusOr<Slice> read(Inode file, std::uint64_t offset, std::size_t size);

  const Library& library() const { return library_; }

 private:
  // A node of a database, and the snapshot that it belongs to.
  struct Found {
    DatabasePtr database;
    const View* view;
    Place place;
  };

  Node node_of(Inode inode) const {
    if (inode != kRootInode) return unpack(inode);
    if (library_.root_database() != 0) return {.database = library_.root_database()};
    return {.view = kFolder, .level = kLibraryLevel, .key = library_.root_folder().key};
  }
  Inode inode_of(const Node& node) const {
    return node == node_of(kRootInode) ? kRootInode : pack(node);
  }
  bool is_root(const Node& node) const { return node == node_of(kRootInode); }

  absl::StatusOr<Found> find(const Node& node) const;
  Inode child_inode(const Database& database, const Node& directory, const Child& child) const;

  absl::StatusOr<ContentPtr> content(Inode inode, const Node& node);
  absl::StatusOr<Attributes> file_attributes(Inode inode, const Node& node);
  absl::StatusOr<Attributes> folder_attributes(Inode inode, const Folder& folder) const;
  Entry status_entry();

  // The directory that a directory lies in; the root lies in itself.
  absl::StatusOr<Node> parent_of(const Node& node) const;
  absl::StatusOr<Entry> lookup_in_folder(const Folder& folder, std::string_view name);
  void list_folder(const Folder& folder, std::uint64_t first,
                   absl::FunctionRef<bool(const DirectoryEntry&)> emit) const;

  Library& library_;
  BlockReader blocks_;
  ContentCache contents_;
  StatusFile status_;
};

absl::StatusOr<Tree::State::Found> Tree::State::find(const Node& node) const {
  DatabasePtr database = library_.database(node.database);
  if (database == nullptr || node.view >= views().size()) return no_such("node");
  Found found{.database = std::move(database),
              .view = views()[node.view],
              .place = {.level = node.level, .key = node.key}};
  const bool is_directory = found.view->is_directory(found.place);
  if (!is_directory && node.epoch != found.database->epoch()) {
    return absl::FailedPreconditionError("the file belongs to an older version of its database");
  }
  if (is_directory && node.epoch != 0) return no_such("node");
  if (!found.view->exists(*found.database, found.place)) return no_such("place");
  return found;
}

Inode Tree::State::child_inode(const Database& database, const Node& directory,
                               const Child& child) const {
  return inode_of({.database = database.slot(),
                   .epoch = child.is_directory ? std::uint16_t{0} : database.epoch(),
                   .view = child.view.value_or(directory.view),
                   .level = child.place.level,
                   .key = child.place.key});
}

absl::StatusOr<ContentPtr> Tree::State::content(Inode inode, const Node& node) {
  if (node.database == 0) {
    if (node.level != kLibraryLevel) return no_such("node");
    if (node.view == kStatus) return status_.frozen(node.key);
    const Folder* const folder = node.view == kFolderInfo ? library_.folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("file");
    return std::make_shared<TextContent>(folder_info_text(library_, *folder));
  }
  absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (found->view->is_directory(found->place)) return no_such("file");
  const auto open = [&] { return found->view->open(found->database, found->place); };
  if (found->view->is_cheap(found->place)) return open();
  return contents_.get(inode, open);
}

absl::StatusOr<Attributes> Tree::State::file_attributes(Inode inode, const Node& node) {
  const absl::StatusOr<ContentPtr> opened = content(inode, node);
  if (!opened.ok()) {
    // A file whose size is not known yet does not show yet.
    return absl::IsUnavailable(opened.status()) ? no_such("file yet") : opened.status();
  }
  Attributes attributes{.inode = inode, .size = (*opened)->size()};
  const DatabasePtr database = library_.database(node.database);
  if (database != nullptr) {
    attributes.mtime_seconds = database->newest().mtime_seconds;
    attributes.mtime_nanoseconds = database->newest().mtime_nanoseconds;
  } else {
    attributes.mtime_seconds =
        node.view == kStatus ? status_.time(node.key) : library_.root_folder().mtime_seconds;
  }
  return attributes;
}

absl::StatusOr<Attributes> Tree::State::folder_attributes(Inode inode, const Folder& folder) const {
  return Attributes{.inode = inode, .is_directory = true, .mtime_seconds = folder.mtime_seconds};
}

absl::StatusOr<Attributes> Tree::State::attributes(Inode inode) {
  const Node node = node_of(inode);
  if (node.database == 0) {
    if (node.view != kFolder) return file_attributes(inode, node);
    const Folder* const folder = node.level == kLibraryLevel ? library_.folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("folder");
    return folder_attributes(inode, *folder);
  }
  const absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (!found->view->is_directory(found->place)) return file_attributes(inode, node);
  return Attributes{.inode = inode,
                    .is_directory = true,
                    .mtime_seconds = found->database->newest().mtime_seconds,
                    .mtime_nanoseconds = found->database->newest().mtime_nanoseconds};
}

Entry Tree::State::status_entry() {
  const std::uint32_t key = status_.freeze();
  const Node node{.view = kStatus, .level = kLibraryLevel, .key = key};
  Entry entry;
  entry.attributes = {.inode = pack(node), .mtime_seconds = status_.time(key)};
  if (const auto text = status_.frozen(key); text.ok()) entry.attributes.size = (*text)->size();
  entry.attributes_are_stable = true;
  return entry;
}

absl::StatusOr<Entry> Tree::State::lookup_in_folder(const Folder& folder, std::string_view name) {
  const auto entry_of = [this](Inode inode) -> absl::StatusOr<Entry> {
    absl::StatusOr<Attributes> found = attributes(inode);
    if (!found.ok()) return found.status();
    return Entry{.attributes = *found};
  };
  for (const std::uint16_t slot : folder.databases) {
    if (library_.database(slot)->name() == name) return entry_of(inode_of({.database = slot}));
  }
  for (const std::uint32_t key : folder.folders) {
    if (library_.folder(key)->name == name) {
      return entry_of(pack({.view = kFolder, .level = kLibraryLevel, .key = key}));
    }
  }
  if (name == kFolderInfoName) {
    return entry_of(pack({.view = kFolderInfo, .level = kLibraryLevel, .key = folder.key}));
  }
  return no_such("database");
}

absl::StatusOr<Node> Tree::State::parent_of(const Node& node) const {
  if (is_root(node)) return node;
  const auto folder_node = [](std::uint32_t key) {
    return Node{.view = kFolder, .level = kLibraryLevel, .key = key};
  };
  if (node.database == 0) {
    const Folder* const folder = library_.folder(node.key);
    if (node.view != kFolder || folder == nullptr) return no_such("folder");
    return folder_node(folder->parent);
  }
  const absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (!found->view->is_directory(found->place)) return no_such("directory");
  if (found->place != Place{}) {
    const Place place = found->view->parent(*found->database, found->place);
    return Node{
        .database = node.database, .view = node.view, .level = place.level, .key = place.key};
  }
  if (node.view != kRootView) return Node{.database = node.database, .view = kRootView};
  return folder_node(library_.folder_of(node.database).key);
}

absl::StatusOr<Entry> Tree::State::lookup(Inode parent, std::string_view name) {
  const Node node = node_of(parent);
  // Not paths but file handles need this, when NFS finds its way back to a directory.
  if (name == "..") {
    const absl::StatusOr<Node> above = parent_of(node);
    if (!above.ok()) return above.status();
    const absl::StatusOr<Attributes> found = attributes(inode_of(*above));
    if (!found.ok()) return found.status();
    return Entry{.attributes = *found};
  }
  if (is_root(node) && name == kStatusName) return status_entry();
  if (node.database == 0) {
    const Folder* const folder =
        node.view == kFolder && node.level == kLibraryLevel ? library_.folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("folder");
    return lookup_in_folder(*folder, name);
  }
  const absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (!found->view->is_directory(found->place)) return no_such("directory");
  const std::optional<Child> child = found->view->lookup(*found->database, found->place, name);
  if (!child.has_value()) return no_such("file or directory");
  const Inode inode = child_inode(*found->database, node, *child);
  const absl::StatusOr<Attributes> attributes = this->attributes(inode);
  if (!attributes.ok()) return attributes.status();
  return Entry{.attributes = *attributes,
               .name_is_stable = !child->is_directory && !child->may_be_late,
               .attributes_are_stable = !child->is_directory};
}

void Tree::State::list_folder(const Folder& folder, std::uint64_t first,
                              absl::FunctionRef<bool(const DirectoryEntry&)> emit) const {
  const std::size_t databases = folder.databases.size();
  const std::size_t folders = folder.folders.size();
  const bool is_source = &folder == &library_.root_folder();
  for (std::uint64_t position = first; position < databases + folders + 1 + (is_source ? 1 : 0);
       ++position) {
    DirectoryEntry entry{.next = position + 1};
    if (position < databases) {
      const std::uint16_t slot = folder.databases[position];
      entry.name = library_.database(slot)->name();
      entry.is_directory = true;
      entry.inode = inode_of({.database = slot});
    } else if (position < databases + folders) {
      const std::uint32_t key = folder.folders[position - databases];
      entry.name = library_.folder(key)->name;
      entry.is_directory = true;
      entry.inode = pack({.view = kFolder, .level = kLibraryLevel, .key = key});
    } else if (position == databases + folders) {
      entry.name = kFolderInfoName;
      entry.inode = pack({.view = kFolderInfo, .level = kLibraryLevel, .key = folder.key});
    } else {
      entry.name = kStatusName;
      entry.inode = pack({.view = kStatus, .level = kLibraryLevel, .key = 0});
    }
    if (!emit(entry)) return;
  }
}

absl::Status Tree::State::list(Inode directory, std::uint64_t first,
                               absl::FunctionRef<bool(const DirectoryEntry&)> emit) {
  const Node node = node_of(directory);
  if (node.database == 0) {
    const Folder* const folder =
        node.view == kFolder && node.level == kLibraryLevel ? library_.folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("folder");
    list_folder(*folder, first, emit);
    return absl::OkStatus();
  }
  const absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (!found->view->is_directory(found->place)) return no_such("directory");
  bool stopped = false;
  if (first < kBehindDatabase) {
    const bool all_known = found->database->all_sizes_known();
    found->view->list(
        *found->database, found->place, first, [&](const Child& child, std::uint64_t next) {
          const Inode inode = child_inode(*found->database, node, child);
          if (child.may_be_late && !all_known && !content(inode, node_of(inode)).ok()) {
            return true;
          }
          stopped = !emit({.name = child.name,
                           .is_directory = child.is_directory,
                           .inode = inode,
                           .next = next});
          return !stopped;
        });
  }
  if (!stopped && is_root(node) && first <= kBehindDatabase) {
    emit({.name = kStatusName,
          .inode = pack({.view = kStatus, .level = kLibraryLevel, .key = 0}),
          .next = kBehindDatabase + 1});
  }
  return absl::OkStatus();
}

absl::StatusOr<Slice> Tree::State::read(Inode file, std::uint64_t offset, std::size_t size) {
  const absl::StatusOr<ContentPtr> opened = content(file, node_of(file));
  if (!opened.ok()) return opened.status();
  return blocks_.read(file, *opened, offset, size);
}

Tree::Tree(Library& library, const Options& options)
    : state_(std::make_unique<State>(library, options)) {}
Tree::~Tree() = default;

absl::StatusOr<Entry> Tree::lookup(Inode parent, std::string_view name) {
  return state_->lookup(parent, name);
}
absl::StatusOr<Attributes> Tree::attributes(Inode inode) { return state_->attributes(inode); }
absl::Status Tree::list(Inode directory, std::uint64_t first,
                        absl::FunctionRef<bool(const DirectoryEntry&)> emit) {
  return state_->list(directory, first, emit);
}
absl::StatusOr<Slice> Tree::read(Inode file, std::uint64_t offset, std::size_t size) {
  return state_->read(file, offset, size);
}

TreeStatistics Tree::statistics() const {
  TreeStatistics statistics;
  for (const DatabasePtr& database : state_->library().databases()) {
    statistics.files += database->games();
    statistics.bytes += database->source_bytes();
  }
  return statistics;
}

}  // namespace scidfs::fs
