#include "tests/support/tree_walk.h"

#include <fmt/format.h>

#include <set>

#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/game_checks.h"
#include "tests/support/library.h"
#include "tests/support/set_checks.h"

namespace scidfs::tests {
namespace {

using fs::Attributes;
using fs::DirectoryEntry;
using fs::Inode;

constexpr std::string_view kStatusName = "status.txt";
constexpr std::size_t kMostFaults = 20;

class Walk {
 public:
  Walk(fs::Tree& tree, WalkedTree& walked) : tree_(tree), walked_(walked) {}

  void directory(Inode inode, Inode parent, const std::string& path) {
    const absl::StatusOr<fs::Entry> above = tree_.lookup(inode, "..", unlimited_budget());
    if (!above.ok() || above->attributes.inode != parent) fault(path, "\"..\" leads elsewhere");
    struct Listed {
      std::string name;
      Inode inode;
      bool is_directory;
      std::uint64_t next;
    };
    std::vector<Listed> entries;
    std::set<std::string, std::less<>> names;
    const absl::Status status =
        tree_.list(inode, 0, unlimited_budget(), [&](const DirectoryEntry& entry) {
          entries.push_back({std::string(entry.name), entry.inode, entry.is_directory, entry.next});
          return true;
        });
    if (!status.ok()) fault(path, "cannot be listed");
    for (const Listed& entry : entries) {
      if (walked_.faults.size() >= kMostFaults) return;
      const std::string below = path + entry.name;
      if (!names.insert(entry.name).second) fault(below, "is listed twice");
      if (entry.name.empty() || entry.name.size() > 255 ||
          entry.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
        fault(below, "is no name");
      }
      const absl::StatusOr<fs::Entry> found = tree_.lookup(inode, entry.name, unlimited_budget());
      if (!found.ok()) {
        fault(below, "does not open: " + std::string(found.status().message()));
        continue;
      }
      const Attributes& attributes = found->attributes;
      if (attributes.is_directory != entry.is_directory) fault(below, "is of two kinds");
      if (entry.name != kStatusName && attributes.inode != entry.inode) {
        fault(below, "has two inode numbers");
      }
      if (attributes.is_directory) {
        directory(attributes.inode, inode, below + "/");
      } else {
        file(attributes, below);
      }
    }
    // A listing that continues from the middle returns the rest.
    if (entries.size() < 2) return;
    std::size_t position = entries.size() / 2;
    (void)tree_.list(inode, entries[position - 1].next, unlimited_budget(),
                     [&](const DirectoryEntry& entry) {
                       if (position >= entries.size() || entry.name != entries[position].name) {
                         fault(path, "lists otherwise from the middle on");
                       }
                       return ++position != 0;
                     });
    if (position != entries.size()) fault(path, "lists otherwise from the middle on");
  }

 private:
  void fault(const std::string& path, const std::string& what) {
    walked_.faults.push_back(path + ": " + what);
  }

  void file(const Attributes& attributes, const std::string& path) {
    const absl::StatusOr<Attributes> again = tree_.attributes(attributes.inode, unlimited_budget());
    if (!again.ok() || again->size != attributes.size) fault(path, "has two sizes");
    std::string text;
    constexpr std::size_t kRead = 100'000;
    while (true) {
      const absl::StatusOr<fs::Slice> slice =
          tree_.read(attributes.inode, text.size(), kRead, unlimited_budget());
      if (!slice.ok()) {
        fault(path, "cannot be read: " + std::string(slice.status().message()));
        return;
      }
      if (slice->bytes.empty()) break;
      text += slice->bytes;
    }
    if (text.size() != attributes.size) {
      fault(path, fmt::format("has {} bytes, not {}", text.size(), attributes.size));
    }
    check_part(attributes.inode, path, text);
    if (!codec::is_utf8(as_bytes(text))) fault(path, "is no UTF-8");
    walked_.files.emplace(path, std::move(text));
  }

  void check_part(Inode inode, const std::string& path, const std::string& text) {
    const std::size_t offset = text.size() / 3;
    const absl::StatusOr<fs::Slice> part = tree_.read(inode, offset, 50, unlimited_budget());
    if (!part.ok() || part->bytes.empty() != text.empty() ||
        !std::string_view(text).substr(offset).starts_with(part->bytes)) {
      fault(path, "reads otherwise from the middle on");
    }
    const absl::StatusOr<fs::Slice> past = tree_.read(inode, text.size(), 1, unlimited_budget());
    if (!past.ok() || !past->bytes.empty()) fault(path, "has bytes beyond its end");
  }

  fs::Tree& tree_;
  WalkedTree& walked_;
};

}  // namespace

WalkedTree walk_tree(fs::Tree& tree) {
  WalkedTree walked;
  Walk(tree, walked).directory(fs::kRootInode, fs::kRootInode, "");
  return walked;
}

void check_database(WalkedTree& walked, const std::string& prefix) {
  if (!walked.faults.empty()) return;
  const WalkedDatabase database(walked, prefix);
  check_sets(database);
  check_games(database);
}

WalkedTree walk_library(fs::Library& library) {
  const fs::CatalogPtr catalog = library.catalog();
  const std::vector<fs::MountedVersionPtr> databases = shown_databases(library);
  for (const fs::MountedVersionPtr& shown : databases) {
    const absl::Status status = shown->database->compute_sizes(0, shown->database->games());
    if (!status.ok()) return {.files = {}, .faults = {std::string(status.message())}};
  }
  fs::Tree tree(library, {.blocks = {.cache_bytes = std::size_t{1} << 20, .threads = 1}});
  WalkedTree walked = walk_tree(tree);
  for (const fs::MountedVersionPtr& shown : databases) {
    // The mount shows names as texts are.
    const std::string name = codec::clean_line(shown->path);
    check_database(walked, shown->slot == catalog->root() ? "" : name + "/");
  }
  return walked;
}

}  // namespace scidfs::tests
