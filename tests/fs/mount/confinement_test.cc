#include "fs/mount/confinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Confinement, DetectsAppArmorProfile) {
  const tests::TemporaryFolder root;
  const auto profile = [&](const std::string& enabled, const std::string& current) {
    std::filesystem::create_directories(root / "proc/self/attr");
    std::filesystem::create_directories(root / "sys/module/apparmor/parameters");
    tests::write_file(root / "proc/self/attr/current", current);
    tests::write_file(root / "sys/module/apparmor/parameters/enabled", enabled);
    return confinement(root.path()).profile;
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

}  // namespace
}  // namespace scidfs::fs
