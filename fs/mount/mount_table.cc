#include "fs/mount/mount_table.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "fs/base/shell_word.h"
#include "fs/mount/fusermount.h"
#include "fs/mount/own_place.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Returns a field of the table, in which the kernel writes some bytes as \\ooo.
std::string unescaped(std::string_view field) {
  constexpr std::size_t kDigits = 3;
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = field.data() + i + 1;
    if (field[i] == '\\' && field.size() - i > kDigits &&
        std::from_chars(digits, digits + kDigits, byte, 8).ptr == digits + kDigits) {
      text += static_cast<char>(byte);
      i += kDigits;
    } else {
      text += field[i];
    }
  }
  return text;
}

// Returns the mounts at a path, or of it.
std::vector<ShownMount> mounts_at(const stdfs::path& path) {
  std::vector<ShownMount> mounts = mounts_of_ours();
  const auto is_meant = [&](const ShownMount& shown) {
    return shown.mountpoint == path || shown.source == path.native();
  };
  if (std::ranges::none_of(mounts, is_meant)) {
    // Only now, since a server may hang: by links.
    std::error_code error;
    const stdfs::path real = stdfs::canonical(path, error);
    if (error) return {};
    std::erase_if(mounts, [&](const ShownMount& shown) {
      return shown.mountpoint != real && stdfs::canonical(shown.source, error) != real;
    });
    return mounts;
  }
  std::erase_if(mounts, std::not_fn(is_meant));
  return mounts;
}

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
  std::ifstream table("/proc/self/mounts");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string source;
    std::string mountpoint;
    std::string type;
    for (std::string* const field : {&source, &mountpoint, &type}) {
      std::getline(fields, *field, ' ');
    }
    if (type != "fuse.scidfs") continue;
    mounts.push_back({.source = unescaped(source), .mountpoint = unescaped(mountpoint)});
  }
  return mounts;
}

bool is_mount_of_ours(const stdfs::path& mountpoint) {
  const std::vector<ShownMount> mounts = mounts_of_ours();
  return std::ranges::find(mounts, mountpoint, &ShownMount::mountpoint) != mounts.end();
}

absl::Status unmount_shown(const stdfs::path& path, void (*tell)(const ShownMount& unmounted)) {
  std::vector<ShownMount> mounts = mounts_at(path);
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
