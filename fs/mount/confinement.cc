#include "fs/mount/confinement.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include <fstream>

namespace scidfs::fs {

namespace {

// Returns the AppArmor profile. Another security module may own the file, so check which one runs.
std::string apparmor_profile(const std::filesystem::path& root) {
  char enabled = 'N';
  std::ifstream(root / "sys/module/apparmor/parameters/enabled") >> enabled;
  std::string profile;
  if (enabled == 'Y') std::getline(std::ifstream(root / "proc/self/attr/current"), profile);
  const bool confines = !profile.starts_with("unconfined") && !profile.ends_with("(complain)");
  return confines ? profile : "";
}

}  // namespace

Confinement confinement(const std::filesystem::path& root) {
  Confinement found;
  found.has_administrators = ::prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 0;
  found.lets_programs_be_root = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
  found.profile = apparmor_profile(root);
  return found;
}

std::string confinement_advice(const Confinement& confinement, bool is_root) {
  std::string advice;
  if (!confinement.has_administrators) {
    advice +=
        ". Nobody may mount here: a container must be started with --device /dev/fuse "
        "--cap-add SYS_ADMIN";
  }
  if (!is_root && !confinement.lets_programs_be_root) {
    advice +=
        ". fusermount3 cannot become root here: a container must be started without "
        "--security-opt no-new-privileges, a service with NoNewPrivileges=no";
  }
  if (!confinement.profile.empty()) {
    advice += fmt::format(
        ". AppArmor confines this program ({}): a container must be started with "
        "--security-opt apparmor=unconfined",
        confinement.profile);
  }
  return advice;
}

}  // namespace scidfs::fs
