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

// Returns the number of the mount that an open folder is in. Asks the kernel, since a dead mount
// answers nothing. Empty if it is unknown.
std::string mount_number(int folder) {
  std::ifstream facts(fmt::format("/proc/self/fdinfo/{}", folder));
  for (std::string word; facts >> word;) {
    if (word == "mnt_id:" && facts >> word) return word;
  }
  return "";
}

// Returns a field of the table, in which the kernel writes some bytes as three octal digits.
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
  const bool is_root = ::geteuid() == 0;
  if (is_root ? ::umount2(place.c_str(), UMOUNT_NOFOLLOW) == 0
              : run_fusermount(std::array{"-u", "--", place.c_str()})) {
    await_removal(shown);
    return absl::OkStatus();
  }
  const std::string reason =
      is_root ? std::generic_category().message(errno) : "fusermount3 refused";
  return absl::FailedPreconditionError(
      fmt::format("Cannot unmount {}: {}. If programs use it, close them, or run: {} {}", place,
                  reason, is_root ? "umount -l" : "fusermount3 -u -z", shell_word(place)));
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
    if (type != kTypeOfOurs) continue;
    mounts.push_back({.source = unescaped(source), .mountpoint = unescaped(mountpoint)});
  }
  return mounts;
}

std::string mounted_type(const MountPlace& place) {
  const Descriptor folder = place.open();
  const std::string number = folder.ok() ? mount_number(folder.get()) : "";
  if (number.empty() || number == mount_number(place.parent())) return "";
  constexpr std::string_view kBeforeType = " - ";  // paths have no blanks there
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    const std::size_t at = line.find(kBeforeType);
    if (!line.starts_with(number + ' ') || at == std::string::npos) continue;
    const std::string type = line.substr(at + kBeforeType.size());
    return type.substr(0, type.find(' '));
  }
  return "";
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
