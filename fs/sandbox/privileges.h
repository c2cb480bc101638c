// Finds users and drops privileges.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace scidfs::fs {

struct User {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;  // the primary group
  std::filesystem::path home;
};

// Returns a user of the user database, by name or else by number. NotFound if there is none.
absl::StatusOr<User> find_user(const std::string& name);

// Changes the process to that user with their groups, permanently. Resets what Background has set
// in the kernel for the end of the parent. REQUIRES: root; no other thread.
absl::Status become(const User& user);

// Runs `work` with the rights of that user and their groups: it finds no file that the user cannot
// find. Resets the same settings. REQUIRES: root; no other thread.
absl::Status act_as(const User& user, const std::function<absl::Status()>& work);

// Returns whether the process may use a capability now (CAP_... of <linux/capability.h>).
bool has_capability(unsigned capability);

// Drops all capabilities except these (CAP_... of <linux/capability.h>), permanently. Adds none:
// nothing changes for ordinary users. REQUIRES: no other thread.
absl::Status keep_capabilities(std::span<const unsigned> capabilities);

}  // namespace scidfs::fs
