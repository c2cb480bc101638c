// Root mounts below a folder of a user's, who exchanges names there: nothing is mounted or
// unmounted elsewhere.
#include "fs/mount/mount_place.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "fs/mount/guardian.h"
#include "fs/sandbox/privileges.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;

bool is_listed(const filesystem::path& mountpoint) {
  return read_all("/proc/self/mountinfo").find(' ' + mountpoint.string() + ' ') !=
         std::string::npos;
}

// A user's folder home/ with the mount point home/above/mnt, and root's folder victim/mnt.
class MountElsewhereTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (::geteuid() != 0 || run("command -v setpriv && id nobody").exit_code != 0) {
      GTEST_SKIP() << "requires root, setpriv and the user nobody";
    }
    nobody_ = *fs::find_user("nobody");
    filesystem::permissions(folder_.path(), filesystem::perms(0755));
    filesystem::create_directories(victim_);
    filesystem::create_directories(mountpoint_);
    run_ok("chown -R nobody " + word(folder_ / "home"));
  }
  void TearDown() override {
    // The newest first.
    run("awk -v d=" + word(folder_.path()) +
        " 'index($2, d) == 1 { print $2 }' /proc/mounts | tac | xargs -r umount -l");
  }

  std::string as_nobody(const std::string& command) const {
    return fmt::format("cd {}; setpriv --reuid=nobody --regid={} --clear-groups sh -ec {}",
                       word(folder_ / "home"), nobody_.gid, shell_word(command));
  }
  // The guardian of a mount for that user, at the moment after the mount point was examined.
  std::unique_ptr<fs::Guardian> guardian() const {
    fs::MountOptions options;
    options.mountpoint = mountpoint_;
    options.run_as = nobody_;
    options.fuse_options = {"allow_other", "default_permissions", "subtype=scidfs"};
    absl::StatusOr<fs::MountPlace> place = fs::MountPlace::find(mountpoint_);
    EXPECT_TRUE(place.ok() && place->take_folder());
    auto started = fs::Guardian::start(options, *std::move(place));
    EXPECT_TRUE(started.ok());
    return *std::move(started);
  }
  // As root, or with further options of scidfs.
  Outcome mount(const filesystem::path& source, const filesystem::path& at,
                const std::string& more = "") const {
    return run(fmt::format("{} {} {} -o cache_dir=none,run_as=nobody{}", word(scidfs_binary()),
                           word(source), word(at), more));
  }

  TemporaryFolder folder_;
  const filesystem::path victim_ = folder_ / "victim/mnt";
  const filesystem::path mountpoint_ = folder_ / "home/above/mnt";
  fs::User nobody_;
};

TEST_F(MountElsewhereTest, NothingIsMountedWhereANameLeadsMeanwhile) {
  const std::string link = fmt::format("ln -s {} mnt", word(victim_));
  const std::string above = fmt::format("ln -s {} above", word(victim_.parent_path()));
  for (const std::string& exchange :
       {"cd above; rmdir mnt; " + link, "cd above; mv mnt old; " + link,
        std::string("cd above; mv mnt old; mkdir mnt"),
        "mv above/mnt old; rmdir above; " + above}) {
    const auto guardian = this->guardian();
    run_ok(as_nobody(exchange));
    const absl::StatusOr<int> connection = guardian->mount();
    EXPECT_FALSE(connection.ok()) << exchange;
    EXPECT_THAT(std::string(connection.status().message()),
                HasSubstr("Cannot mount on " + mountpoint_.string() +
                          ": it has been moved or replaced meanwhile"));
    EXPECT_FALSE(is_listed(victim_)) << exchange;
    EXPECT_FALSE(is_listed(mountpoint_)) << exchange;
    run_ok(as_nobody("rm -rf above old; mkdir -p above/mnt"));
  }
}

TEST_F(MountElsewhereTest, OwnMountIsMadeAndUnmountedWhateverLeadsToIt) {
  ASSERT_EQ(::mount("tmpfs", victim_.c_str(), "tmpfs", 0, "size=4k"), 0);
  const std::string exchange =
      fmt::format("mv above moved; ln -s {} above", word(victim_.parent_path()));
  const filesystem::path moved = folder_ / "home/moved/mnt";
  for (const bool is_before : {true, false}) {
    const auto guardian = this->guardian();
    if (is_before) run_ok(as_nobody(exchange));
    const absl::StatusOr<int> connection = guardian->mount();
    ASSERT_TRUE(connection.ok()) << connection.status();
    if (!is_before) run_ok(as_nobody(exchange));
    EXPECT_TRUE(is_listed(moved));
    guardian->unmount();
    ::close(*connection);
    EXPECT_FALSE(is_listed(moved));
    EXPECT_TRUE(is_listed(victim_));
    run_ok(as_nobody("rm above; mv moved above"));
  }
}

TEST_F(MountElsewhereTest, MountOfAnotherAtTheSamePlaceStays) {
  const auto guardian = this->guardian();
  const absl::StatusOr<int> connection = guardian->mount();
  ASSERT_TRUE(connection.ok());
  ASSERT_EQ(::umount2(mountpoint_.c_str(), MNT_DETACH), 0);
  ASSERT_EQ(::mount("tmpfs", mountpoint_.c_str(), "tmpfs", 0, "size=4k"), 0);
  guardian->unmount();
  ::close(*connection);
  EXPECT_TRUE(is_listed(mountpoint_));
}

TEST_F(MountElsewhereTest, LinkOfAUserIsNoMountPointForRoot) {
  run_ok(as_nobody(fmt::format("ln -s {} link; ln -s above near", word(victim_))));
  for (const char* const name : {"link", "near/mnt"}) {
    const Outcome outcome = mount(sample_folder(), folder_ / "home" / name);
    EXPECT_EQ(outcome.exit_code, 1) << name;
    EXPECT_THAT(outcome.errors, HasSubstr("is a link, and a user other than root may change"));
    EXPECT_FALSE(is_listed(victim_) || is_listed(mountpoint_));
  }
}

// The source may be a link that the user makes to see what root can see.
TEST_F(MountElsewhereTest, SourceIsExaminedWithTheRightsOfItsUser) {
  filesystem::create_directory(folder_ / "secret");
  filesystem::copy(sample_folder(), folder_ / "secret/base");
  filesystem::permissions(folder_ / "secret", filesystem::perms(0700));
  for (const char* const name : {"base", "none", "base/sample", "base/sample.sg4"}) {
    run_ok(as_nobody(fmt::format("ln -sfn {} link", word(folder_ / "secret" / name))));
    const Outcome outcome = mount(folder_ / "home/link", mountpoint_);
    EXPECT_EQ(outcome.exit_code, 1) << name;
    EXPECT_EQ(outcome.errors, fmt::format("scidfs: Cannot open {}: Permission denied\n",
                                          (folder_ / "home/link").string()));
  }
}

// No process of ours keeps a folder of the mount open.
TEST_F(MountElsewhereTest, MountIsNotBusy) {
  for (const char* const more : {"", ",allow_other"}) {
    for (const char* const unmount : {"umount", "fusermount3 -u"}) {
      const Outcome outcome = mount(sample_folder(), mountpoint_, more);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
      EXPECT_EQ(run(fmt::format("{} {}", unmount, word(mountpoint_))).errors, "");
      EXPECT_FALSE(is_listed(mountpoint_)) << unmount << more;
    }
  }
  // Neither is the file system around it, which is unmounted next.
  ASSERT_EQ(::mount("tmpfs", victim_.c_str(), "tmpfs", 0, "mode=755"), 0);
  filesystem::create_directory(victim_ / "mnt");
  ASSERT_EQ(mount(sample_folder(), victim_ / "mnt").exit_code, 0);
  run_ok("umount " + word(victim_ / "mnt"));
  run_ok(fmt::format("for i in $(seq 100); do umount {} && exit; sleep 0.1; done; exit 1",
                     word(victim_)));
}

}  // namespace
}  // namespace scidfs::tests
