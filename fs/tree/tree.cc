#include "fs/tree/tree.h"

#include "fs/database/database.h"
#include "fs/library/library.h"
#include "fs/tree/tree_request.h"

namespace scidfs::fs {

Tree::Tree(const Library& library, const Options& options)
    : state_(std::make_unique<State>(library, options)) {}
Tree::~Tree() = default;

absl::StatusOr<Entry> Tree::lookup(Inode parent, std::string_view name) {
  return Request(*state_).lookup(parent, name);
}
absl::StatusOr<Attributes> Tree::attributes(Inode inode) {
  return Request(*state_).attributes(inode);
}
absl::Status Tree::list(Inode directory, std::uint64_t first,
                        absl::FunctionRef<bool(const DirectoryEntry&)> emit) {
  return Request(*state_).list(directory, first, emit);
}
absl::StatusOr<Slice> Tree::read(Inode file, std::uint64_t offset, std::size_t size) {
  return Request(*state_).read(file, offset, size);
}

void Tree::forget_gone() {
  const CatalogPtr catalog = state_->library.catalog();
  state_->contents.drop([&catalog](Inode inode) {
    const Node node = unpack(inode);
    if (node.database != 0) return !catalog->has(node.database, node.epoch);
    const Folder* const folder = catalog->folder(node.key);
    return folder == nullptr || node != folder_info_node(*catalog, *folder);
  });
}

std::vector<Inode> Tree::inodes_to_renew() const {
  const CatalogPtr catalog = state_->library.catalog();
  std::vector<Inode> inodes = {kRootInode};
  for (const Folder& folder : catalog->folders()) {
    inodes.push_back(pack(folder_node(folder.key)));
    inodes.push_back(pack(folder_info_node(*catalog, folder)));
  }
  for (const auto& [slot, database] : catalog->databases()) {
    for (std::uint8_t view = 0; view < views().size(); ++view) {
      inodes.push_back(pack({.database = slot, .view = view}));
    }
  }
  for (const auto& [slot, texts] : catalog->all_texts()) {
    inodes.push_back(pack(texts_node(slot)));
  }
  return inodes;
}

TreeStatistics Tree::statistics() const {
  TreeStatistics statistics;
  const CatalogPtr catalog = state_->library.catalog();
  for (const auto& [slot, database] : catalog->databases()) {
    statistics.files += database->games();
    statistics.bytes += database->source_bytes();
  }
  for (const auto& [slot, texts] : catalog->all_texts()) statistics.bytes += texts->source_bytes;
  return statistics;
}

}  // namespace scidfs::fs
