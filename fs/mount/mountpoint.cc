#include "fs/mount/mountpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/folder.h"
#include "fs/mount/confinement.h"
#include "fs/mount/fusermount.h"
#include "fs/mount/mount_table.h"
#include "fs/mount/own_place.h"
#include "fs/options/advice.h"

namespace scidfs::fs {
namespace {

namespace filesystem = std::filesystem;

absl::Status cannot(const filesystem::path& mountpoint, std::string_view why) {
  return absl::FailedPreconditionError(
      fmt::format("Cannot mount on {}: {}", mountpoint.string(), why));
}

absl::Status check_device(const filesystem::path& mountpoint) {
  // Root mounts directly, others by fusermount3; the device is opened in both cases.
  const int file = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (file < 0) return cannot(mountpoint, device_advice(errno));
  ::close(file);
  if (::geteuid() != 0 && find_fusermount().empty()) {
    return cannot(mountpoint, fmt::format("the program fusermount3 is missing, install the "
                                          "package fuse3{}",
                                          kWithoutMount));
  }
  return absl::OkStatus();
}

// Returns 0, or the errno that tells whether the mount at a place is alive. Uses statvfs, because
// the kernel answers stat of a dead mount from its cache.
int ask(const MountPlace& place) {
  struct statvfs usage {};
  const Descriptor folder = place.open();
  return folder.ok() && ::fstatvfs(folder.get(), &usage) == 0 ? 0 : errno;
}

// Returns the same after a daemon that was killed a moment ago has ended completely. Until its
// guardian has unmounted, requests are aborted (ECONNABORTED) or wait. Then the mount is gone, or
// it has no guardian and is permanently dead (ENOTCONN).
int ask_patiently(const MountPlace& place) {
  constexpr std::chrono::milliseconds kPause{5};
  constexpr std::chrono::seconds kPatience{3};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (int error = ask(place);; error = ask(place)) {
    const bool has_gone = error == ENOTCONN && mounted_type(place).empty();
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

absl::Status clean_up(const MountPlace& place) {
  const filesystem::path& mountpoint = place.path();
  const int error = ask_patiently(place);
  if (error == ENOENT) return missing(mountpoint);
  const bool is_dead = error == ENOTCONN || error == ECONNABORTED;
  if (error != 0 && !is_dead) return cannot(mountpoint, std::generic_category().message(error));
  const bool is_ours = mounted_type(place) == kTypeOfOurs;
  if (!is_dead) {
    return is_ours ? cannot(mountpoint,
                            fmt::format("scidfs is mounted there already. Run: fusermount3 -u {}",
                                        mountpoint.string()))
                   : absl::OkStatus();
  }
  if (is_ours && unmount_lazily(place, place.open())) {
    log_info(
        fmt::format("cleaned up {}, the daemon of an earlier mount is gone", mountpoint.string()));
    return absl::OkStatus();
  }
  return cannot(mountpoint,
                fmt::format("{} (its daemon is gone). Run: fusermount3 -u {}",
                            std::generic_category().message(error), mountpoint.string()));
}

// Rejects places that the system needs, and places that the mount would show inside itself.
absl::Status check_place(const filesystem::path& mountpoint, const filesystem::path& source,
                         const filesystem::path& shown) {
  for (const char* const system : {"/proc", "/sys", "/dev"}) {
    if (is_at_or_below(mountpoint, system)) {
      return cannot(mountpoint, fmt::format("the system needs what is in {}", system));
    }
  }
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

bool unmount_lazily(const MountPlace& place, const Descriptor& mounted) {
  if (detach(mounted, false)) return true;
  // Of root, fusermount3 would unmount anything that the name leads to now.
  if (::geteuid() == 0) return false;
  return run_fusermount(std::array{"-u", "-z", "--", place.path().c_str()});
}

namespace {

// Takes the folder at a place, if a mount may cover it.
absl::Status take(MountPlace& place, const MountOptions& options, const filesystem::path& shown) {
  const filesystem::path& mountpoint = place.path();
  RETURN_IF_ERROR(check_place(mountpoint, options.source, shown));
  RETURN_IF_ERROR(clean_up(place));
  if (!place.take_folder()) return cannot(mountpoint, std::generic_category().message(errno));
  std::error_code error;
  const std::string folder = fmt::format("/proc/self/fd/{}", place.folder());
  if (!options.nonempty && !filesystem::is_empty(folder, error) && !error) {
    log_warning(fmt::format("{} is not empty: what is in it is hidden until it is unmounted",
                            mountpoint.string()));
  }
  return check_device(mountpoint);
}

}  // namespace

absl::StatusOr<MountPlace> prepare_mountpoint(const MountOptions& options,
                                              const filesystem::path& shown) {
  absl::StatusOr<MountPlace> place = options.mountpoint.empty()
                                         ? make_own_place(options.source)
                                         : MountPlace::find(options.mountpoint);
  if (!place.ok()) return place.status();
  if (absl::Status status = take(*place, options, shown); !status.ok()) {
    place->remove_made();
    return status;
  }
  return place;
}

}  // namespace scidfs::fs
