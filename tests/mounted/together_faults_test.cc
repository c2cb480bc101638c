// together/ while one of its databases is damaged, refused, or on a server that hangs; and without
// file descriptors.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "tests/mounted/live.h"
#include "tests/mounted/reader.h"
#include "tests/support/faulty_folder.h"
#include "tests/support/remote_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;

class TogetherFaultsTest : public LiveTest {
 protected:
  std::size_t games_of(const std::string& path) const {
    return cut_games(try_read(path).value_or("")).size();
  }
};

TEST_F(TogetherFaultsTest, DamagedDatabasesTakePartAsTheyAre) {
  if (IsSkipped()) return;
  const ScidFiles files = example(60, 1).files();
  const auto half = [](const std::string& bytes) { return bytes.substr(0, bytes.size() / 2); };
  save("good", files, overwrite);
  save("cut", {.index = files.index, .names = files.names, .games = half(files.games)}, overwrite);
  save("half", {.index = half(files.index), .names = files.names, .games = files.games}, overwrite);
  save("headless", {.index = "Scid", .names = files.names, .games = files.games}, overwrite);
  save("nameless", {.index = files.index, .names = "no names", .games = files.games}, overwrite);
  make_old(source_);
  mount({.source = source_, .options = "patience=0"});
  if (HasFatalFailure()) return;
  const std::string info = try_read("together/info.txt").value_or("nothing");
  EXPECT_THAT(info, HasSubstr("databases: 4\n"));
  EXPECT_THAT(info, HasSubstr("database: good.si4: 60 games\n"));
  EXPECT_THAT(info, HasSubstr("database: nameless.si4: 60 games, damaged\n"));
  std::string all;
  for (const char* const name : {"cut", "good", "half", "nameless"}) {
    all += try_read(fmt::format("{}.si4/all.pgn", name)).value_or("nothing");
  }
  EXPECT_EQ(try_read("together/all.pgn"), all);
  EXPECT_EQ(pgn_faults(all), std::vector<std::string>());
  EXPECT_EQ(rows_of(try_read("together/index.tsv").value_or("")).size(), cut_games(all).size());
  for (const char* const file : {"summary.txt", "players.tsv", "openings.tsv", "endings.tsv",
                                 "tags.tsv", "tree/moves.tsv", "search/text=a/index.tsv"}) {
    const filesystem::path path = *mount_ / "together" / file;
    EXPECT_EQ(read_all(path).size(), filesystem::file_size(path)) << file;
  }
}

// A database that cannot be opened takes no part; one whose games cannot be read fails what needs
// them, and nothing else.
TEST_F(TogetherFaultsTest, UnreadableDatabaseFailsOnlyWhatReadsIt) {
  if (IsSkipped()) return;
  save("a", example(20, 1).files(), overwrite);
  save("b", example(20, 2).files(), overwrite);
  const filesystem::path disk = folder_ / "disk";
  filesystem::create_directory(disk);
  copy_sample(disk / "x");
  make_old(disk);
  FaultyFolder faulty(disk);
  ASSERT_TRUE(faulty.ok());
  filesystem::create_directory_symlink(faulty.path(), source_ / "far");
  faulty.fail_opens(EACCES);
  const MountSetup setup{.source = source_, .options = "follow,patience=0"};
  mount(setup);
  if (HasFatalFailure()) return;
  EXPECT_EQ(try_read("together/all.pgn"), decoded("a") + decoded("b"));
  EXPECT_THAT(try_read("far/info.txt").value_or(""), HasSubstr("refused: "));
  mount_.reset();
  faulty.heal();
  mount(setup);
  if (HasFatalFailure()) return;
  EXPECT_EQ(games_of("together/all.pgn"), 40U + 1602U);
  for (const int error : {EACCES, EIO}) {
    faulty.fail_reads(".sg4", 0, UINT64_MAX, error);
    const std::string search = fmt::format("together/search/text=no{}", error);
    EXPECT_EQ(open_error(search + "/index.tsv"), error);
    EXPECT_EQ(open_error(search + "/not-base=x*/index.tsv"), 0);
    EXPECT_EQ(open_error("together/players.tsv"), 0);
    faulty.heal();
    EXPECT_EQ(open_error(search + "/index.tsv"), 0);
  }
}

TEST_F(TogetherFaultsTest, ServerThatHangsBlocksOnlyReadersOfAll) {
  if (IsSkipped()) return;
  const filesystem::path server = folder_ / "server";
  filesystem::create_directory(server);
  filesystem::create_directory(source_ / "far");
  ScidWriter games = example(20, 1);
  save("a", games.files(), overwrite);
  save("b", example(20, 2).files(), overwrite);
  copy_sample(server / "hanging");
  make_old(server);
  RemoteFolder remote(server, source_ / "far");
  ASSERT_TRUE(remote.ok());
  mount({.source = source_, .options = "index=none"});
  if (HasFatalFailure()) return;
  ASSERT_EQ(open_error("together/players.tsv"), 0);
  remote.hang_reads("hanging.sg4");
  {
    Reader all(*mount_ / "together/all.pgn");
    Reader searching(*mount_ / "together/search/text=mate/index.tsv");
    Reader again(*mount_ / "together/search/text=mate/index.tsv");
    ASSERT_TRUE(eventually([&] { return remote.hung() != 0; }));
    EXPECT_EQ(try_read("a.si4/all.pgn"), decoded("a"));
    EXPECT_EQ(try_read("together/search/not-base=h*/games.pgn"), decoded("a") + decoded("b"));
    EXPECT_EQ(open_error("together/search/base=b*/text=e/index.tsv"), 0);
    EXPECT_EQ(open_error("together/years.tsv"), 0);
    EXPECT_FALSE(names_in(*mount_ / "together/players").empty());
    // Others change meanwhile.
    games.set_white(3, "Changed");
    save("a", games.files());
    EXPECT_TRUE(shows("together/search/base=a*/games.pgn", decoded("a")));
    for (Reader* const reader : {&all, &searching, &again}) {
      EXPECT_FALSE(reader->has_ended());
      reader->interrupt();
      EXPECT_TRUE(eventually([&] { return reader->has_ended(); }));
    }
  }
  remote.go_on();
  EXPECT_EQ(games_of("together/all.pgn"), 40U + 1602U);
}

// Databases that find no descriptors left are refused; the others stand together.
TEST_F(TogetherFaultsTest, DatabasesWithoutDescriptorsAreLeftOut) {
  if (IsSkipped()) return;
  constexpr int kDatabases = 30;
  for (int i = 0; i < kDatabases; ++i) {
    save(fmt::format("{:02}", i), example(5, static_cast<std::uint64_t>(i)).files(), overwrite);
  }
  make_old(source_);
  const filesystem::path mountpoint = folder_ / "mnt";
  filesystem::create_directory(mountpoint);
  for (const int most : {100, 70}) {
    const Outcome outcome = run(fmt::format(
        "ulimit -n {}; {} {} {} -o cache_dir=none,spelling=none,eco=none,fide=none,patience=0",
        most, word(scidfs_binary()), word(source_), word(mountpoint)));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
    std::string all;
    int shown = 0;
    for (const std::string& name : names_in(mountpoint)) {
      if (!name.ends_with(".si4")) continue;
      all += read_all(mountpoint / name / "all.pgn");
      ++shown;
    }
    EXPECT_GT(shown, 10);
    EXPECT_LT(shown, kDatabases);
    EXPECT_EQ(read_all(mountpoint / "together/all.pgn"), all);
    EXPECT_THAT(read_all(mountpoint / "together/info.txt"),
                HasSubstr(fmt::format("databases: {}\n", shown)));
    EXPECT_EQ(run("fusermount3 -u " + word(mountpoint)).exit_code, 0);
  }
}

}  // namespace
}  // namespace scidfs::tests
