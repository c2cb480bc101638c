#include "fs/sandbox/sandbox.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

#include "codec/scid/format.h"
#include "fs/base/log.h"
#include "fs/file/folder.h"
#include "fs/library/source_format.h"
#include "fs/sandbox/landlock.h"
#include "fs/sandbox/privileges.h"
#include "fs/sandbox/syscall_filter.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr bool kInstrumented = SCIDFS_INSTRUMENTED;

// Databases and their folders belong to others as well: root reads them by this. What may be
// written is the affair of Landlock.
constexpr std::array<unsigned, 2> kCapabilities = {CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE};

bool is_shown(const stdfs::path& path) { return is_part_of_any(source_formats(), path); }

// The folders that links of databases and the like lead to, in all folders below the source.
std::vector<stdfs::path> link_targets(const stdfs::path& source) {
  std::vector<stdfs::path> targets;
  std::error_code error;
  constexpr auto kOptions = stdfs::directory_options::skip_permission_denied;
  for (stdfs::recursive_directory_iterator it(source, kOptions, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code nowhere;
    if (!is_shown(it->path()) || !it->is_symlink(nowhere)) continue;
    const stdfs::path target = stdfs::canonical(it->path(), nowhere);
    if (!nowhere) targets.push_back(target.parent_path());
  }
  return targets;
}

OpenPaths open_paths(const SandboxOptions& options) {
  OpenPaths paths;
  paths.devices = {"/dev/fuse", "/dev/null"};
  // How many processors there are, which std::thread wants to know.
  paths.read.emplace_back("/sys/devices/system/cpu/online");
  std::error_code error;
  const stdfs::path source = stdfs::canonical(options.source, error);
  if (stdfs::is_directory(source, error)) {
    paths.read.push_back(source);
    if (options.follow_links) paths.read_by_name = link_targets(source);
  } else {
    // The folder, because a program may save a database by putting a new file in its place.
    paths.read_by_name.push_back(source.parent_path());
    const codec::scid::Format* const format =
        codec::scid::format_of_index(source.extension().string());
    if (options.follow_links && format != nullptr) {
      for (const std::string_view suffix : {format->names_suffix, format->games_suffix}) {
        const stdfs::path file = stdfs::path(source).replace_extension(suffix);
        const stdfs::path target = stdfs::canonical(file, error);
        if (!error) paths.read_by_name.push_back(target.parent_path());
      }
    }
  }
  if (!options.cache_folder.empty()) {
    // Whoever wants to write there will say that it cannot be made.
    make_folders(options.cache_folder).IgnoreError();
    paths.write.push_back(options.cache_folder);
  }
  return paths;
}

}  // namespace

bool can_lock_the_door() {
  return !kInstrumented && landlock_version() > 0 && has_syscall_filter();
}

absl::Status lock_the_door(const SandboxOptions& options) {
  if (options.mode == SandboxMode::Off) return absl::OkStatus();
  const bool is_strict = options.mode == SandboxMode::Strict;
  if (is_strict && !can_lock_the_door()) {
    return absl::FailedPreconditionError(fmt::format(
        "Cannot confine the daemon as sandbox=strict wants: {}",
        kInstrumented ? "it is built with a sanitizer" : "the kernel lacks Landlock or seccomp"));
  }
  if (kInstrumented) return absl::OkStatus();
  // Read once, while the file can be read: the system's log wants local time.
  ::tzset();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return absl::InternalError(fmt::format("Cannot confine the daemon: no_new_privs: {}",
                                           std::generic_category().message(errno)));
  }
  absl::Status status;
  if (landlock_version() > 0) {
    status.Update(confine_files(open_paths(options)));
  } else {
    log_warning("this kernel has no Landlock: the daemon is not kept from other files");
  }
  status.Update(keep_capabilities(kCapabilities));
  if (!status.ok()) return status;
  if (has_syscall_filter()) {
    return confine_syscalls(is_strict ? Forbidden::Fatal : Forbidden::Refused);
  }
  log_warning("no seccomp here: the daemon is not kept from any system call");
  return absl::OkStatus();
}

}  // namespace scidfs::fs
