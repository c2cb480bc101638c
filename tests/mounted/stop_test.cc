// The end of a mount during long work: unmounting does not wait for it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <memory>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

const std::uint32_t kMany = is_sanitized() ? 100'000 : 1'000'000;
// The time until the mount is gone, and until the daemon has ended.
const milliseconds kSoon{is_sanitized() ? 10'000 : 1000};

class StopTest : public MountedTest {
 protected:
  // The three files of a large database, and the same in an archive, made once for all tests.
  static void SetUpTestSuite() {
    large_ = std::make_unique<TemporaryFolder>();
    const absl::Status made = bench::multiply(test_data("sample/sample"), kMany, *large_ / "large");
    ASSERT_TRUE(made.ok()) << std::string(made.message());
    const filesystem::path pack = filesystem::path(scidfs_binary()).parent_path() / "scidfs-pack";
    run_ok(fmt::format("{} {} -o {}", word(pack), word(*large_ / "large.si4"),
                       word(*large_ / "large.scv")),
           120);
  }
  static void TearDownTestSuite() { large_.reset(); }

  void SetUp() override {
    MountedTest::SetUp();
    use_two_processors();
    filesystem::create_directory(source_);
    filesystem::copy(sample_folder(), source_);
  }
  // Adds files to the source that take long to read.
  void put(const std::vector<std::string>& extensions) const {
    for (const std::string& extension : extensions) {
      // At once, because the library waits for growing files.
      filesystem::create_hard_link(*large_ / ("large" + extension),
                                   source_ / ("large" + extension));
    }
  }
  // Mounts, adds the files, waits and stops: everything has ended within a second.
  template <class Stop>
  void check(const std::vector<std::string>& extensions, const Stop& stop) {
    for (const milliseconds pause : {milliseconds(100), milliseconds(250), milliseconds(500)}) {
      Mount mount({.source = source_, .options = "cache_dir=none"});
      ASSERT_TRUE(mount.ok());
      put(extensions);
      ::usleep(static_cast<useconds_t>(1000 * pause.count()));
      EXPECT_THAT(read_all(mount / "status.txt"), testing::Not(testing::HasSubstr("large")))
          << "the work was over after " << pause.count() << " ms";
      const auto start = steady_clock::now();
      stop(mount);
      while (is_mounted(mount.path()) && steady_clock::now() < start + 2 * kSoon) ::usleep(1000);
      const auto unmounted = steady_clock::now();
      EXPECT_LT(unmounted - start, kSoon);
      EXPECT_EQ(mount.wait_for_end(), 0);
      EXPECT_LT(steady_clock::now() - start, kSoon) << "after " << pause.count() << " ms";
      for (const std::string& extension : extensions) {
        filesystem::remove(source_ / ("large" + extension));
      }
    }
  }
  // The same while a program requests the size of a file.
  void check_waiting(const std::string& path) {
    for (const bool is_lazy : {false, true}) {
      SCOPED_TRACE(path);
      put({".si4", ".sg4", ".sn4"});
      Mount mount({.source = source_, .options = "index=none,cache_dir=none"});
      ASSERT_TRUE(mount.ok());
      run_ok("stat " + word(mount / path) + " > /dev/null 2>&1 & sleep 0.2");
      const auto start = steady_clock::now();
      if (is_lazy) run_ok("fusermount3 -u -z " + word(mount.path()));
      terminate(mount);
      EXPECT_EQ(mount.wait_for_end(), 0);
      EXPECT_LT(steady_clock::now() - start, kSoon);
      EXPECT_FALSE(is_mounted(mount.path()));
      for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
        filesystem::remove(source_ / (std::string("large") + extension));
      }
    }
  }
  static void terminate(const Mount& mount) { send_signal(mount.daemon(), SIGTERM); }
  static void unmount(const Mount& mount) { run_ok("fusermount3 -u " + word(mount.path())); }

  static inline std::unique_ptr<TemporaryFolder> large_;
  TemporaryFolder folder_;
  const filesystem::path source_ = folder_ / "source";
};

TEST_F(StopTest, TerminatesWhileArchiveIsUnpacked) { check({".scv"}, terminate); }
TEST_F(StopTest, UnmountsWhileArchiveIsUnpacked) { check({".scv"}, unmount); }
TEST_F(StopTest, TerminatesWhileDatabaseIsOpened) { check({".si4", ".sg4", ".sn4"}, terminate); }
TEST_F(StopTest, UnmountsWhileDatabaseIsOpened) { check({".si4", ".sg4", ".sn4"}, unmount); }

TEST_F(StopTest, UnmountsWhileRequestWaitsForSize) { check_waiting("large.si4/all.pgn"); }
TEST_F(StopTest, UnmountsDuringSearch) {
  check_waiting("large.si4/search/text=nothing/annotated=any/index.tsv");
}
TEST_F(StopTest, UnmountsDuringSearchForPosition) {
  check_waiting("large.si4/positions/8-8-8-8-8-4k3-4p3-4K3_w/index.tsv");
}

}  // namespace
}  // namespace scidfs::tests
