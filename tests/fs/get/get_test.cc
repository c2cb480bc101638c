// What scidfs-get prints of a tree.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "fs/get/listing.h"
#include "fs/get/path_finder.h"
#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class GetTest : public LibraryTest {
 protected:
  void SetUp() override {
    put("a", example_database(300, 1).files());
    std::filesystem::create_directory(source_ / "more");
    put("more/b[1]", example_database(20, 2).files());
    options_.index = IndexMode::None;
    open(source_);
    runner_ = std::make_unique<RequestRunner>(*tree_);
  }
  void TearDown() override { runner_.reset(); }

  TreeReader reader() const {
    return TreeReader(*tree_, *runner_, library_->searches().rejected_names);
  }

  // The paths that a path leads to, or the error.
  std::vector<std::string> found(std::string_view path) const {
    std::vector<std::string> paths;
    const absl::Status status =
        find_path(reader(), path, UnknownSize::IsLeftOut,
                  [&paths](const FoundPath& found) { paths.push_back(found.path); });
    if (!status.ok()) paths.emplace_back(status.message());
    return paths;
  }

  // What `print` writes.
  template <class Print>
  std::string printed(const Print& print) const {
    const Path file = folder_ / "printed";
    const int number = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    Output output(number);
    EXPECT_EQ(print(output), ExitCode::Good);
    EXPECT_TRUE(output.flush().ok());
    ::close(number);
    return tests::read_file(file);
  }
  std::string listed(const std::vector<std::string>& paths, const ListOptions& options = {}) const {
    return printed([&](Output& output) { return list_paths(reader(), paths, options, output); });
  }

  std::unique_ptr<RequestRunner> runner_;
};

TEST_F(GetTest, FindsPathsAsTheKernelDoes) {
  const std::string none = "No such file or directory";
  const std::string no_directory = "Not a directory";
  const struct {
    std::string path;
    std::vector<std::string> found;
  } cases[] = {
      {"", {"."}},
      {"/", {"."}},
      {"./.", {"."}},
      {"a.si4", {"a.si4"}},
      {"/a.si4/", {"a.si4"}},
      {"//a.si4//./all.pgn", {"a.si4/all.pgn"}},
      {"a.si4/search/white=White_1/games.pgn", {"a.si4/search/white=White_1/games.pgn"}},
      {"a.si4/all.pgn/", {no_directory}},
      {"a.si4/all.pgn/x", {no_directory}},
      {"nothing.si4", {none}},
      {"a.si4/nothing/x", {none}},
      {std::string(300, 'x'), {none}},
      {"\xff\xfe", {none}},
      {"\x1b[2J", {"no listed name matches"}},
  };
  for (const auto& test : cases) EXPECT_EQ(found(test.path), test.found) << test.path;
}

TEST_F(GetTest, SaysWhyANameIsNoFacetOrPosition) {
  for (const char* const path :
       {"a.si4/search/eco=Z/games.pgn", "a.si4/search/nothing=1", "a.si4/search/eco=Z*",
        "a.si4/positions/8-8_w/moves.txt", "a.si4/tree/e5/moves.txt", "a.si4/lines/plies=x.pgn"}) {
    EXPECT_THAT(found(path), ElementsAre(MatchesRegex("No such file or directory: [^:]+: .+")))
        << path;
  }
  EXPECT_THAT(found("a.si4/search/eco=[AB]"),
              ElementsAre("a.si4/search/eco=A", "a.si4/search/eco=B"));
}

TEST_F(GetTest, SaysWhyADatabaseIsNotShown) {
  runner_.reset();
  put(source_ / "more/b.si4", "no database");
  std::filesystem::create_directory_symlink(source_ / "more", source_ / "again");
  put(source_ / "refused.pgn.gz", "no gzip");
  open(source_);
  runner_ = std::make_unique<RequestRunner>(*tree_);
  const struct {
    std::string path;
    std::string why;
  } cases[] = {
      {"more/b.si4/all.pgn", "No such file or directory: Cannot open .*/more/b.si4: .+"},
      {"again/a.si4", "No such file or directory: again: .+"},
      {"refused.pgn.gz/all.pgn", "No such file or directory: refused: .+"},
      {"more/d.si4", "No such file or directory(; did you mean .+)?"},
  };
  for (const auto& [path, why] : cases) {
    EXPECT_THAT(found(path), ElementsAre(MatchesRegex(why))) << path;
  }
}

TEST_F(GetTest, NamesTheNearestNames) {
  const std::string none = "No such file or directory";
  const struct {
    std::string path;
    std::string error;
  } cases[] = {
      {"b.si4", none + "; did you mean `a.si4`?"},
      {"A.SI4/all.pgn", none + "; did you mean `a.si4`?"},
      {"a.si4/summry.txt", none + "; did you mean `summary.txt`?"},
      {"a.si4/players/wh/Wite_1", none + "; did you mean `White_1`?"},
      {"a.si4/players/White_9",
       none + "; did you mean `White_0`, `White_1`, `White_2`, `White_3`, `White_4`?"},
      {"a.si4/players/white/all.pgn",
       none + "; did you mean `White_0`, `White_1`, `White_2`, `White_3`, `White_4`?"},
      {"together/players/Whiet_3", none + "; did you mean `White_3`?"},
      {"a.si4/players/Vhite_3", none + "; did you mean `White_3`?"},
      {"a.si4/nothing/x", none},
      {"*/nothing/x", "no listed name matches"},
  };
  for (const auto& test : cases)
    EXPECT_THAT(found(test.path), ElementsAre(test.error)) << test.path;
}

TEST_F(GetTest, NearestNamesAreWordsOfAShell) {
  runner_.reset();
  put("-dash", example_database(5, 3).files());
  put("more/it's `id`", example_database(5, 4).files());
  open(source_);
  runner_ = std::make_unique<RequestRunner>(*tree_);
  EXPECT_THAT(found("-dsh.si4"), ElementsAre(HasSubstr("; did you mean `./-dash.si4`")));
  EXPECT_EQ(found("./-dash.si4/all.pgn"), found("-dash.si4/all.pgn"));
  EXPECT_THAT(found("more/its `id`.si4"),
              ElementsAre(EndsWith("; did you mean 'it'\\''s `id`.si4'?")));
}

TEST_F(GetTest, NamesTheNearestNamesOfOtherGroups) {
  runner_.reset();
  std::filesystem::copy(tests::test_data("sample"), source_,
                        std::filesystem::copy_options::recursive);
  open(source_);
  runner_ = std::make_unique<RequestRunner>(*tree_);
  const struct {
    std::string path;
    std::string nearest;
  } cases[] = {
      // Another year, the name in another order, and neither.
      {"sample.si4/events/1999/FIDE_World_Cup_2013--Tromso_NOR/crosstable.txt",
       "sample.si4/events/2013/FIDE_World_Cup_2013--Tromso_NOR"},
      {"sample.si4/events/1999/Tromso_World_Cup",
       "sample.si4/events/2013/FIDE_World_Cup_2013--Tromso_NOR"},
      {"sample.si4/events/Spicenet",
       "sample.si4/events/2013/"
       "Spicenet_Tanzania_Open--Dar_es_Salaam_TAN"},
      {"sample.si4/events/1698/Spicenet_Open/games.pgn",
       "sample.si4/events/2013/Spicenet_Tanzania_Open--Dar_es_Salaam_TAN"},
      {"together/events/1999/Tromso_World_Cup",
       "together/events/2013/FIDE_World_Cup_2013--Tromso_NOR"},
      // A year itself.
      {"sample.si4/events/20133", "2013"},
      {"sample.si4/events/2013/Spicenet_Tanzania_Open--Dar_es_Salaam_TAN/game.pgn", "games.pgn"},
      {"a.si4/players/bl/White_1", "a.si4/players/wh/White_1"},
      {"a.si4/players/xx/White_1/all.pgn", "a.si4/players/White_1"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(
        found(test.path),
        ElementsAre(StartsWith("No such file or directory; did you mean `" + test.nearest + '`')))
        << test.path;
  }
}

TEST_F(GetTest, RefusesPathsUpwards) {
  for (const char* const path : {"..", "../x", "a.si4/..", "a.si4/../a.si4/all.pgn", "/../etc"}) {
    EXPECT_THAT(found(path), ElementsAre(HasSubstr("`..` is not taken"))) << path;
  }
  EXPECT_THAT(found("..."), ElementsAre("No such file or directory"));
}

TEST_F(GetTest, WildcardsMatchListedNamesUnlessTheTreeAnswers) {
  const struct {
    std::string path;
    std::vector<std::string> found;
  } cases[] = {
      {"*.si4", {"a.si4"}},
      {"?.si4/a*.p[g]n", {"a.si4/all.pgn"}},
      {"a.si4/players/wh/White_[1-3]/white.pgn",
       {"a.si4/players/wh/White_1/white.pgn", "a.si4/players/wh/White_2/white.pgn",
        "a.si4/players/wh/White_3/white.pgn"}},
      // Only below some of the names there is more.
      {"*/all.pgn", {"a.si4/all.pgn"}},
      {"*/*.si4/all.pgn", {"more/b[1].si4/all.pgn"}},
      {"a.si4/*.pgn/", {"no listed name matches"}},
      {"more/*/", {"more/b[1].si4"}},
      // Both are names, and not patterns.
      {"more/b[1].si4/all.pgn", {"more/b[1].si4/all.pgn"}},
      {"a.si4/search/white=White*/nothing.pgn", {"No such file or directory"}},
      {"a.si4/search/white=White*/games.pgn", {"a.si4/search/white=White*/games.pgn"}},
      {"a.si4/search/white=White*/g*s.pgn", {"a.si4/search/white=White*/games.pgn"}},
      {"a.si4/x*", {"no listed name matches"}},
      {"*.nothing/all.pgn", {"no listed name matches"}},
  };
  for (const auto& test : cases) EXPECT_EQ(found(test.path), test.found) << test.path;
}

TEST_F(GetTest, PrintsTheBytesOfFiles) {
  const std::vector<std::string> paths = {"a.si4/all.pgn", "a.si4/search/white=White_1/games.pgn",
                                          "more/b[1].si4/summary.txt"};
  std::string expected;
  for (const std::string& path : paths) expected += text(path);
  EXPECT_EQ(printed([&](Output& output) { return print_files(reader(), paths, output); }),
            expected);
}

TEST_F(GetTest, PathsAfterOneThatFailsArePrinted) {
  const std::string expected = text("a.si4/summary.txt");
  EXPECT_EQ(printed([&](Output& output) {
              EXPECT_EQ(
                  print_files(reader(), {"none", "a.si4", "../x", "a.si4/summary.txt"}, output),
                  ExitCode::Failed);
              EXPECT_EQ(list_paths(reader(), {"none"}, {}, output), ExitCode::Failed);
              return ExitCode::Good;
            }),
            expected);
}

// Game 3 of damaged.si4 ends early.
TEST_F(GetTest, TellsFilesWithDamagedGames) {
  runner_.reset();
  tests::ScidWriter writer = example_database(5, 3);
  writer.replace(2, record("e4 e5").substr(0, 4));
  put("damaged", writer.files());
  open(source_);
  runner_ = std::make_unique<RequestRunner>(*tree_);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const auto result = [&](const std::vector<std::string>& paths) {
    Output output(nowhere);
    return print_files(reader(), paths, output);
  };
  const struct {
    std::vector<std::string> paths;
    ExitCode code;
  } cases[] = {
      {{"damaged.si4/fens/3.epd"}, ExitCode::Damaged},
      {{"damaged.si4/games/3.pgn"}, ExitCode::Damaged},
      {{"damaged.si4/games/2.pgn", "damaged.si4/fens/2.epd"}, ExitCode::Good},
      {{"damaged.si4/all.pgn"}, ExitCode::Damaged},
      {{"a.si4/all.pgn", "damaged.si4/search/white=White*/games.pgn"}, ExitCode::Damaged},
      {{"damaged.si4/errors.tsv", "damaged.si4/summary.txt", "a.si4/all.pgn"}, ExitCode::Good},
      {{"damaged.si4/all.pgn", "none"}, ExitCode::Failed},
      {{"together/all.pgn"}, ExitCode::Damaged},
      {{"together/search/eco=A/games.pgn"}, ExitCode::Good},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(result(test.paths), test.code) << test.paths.front();
  }
  ::close(nowhere);
}

TEST_F(GetTest, ListsAsLsDoes) {
  EXPECT_EQ(listed({}), "README.txt\na.si4\nindex.html\ninfo.txt\nmore\nstatus.txt\n");
  EXPECT_EQ(listed({"more"}), "b[1].si4\ninfo.txt\n");
  EXPECT_EQ(listed({"more"}, {.marks_directories = true}), "b[1].si4/\ninfo.txt\n");
  EXPECT_EQ(listed({"a.si4/all.pgn"}), "a.si4/all.pgn\n");
  EXPECT_EQ(listed({"more", "info.txt", "a.si4/a*.pgn"}),
            "a.si4/all.pgn\ninfo.txt\n\nmore:\nb[1].si4\ninfo.txt\n");
  EXPECT_THAT(
      listed({}, {.is_recursive = true}),
      AllOf(
          StartsWith(".:\nREADME.txt\na.si4\nindex.html\ninfo.txt\nmore\nstatus.txt\n\n./a.si4:\n"),
          HasSubstr("\n\n./more:\nb[1].si4\n")));
  EXPECT_THAT(listed({"more"}, {.is_recursive = true}),
              StartsWith("more:\nb[1].si4\ninfo.txt\n\nmore/b[1].si4:\nall.pgn\n"));
}

TEST_F(GetTest, LongListingsHaveExactSizesAndTimes) {
  runner_.reset();
  for (const char* const name : {"a.si4", "a.sn4", "a.sg4"}) {
    const timespec time{.tv_sec = 1'000'000'000, .tv_nsec = 5};
    const timespec times[] = {time, time};
    ASSERT_EQ(::utimensat(AT_FDCWD, (source_ / name).c_str(), times, 0), 0);
  }
  open(source_);
  runner_ = std::make_unique<RequestRunner>(*tree_);
  constexpr const char* kTime = "2001-09-09T01:46:40.000000005Z";
  const std::string size = std::to_string(text("a.si4/all.pgn").size());
  EXPECT_EQ(listed({"a.si4/all.pgn"}, {.is_long = true}),
            fmt::format("-r--r--r-- {} {} a.si4/all.pgn\n", size, kTime));
  const std::string all = listed({"a.si4"}, {.is_long = true});
  EXPECT_THAT(all, HasSubstr(fmt::format("-r--r--r-- {} {} all.pgn\n", size, kTime)));
  EXPECT_THAT(all, HasSubstr(fmt::format("dr-xr-xr-x {:{}} {} players\n", 0, size.size(), kTime)));
}

TEST(OutputTest, SaysThatTheDeviceIsFull) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  Output output(full);
  output.append("small");
  EXPECT_TRUE(output.status().ok());
  output.append(std::string(std::size_t{1} << 20, 'x'));
  EXPECT_EQ(output.status().message(), "Cannot write standard output: No space left on device");
  output.append("more");
  EXPECT_FALSE(output.flush().ok());
  ::close(full);
}

TEST(OutputTest, AClosedPipeIsNoError) {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  Output output(ends[1]);
  output.append("text");
  EXPECT_TRUE(absl::IsCancelled(output.flush()));
  ::close(ends[1]);
}

}  // namespace
}  // namespace scidfs::fs
