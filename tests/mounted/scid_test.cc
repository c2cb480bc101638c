// Scid itself edits a mounted database while programs read. Every text that they read must belong
// to a version that Scid has written. SCIDFS_SCID_SECONDS: how long it runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>

#include "codec/scid/index.h"
#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

unsigned how_long() {
  const char* const value = std::getenv("SCIDFS_SCID_SECONDS");
  return value != nullptr ? static_cast<unsigned>(std::atoi(value)) : 30;
}
const unsigned seconds = how_long();

using Hash = std::size_t;
Hash hash_of(std::string_view path, std::string_view text) {
  return std::hash<std::string>()(std::string(path).append(1, '\0').append(text));
}

// What a reader has read: paths by number, and their contents.
class Reads {
 public:
  void add(const std::string& path, const std::string& text) {
    const std::scoped_lock lock(mutex_);
    ++count_;
    bytes_ += text.size();
    const Hash hash = hash_of(path, text);
    if (seen_.insert(hash).second) texts_.push_back({hash, path, text});
  }
  void failed(int error) {
    const std::scoped_lock lock(mutex_);
    if (error == ESTALE) {
      ++stale_;
    } else {
      EXPECT_EQ(error, ENOENT) << std::strerror(error);
      ++missing_;
    }
  }
  // Counts the texts that are not among these. Reports the first few.
  std::size_t count_wrong(const std::unordered_set<Hash>& right) const {
    std::size_t wrong = 0;
    for (const Text& text : texts_) {
      if (right.contains(text.hash)) continue;
      if (++wrong <= 3) {
        ADD_FAILURE() << text.path << " was never this:\n" << text.bytes.substr(0, 2000);
      }
    }
    return wrong;
  }
  std::string summary() const {
    return fmt::format("{} reads, {} bytes, {} different texts, {} stale, {} missing", count_,
                       bytes_, texts_.size(), stale_, missing_);
  }
  std::size_t count() const { return count_; }

 private:
  struct Text {
    Hash hash;
    std::string path, bytes;
  };
  std::mutex mutex_;
  std::unordered_set<Hash> seen_;
  std::vector<Text> texts_;
  std::size_t count_ = 0, bytes_ = 0, stale_ = 0, missing_ = 0;
};

// The texts of all versions, decoded without a mount.
class Versions {
 public:
  void add(const std::string& prefix) {
    ++count_;
    const ScidDatabase database(prefix);
    std::string all;
    codec::scid::GameText writer(codec::PgnOptions{});
    for (std::uint32_t game = 0; game < database.games(); ++game) {
      const std::string text = database.render(game, writer).text;
      const bool deleted = (database.entry(game).flags >> codec::scid::kFlagDeleted & 1) != 0;
      if (!deleted) all += text;
      right_.insert(hash_of(fmt::format("{} {}", deleted ? "deleted" : "games", game + 1), text));
      right_.insert(hash_of("any", text));
    }
    right_.insert(hash_of("all.pgn", all));
    last_ = std::move(all);
  }
  const std::unordered_set<Hash>& right() const { return right_; }
  const std::string& last() const { return last_; }
  std::size_t count() const { return count_; }

 private:
  std::unordered_set<Hash> right_;
  std::string last_;
  std::size_t count_ = 0;
};

class ScidTest : public WithScidTest {
 protected:
  // Text files to import, with games from the sample.
  std::string write_pgns() const {
    const std::vector<RenderedGame> games = ScidDatabase(test_data("sample/sample")).render_games();
    std::string names;
    for (std::size_t file = 0; file < 10; ++file) {
      const std::string name = folder_ / fmt::format("{}.pgn", file);
      std::ofstream out(name, std::ios::binary);
      for (std::size_t game = 0; game <= 3 * file; ++game) {
        out << games[(100 * file + game) % games.size()].text;
      }
      names += ' ' + shell_word(name);
    }
    return names;
  }

  // Bytes of a file below the mount, in pieces, possibly slowly.
  std::optional<std::string> read(const filesystem::path& path, Random& random) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      reads_.failed(errno);
      return std::nullopt;
    }
    const bool slow = random.one_in(20);
    std::string text;
    std::vector<char> buffer(1 + random.below(200'000));
    ssize_t got = 0;
    while ((got = ::read(file, buffer.data(), buffer.size())) > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
      if (slow) ::usleep(static_cast<useconds_t>(random.below(20'000)));
    }
    if (got < 0) reads_.failed(errno);
    ::close(file);
    return got < 0 ? std::nullopt : std::optional(text);
  }
  void read_all_games(const Mount& mount, Random& random) {
    const filesystem::path path = mount / "a.si4/all.pgn";
    if (const auto text = read(path, random)) reads_.add("all.pgn", *text);
  }
  void read_by_number(const Mount& mount, Random& random) {
    for (const char* const part : {"games", "deleted"}) {
      const std::size_t number = 1 + random.below(500);
      const filesystem::path path = mount / fmt::format("a.si4/{}/{}.pgn", part, number);
      if (const auto text = read(path, random))
        reads_.add(fmt::format("{} {}", part, number), *text);
    }
  }
  void read_listed(const Mount& mount, Random& random) {
    for (const char* const part : {"games", "deleted"}) {
      std::error_code error;
      filesystem::recursive_directory_iterator it(mount / "a.si4" / part, error);
      for (; !error && it != filesystem::recursive_directory_iterator(); it.increment(error)) {
        const filesystem::path path = it->path();
        if (path.extension() != ".pgn") continue;
        const std::string name = path.filename();
        std::size_t number = 0;
        std::from_chars(name.data(), name.data() + name.size(), number);
        if (number == 0) continue;  // of several games
        if (const auto text = read(path, random)) {
          reads_.add(fmt::format("{} {}", part, number), *text);
        }
      }
    }
  }
  void read_with_grep(const Mount& mount) {
    const Outcome grep =
        run(fmt::format("cd {} && grep -rh '' games deleted", mount.path().string()));
    for (const std::string& game : cut_games(grep.out)) reads_.add("any", game);
    EXPECT_EQ(grep.errors.find("Input/output error"), std::string::npos) << grep.errors;
  }

  // Decodes the copies as they arrive, and removes them.
  void follow(const std::atomic<bool>& over) {
    for (std::size_t next = 1;;) {
      const std::string prefix = folder_ / fmt::format("versions/{}", next);
      const bool is_last = over;
      if (!filesystem::exists(prefix + ".done")) {
        if (is_last) return;
        ::usleep(20'000);
        continue;
      }
      versions_.add(prefix);
      for (const char* const extension : {".si4", ".sn4", ".sg4", ".done"}) {
        filesystem::remove(prefix + extension);
      }
      ++next;
    }
  }

  TemporaryFolder folder_;
  Reads reads_;
  Versions versions_;
};

TEST_F(ScidTest, ReadersSeeOnlyVersionsWrittenByScid) {
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  filesystem::create_directory(folder_ / "versions");
  copy_sample(source / "a");
  const std::string edits = fmt::format(
      "tkscid {} {} {} {}{}", shell_word(source_path("tests/mounted/scid_edits.tcl").string()),
      shell_word((source / "a").string()), shell_word((folder_ / "versions").string()), seconds,
      write_pgns());
  versions_.add(source / "a");
  const Mount mount({.source = source});
  ASSERT_TRUE(mount.ok());

  std::atomic<bool> over = false;
  std::vector<std::thread> threads;
  const std::vector<std::function<void(Random&)>> readers = {
      [&](Random& random) { read_all_games(mount, random); },
      [&](Random& random) { read_by_number(mount, random); },
      [&](Random& random) { read_listed(mount, random); },
      [&](Random&) { read_with_grep(mount); },
  };
  for (const auto& reader : readers) {
    threads.emplace_back([&over, &reader, seed = threads.size()] {
      Random random(seed);
      while (!over) reader(random);
    });
  }
  threads.emplace_back([&] { follow(over); });
  const Outcome scid = run(edits, seconds + 60);
  over = true;
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(scid.exit_code, 0) << scid.errors;

  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const auto last = [&] { return read_all(mount / "a.si4/all.pgn"); };
  while (last() != versions_.last() && std::chrono::steady_clock::now() < end) ::usleep(50'000);
  EXPECT_TRUE(last() == versions_.last());
  EXPECT_EQ(reads_.count_wrong(versions_.right()), 0U);
  EXPECT_GT(versions_.count(), seconds / 5);
  EXPECT_GT(reads_.count(), 10 * seconds);
  ::usleep(1'100'000);  // status.txt shows the same numbers for a second
  const std::string status = read_all(mount / "status.txt");
  const std::size_t line = status.find("database ");
  fmt::print("steps: {}{} versions on disk; {}\n{}\nlog: {} lines\n", scid.out, versions_.count(),
             reads_.summary(), status.substr(line, status.find('\n', line) - line),
             std::ranges::count(mount.messages(), '\n'));
}

}  // namespace
}  // namespace scidfs::tests
