// Who a process is, and becoming less.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string>

namespace scidfs::fs {

struct User {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;  // the primary group
  std::filesystem::path home;
};

// Someone of the user database, by name or else by number. NotFound if there is nobody.
absl::StatusOr<User> find_user(const std::string& name);

// Makes the process one of that user with his groups, for good. REQUIRES: root; no other thread.
// Makes the kernel forget what Background has asked of it for the end of the parent.
absl::Status become(const User& user);

// Gives up all capabilities but these (CAP_... of <linux/capability.h>), for good. Those that are
// not there are not gained: nothing changes for ordinary users. REQUIRES: no other thread.
absl::Status keep_capabilities(std::span<const unsigned> capabilities);

}  // namespace scidfs::fs
