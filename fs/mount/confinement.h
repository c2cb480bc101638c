// Explains why a process may not mount: the system lacks FUSE or keeps it from this user, or a
// container or service was started without the right to.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scidfs::fs {

// The restrictions on this process that concern mounting.
struct Confinement {
  bool has_administrators = true;     // CAP_SYS_ADMIN is available: no process mounts without it
  bool lets_programs_be_root = true;  // setuid programs of root work: fusermount3
  std::string profile = {};           // the AppArmor profile; empty: none
  std::string label = {};             // the domain that SELinux confines it to; empty: none
};

// Returns the restrictions of this process. `root`: the root folder of the system's files.
Confinement confinement(const std::filesystem::path& root = "/");

// Returns whole sentences to append to the error of a refused mount, each after a full stop: how to
// start the container or the service. Empty if no restriction of that kind applies.
std::string confinement_advice(const Confinement& confinement, bool is_root);

// Returns why /dev/fuse cannot be opened, and what to do. `error`: the errno of opening it.
std::string device_advice(int error, const std::filesystem::path& root = "/");

// What works without FUSE: the end of an advice.
inline constexpr std::string_view kWithoutMount = ". Without a mount: scidfs serve, scidfs get";

}  // namespace scidfs::fs
