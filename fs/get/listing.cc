#include "fs/get/listing.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "fs/base/log.h"
#include "fs/get/path_finder.h"

namespace scidfs::fs {
namespace {

// Logs why there is nothing to show of a path. Returns false.
bool fail(std::string_view path, const absl::Status& error) {
  log_error(fmt::format("{}: {}", printable(path), std::string(error.message())));
  return false;
}

std::string time_text(const FileTime& time) {
  return fmt::format("{:%FT%T}.{:09}Z", fmt::gmtime(static_cast<std::time_t>(time.seconds)),
                     time.nanoseconds);
}

class Lister {
 public:
  Lister(const TreeReader& reader, const ListOptions& options, Output& output)
      : reader_(reader), options_(options), output_(output) {}

  void list_files(const std::vector<FoundPath>& files) {
    print(files);
    is_first_ = files.empty();
  }

  // Prints a directory, and those below it if that is wanted. Returns whether nothing failed.
  bool list_directory(const FoundPath& directory, bool has_heading) {
    const absl::StatusOr<std::vector<ListedName>> names = reader_.list(directory.attributes.inode);
    if (!names.ok()) return fail(directory.path, as_on_mount(names.status()));
    if (has_heading) {
      output_.append(fmt::format("{}{}:\n", is_first_ ? "" : "\n", shown(directory.path)));
    }
    is_first_ = false;
    bool is_good = true;
    const std::vector<FoundPath> entries = entries_of(directory, *names, is_good);
    print(entries);
    if (!options_.is_recursive) return is_good;
    for (const FoundPath& entry : entries) {
      if (!output_.status().ok()) break;
      if (!entry.attributes.is_directory) continue;
      FoundPath below = entry;
      below.path = fmt::format("{}/{}", directory.path, entry.path);
      is_good = list_directory(below, true) && is_good;
    }
    return is_good;
  }

 private:
  // Returns entries with their names as paths, and what else of them is to be shown.
  std::vector<FoundPath> entries_of(const FoundPath& directory,
                                    const std::vector<ListedName>& names, bool& is_good) const {
    std::vector<FoundPath> entries;
    for (const auto& [name, is_directory, inode] : names) {
      FoundPath entry{.path = name, .attributes = {}};
      entry.attributes.is_directory = is_directory;
      if (options_.is_long || (options_.is_recursive && is_directory)) {
        const absl::StatusOr<Entry> found =
            reader_.find(directory.attributes.inode, name, UnknownSize::IsUnavailable);
        if (!found.ok()) {
          is_good = fail(path_below(directory.path, name), as_on_mount(found.status()));
          continue;
        }
        entry.attributes = found->attributes;
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  void print(const std::vector<FoundPath>& entries) const {
    std::uint64_t largest = 0;
    for (const FoundPath& entry : entries) largest = std::max(largest, entry.attributes.size);
    const std::size_t width = std::to_string(largest).size();
    for (const FoundPath& entry : entries) {
      const auto& [inode, generation, is_directory, size, mtime] = entry.attributes;
      if (options_.is_long) {
        output_.append(fmt::format("{} {:{}} {} ", is_directory ? "dr-xr-xr-x" : "-r--r--r--", size,
                                   width, time_text(mtime)));
      }
      output_.append(shown(entry.path));
      if (is_directory && options_.marks_directories) output_.append("/");
      output_.append("\n");
    }
  }

  std::string shown(const std::string& name) const {
    return options_.is_for_terminal ? printable(name) : name;
  }

  const TreeReader& reader_;
  const ListOptions& options_;
  Output& output_;
  bool is_first_ = true;
};

// Prints a file. Returns whether nothing but the output failed.
bool print_file(const TreeReader& reader, const FoundPath& file, Output& output) {
  if (file.attributes.is_directory) return fail(file.path, absl::UnknownError("Is a directory"));
  const absl::Status status =
      read_file(reader, file.attributes.inode, file.path, [&output](std::string_view bytes) {
        output.append(bytes);
        return output.status();
      });
  if (!status.ok() && output.status().ok()) {
    log_error(std::string(status.message()));
    return false;
  }
  return true;
}

}  // namespace

ExitCode list_paths(const TreeReader& reader, std::vector<std::string> paths,
                    const ListOptions& options, Output& output) {
  if (paths.empty()) paths.emplace_back();
  std::vector<FoundPath> files;
  std::vector<FoundPath> directories;
  bool is_good = true;
  for (const std::string& path : paths) {
    const UnknownSize unknown =
        options.is_long ? UnknownSize::IsUnavailable : UnknownSize::IsLeftOut;
    const absl::Status status = find_path(reader, path, unknown, [&](const FoundPath& found) {
      (found.attributes.is_directory ? directories : files).push_back(found);
    });
    if (!status.ok()) is_good = fail(path, status);
  }
  std::ranges::sort(files, {}, &FoundPath::path);
  std::ranges::sort(directories, {}, &FoundPath::path);
  Lister lister(reader, options, output);
  lister.list_files(files);
  const bool has_headings =
      options.is_recursive || paths.size() > 1 || files.size() + directories.size() > 1;
  for (const FoundPath& directory : directories) {
    if (!output.status().ok()) break;
    is_good = lister.list_directory(directory, has_headings) && is_good;
  }
  return is_good ? ExitCode::Good : ExitCode::Failed;
}

ExitCode print_files(const TreeReader& reader, const std::vector<std::string>& paths,
                     Output& output) {
  bool is_good = true;
  bool is_damaged = false;
  for (const std::string& path : paths) {
    bool is_printed = true;
    const absl::Status status =
        find_path(reader, path, UnknownSize::IsLeftOut, [&](const FoundPath& file) {
          if (!output.status().ok()) return;
          is_printed = print_file(reader, file, output) && is_printed;
          is_damaged = log_damage(reader, file.attributes.inode, file.path) || is_damaged;
        });
    if (!status.ok()) is_printed = fail(path, status);
    is_good = is_printed && is_good;
  }
  if (!is_good) return ExitCode::Failed;
  return is_damaged ? ExitCode::Damaged : ExitCode::Good;
}

}  // namespace scidfs::fs
