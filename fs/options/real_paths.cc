#include "fs/options/real_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "fs/base/status_macros.h"
#include "fs/options/advice.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

stdfs::path real_parents(const stdfs::path& path, std::error_code& error) {
  const stdfs::path name = path.filename();
  if (name.empty() || name == "." || name == "..") return stdfs::canonical(path, error);
  const stdfs::path parent = stdfs::canonical(path.parent_path(), error);
  return parent / name;
}

}  // namespace

absl::StatusOr<stdfs::path> locate(const stdfs::path& path) {
  std::error_code error;
  stdfs::path real = real_parents(path, error);
  if (error) {
    return absl::NotFoundError(
        fmt::format("Cannot open {}: {}", path.string(), with_advice(error.message(), path)));
  }
  return real;
}

absl::StatusOr<stdfs::path> resolve_source(MountOptions& options) {
  ASSIGN_OR_RETURN(const stdfs::path source, locate(options.source));
  options.source = source;
  const auto is_name = [](std::string_view option) { return option.starts_with("fsname="); };
  if (std::ranges::none_of(options.fuse_options, is_name)) {
    options.fuse_options.push_back("fsname=" + source.string());
  }
  std::error_code error;
  return stdfs::weakly_canonical(source, error);
}

}  // namespace scidfs::fs
