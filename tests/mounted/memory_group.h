// A control group with little memory left.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include "tests/support/mount.h"

namespace scidfs::tests {

// Made at the top of the hierarchy of the memory controller, of the first version or the second;
// removed by the destructor, after all its processes have ended.
class MemoryGroup {
 public:
  MemoryGroup() {
    for (const auto& [top, limit, used] :
         {std::tuple("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
          std::tuple("/sys/fs/cgroup", "memory.max", "memory.current")}) {
      const std::filesystem::path group =
          std::filesystem::path(top) / ("scidfs-test-" + std::to_string(::getpid()));
      std::error_code error;
      if (!std::filesystem::create_directory(group, error)) continue;
      group_ = group;
      limit_ = group / limit;
      used_ = group / used;
      if (std::filesystem::exists(limit_)) return;
      std::filesystem::remove(group, error);
      group_.clear();
    }
  }
  ~MemoryGroup() {
    if (ballast_ > 0) {
      ::kill(ballast_, SIGKILL);
      ::waitpid(ballast_, nullptr, 0);
    }
    if (group_.empty()) return;
    // The last process may not have been removed yet.
    for (int tries = 0; ::rmdir(group_.c_str()) != 0 && tries < kTries; ++tries) ::usleep(kPause);
  }
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;

  // True if this user and this machine can have one.
  bool ok() const { return !group_.empty(); }

  // Calls `start`, which starts the processes of the group.
  template <class Start>
  void start(const Start& start) {
    const std::filesystem::path before = own_group();
    write(group_ / kMembers, ::getpid());
    start();
    write(before / kMembers, ::getpid());
  }

  // Makes a process in the group use much memory, so that at most a twelfth of the limit is left.
  void fill() {
    start([this] {
      ballast_ = ::fork();
      if (ballast_ != 0) return;
      void* const memory = ::mmap(nullptr, kBallast, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
      if (memory == MAP_FAILED) ::_exit(1);
      for (;;) ::pause();
    });
    std::uint64_t used = 0;
    for (int tries = 0; used < kBallast && tries < kTries; ++tries) {
      ::usleep(kPause);
      std::ifstream(used_) >> used;
    }
    EXPECT_GE(used, kBallast);
    write(limit_, used + kLeft);
  }

 private:
  static constexpr const char* kMembers = "cgroup.procs";
  static constexpr int kTries = 500;
  static constexpr useconds_t kPause = 20'000;
  static constexpr std::uint64_t kBallast = std::uint64_t{640} << 20;
  static constexpr std::uint64_t kLeft = std::uint64_t{48} << 20;

  template <class Value>
  static void write(const std::filesystem::path& path, Value value) {
    std::ofstream file(path);
    file << value << std::flush;
    EXPECT_TRUE(file.good()) << path;
  }

  // The group of this process, in the hierarchy of the new group.
  std::filesystem::path own_group() const {
    const std::filesystem::path top = group_.parent_path();
    const std::string controllers = top.filename() == "memory" ? ":memory:" : "0::";
    std::ifstream lines("/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find(controllers);
      if (at == std::string::npos) continue;
      const std::string below = line.substr(at + controllers.size());
      return top / std::filesystem::path(below).relative_path();
    }
    return top;
  }

  std::filesystem::path group_, limit_, used_;
  pid_t ballast_ = -1;
};

}  // namespace scidfs::tests
