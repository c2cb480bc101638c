// Requests for what is in directories of texts.
#include "fs/tree/tree_request.h"

namespace scidfs::fs {

// Directories have no epoch and are those of the newest version; texts have that of their own.
absl::StatusOr<TextsPtr> Tree::Request::find_texts(const Node& node) const {
  const bool is_directory = node.epoch == 0;
  TextsPtr texts =
      is_directory ? catalog_->texts(node.database) : catalog_->texts(node.database, node.epoch);
  if (texts == nullptr) {
    return is_directory ? no_such("directory")
                        : absl::FailedPreconditionError("the file's version is gone");
  }
  if (texts->directory->is_directory(place_of(node)) != is_directory) return no_such("place");
  return texts;
}

Inode Tree::Request::texts_inode(const ShownTexts& texts, const Child& child) {
  return pack({.database = texts.slot,
               .epoch = child.is_directory ? std::uint16_t{0} : texts.epoch,
               .view = kTextsView,
               .level = child.place.level,
               .key = child.place.key});
}

absl::StatusOr<ContentPtr> Tree::Request::texts_content(Inode inode, const Node& node) {
  const absl::StatusOr<TextsPtr> texts = find_texts(node);
  if (!texts.ok()) return texts.status();
  if (node.epoch == 0) return no_such("file");
  return state_.contents.get(inode, [&] { return (*texts)->directory->open(place_of(node)); });
}

absl::StatusOr<Attributes> Tree::Request::texts_attributes(Inode inode, const Node& node) {
  const absl::StatusOr<TextsPtr> texts = find_texts(node);
  if (!texts.ok()) return texts.status();
  Attributes attributes{.inode = inode,
                        .is_directory = node.epoch == 0,
                        .mtime_seconds = (*texts)->mtime_seconds,
                        .mtime_nanoseconds = (*texts)->mtime_nanoseconds};
  if (!attributes.is_directory) {
    const absl::StatusOr<ContentPtr> opened = texts_content(inode, node);
    if (!opened.ok()) return opened.status();
    attributes.size = (*opened)->size();
  }
  return attributes;
}

absl::StatusOr<Node> Tree::Request::parent_in_texts(const Node& node) const {
  const absl::StatusOr<TextsPtr> texts = find_texts(node);
  if (!texts.ok()) return texts.status();
  if (node.epoch != 0) return no_such("directory");
  if (place_of(node) == Place{}) return folder_node(catalog_->folder_of_texts(node.database).key);
  const Place parent = (*texts)->directory->parent(place_of(node));
  const Folder* const folder = catalog_->folder_at(node.database, parent);
  if (folder != nullptr) return folder_node(folder->key);
  return Node{
      .database = node.database, .view = kTextsView, .level = parent.level, .key = parent.key};
}

absl::StatusOr<Entry> Tree::Request::lookup_in_texts(const ShownTexts& texts, Place directory,
                                                     std::string_view name) {
  const std::optional<Child> child = texts.directory->lookup(directory, name);
  if (!child.has_value()) return no_such("file or directory");
  const absl::StatusOr<Attributes> found = attributes(texts_inode(texts, *child));
  if (!found.ok()) return found.status();
  return Entry{.attributes = *found,
               .name_is_stable = !child->is_directory,
               .attributes_are_stable = !child->is_directory};
}

void Tree::Request::list_texts(const ShownTexts& texts, Place directory, std::uint64_t first,
                               absl::FunctionRef<bool(const DirectoryEntry&)> emit) {
  texts.directory->list(directory, first, [&](const Child& child, std::uint64_t next) {
    return emit({.name = child.name,
                 .is_directory = child.is_directory,
                 .inode = texts_inode(texts, child),
                 .next = next});
  });
}

}  // namespace scidfs::fs
