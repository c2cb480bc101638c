// Why nobody may mount where a container, or a service, was started without the right to.
#pragma once

#include <filesystem>
#include <string>

namespace scidfs::fs {

// What whoever started this process keeps it from, as far as mounts go.
struct Confinement {
  bool has_administrators = true;     // CAP_SYS_ADMIN is within reach: without it nobody mounts
  bool lets_programs_be_root = true;  // those that belong to root and have the bit: fusermount3
  std::string profile = {};           // of AppArmor; empty: none
};

// That of this process. `root` is where the system's files are.
Confinement confinement(const std::filesystem::path& root = "/");

// Whole sentences to follow what a refused mount is said to have failed of, each after a full stop:
// how to start the container or the service. Empty if nothing of that kind is in the way.
std::string confinement_advice(const Confinement& confinement, bool is_root);

}  // namespace scidfs::fs
