#include "fs/mount/confinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The confinement of a process with this label, where a file says whether a security module runs.
Confinement confined(const tests::TemporaryFolder& root, const std::filesystem::path& module,
                     const std::string& enabled, const std::string& current) {
  for (const auto& [path, text] : {std::pair(root / "proc/self/attr/current", current),
                                   std::pair(root.path() / module, enabled)}) {
    std::filesystem::create_directories(path.parent_path());
    tests::write_file(path, text);
  }
  return confinement(root.path());
}

TEST(Confinement, DetectsAppArmorProfile) {
  const tests::TemporaryFolder root;
  const auto profile = [&](const std::string& enabled, const std::string& current) {
    return confined(root, "sys/module/apparmor/parameters/enabled", enabled, current).profile;
  };
  EXPECT_EQ(confinement(root.path()).profile, "");
  EXPECT_EQ(profile("Y\n", "unconfined\n"), "");
  EXPECT_EQ(profile("Y\n", "docker-default (enforce)\n"), "docker-default (enforce)");
  EXPECT_EQ(profile("Y\n", "docker-default (complain)\n"), "");
  // The context of another security module.
  EXPECT_EQ(profile("N\n", "system_u:system_r:container_t:s0\n"), "");
}

TEST(Confinement, AdviceDependsOnMissingRight) {
  EXPECT_EQ(confinement_advice({}, true), "");
  EXPECT_EQ(confinement_advice({}, false), "");
  EXPECT_THAT(confinement_advice({.has_administrators = false}, true),
              HasSubstr("--device /dev/fuse --cap-add SYS_ADMIN"));
  // Root mounts without fusermount3.
  EXPECT_EQ(confinement_advice({.lets_programs_be_root = false}, true), "");
  EXPECT_THAT(confinement_advice({.lets_programs_be_root = false}, false),
              HasSubstr("NoNewPrivileges=no"));
  const std::string advice = confinement_advice({.profile = "docker-default (enforce)"}, true);
  EXPECT_THAT(advice, HasSubstr("(docker-default (enforce))"));
  EXPECT_THAT(advice, HasSubstr("--security-opt apparmor=unconfined"));
  EXPECT_THAT(advice, Not(HasSubstr("SYS_ADMIN")));
}

TEST(Confinement, DetectsSelinuxDomain) {
  const tests::TemporaryFolder root;
  const auto label = [&](const std::string& enforced, const std::string& current) {
    return confined(root, "sys/fs/selinux/enforce", enforced, current).label;
  };
  const std::string container = "system_u:system_r:container_t:s0:c1,c2";
  EXPECT_EQ(label("1", container + std::string(1, '\0')), container);
  EXPECT_EQ(label("0", container), "");
  EXPECT_EQ(label("1", "unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023"), "");
  EXPECT_THAT(confinement_advice({.label = container}, false),
              AllOf(HasSubstr(container), HasSubstr("label=disable")));
}

TEST(Confinement, ASnapHasOtherWays) {
  const std::string advice = confinement_advice({.profile = "snap.scidfs.scidfs (enforce)"}, false);
  EXPECT_THAT(advice, AllOf(HasSubstr("scidfs serve"), Not(HasSubstr("apparmor=unconfined"))));
}

TEST(Confinement, ADeviceThatCannotBeOpenedHasACure) {
  const tests::TemporaryFolder root;
  std::filesystem::create_directories(root / "proc");
  std::filesystem::create_directories(root / "dev");
  struct Case {
    int error;
    std::string_view version;
    ::mode_t mode;
    std::string_view cure;
  };
  const std::vector<Case> cases = {
      {ENOENT, "Linux version 6.1.0-18-amd64", 0600, "modprobe fuse"},
      {ENOENT, "Linux version 4.4.0-19041-Microsoft", 0600, "wsl --set-version"},
      {ENOENT, "Linux version 5.15.90.1-microsoft-standard-WSL2", 0600, "modprobe fuse"},
      {EPERM, "", 0600, "--device /dev/fuse"},
      {EACCES, "", 0600, "chmod 666"},
      {EACCES, "", 0660, ::getegid() == 0 ? "chmod 666" : "usermod -a -G"},
      {EMFILE, "", 0600, "Too many open files"}};
  for (const auto& [error, version, mode, cure] : cases) {
    tests::write_file(root / "proc/version", version);
    tests::write_file(root / "dev/fuse", "");
    std::filesystem::permissions(root / "dev/fuse", std::filesystem::perms(mode));
    EXPECT_THAT(device_advice(error, root.path()),
                AllOf(HasSubstr(cure), HasSubstr("scidfs serve")));
  }
}

}  // namespace
}  // namespace scidfs::fs
