#include "fs/mount/real_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "fs/mount/advice.h"
#include "fs/mount/option_values.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

absl::Status failure(std::string_view action, const stdfs::path& path,
                     const std::error_code& error) {
  return absl::NotFoundError(
      fmt::format("Cannot {} {}: {}", action, path.string(), with_advice(error.message(), path)));
}

stdfs::path real_parents(const stdfs::path& path, std::error_code& error) {
  const stdfs::path name = path.filename();
  if (name.empty() || name == "." || name == "..") return stdfs::canonical(path, error);
  const stdfs::path parent = stdfs::canonical(path.parent_path(), error);
  return parent / name;
}

// The mount point may be dead, so this function follows the links to it.
stdfs::path real_mountpoint(const stdfs::path& mountpoint, std::error_code& error) {
  constexpr int kMostLinks = 40;
  stdfs::path real = real_parents(mountpoint, error);
  for (int i = 0; i < kMostLinks && !error; ++i) {
    std::error_code no_link;
    const stdfs::path target = stdfs::read_symlink(real, no_link);
    if (no_link) break;
    real = real_parents(absolute_path((real.parent_path() / target).native()), error);
  }
  return real;
}

}  // namespace

absl::StatusOr<stdfs::path> locate(const stdfs::path& path) {
  std::error_code error;
  stdfs::path real = real_parents(path, error);
  if (error) return failure("open", path, error);
  return real;
}

absl::Status resolve_paths(MountOptions& options) {
  const absl::StatusOr<stdfs::path> source = locate(options.source);
  if (!source.ok()) return source.status();
  std::error_code error;
  const stdfs::path mountpoint = real_mountpoint(options.mountpoint, error);
  if (error) return failure("mount on", options.mountpoint, error);
  options.source = *source;
  options.mountpoint = mountpoint;
  const auto is_name = [](std::string_view option) { return option.starts_with("fsname="); };
  if (std::ranges::none_of(options.fuse_options, is_name)) {
    options.fuse_options.push_back("fsname=" + source->string());
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
