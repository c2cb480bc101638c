#include "fs/mount/confinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Confinement, KnowsTheProfileOfAppArmor) {
  const tests::TemporaryFolder root;
  EXPECT_EQ(confinement(root.path()).profile, "");
  std::filesystem::create_directories(root / "proc/self/attr");
  tests::write_file(root / "proc/self/attr/current", "unconfined\n");
  EXPECT_EQ(confinement(root.path()).profile, "");
  tests::write_file(root / "proc/self/attr/current", "docker-default (enforce)\n");
  EXPECT_EQ(confinement(root.path()).profile, "docker-default (enforce)");
}

TEST(Confinement, IsAdvisedAboutByWhatIsInTheWay) {
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
