// Reads a tree of which nothing is known, not even that it can be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fs/tree/tree.h"
#include "tests/support/library.h"

namespace scidfs::tests {

// Lists directories, looks names up and reads files to their ends, and ignores failures. Of a
// directory with many names it takes the first, the last and some between them.
class CarelessWalk {
 public:
  explicit CarelessWalk(fs::Tree& tree) : tree_(tree) {}

  void directory(fs::Inode inode, unsigned depth = 0) {
    constexpr unsigned kMostDepth = 5;
    std::vector<std::string> names;
    (void)tree_.list(inode, 0, unlimited_budget(), [&names](const fs::DirectoryEntry& entry) {
      names.emplace_back(entry.name);
      return true;
    });
    constexpr std::size_t kFirst = 24;  // all files of a set
    constexpr std::size_t kOfOthers = 3;
    const std::size_t step = names.size() <= kFirst ? 1 : names.size() / kOfOthers;
    for (std::size_t i = 0; i < names.size(); i += step) name(inode, names[i], depth, kMostDepth);
    if (step > 1) name(inode, names.back(), depth, kMostDepth);
  }
  // Walks what is at a path, and returns whether it is there.
  bool path(std::string_view path) {
    fs::Inode at = fs::kRootInode;
    bool is_directory = true;
    while (!path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      const auto found = tree_.lookup(at, path.substr(0, slash), unlimited_budget());
      if (!found.ok()) return false;
      at = found->attributes.inode;
      is_directory = found->attributes.is_directory;
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    if (!is_directory) file(at);
    return true;
  }

  std::size_t files() const { return files_; }

 private:
  void name(fs::Inode inode, const std::string& name, unsigned depth, unsigned most_depth) {
    const auto found = tree_.lookup(inode, name, unlimited_budget());
    if (!found.ok()) return;
    const fs::Attributes& attributes = found->attributes;
    if (!attributes.is_directory) return file(attributes.inode);
    if (depth < most_depth) directory(attributes.inode, depth + 1);
  }
  void file(fs::Inode inode) {
    constexpr std::size_t kAtOnce = 100'000;
    constexpr std::size_t kMost = 20 * kAtOnce;
    ++files_;
    std::uint64_t at = 0;
    while (at < kMost) {
      const auto slice = tree_.read(inode, at, kAtOnce, unlimited_budget());
      if (!slice.ok() || slice->bytes.empty()) break;
      at += slice->bytes.size();
    }
    const auto attributes = tree_.attributes(inode, unlimited_budget());
    if (!attributes.ok()) return;
    (void)tree_.read(inode, attributes->size / 2, kAtOnce, unlimited_budget());
    (void)tree_.read(inode, attributes->size, kAtOnce, unlimited_budget());
  }

  fs::Tree& tree_;
  std::size_t files_ = 0;
};

}  // namespace scidfs::tests
