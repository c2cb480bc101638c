// Asks a tree and waits for the answers: for a program that serves no others.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "fs/requests/request_runner.h"
#include "fs/search/query_context.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// A name that a directory lists.
struct ListedName {
  std::string name;
  bool is_directory = false;
  Inode inode = 0;
};

// The questions of the one thread that asks. Errors are those of the tree (fs/tree/tree.h). The
// source stays as the library has found it, so no answer waits for a scan.
class TreeReader {
 public:
  // All outlive this. `rejected`: of the library (QueryContext).
  TreeReader(Tree& tree, RequestRunner& runner, const RejectedNames& rejected)
      : tree_(tree), runner_(&runner), rejected_(rejected) {}
  // Asks on the calling thread, with a budget that outlives this.
  TreeReader(Tree& tree, const WorkBudget& budget, const RejectedNames& rejected)
      : tree_(tree), budget_(&budget), rejected_(rejected) {}

  absl::StatusOr<Attributes> attributes(Inode inode) const;
  absl::StatusOr<Entry> find(Inode directory, const std::string& name, UnknownSize unknown) const;
  // Returns the names in the order of bytes, which is that of ls(1) in the C locale; only those
  // that are listed first if there are more than `most`.
  absl::StatusOr<std::vector<ListedName>> list(
      Inode directory, std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  // Returns why a name was no facet, position or the like when it was looked up last, as status.txt
  // of a mount says it; empty if it was not meant as one.
  std::string why_rejected(const std::string& name) const;
  // Returns why a directory does not show a name that the source has; empty if it has none.
  std::string why_refused(Inode directory, const std::string& name) const {
    return tree_.why_refused(directory, name);
  }
  // Returns bytes from `offset` on, none only at the end of the file.
  absl::StatusOr<Slice> read(Inode file, std::uint64_t offset, std::size_t size) const;
  // Returns the names that a misspelled one in a directory may mean, the nearest first, if it is
  // one of those that are not listed there.
  std::vector<std::string> nearest(Inode directory, const std::string& name) const;
  // Returns whether a file is one of the source, as it is there.
  absl::StatusOr<bool> is_of_source(Inode file) const;
  // Returns whether a file of a directory tells how far a program has read the source, such as
  // status.txt, or info.txt of a folder of PGN files: another program may find other bytes.
  bool is_live(Inode directory, std::string_view name, Inode file) const;
  // Returns whether a game in a file is damaged.
  absl::StatusOr<bool> has_damaged_games(Inode file) const;

 private:
  // Returns the answer of `ask`, which takes a budget.
  template <class Ask>
  auto answer(Inode inode, Ask ask) const;

  Tree& tree_;
  RequestRunner* const runner_ = nullptr;  // null: there is a budget
  const WorkBudget* const budget_ = nullptr;
  const RejectedNames& rejected_;
};

// Calls take(bytes) for the bytes of the file at `path`, piece by piece. Errors: those of `take`;
// others name the path.
absl::Status read_file(const TreeReader& reader, Inode file, std::string_view path,
                       absl::FunctionRef<absl::Status(std::string_view bytes)> take);

// Returns whether a game in the file at `path` is damaged, and says so in the log.
bool log_damage(const TreeReader& reader, Inode file, std::string_view path);

// Returns an error of the tree as programs see it on a mount, in words: NotFound if there is no
// such name, Unknown for everything else.
absl::Status as_on_mount(const absl::Status& error);

}  // namespace scidfs::fs
