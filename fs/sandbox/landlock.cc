#include "fs/sandbox/landlock.h"

#include <absl/status/status.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "fs/file/descriptor.h"

namespace scidfs::fs {
namespace {

// On Debian 12, <linux/landlock.h> ends with version 2. The code passes only the bits that the
// running kernel supports.
constexpr std::uint64_t kFilesOfVersion1 = (std::uint64_t{1} << 13) - 1;
constexpr std::uint64_t kRefer = std::uint64_t{1} << 13;        // version 2: move to other folders
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;     // version 3
constexpr std::uint64_t kDeviceIoctl = std::uint64_t{1} << 15;  // version 5
constexpr std::uint64_t kTcp = 0b11;                            // version 4: bind and connect
constexpr std::uint64_t kAbstractSockets = 0b01;                // version 6
constexpr std::uint64_t kSignals = 0b10;                        // the same

constexpr std::uint64_t kReadByName = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kRead = kReadByName | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWrite = kRead | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                 kTruncate;
constexpr std::uint64_t kDevice =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kDeviceIoctl;
// All rights that can be granted for something that is not a folder.
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_READ_FILE | kTruncate | kDeviceIoctl;

// landlock_ruleset_attr as of version 6. The kernel accepts one that is longer than its own if the
// additional members are zero.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t net = 0;
  std::uint64_t scopes = 0;
};

Ruleset known_to(int version, bool has_signals) {
  Ruleset all{.files = kFilesOfVersion1};
  if (version >= 2) all.files |= kRefer;
  if (version >= 3) all.files |= kTruncate;
  if (version >= 4) all.net = kTcp;
  if (version >= 5) all.files |= kDeviceIoctl;
  if (version >= 6) all.scopes = has_signals ? kAbstractSockets | kSignals : kAbstractSockets;
  return all;
}

absl::Status landlock_failure(const std::string& what) {
  return absl::InternalError(
      fmt::format("Cannot lock the sandbox: {}: {}", what, std::generic_category().message(errno)));
}

absl::Status allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  // A missing path cannot be opened later; its user reports the error.
  if (!place.ok()) return absl::OkStatus();
  struct stat status {};
  if (::fstat(place.get(), &status) != 0) return landlock_failure(path.string());
  if (!S_ISDIR(status.st_mode)) access &= kOfFiles;
  const landlock_path_beneath_attr rule{.allowed_access = access, .parent_fd = place.get()};
  if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    return landlock_failure(path.string());
  }
  return absl::OkStatus();
}

}  // namespace

int landlock_version() {
  const auto version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0,
                                 std::uint32_t{LANDLOCK_CREATE_RULESET_VERSION});
  return version > 0 ? static_cast<int>(version) : 0;
}

absl::Status confine_files(const OpenPaths& paths, bool with_signals) {
  assert(landlock_version() > 0);
  assert(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
  const Ruleset all = known_to(landlock_version(), with_signals);
  const Descriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0)));
  if (!ruleset.ok()) return landlock_failure("Landlock");
  const auto allow_all = [&](const std::vector<std::filesystem::path>& places,
                             std::uint64_t access) {
    absl::Status status;
    for (const std::filesystem::path& place : places) {
      status.Update(allow(ruleset.get(), place, access & all.files));
    }
    return status;
  };
  absl::Status status = allow_all(paths.read, kRead);
  status.Update(allow_all(paths.read_by_name, kReadByName));
  status.Update(allow_all(paths.write, kWrite));
  status.Update(allow_all(paths.devices, kDevice));
  if (!status.ok()) return status;
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    return landlock_failure("Landlock");
  return absl::OkStatus();
}

}  // namespace scidfs::fs
