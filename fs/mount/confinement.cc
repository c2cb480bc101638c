#include "fs/mount/confinement.h"

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace scidfs::fs {

namespace {

std::string first_line(const std::filesystem::path& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

// The security module that runs owns the file with the profile or domain of a process.
std::string current_label(const std::filesystem::path& root) {
  std::string label = first_line(root / "proc/self/attr/current");
  while (label.ends_with('\0')) label.pop_back();
  return label;
}

std::string apparmor_profile(const std::filesystem::path& root) {
  if (first_line(root / "sys/module/apparmor/parameters/enabled") != "Y") return "";
  std::string profile = current_label(root);
  const bool confines = !profile.starts_with("unconfined") && !profile.ends_with("(complain)");
  return confines ? profile : "";
}

std::string selinux_domain(const std::filesystem::path& root) {
  if (first_line(root / "sys/fs/selinux/enforce") != "1") return "";
  std::string domain = current_label(root);
  return domain.find(":unconfined_t:") == std::string::npos ? domain : "";
}

// Returns whether Windows runs this without a kernel of Linux: its name of the kernel has a
// capital.
bool is_wsl1(const std::filesystem::path& root) {
  return first_line(root / "proc/version").find("-Microsoft") != std::string::npos;
}

// Returns how a user gets a right that a group has, or all.
std::string way_into(const std::filesystem::path& device) {
  struct stat facts {};
  if (::stat(device.c_str(), &facts) == 0 && (facts.st_mode & S_IWGRP) != 0) {
    std::array<char, 4096> room{};
    group entry{};
    group* found = nullptr;
    ::getgrgid_r(facts.st_gid, &entry, room.data(), room.size(), &found);
    if (found != nullptr && facts.st_gid != 0) {
      return fmt::format(
          "/dev/fuse is closed to this user. Run as root: usermod -a -G {} USER, and log in again",
          found->gr_name);
    }
  }
  return "/dev/fuse is closed to this user. Run as root: chmod 666 /dev/fuse";
}

}  // namespace

Confinement confinement(const std::filesystem::path& root) {
  Confinement found;
  found.has_administrators = ::prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 0;
  found.lets_programs_be_root = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
  found.profile = apparmor_profile(root);
  found.label = selinux_domain(root);
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
  if (!confinement.label.empty()) {
    advice += fmt::format(
        ". SELinux confines this program ({}): a container must be started with --security-opt "
        "label=disable; else `ausearch -m avc -c scidfs` tells which rule is missing",
        confinement.label);
  }
  if (confinement.profile.starts_with("snap.")) {
    advice += ". A snap may not mount: install scidfs outside of it";
    advice += kWithoutMount;
  } else if (!confinement.profile.empty()) {
    advice += fmt::format(
        ". AppArmor confines this program ({}): a container must be started with "
        "--security-opt apparmor=unconfined",
        confinement.profile);
  }
  return advice;
}

std::string device_advice(int error, const std::filesystem::path& root) {
  std::string advice;
  switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      advice = is_wsl1(root)
                   ? "WSL 1 has no FUSE. Run in Windows: wsl --set-version DISTRIBUTION 2"
                   : "there is no /dev/fuse. Run as root: modprobe fuse; a container must be "
                     "started with --device /dev/fuse --cap-add SYS_ADMIN";
      break;
    case EACCES:
      advice = way_into(root / "dev/fuse");
      break;
    case EPERM:  // the file exists, but the control group denies the device
      advice =
          "this container may not use /dev/fuse, it must be started with --device /dev/fuse "
          "--cap-add SYS_ADMIN";
      break;
    default:
      advice = fmt::format("/dev/fuse: {}", std::generic_category().message(error));
  }
  return advice.append(kWithoutMount);
}

}  // namespace scidfs::fs
