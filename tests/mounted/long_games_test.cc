// Games with the longest possible records, and many games that share one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "tests/mounted/mounted.h"
#include "tests/support/shared_records.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::Contains;
using ::testing::HasSubstr;

// Time until the daemon has ended, far less than the searches take.
const milliseconds kUntilGone{is_sanitized() ? 20'000 : 5000};

// The errno of stat(2), 0 on success.
int error_of(const filesystem::path& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? 0 : errno;
}

// Processor time of a process in clock ticks.
std::uint64_t ticks_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  constexpr int kBeforeTimes = 11;
  for (int i = 0; i < kBeforeTimes; ++i) fields >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> user >> system;
  return user + system;
}

class LongGamesTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    use_two_processors();
  }
  // "long.si4", in which so many games share a record that repeats one letter, beside the sample.
  void mount_games(std::size_t games, const std::string& options) {
    copy_sample(folder_ / "sample");
    write_scid_files(share_record(games, longest_record("aaaaaaaa")), folder_ / "long");
    make_old(folder_.path());
    mount_ = std::make_unique<Mount>(
        MountSetup{.source = folder_.path(), .options = options + ",cache_dir=none"});
    ASSERT_TRUE(mount_->ok());
  }

  TemporaryFolder folder_;
  std::unique_ptr<Mount> mount_;
};

// Several threads that request files that take long, one after the other.
class Requesters {
 public:
  Requesters(const Mount& mount, unsigned count) {
    std::string pattern;
    for (int i = 0; i < 100; ++i) pattern += "?a";
    for (unsigned requester = 0; requester < count; ++requester) {
      threads_.emplace_back([=, this, &mount] {
        for (unsigned query = 0; !is_stopped_; ++query) {
          error_of(mount /
                   fmt::format("long.si4/search/text={}b{}x{}/all.pgn", pattern, requester, query));
          ++answered_;
        }
      });
    }
  }
  ~Requesters() {
    is_stopped_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  // The number of answered requests.
  unsigned answered() const { return answered_; }
  void end() { is_stopped_ = true; }

 private:
  std::atomic<bool> is_stopped_ = false;
  std::atomic<unsigned> answered_ = 0;
  std::vector<std::thread> threads_;
};

TEST_F(LongGamesTest, OtherRequestsAreAnsweredDuringTwelveSearches) {
  mount_games(1990, "index=none");  // each counts as a usual game: a limited budget
  if (HasFatalFailure()) return;
  Requesters requesters(*mount_, 12);
  ::usleep(300'000);
  const std::vector<std::string> shards = names_in(*mount_ / "sample.si4/games");
  std::size_t read = 0;
  for (const std::string& shard : shards) {
    for (const std::string& name : names_in(*mount_ / "sample.si4/games" / shard)) {
      if (read == 30) break;
      EXPECT_FALSE(read_all(*mount_ / "sample.si4/games" / shard / name).empty());
      ++read;
    }
  }
  EXPECT_EQ(read, 30U);
  EXPECT_EQ(requesters.answered(), 0U);
  // The end does not wait for them either.
  requesters.end();
  const auto start = steady_clock::now();
  ASSERT_GT(mount_->daemon(), 0);
  ::kill(mount_->daemon(), SIGTERM);
  EXPECT_EQ(mount_->wait_for_end(), 0);
  EXPECT_LT(steady_clock::now() - start, kUntilGone);
}

TEST_F(LongGamesTest, TooManyGamesThatShareRecordAreRefused) {
  mount_games(2100, "index=auto");
  if (HasFatalFailure()) return;
  const filesystem::path base = *mount_ / "long.si4";
  EXPECT_EQ(error_of(base / "all.pgn"), EFBIG);
  EXPECT_EQ(error_of(base / "years/2001/all.pgn"), EFBIG);
  EXPECT_EQ(error_of(base / "search/text=b/index.tsv"), EFBIG);
  EXPECT_THAT(names_in(base), Contains("all.pgn"));
  const Outcome listed = run("ls -l " + word(base));
  EXPECT_THAT(listed.errors, HasSubstr("all.pgn': File too large"));
  EXPECT_THAT(listed.out, HasSubstr("info.txt"));
  EXPECT_THAT(read_all(base / "info.txt"), HasSubstr("problem: games share records: they are "));
  // Requests that read no records, and single games, work as usual.
  EXPECT_GT(read_all(base / "index.tsv").size(), 2100U * 10);
  const std::string shard = names_in(base / "games").front();
  const filesystem::path game = base / "games" / shard / names_in(base / "games" / shard).front();
  EXPECT_GT(read_all(game).size(), 100'000U);
  // Without readers, the daemon does nothing.
  const std::uint64_t before = ticks_of(mount_->daemon());
  ::usleep(1'000'000);
  constexpr std::uint64_t kFew = 20;
  EXPECT_LT(ticks_of(mount_->daemon()) - before, kFew);
}

}  // namespace
}  // namespace scidfs::tests
