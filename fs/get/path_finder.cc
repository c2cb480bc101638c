#include "fs/get/path_finder.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "fs/base/log.h"
#include "fs/base/shell_word.h"
#include "fs/base/status_macros.h"
#include "fs/get/missing_name.h"

namespace scidfs::fs {
namespace {

bool has_wildcards(const std::string& name) {
  return name.find_first_of("*?[") != std::string::npos;
}

// The names of a path, and whether it means a directory.
struct Names {
  std::vector<std::string> names;
  bool is_directory = false;
};

absl::StatusOr<Names> split_path(std::string_view path) {
  Names parts{.names = {}, .is_directory = path.ends_with('/')};
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name == "..") {
      return absl::InvalidArgumentError(
          "a PATH begins at the top of SOURCE, and `..` is not taken in it");
    }
    if (!name.empty() && name != kTopPath) parts.names.emplace_back(name);
  }
  return parts;
}

// A walk along the names of one path.
class Walk {
 public:
  Walk(const TreeReader& reader, const Names& parts, UnknownSize unknown,
       absl::FunctionRef<void(const FoundPath&)> visit)
      : reader_(reader), parts_(parts), unknown_(unknown), visit_(visit) {}

  // Follows the names from the one with this number on, from what those before it have led to.
  absl::Status follow(const FoundPath& at, std::size_t number) {
    const bool is_last = number == parts_.names.size();
    if (!at.attributes.is_directory && (!is_last || parts_.is_directory)) {
      return absl::NotFoundError(std::generic_category().message(ENOTDIR));
    }
    if (is_last) {
      visit_(at);
      return absl::OkStatus();
    }
    const std::string& name = parts_.names[number];
    const absl::StatusOr<Entry> entry = reader_.find(at.attributes.inode, name, unknown_);
    if (entry.ok()) return follow(entry_of(at, name, *entry), number + 1);
    absl::Status error = as_on_mount(entry.status());
    const std::string why = reader_.why_rejected(name);
    if (!absl::IsNotFound(error)) return with_reason(error, name, why);
    if (has_wildcards(name)) {
      absl::Status status = match(at, number);
      if (!absl::IsNotFound(status) || why.empty()) return status;
    }
    if (!why.empty()) return with_reason(error, name, why);
    const std::string refusal = reader_.why_refused(at.attributes.inode, name);
    if (refusal.empty()) return with_advice(error, at, number);
    return absl::NotFoundError(fmt::format("{}: {}", std::string(error.message()), refusal));
  }

 private:
  FoundPath entry_of(const FoundPath& directory, const std::string& name,
                     const Entry& entry) const {
    return {.path = path_below(directory.path, name),
            .attributes = entry.attributes,
            .is_live = reader_.is_live(directory.attributes.inode, name, entry.attributes.inode)};
  }

  static absl::Status with_reason(const absl::Status& error, const std::string& name,
                                  const std::string& why) {
    if (why.empty()) return error;
    return absl::Status(error.code(), fmt::format("{}: {}: {}", std::string(error.message()),
                                                  printable(name), why));
  }

  // Adds what may have been meant to the error of a name that is not there.
  absl::Status with_advice(const absl::Status& error, const FoundPath& directory,
                           std::size_t number) const {
    // Of many paths, none was typed.
    if (is_matching_) return error;
    const bool is_last = number + 1 == parts_.names.size();
    std::vector<std::string> near =
        names_meant(reader_, {.path = directory.path,
                              .directory = directory.attributes.inode,
                              .name = parts_.names[number],
                              .next = is_last ? "" : parts_.names[number + 1]});
    if (near.empty()) return error;
    for (std::string& one : near) {
      const bool looks_like_option = directory.path == kTopPath && one.starts_with('-');
      if (looks_like_option) one.insert(0, "./");
      one = in_quotes(printable(one));
    }
    return absl::NotFoundError(fmt::format("{}; did you mean {}?", std::string(error.message()),
                                           fmt::to_string(fmt::join(near, ", "))));
  }

  // Follows all listed names that match. Like a shell, passes over those below which there is
  // nothing.
  absl::Status match(const FoundPath& at, std::size_t number) {
    const absl::StatusOr<std::vector<ListedName>> names = reader_.list(at.attributes.inode);
    if (!names.ok()) return as_on_mount(names.status());
    absl::Status result = absl::NotFoundError("no listed name matches");
    is_matching_ = true;
    for (const auto& [name, is_directory, inode] : *names) {
      if (::fnmatch(parts_.names[number].c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
      const absl::StatusOr<Entry> entry = reader_.find(at.attributes.inode, name, unknown_);
      absl::Status status =
          entry.ok() ? follow(entry_of(at, name, *entry), number + 1) : as_on_mount(entry.status());
      if (!status.ok() && !absl::IsNotFound(status)) return status;
      if (status.ok()) result = status;
    }
    return result;
  }

  const TreeReader& reader_;
  const Names& parts_;
  const UnknownSize unknown_;
  const absl::FunctionRef<void(const FoundPath&)> visit_;
  bool is_matching_ = false;
};

}  // namespace

absl::Status find_path(const TreeReader& reader, std::string_view path, UnknownSize unknown,
                       absl::FunctionRef<void(const FoundPath&)> visit) {
  ASSIGN_OR_RETURN(const Names parts, split_path(path));
  const absl::StatusOr<Attributes> top = reader.attributes(kRootInode);
  if (!top.ok()) return as_on_mount(top.status());
  return Walk(reader, parts, unknown, visit)
      .follow({.path = std::string(kTopPath), .attributes = *top}, 0);
}

}  // namespace scidfs::fs
