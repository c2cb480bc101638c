// Opening books through a real mount: made by scidfs-book, examined with real tools.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// The books of the fixtures, and the sample database with a book made from it.
class BookTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (is_over()) return;
    filesystem::copy(test_data("kvetka"), source_.path());
    filesystem::copy(sample_folder(), source_.path());
    run_ok(fmt::format("{} build {} -o {} --plies 12", book_binary(), word(source_ / "sample.si4"),
                       word(source_ / "mine")));
    // Some of the fixtures are damaged.
    mount_ = std::make_unique<Mount>(MountSetup{.source = source_.path(), .options = "patience=0"});
    ASSERT_TRUE(mount_->ok());
  }
  bool is_over() const { return IsSkipped() || HasFatalFailure(); }
  static std::string book_binary() { return shell_word(program("scidfs-book").native()); }
  filesystem::path at(std::string_view name) const { return *mount_ / name; }

  TemporaryFolder source_;
  std::unique_ptr<Mount> mount_;
};

TEST_F(BookTest, SizesAreExact) {
  std::size_t files = 0;
  for (const filesystem::path& path : files_below(mount_->path())) {
    if (path.string().find(".kob/") == std::string::npos) continue;
    EXPECT_EQ(read_all(path).size(), filesystem::file_size(path)) << path;
    ++files;
  }
  EXPECT_GT(files, 40U);
  EXPECT_THAT(names_in(at("small.kob")),
              ElementsAre("fen", "games.pgn", "info.txt", "lines.pgn", "positions.epd"));
}

TEST_F(BookTest, AnyFenOfPositionHasItsPage) {
  const std::string page =
      run_ok("cd " + shell_word(at("small.kob/fen").string()) +
             " && cat rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w_KQkq_-.txt");
  EXPECT_THAT(page, HasSubstr("opening: B20 Sicilian Defence\nside to move: White\ngames: 20\n"));
  EXPECT_EQ(run("ls " + shell_word(at("small.kob/fen").string())).out, "");
  EXPECT_NE(
      run("cat " + shell_word(at("small.kob/fen/8-8-8-8-8-8-8-8_w_-_-.txt").string())).exit_code,
      0);
}

TEST_F(BookTest, BookOfDatabaseBesideItPointsToItsGames) {
  EXPECT_THAT(read_all(at("mine.kob/info.txt")), HasSubstr("health: good\n"));
  EXPECT_THAT(read_all(at("mine.kob/info.txt")), HasSubstr(": sample.si4/all.pgn\n"));
  // The address in the book is a path in this mount, and games are at the places that the book
  // gives.
  const std::string games = run_ok(book_binary() + " dump " + word(source_ / "mine.ksf"));
  const std::string all = read_all(at("sample.si4/all.pgn"));
  std::size_t checked = 0;
  std::size_t line = games.find('\n') + 1;
  for (; line < games.size(); line = games.find('\n', line) + 1) {
    std::vector<std::string> fields;
    std::istringstream in(games.substr(line, games.find('\n', line) - line));
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 12U);
    EXPECT_EQ(fields[3], "sample.si4/all.pgn");
    const std::string game = all.substr(std::stoul(fields[5]), std::stoul(fields[6]));
    EXPECT_THAT(game, StartsWith("[Event \""));
    EXPECT_THAT(game, testing::EndsWith(fields[11] + "\n\n"));
    ++checked;
  }
  EXPECT_GT(checked, 1000U);
}

TEST_F(BookTest, NewVersionIsShown) {
  const std::string before = read_all(at("mine.kob/info.txt"));
  run_ok(fmt::format("{} build {} -o {} --plies 4 --caption Short", book_binary(),
                     word(source_ / "sample.si4"), word(source_ / "mine")));
  run_ok("for i in $(seq 200); do grep -q 'caption: Short' " +
         shell_word(at("mine.kob/info.txt").string()) + " && exit; sleep 0.1; done; exit 1");
  EXPECT_THAT(read_all(at("mine.kob/info.txt")), HasSubstr("plies of each game: 4\n"));
}

TEST_F(BookTest, DumpReportsErrors) {
  const auto dump = [&](const std::string& name) {
    return run(book_binary() + " dump " + word(source_ / name));
  };
  EXPECT_EQ(dump("small").exit_code, 0);
  EXPECT_EQ(dump("small").out, read_file(test_data("kvetka/small.expected.tsv")));
  EXPECT_EQ(dump("bad_compactint").exit_code, 3);
  EXPECT_THAT(dump("bad_compactint").errors, HasSubstr("block 0, byte 2: "));
  EXPECT_EQ(dump("bad_type").exit_code, 4);
  EXPECT_THAT(dump("bad_type").errors, HasSubstr("type 2 is not supported"));
  EXPECT_EQ(run(book_binary() + " build").exit_code, 2);
  EXPECT_EQ(run(book_binary() + " --help").exit_code, 0);
}

}  // namespace
}  // namespace scidfs::tests
