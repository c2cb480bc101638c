#include "fs/mount/memory_limit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

// The files of control groups in the format of the kernel.
class MemoryLimitTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    tests::write_file(file, text);
  }
  void group(const std::string& path, const std::string& limit, const std::string& used,
             const std::string& dispensable) const {
    const std::string folder = "sys/fs/cgroup" + path;
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", used + "\n");
    write(folder + "/memory.stat", "anon 1\nfile 5\ninactive_file " + dispensable + "\nslab 3\n");
  }
  bool has_room() const { return MemoryLimit(root_.path()).has_room(); }

  const tests::TemporaryFolder root_;
};

TEST_F(MemoryLimitTest, HasRoomWithoutControlGroups) { EXPECT_TRUE(has_room()); }

TEST_F(MemoryLimitTest, LeavesTenthOfLimitFree) {
  write("proc/self/cgroup", "0::/user/me\n");
  group("/user/me", "1000", "900", "0");
  EXPECT_TRUE(has_room());
  group("/user/me", "1000", "901", "0");
  EXPECT_FALSE(has_room());
  group("/user/me", "max", "901", "0");
  EXPECT_TRUE(has_room());
}

TEST_F(MemoryLimitTest, ReclaimableMemoryDoesNotCount) {
  write("proc/self/cgroup", "0::/\n");
  group("", "1000", "1000", "99");
  EXPECT_FALSE(has_room());
  group("", "1000", "1000", "100");
  EXPECT_TRUE(has_room());
}

TEST_F(MemoryLimitTest, LimitsOfParentGroupsCount) {
  write("proc/self/cgroup", "0::/user/me\n");
  group("/user/me", "max", "901", "0");
  group("/user", "1000", "901", "0");
  EXPECT_FALSE(has_room());
}

TEST_F(MemoryLimitTest, SupportsFirstVersionOfControlGroups) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:freezer,memory:/b\n0::/c\n");
  const std::string folder = "sys/fs/cgroup/memory/b/";
  write(folder + "memory.limit_in_bytes", "1000\n");
  write(folder + "memory.usage_in_bytes", "950\n");
  write(folder + "memory.stat", "cache 7\ninactive_file 10\n");
  EXPECT_FALSE(has_room());
}

TEST_F(MemoryLimitTest, IsReadOncePerManyCalls) {
  write("proc/self/cgroup", "0::/me\n");
  group("/me", "1000", "0", "0");
  MemoryLimit limit(root_.path());
  EXPECT_TRUE(limit.has_room());
  group("/me", "1000", "1000", "0");
  for (std::uint32_t i = 1; i < MemoryLimit::kEvery; ++i) EXPECT_TRUE(limit.has_room());
  EXPECT_FALSE(limit.has_room());
}

}  // namespace
}  // namespace scidfs::fs
