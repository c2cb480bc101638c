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
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

namespace filesystem = std::filesystem;

absl::Status cannot(const filesystem::path& mountpoint, std::string_view why) {
  return absl::FailedPreconditionError(
      fmt::format("Cannot mount on {}: {}", mountpoint.string(), why));
}

// The type of the newest mount on a path, from the kernel's table: a dead one can be asked nothing.
// Empty if nothing is mounted there.
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

// The folder's real path; that of the mount point itself may be dead, so only its parent is asked,
// and links to it are followed by hand.
filesystem::path real_path(filesystem::path mountpoint) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    const filesystem::path target = filesystem::read_symlink(mountpoint, error);
    if (error) break;
    mountpoint = (mountpoint.parent_path() / target).lexically_normal();
    if (!mountpoint.has_filename()) mountpoint = mountpoint.parent_path();
  }
  const filesystem::path parent = filesystem::canonical(mountpoint.parent_path(), error);
  return error ? mountpoint : parent / mountpoint.filename();
}

std::string find_program(const char* name) {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
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
  // Root mounts by itself, for others fusermount3 does; libfuse opens the device either way.
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

absl::Status prepare_mountpoint(const filesystem::path& mountpoint,
                                const filesystem::path& source) {
  const filesystem::path real = real_path(mountpoint);
  struct statvfs usage {};
  // statvfs, because the kernel answers stat of a dead mount from its cache.
  if (::statvfs(real.c_str(), &usage) != 0) {
    if (errno != ENOTCONN) return cannot(mountpoint, std::generic_category().message(errno));
    if (mounted_type(real) != "fuse.scidfs" || !unmount_lazily(real)) {
      return cannot(mountpoint,
                    fmt::format("{} (its daemon is gone). Run: fusermount3 -u {}",
                                std::generic_category().message(ENOTCONN), mountpoint.string()));
    }
    log_info(
        fmt::format("cleaned up {}, the daemon of an earlier mount is gone", mountpoint.string()));
  } else if (mounted_type(real) == "fuse.scidfs") {
    return cannot(mountpoint, fmt::format("scidfs is mounted there already. Run: fusermount3 -u {}",
                                          mountpoint.string()));
  }

  std::error_code error;
  if (!filesystem::is_directory(mountpoint, error)) {
    return cannot(mountpoint, error ? error.message() : "Not a directory");
  }
  // The daemon would read its databases through itself.
  const filesystem::path hidden = filesystem::canonical(mountpoint, error);
  const filesystem::path shown = filesystem::weakly_canonical(source, error);
  if (std::mismatch(hidden.begin(), hidden.end(), shown.begin(), shown.end()).first ==
      hidden.end()) {
    return cannot(mountpoint, fmt::format("it would hide {}", source.string()));
  }
  return check_device(mountpoint);
}

}  // namespace scidfs::fs
