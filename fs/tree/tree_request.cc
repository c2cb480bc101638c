#include "fs/tree/tree_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "codec/text.h"
#include "fs/database/database.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kStatusName = "status.txt";
constexpr std::string_view kFolderInfoName = "info.txt";

// Where status.txt stands in the listing of a database that is the root: behind everything.
constexpr std::uint64_t kBehindDatabase = std::uint64_t{1} << 40;
// Where what a folder has of a directory of texts stands in its listing: behind everything too.
constexpr std::uint64_t kBehindFolder = std::uint64_t{1} << 40;

std::string folder_info_text(const Catalog& catalog, const Folder& folder) {
  // Names of files are any bytes but `/` and NUL.
  const auto clean = [](std::string_view name) { return codec::clean_line(name); };
  std::string text = fmt::format("folder: {}\n", folder.path.empty() ? "." : clean(folder.path));
  for (const std::uint16_t slot : folder.databases) {
    const DatabasePtr database = catalog.database(slot);
    fmt::format_to(std::back_inserter(text), "database: {}: {} games{}\n", clean(database->name()),
                   database->games(), database->problems().empty() ? "" : ", damaged");
  }
  for (const std::uint16_t slot : folder.texts) {
    const TextsPtr texts = catalog.texts(slot);
    fmt::format_to(std::back_inserter(text), "directory: {}: {}{}\n", clean(texts->name),
                   clean(texts->directory->summary()),
                   texts->directory->problems().empty() ? "" : ", damaged");
  }
  for (const std::string& refused : folder.refused) {
    text += "refused: " + clean(refused) + "\n";
  }
  const TextsPtr own = catalog.texts(folder.own_texts);
  if (own != nullptr && folder.own_place == Place{}) text += own->directory->info();
  return text;
}

}  // namespace

Node folder_info_node(const Catalog& catalog, const Folder& folder) {
  return {.epoch = static_cast<std::uint16_t>(catalog.generation() % kMaxEpoch + 1),
          .view = kFolderInfo,
          .level = kLibraryLevel,
          .key = folder.key};
}

absl::StatusOr<Tree::Request::Found> Tree::Request::find(const Node& node) const {
  if (node.view >= views().size()) return no_such("node");
  Found found{.database = nullptr, .view = views()[node.view], .place = place_of(node)};
  // A directory is that of the newest version, a file always that of its own.
  const bool is_directory = found.view->is_directory(found.place);
  if (is_directory && node.epoch != 0) return no_such("node");
  found.database = is_directory ? catalog_->database(node.database)
                                : catalog_->database(node.database, node.epoch);
  if (found.database == nullptr) {
    return is_directory
               ? no_such("database")
               : absl::FailedPreconditionError("the file's version of its database is gone");
  }
  if (!found.view->exists(*found.database, found.place)) return no_such("place");
  return found;
}

Inode Tree::Request::child_inode(const Database& database, const Node& directory,
                                 const Child& child) const {
  return inode_of({.database = database.slot(),
                   .epoch = child.is_directory ? std::uint16_t{0} : database.epoch(),
                   .view = child.view.value_or(directory.view),
                   .level = child.place.level,
                   .key = child.place.key});
}

absl::StatusOr<ContentPtr> Tree::Request::content(Inode inode, const Node& node) {
  if (node.database == 0) {
    if (node.level != kLibraryLevel) return no_such("node");
    if (node.view == kStatus) return state_.status.frozen(node.key);
    if (node.view != kFolderInfo) return no_such("file");
    return state_.contents.get(inode, [&] { return folder_info(node); });
  }
  if (is_in_texts(node)) return texts_content(inode, node);
  absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (found->view->is_directory(found->place)) return no_such("file");
  const auto open = [&] { return found->view->open(found->database, found->place); };
  if (found->view->is_cheap(found->place)) return open();
  return state_.contents.get(inode, open);
}

absl::StatusOr<std::unique_ptr<Content>> Tree::Request::folder_info(const Node& node) const {
  const Folder* const folder = catalog_->folder(node.key);
  if (folder == nullptr || node != folder_info_node(*catalog_, *folder)) {
    return absl::FailedPreconditionError("the folder has changed");
  }
  return std::make_unique<TextContent>(folder_info_text(*catalog_, *folder));
}

absl::StatusOr<Attributes> Tree::Request::file_attributes(Inode inode, const Node& node) {
  const absl::StatusOr<ContentPtr> opened = content(inode, node);
  if (!opened.ok()) {
    // A file whose size is not known yet does not show yet.
    return absl::IsUnavailable(opened.status()) ? no_such("file yet") : opened.status();
  }
  Attributes attributes{.inode = inode, .size = (*opened)->size()};
  const DatabasePtr database = catalog_->database(node.database, node.epoch);
  if (database != nullptr) {
    attributes.mtime_seconds = database->mtime_seconds();
    attributes.mtime_nanoseconds = database->mtime_nanoseconds();
  } else {
    attributes.mtime_seconds =
        node.view == kStatus ? state_.status.time(node.key) : catalog_->root_folder().mtime_seconds;
  }
  return attributes;
}

absl::StatusOr<Attributes> Tree::Request::folder_attributes(Inode inode,
                                                            const Folder& folder) const {
  return Attributes{.inode = inode,
                    .is_directory = true,
                    .mtime_seconds = folder.mtime_seconds,
                    .mtime_nanoseconds = folder.mtime_nanoseconds};
}

absl::StatusOr<Attributes> Tree::Request::attributes(Inode inode) {
  const Node node = node_of(inode);
  if (node.database == 0) {
    if (node.view != kFolder) return file_attributes(inode, node);
    const Folder* const folder = node.level == kLibraryLevel ? catalog_->folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("folder");
    return folder_attributes(inode, *folder);
  }
  if (is_in_texts(node)) return texts_attributes(inode, node);
  const absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (!found->view->is_directory(found->place)) return file_attributes(inode, node);
  return Attributes{.inode = inode,
                    .is_directory = true,
                    .mtime_seconds = found->database->mtime_seconds(),
                    .mtime_nanoseconds = found->database->mtime_nanoseconds()};
}

Entry Tree::Request::status_entry() {
  const std::uint32_t key = state_.status.freeze();
  const Node node{.view = kStatus, .level = kLibraryLevel, .key = key};
  Entry entry;
  entry.attributes = {.inode = pack(node), .mtime_seconds = state_.status.time(key)};
  if (const auto text = state_.status.frozen(key); text.ok())
    entry.attributes.size = (*text)->size();
  entry.attributes_are_stable = true;
  return entry;
}

absl::StatusOr<Entry> Tree::Request::lookup_in_folder(const Folder& folder, std::string_view name) {
  const auto entry_of = [this](Inode inode) -> absl::StatusOr<Entry> {
    absl::StatusOr<Attributes> found = attributes(inode);
    if (!found.ok()) return found.status();
    return Entry{.attributes = *found};
  };
  for (const std::uint16_t slot : folder.databases) {
    if (catalog_->database(slot)->name() == name) return entry_of(inode_of({.database = slot}));
  }
  for (const std::uint16_t slot : folder.texts) {
    if (catalog_->texts(slot)->name == name) return entry_of(pack(texts_node(slot)));
  }
  for (const std::uint32_t key : folder.folders) {
    if (catalog_->folder(key)->name == name) return entry_of(pack(folder_node(key)));
  }
  if (const TextsPtr own = catalog_->texts(folder.own_texts)) {
    absl::StatusOr<Entry> found = lookup_in_texts(*own, folder.own_place, name);
    if (found.ok() || !absl::IsNotFound(found.status())) return found;
  }
  if (name == kFolderInfoName) {
    return entry_of(pack(folder_info_node(*catalog_, folder)));
  }
  return no_such("database");
}

absl::StatusOr<Node> Tree::Request::parent_of(const Node& node) const {
  if (is_root(node)) return node;
  if (node.database == 0) {
    const Folder* const folder = catalog_->folder(node.key);
    if (node.view != kFolder || folder == nullptr) return no_such("folder");
    return folder_node(folder->parent);
  }
  if (is_in_texts(node)) return parent_in_texts(node);
  const absl::StatusOr<Found> found = find(node);
  if (!found.ok()) return found.status();
  if (!found->view->is_directory(found->place)) return no_such("directory");
  if (found->place != Place{}) {
    const Place place = found->view->parent(*found->database, found->place);
    return Node{
        .database = node.database, .view = node.view, .level = place.level, .key = place.key};
  }
  if (node.view != kRootView) return Node{.database = node.database, .view = kRootView};
  return folder_node(catalog_->folder_of(node.database).key);
}

absl::StatusOr<Entry> Tree::Request::lookup(Inode parent, std::string_view name) {
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
        node.view == kFolder && node.level == kLibraryLevel ? catalog_->folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("folder");
    return lookup_in_folder(*folder, name);
  }
  if (is_in_texts(node)) {
    const absl::StatusOr<TextsPtr> texts = find_texts(node);
    if (!texts.ok()) return texts.status();
    if (node.epoch != 0) return no_such("directory");
    return lookup_in_texts(**texts, place_of(node), name);
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

void Tree::Request::list_folder(const Folder& folder, std::uint64_t first,
                                absl::FunctionRef<bool(const DirectoryEntry&)> emit) const {
  const std::size_t databases = folder.databases.size();
  const std::size_t texts_end = databases + folder.texts.size();
  const std::size_t folders_end = texts_end + folder.folders.size();
  const bool is_source = &folder == &catalog_->root_folder();
  const TextsPtr own = catalog_->texts(folder.own_texts);
  const bool has_own_info =
      own != nullptr && own->directory->lookup(folder.own_place, kFolderInfoName).has_value();
  for (std::uint64_t position = first; position < folders_end + 1 + (is_source ? 1 : 0);
       ++position) {
    DirectoryEntry entry{.next = position + 1};
    if (position < databases) {
      const std::uint16_t slot = folder.databases[position];
      entry.name = catalog_->database(slot)->name();
      entry.is_directory = true;
      entry.inode = inode_of({.database = slot});
    } else if (position < texts_end) {
      const std::uint16_t slot = folder.texts[position - databases];
      entry.name = catalog_->texts(slot)->name;
      entry.is_directory = true;
      entry.inode = pack(texts_node(slot));
    } else if (position < folders_end) {
      const std::uint32_t key = folder.folders[position - texts_end];
      entry.name = catalog_->folder(key)->name;
      entry.is_directory = true;
      entry.inode = pack(folder_node(key));
    } else if (position == folders_end) {
      if (has_own_info) continue;
      entry.name = kFolderInfoName;
      entry.inode = pack(folder_info_node(*catalog_, folder));
    } else {
      entry.name = kStatusName;
      entry.inode = pack({.view = kStatus, .level = kLibraryLevel, .key = 0});
    }
    if (!emit(entry)) return;
  }
  if (own == nullptr) return;
  list_texts(*own, folder.own_place, std::max(first, kBehindFolder) - kBehindFolder,
             [&](const DirectoryEntry& found) {
               DirectoryEntry entry = found;
               entry.next += kBehindFolder;
               return emit(entry);
             });
}

absl::Status Tree::Request::list(Inode directory, std::uint64_t first,
                                 absl::FunctionRef<bool(const DirectoryEntry&)> emit) {
  const Node node = node_of(directory);
  if (node.database == 0) {
    const Folder* const folder =
        node.view == kFolder && node.level == kLibraryLevel ? catalog_->folder(node.key) : nullptr;
    if (folder == nullptr) return no_such("folder");
    list_folder(*folder, first, emit);
    return absl::OkStatus();
  }
  if (is_in_texts(node)) {
    const absl::StatusOr<TextsPtr> texts = find_texts(node);
    if (!texts.ok()) return texts.status();
    if (node.epoch != 0) return no_such("directory");
    list_texts(**texts, place_of(node), first, emit);
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

absl::StatusOr<Slice> Tree::Request::read(Inode file, std::uint64_t offset, std::size_t size) {
  const absl::StatusOr<ContentPtr> opened = content(file, node_of(file));
  if (!opened.ok()) return opened.status();
  return state_.blocks.read(file, *opened, offset, size);
}

}  // namespace scidfs::fs
