// Sources that programs rewrite in place: no half-written version is shown, and opens wait for the
// new one where the old one is lost.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/mounted/live.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using Steady = std::chrono::steady_clock;
using std::chrono::seconds;
// The longest that a user may set: no test takes as long.
constexpr const char* kPatient = "patience=60";

// A text of games by one player.
std::string games_of(std::string_view white, int count = 40) {
  std::string text;
  for (int game = 0; game < count; ++game) {
    text += fmt::format(
        "[Event \"Club\"]\n[Site \"?\"]\n[Date \"2020.01.02\"]\n[Round \"{}\"]\n[White \"{}\"]\n"
        "[Black \"Other\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
        game, white);
  }
  return text;
}

// A file that a program has open.
class Written {
 public:
  explicit Written(const filesystem::path& path, int flags = 0)
      : file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags)) {
    EXPECT_GE(file_, 0) << path;
  }
  ~Written() { close(); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  void write(std::string_view text) const {
    EXPECT_EQ(::write(file_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }

 private:
  int file_;
};

class RewrittenTest : public LiveTest {
 protected:
  void put(const std::string& name, std::string_view text) const {
    overwrite(source_ / name, text);
    make_old(source_);
  }
  void mount(const std::string& options = kPatient) {
    LiveTest::mount({.source = source_, .options = options, .cache_home = folder_ / "cache"});
  }
  // Whether the games of one player are shown, and nothing else.
  bool shows_only(const std::string& pgn, const std::string& white) const {
    const std::optional<std::string> text = try_read(pgn + "/all.pgn");
    return text.has_value() && count(*text, "[White \"") > 0 &&
           count(*text, "[White \"") == count(*text, fmt::format("[White \"{}\"]", white));
  }
  // Whether they stay, for longer than scidfs needs to look.
  bool keeps(const std::string& pgn, const std::string& white) const {
    const auto end = Steady::now() + std::chrono::milliseconds(1500);
    while (Steady::now() < end) {
      if (!shows_only(pgn, white)) return false;
      ::usleep(20'000);
    }
    return true;
  }
  static std::size_t count(std::string_view text, std::string_view word) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) ++found;
    return found;
  }
};

TEST_F(RewrittenTest, PgnFileIsShownOldUntilItsWriterClosesIt) {
  const std::string old = games_of("Old");
  const std::string now = games_of("New", 60);
  struct Case {
    const char* what;
    int flags;
    std::size_t first;  // bytes before the pause
  };
  for (const Case& one : std::vector<Case>{{"in place", 0, old.size() / 2},
                                           {"in place, and longer", 0, old.size() + 500},
                                           {"cut first", O_TRUNC, old.size() / 2},
                                           {"cut first, and longer", O_TRUNC, old.size() + 500}}) {
    for (const std::string name : {"a.pgn", "A.PGN"}) {
      SCOPED_TRACE(fmt::format("{} {}", name, one.what));
      filesystem::remove_all(source_);
      filesystem::create_directory(source_);
      put(name, old);
      mount();
      if (HasFatalFailure()) return;
      ASSERT_TRUE(shows_only(name, "Old"));
      Written file(source_ / name, one.flags);
      file.write(std::string_view(now).substr(0, one.first));
      EXPECT_TRUE(keeps(name, "Old"));
      file.write(std::string_view(now).substr(one.first));
      file.close();
      go_on();
      EXPECT_TRUE(shows_only(name, "New")) << "the first open after the close waits";
      mount_.reset();
    }
  }
}

TEST_F(RewrittenTest, ACloseAloneShowsWhatWasWritten) {
  put("a.pgn", games_of("Old"));
  mount();
  if (HasFatalFailure()) return;
  ASSERT_TRUE(shows_only("a.pgn", "Old"));
  Written file(source_ / "a.pgn");
  file.write(games_of("New"));
  EXPECT_TRUE(keeps("a.pgn", "Old"));
  file.close();
  go_on();
  EXPECT_TRUE(shows_only("a.pgn", "New"));
}

TEST_F(RewrittenTest, ZipFileIsShownOldUntilItsWriterClosesIt) {
  const auto zip = [this](const std::string& white) {
    overwrite(folder_ / "games.pgn", games_of(white));
    filesystem::remove(folder_ / "made.zip");
    run_ok(fmt::format("cd {} && python3 -m zipfile -c made.zip games.pgn", word(folder_.path())));
    return read_file(folder_ / "made.zip");
  };
  put("a.zip", zip("Old"));
  const std::string now = zip("New");
  mount();
  if (HasFatalFailure()) return;
  ASSERT_TRUE(shows_only("a.zip/games.pgn", "Old"));
  Written file(source_ / "a.zip");
  file.write(now);
  EXPECT_TRUE(keeps("a.zip/games.pgn", "Old"));
  file.close();
  go_on();
  EXPECT_TRUE(shows_only("a.zip/games.pgn", "New"));
}

// As live broadcasts do.
TEST_F(RewrittenTest, AppendedGamesAreShownThoughTheFileStaysOpen) {
  for (const int games : {0, 1, 40}) {
    SCOPED_TRACE(games);
    put("a.pgn", games_of("Old", games));
    put("unread.pgn", games_of("Old", games));
    mount();
    if (HasFatalFailure()) return;
    EXPECT_TRUE(try_read("a.pgn/info.txt").has_value());
    const Written file(source_ / "a.pgn", O_APPEND);
    const Written unread(source_ / "unread.pgn", O_APPEND);
    for (int more = 1; more <= 3; ++more) {
      const std::string white = fmt::format("Live{}", more);
      file.write(games_of(white, 1));
      unread.write(games_of(white, 1));
      const auto start = Steady::now();
      for (const char* const name : {"a.pgn", "unread.pgn"}) {
        EXPECT_TRUE(eventually([&] {
          const std::optional<std::string> text = try_read(fmt::format("{}/all.pgn", name));
          return text.has_value() && text->find(white) != std::string::npos &&
                 count(*text, "[White \"") == static_cast<std::size_t>(games + more);
        })) << name;
      }
      EXPECT_LT(Steady::now() - start, seconds(30)) << "nobody has closed it";
    }
    mount_.reset();
  }
}

// Each version has been replaced before it is read as a whole.
TEST_F(RewrittenTest, OpensBelowAFileThatNeverStopsToGrowSucceed) {
  put("a.pgn", games_of("Old"));
  mount();
  if (HasFatalFailure()) return;
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    const Written file(source_ / "a.pgn", O_APPEND);
    while (!is_over) {
      file.write(games_of("Live", 1));
      ::usleep(20'000);
    }
  });
  const std::vector<std::string> names = {
      "all.pgn",    "players/ol/Old/summary.txt", "search/white=Old/all.pgn", "openings.tsv",
      "source.pgn", "games/00000/7.html",         "players/li/Live/all.pgn",  "info.txt"};
  std::vector<std::thread> readers;
  for (std::size_t reader = 0; reader < 4; ++reader) {
    readers.emplace_back([&, reader] {
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[(i + 2 * reader) % names.size()];
        EXPECT_TRUE(try_read("a.pgn/" + name).value_or("") != "") << name;
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  is_over = true;
  writer.join();
  EXPECT_THAT(mount_->messages(), testing::Not(testing::HasSubstr("another program")));
}

TEST_F(RewrittenTest, ACutPgnFileIsShownAfterPatience) {
  const std::string first = games_of("First");
  put("a.pgn", first + games_of("Second"));
  mount("patience=2");
  if (HasFatalFailure()) return;
  EXPECT_EQ(count(try_read("a.pgn/all.pgn").value_or(""), "[White \""), 80U);
  const auto start = Steady::now();
  ASSERT_EQ(::truncate((source_ / "a.pgn").c_str(), static_cast<off_t>(first.size())), 0);
  EXPECT_TRUE(eventually([&] { return shows_only("a.pgn", "First"); }));
  EXPECT_GE(Steady::now() - start, seconds(2)) << "nothing says that this is all";
}

// A file that no program has read yet: its old games are gone for good.
TEST_F(RewrittenTest, OpenOfAnUnreadPgnFileWaitsForItsWriter) {
  put("a.pgn", games_of("Old"));
  mount();
  if (HasFatalFailure()) return;
  const std::string now = games_of("New");
  Written file(source_ / "a.pgn");
  file.write(std::string_view(now).substr(0, now.size() / 2));
  // Any request of before has given up.
  ::usleep(1'500'000);
  bool is_new = false;
  std::thread reader([&] { is_new = shows_only("a.pgn", "New"); });
  ::usleep(1'500'000);
  file.write(std::string_view(now).substr(now.size() / 2));
  file.close();
  reader.join();
  EXPECT_TRUE(is_new);
}

class OverwrittenTest : public LiveTest {
 protected:
  static void ignore_signal() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ASSERT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
  }
  // As cp does.
  void copy_over(std::string_view name, const ScidFiles& files) const {
    save(name, files, overwrite);
  }
};

TEST_F(OverwrittenTest, OpensOfADatabaseThatIsCopiedOverWaitForIt) {
  copy_over("a", example(60, 1).files());
  copy_over("b", example(3, 3).files());
  mount({.source = {}, .options = "patience=3"});
  if (HasFatalFailure()) return;
  ASSERT_TRUE(try_read("a.si4/all.pgn").has_value());
  ASSERT_TRUE(try_read("together/all.pgn").has_value());
  const std::string other = decoded("b");
  copy_over("a", example(60, 2).files());
  const std::string now = decoded("a");
  go_on();
  // A name that has been looked up before, a new one, and both databases together.
  std::vector<std::thread> readers;
  for (const auto& [path, text] : std::vector<std::pair<std::string, std::string>>{
           {"a.si4/all.pgn", now}, {"a.si4/games/7.pgn", ""}, {"together/all.pgn", now + other}}) {
    readers.emplace_back([this, path = path, text = text] {
      const std::optional<std::string> got = try_read(path);
      ASSERT_TRUE(got.has_value()) << path;
      if (!text.empty()) {
        EXPECT_TRUE(*got == text) << path;
      }
    });
  }
  EXPECT_TRUE(try_read("info.txt").has_value());
  EXPECT_TRUE(try_read("b.si4/all.pgn") == other) << "nothing has happened to it";
  for (std::thread& reader : readers) reader.join();
}

TEST_F(OverwrittenTest, WaitForALostVersionCanBeInterrupted) {
  ignore_signal();
  copy_over("a", example(60, 1).files());
  mount({.source = {}, .options = kPatient});
  if (HasFatalFailure()) return;
  copy_over("a", example(60, 2).files());
  // Requests wait for other reasons only a second.
  ::usleep(2'000'000);
  std::atomic<bool> done = false;
  int error = 0;
  std::thread asking([&] {
    error = open_error("a.si4/games/3.pgn");
    done = true;
  });
  ::usleep(1'500'000);
  EXPECT_FALSE(done);
  while (!done) {
    ::pthread_kill(asking.native_handle(), SIGUSR1);
    ::usleep(20'000);
  }
  asking.join();
  EXPECT_EQ(error, EINTR);
}

}  // namespace
}  // namespace scidfs::tests
