#include "fs/mount/mountpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <mntent.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "fs/base/log.h"
#include "fs/file/folder.h"
#include "fs/mount/advice.h"
#include "fs/mount/real_paths.h"

namespace scidfs::fs {
namespace {

namespace filesystem = std::filesystem;

absl::Status cannot(const filesystem::path& mountpoint, std::string_view why) {
  return absl::FailedPreconditionError(
      fmt::format("Cannot mount on {}: {}", mountpoint.string(), why));
}

// Returns the type of the newest mount on a path, from the kernel's table, since a dead mount
// answers nothing. Empty if nothing is mounted there.
std::string mounted_type(const filesystem::path& path) {
  struct Close {
    void operator()(std::FILE* file) const { endmntent(file); }
  };
  std::string type;
  const std::unique_ptr<std::FILE, Close> table(setmntent("/proc/self/mounts", "r"));
  if (table == nullptr) return type;
  mntent entry{};
  std::array<char, 16384> text{};
  while (getmntent_r(table.get(), &entry, text.data(), static_cast<int>(text.size())) != nullptr) {
    if (path == entry.mnt_dir) type = entry.mnt_type;
  }
  return type;
}

std::string find_program(const char* name) {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): never set
  std::string_view folders = path != nullptr ? path : "";
  const std::string all = std::string(folders) + ":/usr/bin:/bin:/usr/local/bin";
  for (folders = all; !folders.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    std::string program = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

absl::Status check_device(const filesystem::path& mountpoint) {
  // Root mounts directly, other users by fusermount3; libfuse opens the device in both cases.
  const int file = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (file < 0) {
    switch (errno) {
      case ENOENT:
      case ENODEV:
      case ENXIO:
        return cannot(mountpoint,
                      "there is no /dev/fuse. Run as root: modprobe fuse; a container must be "
                      "started with --device /dev/fuse --cap-add SYS_ADMIN");
      case EACCES:
        return cannot(mountpoint,
                      "/dev/fuse is closed to this user. Run as root: chmod 666 /dev/fuse");
      case EPERM:  // the file exists, but the control group denies the device
        return cannot(mountpoint,
                      "this container may not use /dev/fuse, it must be started with --device "
                      "/dev/fuse --cap-add SYS_ADMIN");
      default:
        return cannot(mountpoint,
                      fmt::format("/dev/fuse: {}", std::generic_category().message(errno)));
    }
  }
  ::close(file);
  if (::geteuid() != 0 && find_program("fusermount3").empty()) {
    return cannot(mountpoint, "the program fusermount3 is missing, install the package fuse3");
  }
  return absl::OkStatus();
}

// Returns 0, or the errno that tells whether the mount at a path is alive. Uses statvfs, because
// the kernel answers stat of a dead mount from its cache.
int ask(const filesystem::path& mountpoint) {
  struct statvfs usage {};
  return ::statvfs(mountpoint.c_str(), &usage) == 0 ? 0 : errno;
}

// Returns the same after a daemon that was killed a moment ago has ended completely. Until its
// guardian has unmounted, requests are aborted (ECONNABORTED) or wait. Then the mount is gone, or
// it has no guardian and is permanently dead (ENOTCONN).
int ask_patiently(const filesystem::path& mountpoint) {
  constexpr std::chrono::milliseconds kPause{5};
  constexpr std::chrono::seconds kPatience{3};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (int error = ask(mountpoint);; error = ask(mountpoint)) {
    const bool has_gone = error == ENOTCONN && mounted_type(mountpoint).empty();
    if (error != ECONNABORTED && !has_gone) return error;
    if (std::chrono::steady_clock::now() > end) return error;
    std::this_thread::sleep_for(kPause);
  }
}

absl::Status missing(const filesystem::path& mountpoint) {
  const std::string problem = std::generic_category().message(ENOENT);
  std::string advice = with_advice(problem, mountpoint);
  if (advice == problem) advice += fmt::format(". Make it first: mkdir -p {}", mountpoint.string());
  return cannot(mountpoint, advice);
}

absl::Status clean_up(const filesystem::path& mountpoint) {
  const int error = ask_patiently(mountpoint);
  if (error == ENOENT) return missing(mountpoint);
  const bool is_dead = error == ENOTCONN || error == ECONNABORTED;
  if (error != 0 && !is_dead) return cannot(mountpoint, std::generic_category().message(error));
  const bool is_ours = mounted_type(mountpoint) == "fuse.scidfs";
  if (!is_dead) {
    return is_ours ? cannot(mountpoint,
                            fmt::format("scidfs is mounted there already. Run: fusermount3 -u {}",
                                        mountpoint.string()))
                   : absl::OkStatus();
  }
  if (is_ours && unmount_lazily(mountpoint)) {
    log_info(
        fmt::format("cleaned up {}, the daemon of an earlier mount is gone", mountpoint.string()));
    return absl::OkStatus();
  }
  return cannot(mountpoint,
                fmt::format("{} (its daemon is gone). Run: fusermount3 -u {}",
                            std::generic_category().message(error), mountpoint.string()));
}

// Rejects places that the system needs, and places that the mount would show inside itself.
absl::Status check_place(const filesystem::path& mountpoint, const filesystem::path& source) {
  if (!mountpoint.has_relative_path()) return cannot(mountpoint, "it would hide all files");
  for (const char* const system : {"/proc", "/sys", "/dev"}) {
    if (is_at_or_below(mountpoint, system)) {
      return cannot(mountpoint, fmt::format("the system needs what is in {}", system));
    }
  }
  std::error_code error;
  const filesystem::path shown = filesystem::weakly_canonical(source, error);
  if (is_at_or_below(shown, mountpoint)) {
    return cannot(mountpoint, fmt::format("it would hide {}", source.string()));
  }
  if (is_at_or_below(mountpoint, shown)) {
    return cannot(mountpoint,
                  fmt::format("it lies in {}, which is to be shown there. Take a folder "
                              "outside of it",
                              source.string()));
  }
  return absl::OkStatus();
}

}  // namespace

bool unmount_lazily(const filesystem::path& mountpoint) {
  if (::umount2(mountpoint.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) == 0) return true;
  const std::string program = find_program("fusermount3");
  if (program.empty()) return false;
  std::array<const char*, 6> arguments = {"fusermount3",      "-u",   "-z", "--",
                                          mountpoint.c_str(), nullptr};
  pid_t child = 0;
  if (::posix_spawn(&child, program.c_str(), nullptr, nullptr,
                    const_cast<char* const*>(arguments.data()), environ) != 0) {
    return false;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

absl::Status prepare_mountpoint(const MountOptions& options) {
  const filesystem::path& mountpoint = options.mountpoint;
  if (absl::Status status = check_place(mountpoint, options.source); !status.ok()) return status;
  if (absl::Status status = clean_up(mountpoint); !status.ok()) return status;
  std::error_code error;
  if (!filesystem::is_directory(mountpoint, error)) {
    return cannot(mountpoint, std::generic_category().message(error ? error.value() : ENOTDIR));
  }
  if (!options.nonempty && !filesystem::is_empty(mountpoint, error) && !error) {
    log_warning(fmt::format("{} is not empty: what is in it is hidden until it is unmounted",
                            mountpoint.string()));
  }
  return check_device(mountpoint);
}

}  // namespace scidfs::fs
