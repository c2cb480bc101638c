#include "fs/sandbox/privileges.h"

#include <cap-ng.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

namespace scidfs::fs {
namespace {

absl::Status privilege_failure(const std::string& what) {
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
      return absl::NotFoundError(fmt::format("no such user: '{}'", name));
    }
  }
  return User{
      .name = entry.pw_name, .uid = entry.pw_uid, .gid = entry.pw_gid, .home = entry.pw_dir};
}

absl::Status become(const User& user) {
  assert(::geteuid() == 0);
  // In this order: each step needs the privileges that the next one drops.
  if (::initgroups(user.name.c_str(), user.gid) != 0 ||
      ::setresgid(user.gid, user.gid, user.gid) != 0 ||
      ::setresuid(user.uid, user.uid, user.uid) != 0) {
    return privilege_failure("become the user " + user.name);
  }
  // A leak checker reads its own process, which a change of user forbids.
  if constexpr (SCIDFS_INSTRUMENTED) ::prctl(PR_SET_DUMPABLE, 1);
  return absl::OkStatus();
}

absl::Status act_as(const User& user, const std::function<absl::Status()>& work) {
  assert(::geteuid() == 0);
  const gid_t group = ::getegid();
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  if (::getgroups(static_cast<int>(groups.size()), groups.data()) < 0 ||
      ::initgroups(user.name.c_str(), user.gid) != 0 || ::setegid(user.gid) != 0 ||
      ::seteuid(user.uid) != 0) {
    return privilege_failure("act as the user " + user.name);
  }
  absl::Status status = work();
  if (::seteuid(0) != 0 || ::setegid(group) != 0 ||
      ::setgroups(groups.size(), groups.data()) != 0) {
    return privilege_failure("act as root again");
  }
  return status;
}

bool has_capability(unsigned capability) {
  return ::capng_get_caps_process() == 0 &&
         ::capng_have_capability(CAPNG_EFFECTIVE, capability) != 0;
}

absl::Status keep_capabilities(std::span<const unsigned> capabilities) {
  if (::capng_get_caps_process() != 0)
    return privilege_failure("see the capabilities of this process");
  constexpr std::array<capng_type_t, 2> kSets = {CAPNG_EFFECTIVE, CAPNG_PERMITTED};
  std::vector<std::pair<capng_type_t, unsigned>> kept;
  for (const capng_type_t set : kSets) {
    for (const unsigned capability : capabilities) {
      if (::capng_have_capability(set, capability) != 0) kept.emplace_back(set, capability);
    }
  }
  ::capng_clear(CAPNG_SELECT_CAPS);
  for (const auto& [set, capability] : kept) ::capng_update(CAPNG_ADD, set, capability);
  if (::capng_apply(CAPNG_SELECT_CAPS) != 0) return privilege_failure("give up capabilities");
  return absl::OkStatus();
}

}  // namespace scidfs::fs
