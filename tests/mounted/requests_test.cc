// Counts the requests of the kernel when programs list and read: times vary, but counts do not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <sstream>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

// The counters of the daemon. Reading them causes a lookup and a read.
std::map<std::string, std::uint64_t> counts(const Mount& mount) {
  ::usleep(1'100'000);  // the name shows the same numbers for a second
  std::map<std::string, std::uint64_t> found;
  std::istringstream lines(read_all(mount / "status.txt"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.rfind(": ");
    if (colon == std::string::npos) continue;
    std::uint64_t& count = found[line.substr(0, colon)];
    std::from_chars(line.data() + colon + 2, line.data() + line.size(), count);
  }
  EXPECT_TRUE(found.contains("requests read") && found.contains("entries by name"));
  return found;
}

std::string grep_games(const Mount& mount) {
  return run_ok(fmt::format("grep -rc zzz {} | wc -l", shell_word((mount / "games").string())));
}

// Requests in the log of libfuse, including those without a handler.
class Log {
 public:
  explicit Log(const std::string& messages) {
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
      const std::string kind = word_after(line, "opcode: ");
      if (!kind.empty()) ++requests_[kind][word_after(line, "nodeid: ")];
    }
  }

  // By inode.
  std::map<std::string, unsigned> of(const std::string& kind) const {
    const auto found = requests_.find(kind);
    return found == requests_.end() ? std::map<std::string, unsigned>() : found->second;
  }
  unsigned count(const std::string& kind) const {
    unsigned sum = 0;
    for (const auto& [inode, times] : of(kind)) sum += times;
    return sum;
  }

 private:
  static std::string word_after(const std::string& line, std::string_view key) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) return "";
    return line.substr(at + key.size(),
                       line.find_first_of(" ,", at + key.size()) - at - key.size());
  }

  std::map<std::string, std::map<std::string, unsigned>> requests_;
};

class LoggedRequestsTest : public MountedTest {};

TEST_F(LoggedRequestsTest, EachFileCausesOneRead) {
  // One thread, so that the lines of the log stay apart.
  const Mount mount({.source = sample_database(), .words = {"-s", "-d"}});
  ASSERT_TRUE(mount.ok());
  const std::string files = grep_games(mount);
  const Log log(mount.messages());
  const auto reads = log.of("READ");
  EXPECT_EQ(fmt::format("{}\n", reads.size()), files);
  EXPECT_GT(reads.size(), 1000U);
  for (const auto& [inode, times] : reads) EXPECT_EQ(times, 1U) << inode;
  // Each of these is looked up once, and does not exist.
  for (const char* const kind : {"OPEN", "OPENDIR", "FLUSH", "STATX", "GETXATTR", "LISTXATTR"}) {
    EXPECT_LE(log.count(kind), 1U) << kind;
  }
  for (const char* const kind : {"RELEASE", "RELEASEDIR", "ACCESS", "READDIR", "LSEEK"}) {
    EXPECT_EQ(log.count(kind), 0U) << kind;
  }
  // Of directories.
  EXPECT_LE(log.count("LOOKUP"), 20U);
  EXPECT_LE(log.count("GETATTR"), 20U);
}

class CountedRequestsTest : public SampleTest {};

TEST_F(CountedRequestsTest, ReadFilesAreNotRequestedAgain) {
  const auto read_everything = [&] {
    grep_games(*mount_);
    read_all(*mount_ / "all.pgn");
  };
  read_everything();
  // A kernel with little free memory may drop any page at any time, but not in each round.
  auto before = counts(*mount_);
  std::uint64_t fewest = 1000;
  for (int round = 0; round < 5 && fewest > 0; ++round) {
    read_everything();
    const auto after = counts(*mount_);
    // Without the read of status.txt itself, which comes after it was written.
    fewest = std::min(fewest, after.at("requests read") - before.at("requests read") - 1);
    before = after;
  }
  EXPECT_EQ(fewest, 0U);
  EXPECT_LE(before["requests lookup"], 100U);
}

// A database with so many games that listings of names alone should have no attributes.
class ListingTest : public MountedTest {
 protected:
  static constexpr std::uint32_t kGames = 30'000;

  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    const absl::Status made =
        bench::multiply(test_data("sample/sample"), kGames, folder_ / "large");
    ASSERT_TRUE(made.ok()) << std::string(made.message());
    mount_ = std::make_unique<Mount>(MountSetup{.source = folder_ / "large.si4"});
    ASSERT_TRUE(mount_->ok());
  }

  std::string find(std::string_view test) const {
    return run_ok(
        fmt::format("find {} {} | wc -l", shell_word((*mount_ / "games").string()), test));
  }

  TemporaryFolder folder_;
  std::unique_ptr<Mount> mount_;
};

TEST_F(ListingTest, ListersGetNamesAndReadersGetAttributes) {
  const std::string names = find("-name '*.pgn'");
  auto found = counts(*mount_);
  EXPECT_LE(found["entries with attributes"], 5000U);
  EXPECT_GT(found["entries by name"], kGames / 2);
  // The kernel does not cache listings without attributes, or grep would get them. It looks up the
  // files of the first directory, and entries that have expired.
  EXPECT_EQ(grep_games(*mount_), names);
  auto read = counts(*mount_);
  EXPECT_LE(read["requests lookup"] - found["requests lookup"], 1500U);
  EXPECT_GT(read["entries with attributes"], kGames / 2);
}

TEST_F(ListingTest, ListingsWithAndWithoutAttributesAgree) {
  const std::string command = fmt::format("cd {} && find games -type f | sort | md5sum",
                                          shell_word(mount_->path().string()));
  const std::string first = run_ok(command);
  EXPECT_EQ(run_ok(command), first);
  EXPECT_GT(counts(*mount_)["entries by name"], kGames);
  // Needs the size of each file, so each is looked up or listed with attributes.
  EXPECT_EQ(find("-type f -size +0"), find("-type f"));
  EXPECT_LE(counts(*mount_)["requests lookup"], kGames / 10);
}

}  // namespace
}  // namespace scidfs::tests
