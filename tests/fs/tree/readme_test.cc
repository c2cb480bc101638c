// README.txt at the top of a mount: its examples have answers in sources of all kinds.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/archive.h"
#include "tests/support/scid_files.h"
#include "tests/support/shell.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class ReadmeTest : public PgnLibraryTest {
 protected:
  using LibraryTest::open;
  using LibraryTest::put;
  using PgnLibraryTest::open;

  // The paths of the examples, as a shell reads them.
  std::vector<std::string> examples() const {
    std::vector<std::string> paths;
    for (const std::string& word : words()) {
      const std::string path = tests::read_by_shell(word);
      paths.push_back(path.starts_with("./") ? path.substr(2) : path);
    }
    return paths;
  }
  // The same as they stand there.
  std::vector<std::string> words() const {
    constexpr std::string_view kIndent = "      ";
    const std::vector<std::string> lines = tests::split(text("README.txt"), '\n');
    std::vector<std::string> paths;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const bool is_path = lines[i].starts_with(kIndent) && lines[i - 1].starts_with("  ") &&
                           !lines[i - 1].starts_with(kIndent) && lines[i][kIndent.size()] != ' ';
      if (is_path) paths.push_back(lines[i].substr(kIndent.size()));
    }
    return paths;
  }
  // Checks the text, and that each example finds games.
  void expect_useful() const {
    const std::string readme = text("README.txt");
    SCOPED_TRACE(readme);
    EXPECT_LE(tests::split(readme, '\n').size(), 60U);
    EXPECT_TRUE(codec::is_utf8(tests::as_bytes(readme)));
    EXPECT_THAT(examples(), SizeIs(10));
    for (const std::string& path : examples()) {
      const absl::StatusOr<Entry> found = find(path);
      ASSERT_TRUE(found.ok()) << path;
      EXPECT_THAT(text(path), Not(IsEmpty())) << path;
      // The set has games.
      const std::string set = path.substr(0, path.rfind('/') + 1);
      const bool has_index = set.find("tree/") == std::string::npos;
      EXPECT_GE(tests::split(text(set + (has_index ? "index.tsv" : "games.pgn")), '\n').size(), 2U)
          << path;
    }
  }
};

TEST_F(ReadmeTest, ExamplesFindGamesInEachKindOfSource) {
  const tests::ScidFiles sample = tests::read_scid_files(tests::test_data("sample/sample"));
  put("x", sample);
  open(source_ / "x.si4");
  expect_useful();
  EXPECT_THAT(examples(), Contains("summary.txt"));
  open();
  expect_useful();
  EXPECT_THAT(examples(), Contains("x.si4/summary.txt"));
  EXPECT_THAT(text("README.txt"), AllOf(HasSubstr("'DATABASE/search/"), HasSubstr("anybody's")));
  // Of several databases it is the largest, and all of them as one.
  put("a", tests::read_scid_files(tests::test_data("scid4/dates")));
  std::filesystem::create_directory(source_ / "more");
  put("more/b", example_database(20, 1).files());
  open();
  expect_useful();
  EXPECT_THAT(examples(), AllOf(Contains("together/summary.txt"),
                                Contains("x.si4/search/first=20,by=elo/index.tsv")));
  // PGN files are not read where there is a database.
  put(source_ / "c.pgn", pgn_game("A") + pgn_game("B"));
  open();
  EXPECT_THAT(examples(), Contains("x.si4/search/first=20,by=elo/index.tsv"));
  EXPECT_THAT(kept(), IsEmpty());
  expect_useful();
}

TEST_F(ReadmeTest, ExamplesFindGamesInFoldersAndContainers) {
  std::filesystem::create_directories(source_ / "a/it's $mine");
  put("a/it's $mine/x", tests::read_scid_files(tests::test_data("sample/sample")));
  open();
  expect_useful();
  EXPECT_THAT(examples(), Contains("a/it's $mine/x.si4/summary.txt"));
  // Folders that have the names of files of scidfs, or odd ones, are shown under others.
  std::filesystem::rename(source_ / "a", source_ / "README.txt");
  std::filesystem::rename(source_ / "README.txt/it's $mine", source_ / "README.txt/a\xff\n");
  open();
  expect_useful();
  EXPECT_THAT(examples(), Contains(StartsWith("README.txt~1/a")));
  std::filesystem::remove_all(source_ / "README.txt");
  const tests::ScidFiles files = tests::read_scid_files(tests::test_data("sample/sample"));
  put(source_ / "a.scv", std::string(tests::kArchiveStart) +
                             tests::packed_member("below/x.si4", files.index) +
                             tests::packed_member("below/x.sn4", files.names) +
                             tests::packed_member("below/x.sg4", files.games));
  open();
  expect_useful();
  EXPECT_THAT(examples(), Contains("a.scv/below/x.si4/tree/moves.txt"));
  open(source_ / "a.scv");
  expect_useful();
  EXPECT_THAT(examples(), Contains("below/x.si4/tree/moves.txt"));
}

TEST_F(ReadmeTest, NamesOfASmallPgnFileAreRead) {
  put(source_ / "bad.pgn", "no game");
  put(source_ / "games.pgn", pgn_game("White, A") + pgn_game("O'Neil?, %_~1*"));
  open();
  const Inode before = inode("README.txt");
  EXPECT_THAT(text("README.txt"), HasSubstr("games.pgn/search/player=White,_A/summary.txt"));
  expect_useful();
  EXPECT_EQ(inode("README.txt"), before);
  open();
  EXPECT_EQ(inode("README.txt"), before);
  open(source_ / "games.pgn");
  expect_useful();
  // A request in a hurry leaves the reading to another thread.
  std::filesystem::remove_all(cache_);
  open();
  EXPECT_TRUE(absl::IsUnavailable(
      tree_->lookup(kRootInode, "README.txt", WorkBudget::limited(1000)).status()));
}

// It would take too long; but a name is used as soon as it is known.
TEST_F(ReadmeTest, LargePgnFilesAreNotRead) {
  std::string games;
  while (games.size() <= std::size_t{1} << 20) games += pgn_game("Large, File");
  put(source_ / "large.pgn", games);
  open();
  const absl::StatusOr<Entry> first =
      tree_->lookup(kRootInode, "README.txt", WorkBudget::limited(0));
  ASSERT_TRUE(first.ok());
  const std::string before = text("README.txt");
  EXPECT_THAT(before, HasSubstr("large.pgn/search/result=draw/summary.txt"));
  // Nor are they for the example of all databases as one.
  put("small", example_database(20, 1).files());
  library_->rescan();
  EXPECT_THAT(examples(), Contains("small.si4/summary.txt"));
  EXPECT_THAT(kept(), IsEmpty());
  std::filesystem::remove(source_ / "small.si4");
  library_->rescan();
  EXPECT_EQ(text("README.txt"), before);
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_THAT(examples(), SizeIs(10));
  for (const std::string& path : examples()) EXPECT_TRUE(exists(path)) << path;
  EXPECT_THAT(text("README.txt"), HasSubstr("large.pgn/search/player=Large,_File/summary.txt"));
  expect_useful();
  EXPECT_EQ(*read(first->attributes.inode), before);
}

TEST_F(ReadmeTest, ABookAloneHasExamples) {
  for (const char* const file : {"small_0.kob", "small.kin", "small.ksf"}) {
    std::filesystem::copy_file(tests::test_data("kvetka") / std::filesystem::path(file),
                               source_ / file);
  }
  for (const auto& [source, path] : {std::pair(source_, std::string("small.kob/")),
                                     std::pair(source_ / "small_0.kob", std::string())}) {
    open(source);
    EXPECT_THAT(text("README.txt"), HasSubstr("an opening book"));
    EXPECT_THAT(examples(), testing::ElementsAre(path + "info.txt", path + "lines.pgn",
                                                 path + "positions.epd"));
    for (const std::string& example : examples()) EXPECT_THAT(text(example), Not(IsEmpty()));
  }
}

TEST_F(ReadmeTest, FollowsTheSource) {
  open();
  EXPECT_THAT(text("README.txt"), AllOf(HasSubstr("There is no database with games here yet"),
                                        HasSubstr("HOW TO ASK")));
  EXPECT_THAT(examples(), IsEmpty());
  const Inode empty = inode("README.txt");
  const std::string said = text("README.txt");
  put("a", example_database(0, 1).files());
  library_->rescan();
  EXPECT_THAT(text("README.txt"), HasSubstr("There is no database with games here yet"));
  put("a", example_database(30, 1).files());
  library_->rescan();
  tree_->renew();
  expect_useful();
  EXPECT_THAT(text("README.txt"), HasSubstr("a.si4/search/white=White_"));
  EXPECT_NE(inode("README.txt"), empty);
  EXPECT_EQ(*read(empty), said);
  // A number of which nothing is known.
  open();
  EXPECT_TRUE(absl::IsFailedPrecondition(read(empty).status()));
  const absl::StatusOr<Entry> entry =
      tree_->lookup(kRootInode, "README.txt", WorkBudget::limited(0));
  ASSERT_TRUE(entry.ok());
  EXPECT_FALSE(entry->name_is_stable);
  EXPECT_TRUE(entry->attributes_are_stable);
  EXPECT_EQ(entry->attributes.size, text("README.txt").size());
  EXPECT_EQ(mtime("README.txt"), mtime("info.txt"));
  EXPECT_FALSE(exists("a.si4/README.txt"));
}

// A name may be any bytes; each is in one line.
TEST_F(ReadmeTest, HostileNamesStayInTheirLines) {
  for (const std::string& name :
       {std::string("a\nb\x1b[2J"), std::string(255, '~'), std::string("\xff\xfe/..\x7f"),
        std::string("'; rm -rf $HOME; '"), std::string("_unknown"), std::string("\xe2\x80\xae x"),
        std::string("*"), std::string("?")}) {
    tests::ScidWriter writer;
    for (int i = 0; i < 3; ++i) writer.add(record("e4 e5"), name, name + "2");
    put("a", writer.files());
    open();
    SCOPED_TRACE(name);
    const std::string readme = text("README.txt");
    for (const char c : readme) {
      ASSERT_TRUE(c == '\n' || !codec::is_ascii_control(c));
    }
    EXPECT_THAT(examples(), SizeIs(10));
    for (const std::string& path : examples()) EXPECT_TRUE(exists(path)) << path;
  }
}

TEST_F(ReadmeTest, ExamplesOfFilesWithHostileNamesAreWordsOfAShell) {
  const struct {
    std::string name;
    std::string beginning;
  } cases[] = {{"-dash", "./-dash.si4/"},
               {"it's `id` $HOME", "'it'\\''s `id` $HOME.si4/"},
               {"a b", "'a b.si4/"},
               {"plain", "plain.si4/"}};
  for (const auto& [name, beginning] : cases) {
    tests::ScidWriter writer;
    for (int i = 0; i < 3; ++i) writer.add(record("e4 e5"), "White", "Black");
    put(name, writer.files());
    open();
    EXPECT_THAT(words(), Each(StartsWith(beginning)));
    for (const std::string& path : examples()) EXPECT_TRUE(exists(path)) << path;
    EXPECT_EQ(text("README.txt").find("quotes that a shell needs") != std::string::npos,
              beginning[0] == '\'');
    std::filesystem::remove_all(source_ / (name + ".si4"));
  }
}

}  // namespace
}  // namespace scidfs::fs
