#include "fs/sandbox/sandbox.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

#include "fs/base/log.h"
#include "fs/sandbox/landlock.h"
#include "fs/sandbox/privileges.h"
#include "fs/sandbox/syscall_filter.h"

namespace scidfs::fs {
namespace {

constexpr bool kInstrumented = SCIDFS_INSTRUMENTED;

// Root reads the databases and folders of other users with these. Landlock limits what may be
// written.
constexpr std::array<unsigned, 2> kCapabilities = {CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE};

SandboxTask task_of(const SandboxOptions& options) {
  if (options.writes_files) return options.keeps_cache ? SandboxTask::Copy : SandboxTask::Write;
  if (options.only_reads) return options.keeps_cache ? SandboxTask::Get : SandboxTask::Read;
  return options.serves ? SandboxTask::Serve : SandboxTask::Mount;
}

// Adds the paths that every program needs, and every mount.
OpenPaths complete(OpenPaths paths, SandboxTask task) {
  paths.devices.emplace_back("/dev/null");
  if (task == SandboxTask::Mount) paths.devices.emplace_back("/dev/fuse");
  // The number of processors, for std::thread.
  paths.read.emplace_back("/sys/devices/system/cpu/online");
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
        "Cannot lock the sandbox as sandbox=strict wants: {}",
        kInstrumented ? "this is built with a sanitizer" : "the kernel lacks Landlock or seccomp"));
  }
  if (kInstrumented) return absl::OkStatus();
  // Reads the time zone while its file can be read: the system log needs local time.
  ::tzset();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return absl::InternalError(fmt::format("Cannot lock the sandbox: no_new_privs: {}",
                                           std::generic_category().message(errno)));
  }
  const SandboxTask task = task_of(options);
  absl::Status status;
  if (landlock_version() > 0) {
    // The filter of system calls also prevents signals to others, except the one that ends a
    // guardian's wait.
    status.Update(confine_files(complete(options.paths, task), !has_syscall_filter()));
  } else {
    log_warning("this kernel lacks Landlock: file access is not restricted");
  }
  status.Update(keep_capabilities(kCapabilities));
  if (!status.ok()) return status;
  if (has_syscall_filter()) {
    return confine_syscalls(is_strict ? Forbidden::Fatal : Forbidden::Refused, task);
  }
  log_warning("this kernel lacks seccomp: system calls are not restricted");
  return absl::OkStatus();
}

}  // namespace scidfs::fs
