// The locked door: what the daemon could do if a database took it over.
//
// Behind it the process reads its source, writes its cache folder, answers the kernel's requests,
// and nothing else: Landlock (landlock.h) keeps files from it, seccomp (syscall_filter.h) system
// calls, no_new_privs and the lost capabilities all help from outside.
#pragma once

#include <absl/status/status.h>

#include <filesystem>

namespace scidfs::fs {

enum class SandboxMode {
  Auto,    // what the kernel can do; a line in the log if something is missing
  Strict,  // all of it or no mount, and a forbidden system call ends the daemon
  Off,
};

struct SandboxOptions {
  SandboxMode mode = SandboxMode::Auto;
  std::filesystem::path source;        // a folder; or a database, then its folder stays readable
  std::filesystem::path cache_folder;  // made if it is missing; empty: nothing can be written
  bool follow_links = false;           // those of databases out of the source, as they are now
};

// Whether this kernel and this build can do all. Never in a build with a sanitizer, which asks much
// more of the system than the program does.
bool can_lock_the_door();

// Locks the process in, for good. Errors: Strict wants what is not there, or the kernel refuses
// what it offers. REQUIRES: no other thread is running.
absl::Status lock_the_door(const SandboxOptions& options);

}  // namespace scidfs::fs
