#include "fs/sandbox/privileges.h"

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <vector>

namespace scidfs::fs {
namespace {

absl::Status failure(const std::string& what) {
  return absl::InternalError(
      fmt::format("Cannot {}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

absl::StatusOr<User> find_user(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> text(std::size_t{1} << 16);
  if (::getpwnam_r(name.c_str(), &entry, text.data(), text.size(), &found) != 0 ||
      found == nullptr) {
    uid_t number = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, number);
    const bool is_number = error == std::errc() && stop == end;
    if (!is_number || ::getpwuid_r(number, &entry, text.data(), text.size(), &found) != 0 ||
        found == nullptr) {
      return absl::NotFoundError(fmt::format("there is no user '{}'", name));
    }
  }
  return User{
      .name = entry.pw_name, .uid = entry.pw_uid, .gid = entry.pw_gid, .home = entry.pw_dir};
}

absl::Status become(const User& user) {
  // In this order: each step needs what the next one gives up.
  if (::initgroups(user.name.c_str(), user.gid) != 0 ||
      ::setresgid(user.gid, user.gid, user.gid) != 0 ||
      ::setresuid(user.uid, user.uid, user.uid) != 0) {
    return failure("become the user " + user.name);
  }
  // A change of user forbids what a leak checker does: to look into its own process.
  if constexpr (SCIDFS_INSTRUMENTED) ::prctl(PR_SET_DUMPABLE, 1);
  return absl::OkStatus();
}

absl::Status keep_capabilities(std::span<const unsigned> capabilities) {
  std::array<std::uint32_t, _LINUX_CAPABILITY_U32S_3> wanted{};
  for (const unsigned capability : capabilities) {
    wanted.at(capability / 32) |= std::uint32_t{1} << capability % 32;
  }
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  bool good = ::syscall(SYS_capget, &header, sets.data()) == 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sets[i].effective &= wanted[i];
    sets[i].permitted &= wanted[i];
    sets[i].inheritable = 0;
  }
  good = good && ::syscall(SYS_capset, &header, sets.data()) == 0;
  return good ? absl::OkStatus() : failure("give up capabilities");
}

}  // namespace scidfs::fs
