// PGN files in a source: read at the first lookup, kept in the cache folder, shown as databases.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fs/base/code_pages.h"
#include "fs/database/database.h"
#include "fs/pgn/record_files.h"
#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/packed.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class PgnFilesTest : public PgnLibraryTest {
 protected:
  // Writes checksums that fit to records.
  void sign_records() const {
    const RecordFiles files(cache_ / kept(".remarks").stem());
    RecordsText text = files.load().value();
    const auto database = Database::open(files.index(), "", {});
    text.database_checksum = (*database)->files().checksum([] { return false; }).value();
    EXPECT_TRUE(files.save(text).ok());
  }
};

TEST_F(PgnFilesTest, IsReadAtTheFirstLookupOnly) {
  put("a.pgn", pgn_game("A") + pgn_game("B"));
  put("b.pgn", pgn_game("C"));
  open();
  EXPECT_THAT(names(""), Contains("a.pgn"));
  EXPECT_THAT(text("info.txt"), HasSubstr("database: a.pgn: 0.0 MB, not read yet\n"));
  EXPECT_THAT(text("info.txt"), HasSubstr("database: b.pgn: 0.0 MB, not read yet\n"));
  EXPECT_THAT(kept(), IsEmpty());
  // A request in a hurry leaves it to another thread.
  EXPECT_TRUE(absl::IsUnavailable(ask("a.pgn", "all.pgn", WorkBudget::limited(1000))));
  EXPECT_THAT(kept(), IsEmpty());

  EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
  EXPECT_THAT(kept(), SizeIs(4));
  EXPECT_TRUE(ask("a.pgn", "info.txt", WorkBudget::limited(1000)).ok());
  rescan();
  EXPECT_THAT(text("info.txt"), HasSubstr("database: a.pgn: 2 games\n"));
  EXPECT_THAT(text("info.txt"), HasSubstr("database: b.pgn: 0.0 MB, not read yet\n"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("database: a.pgn\n"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("\nformat: PGN\n"));
}

// Also before a rescan tells of what has been read.
TEST_F(PgnFilesTest, StatusCountsWhatIsMounted) {
  put("a.pgn", pgn_game("A") + pgn_game("B"));
  put("b.pgn", pgn_game("C"));
  put("c.zip", tests::zipped({{"d.pgn", pgn_game("D")}}));
  put("e.pgn.gz", tests::packed(pgn_game("E"), ".gz"));
  open();
  EXPECT_THAT(text("status.txt"), HasSubstr("databases: 4\ngames: 0\ndatabases not read yet: 4\n"));
  text("a.pgn/all.pgn");
  EXPECT_THAT(text("status.txt"), HasSubstr("databases: 4\ngames: 2\ndatabases not read yet: 3\n"));
  EXPECT_THAT(text("status.txt"), HasSubstr("database a.pgn: 2 games, version 1 since "));
  text("c.zip/d.pgn/all.pgn");
  rescan();
  EXPECT_THAT(text("status.txt"), HasSubstr("databases: 4\ngames: 3\ndatabases not read yet: 2\n"));
  EXPECT_THAT(text("info.txt"), HasSubstr("directory: c.zip: "));
}

// One thread may look up a name before the file has been read, and ask for that afterwards.
TEST_F(PgnFilesTest, IsPreparedAgainForALookupThatCameTooEarly) {
  put("a.pgn", pgn_game("A"));
  open();
  const CatalogPtr catalog = library_->catalog();
  const auto all = catalog->all();
  const auto shown =
      std::ranges::find_if(all, [](const auto& one) { return one->lazy != nullptr; });
  ASSERT_NE(shown, all.end());
  const Snapshot& snapshot = *(*shown)->snapshot;
  EXPECT_FALSE(snapshot.bind({})->find("all.pgn").has_value());
  text("a.pgn/all.pgn");
  const absl::StatusOr<bool> finds_more = snapshot.prepare_find(WorkBudget::limited(1));
  EXPECT_TRUE(finds_more.ok() && *finds_more);
  EXPECT_TRUE(snapshot.bind({})->find("all.pgn").has_value());
}

TEST_F(PgnFilesTest, HasAllThatADatabaseHasAndTheFileItself) {
  const std::string pgn = "; a comment\n" + pgn_game("A") + pgn_game("B", "1. d4 {x} (1. c4) d5");
  put("a.PGN", pgn);
  for (const char* const ending : {".gz", ".zst", ".bz2", ".xz"}) {
    put(std::string("a.pgn") + ending, tests::packed(pgn, ending));
  }
  options_.together = TogetherMode::None;
  open();
  for (const std::string& name : names("")) {
    if (!name.starts_with("a.")) continue;
    EXPECT_EQ(text(name + "/all.pgn"), imported("a.PGN")) << name;
  }
  rescan();
  tests::WalkedTree walked = tests::walk_library(*library_);
  EXPECT_EQ(walked.files.at("a.PGN/all.pgn"), imported("a.PGN"));
  EXPECT_EQ(walked.files.at("a.PGN/source.PGN"), pgn);
  for (const char* const ending : {".gz", ".zst", ".bz2", ".xz"}) {
    SCOPED_TRACE(ending);
    const std::string name = std::string("a.pgn") + ending;
    EXPECT_EQ(walked.files.at(name + "/all.pgn"), walked.files.at("a.PGN/all.pgn"));
    const std::string source = fmt::format("{}/source.pgn{}", name, ending);
    EXPECT_EQ(walked.files.at(source), tests::read_file(source_ / name));
    EXPECT_EQ(std::erase(walked.faults, source + ": is no UTF-8"), 1U);
  }
  tests::check_database(walked, "a.PGN/");
  EXPECT_THAT(walked.faults, IsEmpty());
}

TEST_F(PgnFilesTest, LaterMountsOpenWhatWasRead) {
  put("a.pgn", pgn_game("A"));
  put("b.pgn", pgn_game("B") + pgn_game("C"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  const Inode before = inode("a.pgn/all.pgn");
  const std::vector<stdfs::path> records = kept();
  std::map<stdfs::path, stdfs::file_time_type> times;
  for (const stdfs::path& path : records) times[path] = stdfs::last_write_time(path);

  open();
  EXPECT_THAT(tests::shown_databases(*library_), SizeIs(1));
  EXPECT_TRUE(ask("a.pgn", "all.pgn", WorkBudget::limited(1000)).ok());
  EXPECT_EQ(inode("a.pgn/all.pgn"), before);
  EXPECT_EQ(text("a.pgn/all.pgn"), games);
  EXPECT_EQ(text("b.pgn/all.pgn"), imported("b.pgn"));
  for (const auto& [path, time] : times) EXPECT_EQ(stdfs::last_write_time(path), time) << path;
}

TEST_F(PgnFilesTest, TogetherReadsThoseThatHaveNotBeenRead) {
  put("a.pgn", pgn_game("A"));
  put("b.pgn", pgn_game("B"));
  put("c.pgn", pgn_game("C"));
  open();
  text("b.pgn/all.pgn");
  rescan();
  EXPECT_TRUE(exists("together"));
  EXPECT_THAT(text("together/info.txt"),
              HasSubstr("database: b.pgn: 1 games\nnot read yet: a.pgn\nnot read yet: c.pgn\n"));
  const Inode games = inode("together/all.pgn");
  const std::string all = text("together/all.pgn");
  EXPECT_EQ(all, text("a.pgn/all.pgn") + text("b.pgn/all.pgn") + text("c.pgn/all.pgn"));
  rescan();
  EXPECT_EQ(text("together/all.pgn"), all);
  EXPECT_EQ(inode("together/all.pgn"), games);
}

TEST_F(PgnFilesTest, TogetherListsTheSameBeforeAndAfterReading) {
  for (const std::string moves : {"1. e4 e5", "1. e4 {best by test} e5"}) {
    SCOPED_TRACE(moves);
    stdfs::remove_all(cache_);
    put("a.pgn", pgn_game("A", moves));
    put("b.pgn", pgn_game("B"));
    open();
    std::vector<std::string> before = names("together");
    std::ranges::sort(before);
    EXPECT_THAT(before, Contains("flags"));
    const bool has_flags = moves.find('{') != std::string::npos;
    const auto flags =
        has_flags ? std::vector<std::string>{"annotated.pgn"} : std::vector<std::string>();
    for (const bool is_another_mount : {false, true}) {
      if (is_another_mount) open();
      EXPECT_EQ(names("together/flags"), flags);
      EXPECT_EQ(exists("together/flags/annotated"), has_flags);
      std::vector<std::string> now = names("together");
      std::ranges::sort(now);
      EXPECT_EQ(now, before);
    }
  }
}

TEST_F(PgnFilesTest, AChangedFileIsReadAgain) {
  put("a.pgn", pgn_game("A"));
  open();
  const std::string before = text("a.pgn/all.pgn");
  const Inode old = inode("a.pgn/all.pgn");
  rescan();
  for (const std::string& now : {pgn_game("A") + pgn_game("B"), pgn_game("C"), std::string()}) {
    put("a.pgn", now);
    rescan();
    EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
    EXPECT_EQ(text("a.pgn/source.pgn"), now);
    EXPECT_THAT(kept(), SizeIs(4)) << "records of other states stay";
    rescan();
  }
  // Programs that have opened the file before still read what it was.
  EXPECT_EQ(read(old).value_or("gone"), before);
}

// The last game is read again: it may have been written only in part.
TEST_F(PgnFilesTest, OfAGrownFileOnlyTheNewGamesAreRead) {
  const std::string begun = pgn_game("A", "1. e4 Ke4") + pgn_game("B") + "[White \"C\"]\n\n1. d4";
  put("a.pgn", begun);
  open();
  EXPECT_THAT(text("a.pgn/remarks.txt"), HasSubstr(": game 3: "));
  // What is copied comes from the records.
  std::string names = tests::read_file(kept(".sn5"));
  names.replace(names.find("Other"), 5, "Again");
  tests::write_file(kept(".sn5"), names);
  sign_records();
  put("a.pgn", begun + " d5 1-0\n\n" + pgn_game("D", "1. d4 Kd5"));
  rescan();
  const std::string all = text("a.pgn/all.pgn");
  EXPECT_THAT(all, HasSubstr("[White \"A\"]\n[Black \"Again\"]"));
  EXPECT_THAT(all, HasSubstr("[White \"B\"]\n[Black \"Again\"]"));
  EXPECT_THAT(all, HasSubstr("[White \"C\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n"));
  EXPECT_THAT(all, HasSubstr("[White \"D\"]\n[Black \"Other\"]"));
  const std::string remarks = text("a.pgn/remarks.txt");
  EXPECT_THAT(remarks, HasSubstr("a.pgn, line 6: game 1: "));
  EXPECT_THAT(remarks, Not(HasSubstr(": game 3: ")));
  EXPECT_THAT(remarks, HasSubstr("a.pgn, line 24: game 4: "));
  // A file that begins otherwise is read as a whole.
  put("a.pgn", pgn_game("X", "1. e4 Ke4") + pgn_game("B") + "[White \"C\"]\n\n1. d4 d5 1-0\n\n" +
                   pgn_game("D", "1. d4 Kd5") + pgn_game("E"));
  rescan();
  EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
}

TEST_F(PgnFilesTest, SaysWhatWasWrongInTheFile) {
  put("a.pgn", pgn_game("A", "1. e4 Ke4") + pgn_game("B"));
  put("b.pgn", pgn_game("A"));
  open();
  for (const char* const when : {"read", "kept"}) {
    SCOPED_TRACE(when);
    EXPECT_THAT(text("a.pgn/remarks.txt"), HasSubstr("a.pgn, line 6: game 1: "));
    EXPECT_THAT(names("b.pgn"), Not(Contains("remarks.txt")));
    open();
  }
}

TEST_F(PgnFilesTest, ZipFilesAreFolders) {
  const std::string zip = tests::zipped({{"one.pgn", pgn_game("A") + pgn_game("B")},
                                         {"read me.txt", "about"},
                                         {"more/one.PGN", pgn_game("C")},
                                         {"more/one.pgn", pgn_game("D")},
                                         {"__MACOSX/._one.pgn", "of the Finder"},
                                         {"empty.pgn", ""}});
  put("a.zip", zip);
  put("locked.zip", tests::zipped({{"x.pgn", pgn_game("X")}}, true));
  open();
  EXPECT_THAT(names("a.zip"), ElementsAre("one.pgn", "one.PGN", "one~1.pgn", "empty.pgn",
                                          "info.txt", "source.zip"));
  EXPECT_THAT(text("a.zip/info.txt"), HasSubstr(fmt::format("database: one.pgn: PGN, {} bytes\n",
                                                            2 * pgn_game("A").size())));
  EXPECT_THAT(text("locked.zip/info.txt"), HasSubstr("refused: x.pgn: it is encrypted\n"));
  EXPECT_THAT(kept(), IsEmpty());
  put("plain.pgn", pgn_game("A") + pgn_game("B"));
  EXPECT_EQ(text("a.zip/one.pgn/all.pgn"), imported("plain.pgn"));
  EXPECT_THAT(names("a.zip/one.pgn"), Not(Contains("source.pgn")));
  EXPECT_THAT(text("a.zip/one.PGN/all.pgn"), HasSubstr("[White \"C\"]"));
  EXPECT_THAT(text("a.zip/one~1.pgn/all.pgn"), HasSubstr("[White \"D\"]"));
  EXPECT_EQ(text("a.zip/empty.pgn/all.pgn"), "");
  EXPECT_EQ(text("a.zip/source.zip"), zip);
  EXPECT_THAT(kept(), SizeIs(16));

  open();
  EXPECT_THAT(tests::shown_databases(*library_), SizeIs(4)) << "later mounts find the records";
  EXPECT_TRUE(ask("a.zip/one.pgn", "all.pgn", WorkBudget::limited(1000)).ok());
  put("a.zip", tests::zipped({{"one.pgn", pgn_game("E")}}));
  rescan();
  EXPECT_THAT(text("a.zip/one.pgn/all.pgn"), HasSubstr("[White \"E\"]"));
}

TEST_F(PgnFilesTest, NamesInZipFilesAreInAnyCodePage) {
  const std::string game = pgn_game("A");
  put("utf8.zip",
      tests::with_utf8_names(tests::zipped({{"Müller.pgn", game}, {"\xFF.pgn", game}})));
  put("plain.zip", tests::zipped({{"Müller.pgn", game}}));
  put("866.zip", tests::zipped({{"\x8F\xE0\xA8\xA2\xA5\xE2.pgn", pgn_game("\x92\xA0\xAB\xEC")}}));
  put("437.zip", tests::zipped({{"M\x81ller.pgn", pgn_game("M\xFCller")}}));
  put("932.zip", tests::zipped({{"\x8F\xAB\x8A\xFB\x83\x5C.pgn", game}}));
  const auto rule = [](std::string path, std::uint16_t page, bool is_of_names) {
    return EncodingRule{
        .path = std::move(path), .page = *find_code_page(page), .is_of_names = is_of_names};
  };
  options_.encodings = {rule("866.zip", 866, false), rule("437.zip", 437, true),
                        rule("932.zip", 932, true)};
  open();
  EXPECT_THAT(names("utf8.zip"), Contains("Müller.pgn"));
  EXPECT_THAT(text("utf8.zip/info.txt"), HasSubstr("refused: entry 2: its name cannot be read\n"));
  EXPECT_THAT(names("plain.zip"), Contains("Müller.pgn"));
  EXPECT_THAT(text("866.zip/Привет.pgn/all.pgn"), HasSubstr("[White \"Таль\"]"));
  EXPECT_THAT(text("437.zip/Müller.pgn/all.pgn"), HasSubstr("[White \"Müller\"]"));
  EXPECT_THAT(names("932.zip"), Contains("将棋ソ.pgn"));
}

TEST_F(PgnFilesTest, ZipFilesSayWhatIsLeftOut) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"a.pgn.gz", tests::packed(pgn_game("A"), ".gz")}, {"old.si4", "x"}, {"more.zip", "x"}};
  for (int i = 0; i < 103; ++i) files.emplace_back(fmt::format("{}.txt", i), "x");
  put("a.zip", tests::zipped(files));
  open();
  EXPECT_THAT(text("a.zip/a.pgn.gz/all.pgn"), HasSubstr("[White \"A\"]"));
  const std::string info = text("a.zip/info.txt");
  EXPECT_THAT(info, HasSubstr("refused: old.si4: in a zip file only PGN files are read\n"
                              "refused: more.zip: in a zip file only PGN files are read\n"
                              "left out: 0.txt\n"));
  EXPECT_THAT(info, HasSubstr("left out: 99.txt\nleft out: 3 more files\n"));
  EXPECT_THAT(info, Not(HasSubstr("left out: 100.txt")));
}

TEST_F(PgnFilesTest, OfACutFileTheWholeGamesAreShown) {
  std::string games;
  for (int i = 0; i < 20'000; ++i) games += pgn_game(fmt::format("Player{}", i * 7919 % 20'000));
  for (const std::string ending : {".gz", ".zst", ".bz2", ".xz"}) {
    const std::string packed = tests::packed(games, ending);
    put("cut.pgn" + ending, packed.substr(0, packed.size() / 10 * 9));
  }
  for (const char* const when : {"first", "kept"}) {
    SCOPED_TRACE(when);
    open();
    for (const std::string name : {"cut.pgn.gz", "cut.pgn.zst", "cut.pgn.bz2", "cut.pgn.xz"}) {
      const std::string all = text(name + "/all.pgn");
      EXPECT_THAT(all, HasSubstr("[White \"Player7919\"]")) << name;
      EXPECT_TRUE(all.ends_with("1. e4 e5 2. Nf3 1-0\n\n")) << name;
      EXPECT_THAT(text(name + "/remarks.txt"), HasSubstr(name + ": it was cut after byte "));
      EXPECT_THAT(text(name + "/info.txt"), HasSubstr("problem: the file was cut"));
      EXPECT_THAT(text(name + "/info.txt"), HasSubstr("health: damaged"));
      rescan();
      EXPECT_THAT(text("info.txt"), testing::ContainsRegex(name + ": [0-9]+ games, damaged\n"));
    }
  }
}

TEST_F(PgnFilesTest, SearchProgramsReadEachGameOnce) {
  put("a.pgn", pgn_game("A"));
  open();
  EXPECT_THAT(text("a.pgn/.ignore"), HasSubstr("/source.*\n"));
}

TEST_F(PgnFilesTest, DamagedFilesSayWhatIsWrong) {
  const std::string packed = tests::packed(pgn_game("A"), ".gz");
  put("cut.pgn.gz", packed.substr(0, packed.size() - 9));  // no game is whole
  open();
  EXPECT_THAT(names("cut.pgn.gz"), ElementsAre("source.pgn.gz", "info.txt"));
  EXPECT_THAT(text("cut.pgn.gz/info.txt"), HasSubstr("refused: Cannot unpack "));
  EXPECT_THAT(text("cut.pgn.gz/info.txt"), Not(HasSubstr("hint")));
}

TEST_F(PgnFilesTest, DamagedZipFilesSayWhatIsWrong) {
  const std::string zip =
      tests::zipped({{"one.pgn", pgn_game("A", std::string(5000, ' ') + "1. a3")}});
  put("cut.zip", zip.substr(0, zip.size() / 2));
  std::string damaged = zip;
  damaged[80] = static_cast<char>(damaged[80] ^ 0x55);
  put("damaged.zip", damaged);
  // Memory for what these methods unpack has no limit (14: LZMA, 95: XZ).
  for (const char method : {char{14}, char{95}}) {
    std::string greedy = zip;
    greedy[greedy.find("PK\3\4") + 8] = method;
    greedy[greedy.find("PK\1\2") + 10] = method;
    put(fmt::format("greedy{}.zip", int{method}), greedy);
  }
  put("none.zip", "nothing");
  put("empty.zip", "");
  open();
  const std::string info = text("info.txt");
  for (const char* const name : {"cut.zip", "none.zip", "empty.zip"}) {
    EXPECT_FALSE(exists(name)) << name;
    EXPECT_THAT(info, testing::ContainsRegex(fmt::format("refused: Cannot unpack .*{}", name)));
  }
  EXPECT_THAT(names("damaged.zip/one.pgn"), ElementsAre("info.txt"));
  EXPECT_THAT(text("damaged.zip/one.pgn/info.txt"), HasSubstr("refused: Cannot unpack "));
  for (const char* const name : {"greedy14.zip", "greedy95.zip"}) {
    EXPECT_THAT(text(std::string(name) + "/one.pgn/info.txt"),
                HasSubstr("one.pgn is packed by LZMA or XZ"));
  }
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(PgnFilesTest, TheUserMayLeaveThemOut) {
  put("a.pgn", pgn_game("A"));
  put("a.zip", tests::zipped({{"one.pgn", pgn_game("A")}}));
  options_.formats = source_formats(false);
  open();
  EXPECT_THAT(names(""), ElementsAre("info.txt", "index.html", "status.txt", "README.txt"));
}

TEST_F(PgnFilesTest, OneFileMayBeTheSource) {
  put("a.pgn", pgn_game("A"));
  LibraryTest::open(source_ / "a.pgn");
  EXPECT_EQ(text("all.pgn"), imported("a.pgn"));
  EXPECT_EQ(text("source.pgn"), pgn_game("A"));
}

}  // namespace
}  // namespace scidfs::fs
