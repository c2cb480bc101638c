// How a Tree answers one request: the part of it that its files share.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "fs/library/library.h"
#include "fs/tree/content_cache.h"
#include "fs/tree/status_file.h"
#include "fs/tree/tree.h"
#include "fs/views/view.h"

namespace scidfs::fs {

// Nodes of the library itself: database 0, level 1, one of these as the view.
enum LibraryView : std::uint8_t { kFolder, kFolderInfo, kStatus };
inline constexpr std::uint8_t kLibraryLevel = 1;

// A folder's text changes with the catalog, and its number too. The numbers come round again after
// kMaxEpoch catalogs; the kernel has forgotten the first text by then, see inodes_to_renew().
Node folder_info_node(const Catalog& catalog, const Folder& folder);

inline Node folder_node(std::uint32_t key) {
  return {.view = kFolder, .level = kLibraryLevel, .key = key};
}

// A directory of texts itself.
inline Node texts_node(std::uint16_t slot) { return {.database = slot, .view = kTextsView}; }

inline absl::Status no_such(std::string_view what) {
  return absl::NotFoundError(fmt::format("no such {}", what));
}

inline Place place_of(const Node& node) { return {.level = node.level, .key = node.key}; }

inline constexpr std::size_t kContentCacheSize = std::size_t{16} << 20;

// What all requests share.
struct Tree::State {
  State(const Library& shown, const Options& options)
      : library(shown),
        blocks(options.blocks),
        contents(kContentCacheSize),
        status(shown, blocks.blocks(), options.requests) {}

  const Library& library;
  BlockReader blocks;
  ContentCache contents;
  StatusFile status;
};

// One request: from its first to its last step it sees one catalog.
class Tree::Request {
 public:
  explicit Request(State& state) : state_(state), catalog_(state.library.catalog()) {}

  absl::StatusOr<Entry> lookup(Inode parent, std::string_view name);
  absl::StatusOr<Attributes> attributes(Inode inode);
  absl::Status list(Inode directory, std::uint64_t first,
                    absl::FunctionRef<bool(const DirectoryEntry&)> emit);
  absl::StatusOr<Slice> read(Inode file, std::uint64_t offset, std::size_t size);

 private:
  // A node of a database, and the snapshot that it belongs to.
  struct Found {
    DatabasePtr database;
    const View* view;
    Place place;
  };

  Node node_of(Inode inode) const {
    if (inode != kRootInode) return unpack(inode);
    if (catalog_->root_database() != 0) return {.database = catalog_->root_database()};
    return folder_node(catalog_->root_folder().key);
  }
  Inode inode_of(const Node& node) const {
    return node == node_of(kRootInode) ? kRootInode : pack(node);
  }
  bool is_root(const Node& node) const { return node == node_of(kRootInode); }

  absl::StatusOr<Found> find(const Node& node) const;
  Inode child_inode(const Database& database, const Node& directory, const Child& child) const;

  absl::StatusOr<std::unique_ptr<Content>> folder_info(const Node& node) const;
  absl::StatusOr<ContentPtr> content(Inode inode, const Node& node);
  absl::StatusOr<Attributes> file_attributes(Inode inode, const Node& node);
  absl::StatusOr<Attributes> folder_attributes(Inode inode, const Folder& folder) const;
  Entry status_entry();

  // The directory that a directory lies in; the root lies in itself.
  absl::StatusOr<Node> parent_of(const Node& node) const;
  absl::StatusOr<Entry> lookup_in_folder(const Folder& folder, std::string_view name);
  void list_folder(const Folder& folder, std::uint64_t first,
                   absl::FunctionRef<bool(const DirectoryEntry&)> emit) const;

  // What is in directories of texts, in tree_texts.cc.
  static bool is_in_texts(const Node& node) {
    return node.database != 0 && node.view == kTextsView;
  }
  absl::StatusOr<TextsPtr> find_texts(const Node& node) const;
  static Inode texts_inode(const ShownTexts& texts, const Child& child);
  absl::StatusOr<ContentPtr> texts_content(Inode inode, const Node& node);
  absl::StatusOr<Attributes> texts_attributes(Inode inode, const Node& node);
  absl::StatusOr<Node> parent_in_texts(const Node& node) const;
  absl::StatusOr<Entry> lookup_in_texts(const ShownTexts& texts, Place directory,
                                        std::string_view name);
  static void list_texts(const ShownTexts& texts, Place directory, std::uint64_t first,
                         absl::FunctionRef<bool(const DirectoryEntry&)> emit);

  State& state_;
  const CatalogPtr catalog_;
};

}  // namespace scidfs::fs
