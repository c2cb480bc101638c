// Damaged databases through a real mount: the same content as in process, and a daemon that stays
// alive.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/fuzz/damage.h"
#include "tests/mounted/mounted.h"
#include "tests/support/library.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

constexpr std::size_t kDatabases = 12;  // in one mount
constexpr std::uint64_t kDefaultMounts = 3;
constexpr std::size_t kMostMemory = std::size_t{1}
                                    << 20;  // KiB, including the memory of a sanitizer

class MountedDamage : public tests::MountedTest {};

std::size_t peak_memory(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6));
  }
  return 0;
}

// `first` is the number of the first damaged database.
void check_mount(std::uint64_t first) {
  const tests::MemoryFolder folder;
  for (std::size_t i = 0; i < kDatabases; ++i) {
    tests::write_scid_files(damaged_database(first + i).files, folder / fmt::format("{}", i));
  }
  const auto library = fs::Library::open(folder.path(), tests::without_patience());
  ASSERT_TRUE(library.ok());
  const tests::WalkedTree walked = tests::walk_library(**library);
  EXPECT_EQ(walked.faults, std::vector<std::string>()) << first;

  tests::Mount mount({.source = folder.path(), .options = "patience=0"});
  ASSERT_TRUE(mount.ok()) << first;
  std::size_t seen = 0;
  for (const auto& path : tests::files_below(mount.path())) {
    const std::string name = path.lexically_relative(mount.path());
    const std::string text = tests::read_all(path);
    ++seen;
    if (name == "status.txt") continue;
    const auto expected = walked.files.find(name);
    if (expected == walked.files.end() || expected->second != text) {
      ADD_FAILURE() << first << ": " << name << " is another one through the mount";
      break;
    }
  }
  EXPECT_EQ(seen, walked.files.size()) << first;
  EXPECT_GT(peak_memory(mount.daemon()), 0U);
  EXPECT_LT(peak_memory(mount.daemon()), kMostMemory);
  EXPECT_EQ(mount.unmount(), 0) << first;
}

TEST_F(MountedDamage, MountShowsTheSameAsInProcess) {
  const char* const mounts = std::getenv("SCIDFS_DAMAGED_MOUNTS");
  const std::uint64_t count =
      mounts == nullptr ? kDefaultMounts : std::strtoull(mounts, nullptr, 10);
  for (std::uint64_t mount = 0; mount < count && !HasFailure(); ++mount) {
    check_mount(1'000'000 + mount * kDatabases);
  }
}

}  // namespace
}  // namespace scidfs::fuzz
