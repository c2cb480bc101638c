// tree_digest SOURCE [PATH ...]: the files that a mount of SOURCE shows, without one: a line with
// the size, the hash and the path of each. Of paths, in directories all that they list, and
// unlisted ones; without paths, all that is listed. Two machines show the same if these lines are
// the same.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cache/hash.h"
#include "fs/library/library.h"
#include "fs/tree/tree.h"
#include "tests/support/library.h"

namespace scidfs::tests {
namespace {

// Has the time and the memory of this machine.
constexpr std::string_view kStatusName = "status.txt";

class Digest {
 public:
  explicit Digest(const fs::Library& library)
      : tree_(library, {.blocks = {.cache_bytes = std::size_t{1} << 20, .threads = 1}}) {}

  bool is_whole() const { return is_whole_; }

  // Prints what is at a path below a directory.
  void print(fs::Inode parent, const std::string& path) {
    fs::Attributes found;
    found.inode = parent;
    found.is_directory = true;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      if (!look_up(found.inode, path.substr(begin, end - begin), path, found)) return;
      begin = end + 1;
    }
    print(found, path);
  }

 private:
  bool look_up(fs::Inode parent, const std::string& name, const std::string& path,
               fs::Attributes& found) {
    const absl::StatusOr<fs::Entry> entry = tree_.lookup(parent, name, unlimited_budget());
    if (!entry.ok()) return fail(path, entry.status());
    found = entry->attributes;
    return true;
  }

  bool fail(const std::string& path, const absl::Status& status) {
    is_whole_ = false;
    fmt::print("{}: {}\n", path, std::string(status.message()));
    return false;
  }

  void print(const fs::Attributes& found, const std::string& path) {
    if (found.is_directory) {
      print_directory(found.inode, path);
    } else {
      print_file(found, path);
    }
  }

  void print_directory(fs::Inode directory, const std::string& path) {
    std::vector<std::string> names;
    const absl::Status status =
        tree_.list(directory, 0, unlimited_budget(), [&](const fs::DirectoryEntry& entry) {
          if (entry.name != kStatusName) names.emplace_back(entry.name);
          return true;
        });
    if (!status.ok()) fail(path, status);
    for (const std::string& name : names) {
      const std::string below = path.empty() ? name : path + "/" + name;
      fs::Attributes found;
      if (look_up(directory, name, below, found)) print(found, below);
    }
  }

  void print_file(const fs::Attributes& file, const std::string& path) {
    bytes_.clear();
    for (std::uint64_t offset = 0; offset < file.size;) {
      const absl::StatusOr<fs::Slice> slice =
          tree_.read(file.inode, offset, kRead, unlimited_budget());
      if (!slice.ok() || slice->bytes.empty()) {
        fail(path, slice.status());
        return;
      }
      bytes_.append(slice->bytes);
      offset += slice->bytes.size();
    }
    fmt::print("{} {:016x} {}\n", file.size, cache::fingerprint(bytes_), path);
  }

  static constexpr std::size_t kRead = std::size_t{1} << 20;

  fs::Tree tree_;
  std::string bytes_;  // of the file that is read
  bool is_whole_ = true;
};

int run(const std::vector<std::string>& arguments) {
  fs::LibraryOptions options = without_patience();
  options.threads = 1;
  absl::StatusOr<std::unique_ptr<fs::Library>> library =
      fs::Library::open(arguments.front(), options);
  if (!library.ok()) {
    fmt::print(stderr, "tree_digest: {}\n", std::string(library.status().message()));
    return 1;
  }
  Digest digest(**library);
  if (arguments.size() == 1) digest.print(fs::kRootInode, "");
  for (std::size_t i = 1; i < arguments.size(); ++i) digest.print(fs::kRootInode, arguments[i]);
  return digest.is_whole() ? 0 : 1;
}

}  // namespace
}  // namespace scidfs::tests

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: tree_digest SOURCE [PATH ...]\n");
    return 2;
  }
  return scidfs::tests::run({words + 1, words + count});
}
