// Shared parts of the tests of this folder: a mount of the sample, and files read whole.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/mount.h"
#include "tests/support/pgn_check.h"

namespace scidfs::tests {

inline std::filesystem::path sample_folder() { return test_data("sample"); }
inline std::filesystem::path sample_database() { return test_data("sample/sample.si4"); }

// A path as one word of a shell command.
inline std::string word(const std::filesystem::path& path) { return shell_word(path.string()); }

// Reads until read(2) returns nothing; "" and a failure on error.
inline std::string read_all(const std::filesystem::path& path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    ADD_FAILURE() << path << ": " << std::strerror(errno);
    return text;
  }
  std::vector<char> buffer(std::size_t{1} << 20);
  ssize_t got = 0;
  while ((got = ::read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  EXPECT_EQ(got, 0) << path << ": " << std::strerror(errno);
  ::close(file);
  return text;
}

// Every file below a folder, sorted.
inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Sets the times of all files of a folder back by an hour, so they do not look as if they were
// being written, and later changes have other times, in seconds. (Recently written files are opened
// twice.)
inline void make_old(const std::filesystem::path& folder) {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    last_write_time(file.path(),
                    std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }
}

// The sample with another name: `prefix` without an extension. Overwrites existing files.
inline void copy_sample(const std::filesystem::path& prefix) {
  for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
    std::filesystem::copy_file(sample_folder() / (std::string("sample") + extension),
                               prefix.string() + extension,
                               std::filesystem::copy_options::overwrite_existing);
  }
}

// A counter in status.txt. Reading it is a request too.
inline std::uint64_t counted(const std::filesystem::path& mount, const std::string& what) {
  const std::string text = run_ok("cat " + word(mount / "status.txt"));
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(what + ": ([0-9]+)\n"))) {
    ADD_FAILURE() << what << " is not among\n" << text;
    return 0;
  }
  return std::stoull(found[1]);
}

// Names in a folder, sorted.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Has a mount point, for daemons that the test starts itself. The destructor unmounts it.
class MountpointTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    std::filesystem::create_directory(mountpoint_);
  }
  void TearDown() override {
    if (is_mounted(mountpoint_)) run("fusermount3 -u -z " + word(mountpoint_));
  }

  TemporaryFolder folder_;
  const std::filesystem::path mountpoint_ = folder_ / "mnt";
};

// Skips tests if Scid is not installed; fails them in CI.
class WithScidTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (run("command -v tkscid").exit_code == 0) return;
    if (std::getenv("CI") != nullptr) FAIL() << "tkscid is required";
    GTEST_SKIP() << "tkscid is not installed (Debian: scid), or not in PATH (/usr/games)";
  }
};

// Restricts this process, and all that it starts from now on, to two processors, so that long work
// takes long on any machine.
inline void use_two_processors() {
  cpu_set_t all;
  cpu_set_t two;
  CPU_ZERO(&two);
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0) << std::strerror(errno);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &two);
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof two, &two), 0) << std::strerror(errno);
}

// The value of a tag of a game as it is written; "" if it is missing.
inline std::string tag_of(std::string_view game, std::string_view name) {
  const std::string start = std::string("[").append(name).append(" \"");
  const std::size_t at = game.starts_with(start) ? 0 : game.find("\n" + start);
  if (at == std::string_view::npos || at > game.find("\n\n")) return "";
  const std::size_t from = at + start.size() + (at == 0 ? 0 : 1);
  return std::string(game.substr(from, game.find("\"]\n", from) - from));
}

// Mounts the sample database as the root.
class SampleTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    mount_ = std::make_unique<Mount>(MountSetup{.source = sample_database()});
    ASSERT_TRUE(mount_->ok());
  }
  // True if the test cannot continue.
  bool is_over() const { return IsSkipped() || HasFatalFailure(); }

  std::unique_ptr<Mount> mount_;
};

}  // namespace scidfs::tests
