// Unknown sizes: every name is listed, a request for a size waits for it without blocking others,
// and earlier replies are invalidated.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "tests/bench/multiplier.h"
#include "tests/mounted/live.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::uint32_t kMany = is_sanitized() ? 150'000 : 1'500'000;
// For replies without work, on a busy machine.
const milliseconds kAtOnce{is_sanitized() ? 2000 : 500};

struct stat stat_of(const filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path << ": " << std::strerror(errno);
  return status;
}

// A program that runs beside the test; the destructor ends it.
class Running {
 public:
  explicit Running(const std::string& command) : child_(::fork()) {
    if (child_ != 0) return;
    ::setpgid(0, 0);
    ::signal(SIGINT, SIG_DFL);  // a shell ignores it for programs in the background
    ::execl("/bin/sh", "sh", "-c", ("exec " + command + " > /dev/null 2>&1").c_str(), nullptr);
    ::_exit(127);
  }
  ~Running() {
    if (child_ > 0) ::kill(child_, SIGKILL);
    wait_for(std::chrono::seconds(60));
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void interrupt() const { send_signal(child_, SIGINT); }
  // Its status from waitpid(); empty if it runs longer.
  std::optional<int> wait_for(milliseconds limit) {
    const auto end = steady_clock::now() + limit;
    int status = 0;
    while (child_ > 0 && ::waitpid(child_, &status, WNOHANG) == 0) {
      if (steady_clock::now() > end) return std::nullopt;
      ::usleep(1000);
    }
    child_ = -1;
    return status;
  }

 private:
  pid_t child_;
};

class SizesTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    use_two_processors();
  }
  // The database "base.si4" of kMany games, made once for all tests, mounted without a cache
  // folder.
  void mount_many(const std::string& options) {
    if (many_ == nullptr) {
      many_ = std::make_unique<TemporaryFolder>();
      const absl::Status made = bench::multiply(test_data("sample/sample"), kMany, *many_ / "base");
      ASSERT_TRUE(made.ok()) << std::string(made.message());
    }
    mount(many_->path(), options);
  }
  static void TearDownTestSuite() { many_.reset(); }
  // A folder with the database "base.si4" of so many games, mounted in the same way.
  void mount_games(std::uint32_t games, const std::string& options) {
    const absl::Status made = bench::multiply(test_data("sample/sample"), games, folder_ / "base");
    ASSERT_TRUE(made.ok()) << std::string(made.message());
    mount(folder_.path(), options);
  }
  void mount(const filesystem::path& source, const std::string& options) {
    mount_ = std::make_unique<Mount>(
        MountSetup{.source = source, .options = options + ",cache_dir=none"});
    ASSERT_TRUE(mount_->ok());
  }
  // The texts about a database before and after all sizes are known.
  void check_news(const filesystem::path& base, const std::function<void()>& make_known);
  // How long the kernel caches the names of the mount and of a database.
  milliseconds time_to_list() const {
    const auto start = steady_clock::now();
    EXPECT_THAT(names_in(mount_->path()), Contains("base.si4"));
    EXPECT_THAT(names_in(*mount_ / "base.si4"), Contains("all.pgn"));
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
  }

  static inline std::unique_ptr<TemporaryFolder> many_;
  TemporaryFolder folder_;
  std::unique_ptr<Mount> mount_;
};

TEST_F(SizesTest, ListingsAreCompleteAndExactWithoutKnownSizes) {
  mount(sample_folder(), "index=none");
  if (HasFatalFailure()) return;
  const Mount known({.source = sample_folder()});
  ASSERT_TRUE(known.ok());
  for (const char* const name : {"sample.si4", "sample.si4/deleted", "sample.si4/eco/C"}) {
    EXPECT_EQ(names_in(*mount_ / name), names_in(known / name)) << name;
    const std::string listed =
        run_ok("cd " + word(*mount_ / name) + " && ls -l | grep -v info.txt");
    EXPECT_EQ(listed, run_ok("cd " + word(known / name) + " && ls -l | grep -v info.txt"));
  }
  const std::string shard = names_in(*mount_ / "sample.si4/players").front();
  for (const std::string& player : names_in(*mount_ / "sample.si4/players" / shard)) {
    const std::string path = "sample.si4/players/" + shard + "/" + player + "/all.pgn";
    EXPECT_TRUE(read_all(*mount_ / path) == read_all(known / path)) << path;
  }
}

void SizesTest::check_news(const filesystem::path& base, const std::function<void()>& make_known) {
  const filesystem::path info = base / "info.txt";
  const struct stat folder_before = stat_of(base);
  const std::string before = read_all(info);
  EXPECT_THAT(before, HasSubstr("damaged games: not counted yet\n"));
  const int old_file = ::open(info.c_str(), O_RDONLY | O_CLOEXEC);
  const int old_folder = ::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_TRUE(old_file >= 0 && old_folder >= 0);
  EXPECT_THAT(names_in(base), Contains("all.pgn"));

  make_known();
  EXPECT_TRUE(eventually([&] { return read_all(info) != before; }));
  EXPECT_THAT(read_all(info), HasSubstr("damaged games: 0\n"));
  EXPECT_EQ(static_cast<std::size_t>(stat_of(info).st_size), read_all(info).size());
  const auto is_newer = [&] {
    const struct stat folder = stat_of(base);
    return std::pair(folder.st_mtim.tv_sec, folder.st_mtim.tv_nsec) >
           std::pair(folder_before.st_mtim.tv_sec, folder_before.st_mtim.tv_nsec);
  };
  EXPECT_TRUE(eventually(is_newer));

  // Readers of the open file continue to read its old text, even if the kernel has dropped pages.
  ASSERT_EQ(::posix_fadvise(old_file, 0, 0, POSIX_FADV_DONTNEED), 0);
  std::string text(before.size() + 100, '\0');
  const ssize_t got = ::pread(old_file, text.data(), text.size(), 0);
  if (got < 0) {
    EXPECT_EQ(errno, ESTALE);
  } else {
    EXPECT_EQ(text.substr(0, static_cast<std::size_t>(got)), before);
  }
  ::close(old_file);
  // And the listed names are found from a current directory there.
  struct stat all {};
  EXPECT_EQ(::fstatat(old_folder, "all.pgn", &all, 0), 0) << std::strerror(errno);
  EXPECT_GT(all.st_size, 0);
  ::close(old_folder);
}

TEST_F(SizesTest, InfoIsRenewedWhenRequestCompletesSizes) {
  mount_games(20'000, "index=none");
  if (HasFatalFailure()) return;
  const filesystem::path base = *mount_ / "base.si4";
  check_news(base, [&] {
    stat_of(base / "all.pgn");
    EXPECT_THAT(read_all(base / "info.txt"), HasSubstr("not counted yet"));
    stat_of(base / "deleted/all.pgn");
  });
}

TEST_F(SizesTest, InfoIsRenewedWhenBackgroundCompletesSizes) {
  mount_games(kMany / 2, "index=background");
  if (HasFatalFailure()) return;
  check_news(*mount_ / "base.si4", [] {});
}

// Without any request: the mount waits for the sizes of small databases, and not for large ones.
TEST_F(SizesTest, MountWaitsAtMostOneSecond) {
  const Mount small({.source = sample_folder()});
  ASSERT_TRUE(small.ok());
  EXPECT_THAT(read_all(small / "sample.si4/info.txt"), HasSubstr("damaged games: 0\n"));
  EXPECT_EQ(small.messages(), "");
  mount_games(kMany * 2, "threads=1");
  if (HasFatalFailure()) return;
  EXPECT_THAT(mount_->messages(), HasSubstr("finding the sizes of all games, once"));
  EXPECT_THAT(read_all(*mount_ / "status.txt"), testing::ContainsRegex("sizes known: [0-9]+\n"));
  check_news(*mount_ / "base.si4", [] {});
}

TEST_F(SizesTest, InterruptedRequestReturnsAtOnce) {
  mount_many("index=none");
  if (HasFatalFailure()) return;
  const std::string all = word(*mount_ / "base.si4/all.pgn");
  // All games are replayed for the position, and for the tree.
  const std::string position =
      word(*mount_ / "base.si4/positions/8-8-8-8-8-4k3-4p3-4K3_w/index.tsv");
  const std::string tree = word(*mount_ / "base.si4/tree");
  for (const std::string& program :
       {"stat " + all, "cat " + all, "ls -l " + all, "cat " + position, "ls " + tree}) {
    Running asking(program);
    EXPECT_EQ(asking.wait_for(milliseconds(150)), std::nullopt) << "it had nothing to wait for";
    asking.interrupt();
    const std::optional<int> status = asking.wait_for(kAtOnce);
    ASSERT_TRUE(status.has_value()) << program;
    EXPECT_TRUE(WIFSIGNALED(*status) || WEXITSTATUS(*status) != 0) << program;
  }
  // The daemon answers other requests, and this one too for a caller that waits.
  EXPECT_LT(time_to_list(), kAtOnce);
  EXPECT_EQ(cut_games(read_all(*mount_ / "base.si4/games/7.pgn")).size(), 1U);
  EXPECT_GT(std::stoul(run_ok("stat -c %s " + all)), std::size_t{100} * kMany);
  EXPECT_THAT(mount_->messages(), Not(HasSubstr("rror")));
}

// The kernel sends one lookup of a name at a time, and a process that waits for another's lookup
// does not react to signals.
TEST_F(SizesTest, SecondWaiterForFileCanBeInterrupted) {
  mount_many("index=none");
  if (HasFatalFailure()) return;
  const std::string all = word(*mount_ / "base.si4/all.pgn");
  Running first("stat " + all);
  EXPECT_EQ(first.wait_for(milliseconds(100)), std::nullopt) << "it had nothing to wait for";
  for (const std::string& program : {"stat " + all, "cat " + all, "ls -l " + all}) {
    Running second(program);
    EXPECT_EQ(second.wait_for(milliseconds(50)), std::nullopt) << "it had nothing to wait for";
    second.interrupt();
    EXPECT_TRUE(second.wait_for(kAtOnce).has_value()) << program;
  }
  EXPECT_EQ(first.wait_for(milliseconds(0)), std::nullopt) << "it did not wait so long";
  EXPECT_EQ(first.wait_for(std::chrono::seconds(60)), 0);
}

// The size of a file that was just opened, without a stat(2) before: bytes read, or the offset of
// the end.
struct FirstUse {
  const char* name;
  std::function<std::int64_t(int file)> use;
  std::int64_t expected;  // 0: the size
};

std::vector<FirstUse> first_uses() {
  static constexpr std::size_t kBlock = 5000;
  static std::array<char, kBlock> block;
  static const auto pipe_ends = [] {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    return ends;
  }();
  const auto drain = [](ssize_t moved) -> std::int64_t {
    return moved < 0 ? -errno : ::read(pipe_ends[0], block.data(), block.size());
  };
  return {
      {"read", [](int file) { return ::read(file, block.data(), kBlock); }, kBlock},
      {"pread", [](int file) { return ::pread(file, block.data(), kBlock, 70'000); }, kBlock},
      {"lseek", [](int file) { return ::lseek(file, 0, SEEK_END); }, 0},
      {"splice",
       [drain](int file) {
         return drain(::splice(file, nullptr, pipe_ends[1], nullptr, kBlock, 0));
       },
       kBlock},
      {"sendfile",
       [drain](int file) { return drain(::sendfile(pipe_ends[1], file, nullptr, kBlock)); },
       kBlock},
      {"mmap",
       [](int file) -> std::int64_t {
         void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
         if (page == MAP_FAILED) return -errno;
         const char first = *static_cast<const char*>(page);
         ::munmap(page, 4096);
         return first == '[' ? 4096 : 0;
       },
       4096},
      {"fstat",
       [](int file) -> std::int64_t {
         struct stat status {};
         return ::fstat(file, &status) == 0 ? status.st_size : -errno;
       },
       0},
  };
}

TEST_F(SizesTest, OpenedFileHasExactSize) {
  mount_games(20'000, "index=none");
  if (HasFatalFailure()) return;
  const std::string path = "base.si4/all.pgn";
  const auto size = static_cast<std::int64_t>(stat_of(*mount_ / path).st_size);
  for (const FirstUse& first_use : first_uses()) {
    mount(folder_.path(), "index=none");
    if (HasFatalFailure()) return;
    // Another program requests the file first, and both wait while its size is being found.
    Running other("cat " + word(*mount_ / path));
    const int file = ::open((*mount_ / path).c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(file, 0) << std::strerror(errno);
    EXPECT_EQ(first_use.use(file), first_use.expected == 0 ? size : first_use.expected)
        << first_use.name;
    ::close(file);
    EXPECT_EQ(other.wait_for(std::chrono::seconds(60)), 0);
  }
}

TEST_F(SizesTest, WaitingRequestsDoNotBlockOthers) {
  mount_many("index=none");
  if (HasFatalFailure()) return;
  const std::vector<std::string> names = {"all.pgn", "deleted/all.pgn", "index.tsv", "errors.tsv"};
  std::vector<std::unique_ptr<Running>> asking;
  for (std::size_t i = 0; i < 16; ++i) {
    asking.push_back(
        std::make_unique<Running>("stat " + word(*mount_ / "base.si4" / names[i % names.size()])));
  }
  EXPECT_EQ(asking[0]->wait_for(milliseconds(150)), std::nullopt) << "it had nothing to wait for";
  EXPECT_LT(time_to_list(), 2 * kAtOnce);
  EXPECT_EQ(cut_games(read_all(*mount_ / "base.si4/games/7.pgn")).size(), 1U);
  EXPECT_EQ(asking[0]->wait_for(milliseconds(0)), std::nullopt) << "it did not wait so long";
  for (const auto& program : asking) {
    EXPECT_EQ(program->wait_for(std::chrono::seconds(60)), 0);
  }
}

}  // namespace
}  // namespace scidfs::tests
