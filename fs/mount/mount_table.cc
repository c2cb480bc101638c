#include "fs/mount/mount_table.h"

#include <fmt/format.h>
#include <mntent.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <system_error>
#include <thread>

#include "fs/base/shell_word.h"
#include "fs/mount/fusermount.h"
#include "fs/mount/own_place.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// A mount that has made its folder takes it away when it has ended.
void await_removal(const ShownMount& unmounted) {
  const auto places = own_places(unmounted.source);
  if (std::ranges::find(places, unmounted.mountpoint) == places.end()) return;
  constexpr std::chrono::milliseconds kPause{5};
  constexpr int kMostPauses = 100;
  for (int i = 0; i < kMostPauses && ::access(unmounted.mountpoint.c_str(), F_OK) == 0; ++i) {
    std::this_thread::sleep_for(kPause);
  }
}

absl::Status unmount(const ShownMount& shown) {
  const std::string& place = shown.mountpoint.native();
  const std::array<const char*, 3> arguments = {"-u", "--", place.c_str()};
  std::string reason = "fusermount3 refused";
  if (::geteuid() != 0 ? run_fusermount(arguments)
                       : ::umount2(place.c_str(), UMOUNT_NOFOLLOW) == 0) {
    await_removal(shown);
    return absl::OkStatus();
  }
  if (::geteuid() == 0) reason = std::generic_category().message(errno);
  return absl::FailedPreconditionError(
      fmt::format("Cannot unmount {}: {}. If programs use it, close them, or run: {} {}", place,
                  reason, ::geteuid() == 0 ? "umount -l" : "fusermount3 -u -z", shell_word(place)));
}

}  // namespace

std::vector<ShownMount> mounts_of_ours() {
  std::vector<ShownMount> mounts;
  const std::unique_ptr<FILE, int (*)(FILE*)> table(::setmntent("/proc/self/mounts", "re"),
                                                    &::endmntent);
  if (table == nullptr) return mounts;
  constexpr std::size_t kLongestLine = std::size_t{3} << 12;  // two paths and options
  std::array<char, kLongestLine> line{};
  mntent entry{};
  while (::getmntent_r(table.get(), &entry, line.data(), static_cast<int>(line.size())) !=
         nullptr) {
    if (std::string_view(entry.mnt_type) == "fuse.scidfs") {
      mounts.push_back({.source = entry.mnt_fsname, .mountpoint = entry.mnt_dir});
    }
  }
  return mounts;
}

bool is_mount_of_ours(const stdfs::path& mountpoint) {
  const std::vector<ShownMount> mounts = mounts_of_ours();
  return std::ranges::find(mounts, mountpoint, &ShownMount::mountpoint) != mounts.end();
}

absl::Status unmount_shown(const stdfs::path& path, void (*tell)(const ShownMount& unmounted)) {
  std::vector<ShownMount> mounts = mounts_of_ours();
  std::erase_if(mounts, [&](const ShownMount& shown) {
    return shown.mountpoint != path && shown.source != path.native();
  });
  if (mounts.empty()) {
    return absl::NotFoundError(
        fmt::format("Nothing to unmount: no scidfs shows {}, or is mounted there", path.string()));
  }
  absl::Status status;
  std::ranges::reverse(mounts);
  for (const ShownMount& shown : mounts) {
    const absl::Status ended = unmount(shown);
    if (ended.ok()) tell(shown);
    status.Update(ended);
  }
  return status;
}

}  // namespace scidfs::fs
