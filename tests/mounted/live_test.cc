// Databases that change while they are mounted.
#include "tests/mounted/live.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/bench/multiplier.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST_F(LiveTest, SavesAreShownEverywhereAndOpenFilesStayReadable) {
  ScidWriter writer = example(1200, 1);
  save("a", writer.files(), overwrite);
  save("b", writer.files(), overwrite);
  mount();
  if (HasFatalFailure()) return;
  const auto open_directory = [this](const char* path) {
    const int folder = ::open((*mount_ / path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    EXPECT_GE(folder, 0) << path;
    return folder;
  };
  // Current directories of shells, and what they show.
  const std::vector<std::pair<int, std::string>> places = {
      {open_directory(""), "a.si4/games/7.pgn"},
      {open_directory("a.si4"), "games/7.pgn"},
      {open_directory("a.si4/games"), "7.pgn"},
      {open_directory("a.si4/games/00000"), "7.pgn"},
      {open_directory("a.si4/eco"), "../games/7.pgn"}};
  const auto inode = [this](const char* path) {
    struct stat status {};
    EXPECT_EQ(::stat((*mount_ / path).c_str(), &status), 0) << path;
    return status.st_ino;
  };
  const ino_t unchanged = inode("b.si4/games/7.pgn");
  for (int round = 0; round < 5; ++round) {
    const std::string old_all = read_all(*mount_ / "a.si4/all.pgn");
    const std::string old = read_all(*mount_ / "a.si4/games/7.pgn");
    const ino_t old_inode = inode("a.si4/games/7.pgn");
    const int open_file = ::open((*mount_ / "a.si4/all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
    for (const auto& [folder, path] : places) EXPECT_EQ(try_read(folder, path), old);
    writer.set_white(6, fmt::format("Round {}", round));
    save("a", writer.files());
    const std::string now = ScidDatabase(source_ / "a").render_games()[6].text;
    ASSERT_NE(now, old);
    for (const auto& [folder, path] : places) {
      EXPECT_TRUE(eventually([&, at = folder, &name = path] { return try_read(at, name) == now; }))
          << path;
    }
    EXPECT_NE(inode("a.si4/games/7.pgn"), old_inode);
    EXPECT_EQ(inode("b.si4/games/7.pgn"), unchanged);
    EXPECT_EQ(read_on(open_file), old_all);
    ::close(open_file);
  }
  for (const auto& [folder, path] : places) ::close(folder);
  ::usleep(1'100'000);  // status.txt shows the same numbers for a second
  EXPECT_THAT(read_all(*mount_ / "status.txt"),
              HasSubstr("database a.si4: 1200 games, version 6 "));
  EXPECT_EQ(mount_->messages(), "");
}

TEST_F(LiveTest, AddedAndRemovedFoldersAndDatabasesAreFollowed) {
  save("a", example(5, 1).files(), overwrite);
  mount();
  if (HasFatalFailure()) return;
  const filesystem::path aside = folder_ / "aside";
  filesystem::create_directories(aside / "two/three/four");
  for (const char* const copy : {"two/b", "two/three/b", "two/three/four/b"}) {
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::copy(source_.string() + "/a" + extension, (aside / copy).string() + extension);
    }
  }
  const std::string text = decoded("a");
  for (int round = 0; round < 3; ++round) {
    run_ok(fmt::format("cp -r {} {}", shell_word(aside.string()),
                       shell_word((source_ / "one").string())));
    EXPECT_TRUE(shows("one/two/three/four/b.si4/all.pgn", text));
    EXPECT_TRUE(shows("one/two/b.si4/all.pgn", text));
    filesystem::rename(source_ / "one", source_ / "two");
    EXPECT_TRUE(shows("two/two/three/b.si4/all.pgn", text));
    EXPECT_TRUE(eventually([&] { return !filesystem::exists(*mount_ / "one"); }));
    // Changes below a renamed folder are still seen.
    save("two/two/three/c", example(3, 2).files(), overwrite);
    EXPECT_TRUE(shows("two/two/three/c.si4/all.pgn", decoded("two/two/three/c")));
    filesystem::remove_all(source_ / "two");
    EXPECT_TRUE(eventually([&] { return names_in(mount_->path()).size() == 5; }));
  }
  EXPECT_THAT(names_in(mount_->path()),
              testing::ElementsAre("README.txt", "a.si4", "index.html", "info.txt", "status.txt"));
}

TEST_F(LiveTest, DatabaseThatIsTheSourceIsFollowed) {
  save("a", example(50, 1).files(), overwrite);
  mount({.source = source_ / "a.si4"});
  if (HasFatalFailure()) return;
  const std::string old = decoded("a");
  filesystem::rename(source_, folder_ / "aside");
  ::usleep(300'000);
  EXPECT_TRUE(try_read("all.pgn") == old);
  // The sandbox of the daemon does not allow another folder in its place.
  filesystem::create_directory(source_);
  save("a", example(60, 2).files(), overwrite);
  ::usleep(300'000);
  const std::optional<std::string> shown = try_read("all.pgn");
  EXPECT_TRUE(shown == old || shown == decoded("a"));
  filesystem::remove_all(source_);
  filesystem::rename(folder_ / "aside", source_);
  save("a", example(60, 2).files(), overwrite);
  EXPECT_TRUE(shows("all.pgn", decoded("a")));
  for (const char* const name : {"a.si4", "a.sn4", "a.sg4"}) filesystem::remove(source_ / name);
  ::usleep(300'000);
  EXPECT_EQ(try_read("games/1.pgn"), cut_games(read_all(*mount_ / "all.pgn"))[0]);
  save("a", example(70, 3).files(), overwrite);
  EXPECT_TRUE(shows("all.pgn", decoded("a")));
}

TEST_F(LiveTest, SizesOfNewVersionAreSavedForTheNextMount) {
  ScidWriter writer = example(1200, 1);
  save("a", writer.files(), overwrite);
  const filesystem::path cache = folder_ / "cache";
  mount({.source = {}, .cache_home = cache});
  if (HasFatalFailure()) return;
  writer.set_white(6, "New");
  save("a", writer.files());
  ASSERT_TRUE(shows("a.si4/all.pgn", decoded("a")));
  mount_.reset();
  mount({.source = {}, .options = "index=none", .cache_home = cache});
  if (HasFatalFailure()) return;
  EXPECT_THAT(read_all(*mount_ / "status.txt"), HasSubstr("sizes known: 1200\n"));
}

TEST_F(LiveTest, UnmountsWhileNewVersionIsRead) {
  const absl::Status made = bench::multiply(test_data("sample/sample"), 100'000, folder_ / "large");
  ASSERT_TRUE(made.ok()) << std::string(made.message());
  for (int round = 0; round < 4; ++round) {
    mount();
    if (HasFatalFailure()) return;
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::copy(folder_.path().string() + "/large" + extension,
                       source_.string() + "/large" + extension);
    }
    ::usleep(static_cast<useconds_t>(100'000 + round * 50'000));
    mount_.reset();
    filesystem::remove_all(source_);
    filesystem::create_directory(source_);
  }
}

TEST_F(LiveTest, InfoOfFolderHasTimeOfNewestDatabase) {
  filesystem::create_directories(source_ / "club");
  ScidWriter writer = example(1000, 1);
  save("club/a", writer.files(), overwrite);
  save("b", example(3, 2).files(), overwrite);
  // rsync compares whole seconds.
  run_ok("touch -d '1 minute ago' " + word(source_ / "club") + "/* " + word(source_ / "club"));
  mount();
  if (HasFatalFailure()) return;
  const filesystem::path info = *mount_ / "club/info.txt";
  const filesystem::path copies = folder_ / "copies";
  const bool has_rsync = run("command -v rsync").exit_code == 0;
  const auto copy = [&] {
    if (has_rsync) run_ok("rsync -a " + word(*mount_ / "club/info.txt") + " " + word(copies) + "/");
  };
  copy();
  const std::string before = read_all(info);
  const auto size = filesystem::file_size(info);
  const auto time = filesystem::last_write_time(info);
  writer.add(ScidEncoder().moves("e4 e5").record(), "New", "Newer");
  save("club/a", writer.files());
  ASSERT_TRUE(eventually([&] { return try_read("club/info.txt") != before; }));
  EXPECT_THAT(read_all(info), HasSubstr("1001 games"));
  EXPECT_EQ(filesystem::file_size(info), size);
  EXPECT_GT(filesystem::last_write_time(info), time);
  copy();
  if (has_rsync) {
    EXPECT_EQ(read_all(copies / "info.txt"), read_all(info));
  }
}

// A copy that is in progress when the mount begins.
TEST_F(LiveTest, MountWaitsForCopyInProgress) {
  const ScidFiles old_files = example(200, 1).files();
  const ScidFiles new_files = example(300, 2).files();
  for (const bool is_cut : {true, false}) {
    save("b", new_files, overwrite);
    const std::string new_text = decoded("b");
    for (const char* const name : {"b.si4", "b.sn4", "b.sg4"}) filesystem::remove(source_ / name);
    save("a", old_files, overwrite);
    const std::string old_text = decoded("a");
    const int file =
        ::open((source_ / "a.sg4").c_str(), O_WRONLY | O_CLOEXEC | (is_cut ? O_TRUNC : O_APPEND));
    ASSERT_GE(file, 0);
    // Begins before the mount does.
    std::string_view rest = new_files.games;
    const auto grow = [&](std::size_t bytes) {
      EXPECT_EQ(::write(file, rest.data(), bytes), static_cast<ssize_t>(bytes));
      rest.remove_prefix(bytes);
    };
    grow(rest.size() / 50);
    std::thread copy([&] {
      while (rest.size() > new_files.games.size() / 20) {
        grow(new_files.games.size() / 20);
        ::usleep(100'000);
      }
      if (!is_cut) return;
      overwrite(source_ / "a.sn4", new_files.names);
      overwrite(source_ / "a.si4", new_files.index);
      grow(rest.size());
    });
    // Bytes after the last record do not fit, but the old version is complete.
    mount({.source = {}, .options = is_cut ? "" : "patience=1"});
    const std::optional<std::string> first = mount_->ok() ? try_read("a.si4/all.pgn") : "";
    copy.join();
    ::close(file);
    if (HasFatalFailure()) return;
    EXPECT_TRUE(first == new_text || (!is_cut && first == old_text)) << is_cut;
    EXPECT_TRUE(shows("a.si4/all.pgn", is_cut ? new_text : old_text));
    mount_.reset();
  }
}

TEST_F(LiveTest, DamagedDatabaseDelaysMountOnlyIfRecentlyChanged) {
  using Clock = std::chrono::steady_clock;
  ScidFiles files = example(100, 1).files();
  files.games.resize(files.games.size() / 2);
  save("a", files, overwrite);
  const auto time_to_mount = [&](const std::string& options) {
    const auto start = Clock::now();
    mount({.source = {}, .options = options});
    const Clock::duration taken = Clock::now() - start;
    EXPECT_THAT(read_all(*mount_ / "a.si4/info.txt"), HasSubstr("health: damaged"));
    return taken;
  };
  const Clock::duration without = time_to_mount("patience=0");
  EXPECT_LT(without, std::chrono::seconds(3));
  mount_.reset();
  save("a", files);
  const Clock::duration at_first = time_to_mount("");
  EXPECT_GT(at_first, std::chrono::seconds(4));
  EXPECT_LT(at_first, std::chrono::seconds(10));
  mount_.reset();
  EXPECT_LT(time_to_mount(""), std::chrono::seconds(3)) << "it has been left alone";
}

// A program copies one version over another, slowly and in any order, while others read.
class SlowCopyTest : public LiveTest {
 protected:
  struct Texts {
    std::string all;
    std::vector<std::string> games;
  };

  Texts texts_of(const ScidFiles& files) const {
    save("tmp", files, overwrite);
    Texts texts{.all = decoded("tmp"), .games = {}};
    for (RenderedGame& game : ScidDatabase(source_ / "tmp").render_games()) {
      texts.games.push_back(std::move(game.text));
    }
    for (const char* const name : {"tmp.si4", "tmp.sn4", "tmp.sg4"}) {
      filesystem::remove(source_ / name);
    }
    return texts;
  }

  void copy_slowly(const ScidFiles& files, Random& random) const {
    std::vector<std::pair<const char*, const std::string*>> parts = {
        {"a.si4", &files.index}, {"a.sn4", &files.names}, {"a.sg4", &files.games}};
    std::swap(parts[0], parts[random.below(3)]);
    std::swap(parts[1], parts[1 + random.below(2)]);
    const bool cut = random.one_in(2);
    for (const auto& [name, bytes] : parts) {
      const int file = ::open((source_ / name).c_str(), O_WRONLY | O_CLOEXEC | (cut ? O_TRUNC : 0));
      ASSERT_GE(file, 0);
      for (std::size_t at = 0; at < bytes->size();) {
        const std::size_t size = std::min(1 + random.below(bytes->size() / 2), bytes->size() - at);
        ASSERT_EQ(::pwrite(file, bytes->data() + at, size, static_cast<off_t>(at)),
                  static_cast<ssize_t>(size));
        at += size;
        ::usleep(static_cast<useconds_t>(random.below(150'000)));
      }
      ::close(file);
    }
  }
};

TEST_F(SlowCopyTest, EveryTextBelongsToOneVersion) {
  // Each file has the same length, the same names in another order, and records in the same places.
  std::vector<ScidFiles> versions;
  for (int version = 0; version < 3; ++version) {
    ScidWriter writer;
    for (int game = 0; game < 300; ++game) {
      const std::vector<std::string> moves = {"e4 e5 d4 d5", "c4 c5 b4 b5", "f4 f5 g4 g5",
                                              "a4 a5 h4 h5"};
      writer.add(ScidEncoder().moves(moves[(game * 7 + version * (1 + game % 3)) % 4]).record(),
                 fmt::format("White {}", (game << version) % 9),
                 fmt::format("Black {}", (game + version) % 9));
    }
    versions.push_back(writer.files());
  }
  std::vector<Texts> texts;
  for (const ScidFiles& files : versions) {
    texts.push_back(texts_of(files));
    EXPECT_EQ(files.games.size(), versions[0].games.size());
    EXPECT_EQ(files.names.size(), versions[0].names.size());
    EXPECT_EQ(texts.back().all.size(), texts[0].all.size());
  }
  save("a", versions[0], overwrite);
  mount();
  if (HasFatalFailure()) return;
  std::atomic<bool> over = false;
  std::atomic<std::size_t> read = 0;
  std::atomic<std::size_t> gone = 0;
  std::vector<std::thread> readers;
  for (unsigned reader = 0; reader < 4; ++reader) {
    readers.emplace_back([&, reader] {
      Random random(reader);
      while (!over) {
        const std::size_t game = random.below(texts[0].games.size());
        const bool all = random.one_in(10);
        const std::optional<std::string> text =
            try_read(all ? "a.si4/all.pgn" : fmt::format("a.si4/games/{}.pgn", game + 1));
        ++(text ? read : gone);
        if (!text) continue;
        EXPECT_TRUE(std::ranges::any_of(texts,
                                        [&](const Texts& version) {
                                          return *text == (all ? version.all : version.games[game]);
                                        }))
            << game << '\n'
            << (all ? "" : *text);
      }
    });
  }
  Random random(1);
  for (std::size_t round = 1; round <= 3; ++round) {
    copy_slowly(versions[round % 3], random);
    EXPECT_TRUE(shows("a.si4/all.pgn", texts[round % 3].all)) << round;
    const std::size_t before = read;
    EXPECT_TRUE(eventually([&] { return read > before + 200; })) << "readers go on";
  }
  over = true;
  for (std::thread& reader : readers) reader.join();
  RecordProperty("read", static_cast<int>(read));
  RecordProperty("gone", static_cast<int>(gone));
}

}  // namespace
}  // namespace scidfs::tests
