// PGN files in a source: read at the first lookup, kept in the cache folder, shown as databases.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fs/database/database.h"
#include "fs/import/import.h"
#include "fs/pgn/record_files.h"
#include "tests/fs/library_fixture.h"
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

std::string game(std::string_view white, std::string_view moves = "1. e4 e5 2. Nf3") {
  return fmt::format(
      "[Event \"Club\"]\n[White \"{}\"]\n[Black \"Other\"]\n[Result \"1-0\"]\n\n{} 1-0\n\n", white,
      moves);
}

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

class PgnFilesTest : public LibraryTest {
 protected:
  PgnFilesTest() { options_.database.cache_folder = cache_; }

  void put(const std::string& name, std::string_view text) {
    LibraryTest::put(source_ / name, text);
  }
  // Begins another mount.
  void open() { LibraryTest::open(source_); }
  // Looks at the source again.
  void rescan() { library_->rescan(); }

  // Answers a request for a file of a PGN file.
  absl::Status ask(std::string_view pgn, std::string_view name, const WorkBudget& budget) {
    return tree_->lookup(inode(pgn), name, budget).status();
  }
  // Returns the files of the cache folder that belong to PGN files.
  std::vector<stdfs::path> kept() const {
    std::vector<stdfs::path> kept;
    if (!stdfs::exists(cache_)) return kept;
    for (const auto& entry : stdfs::directory_iterator(cache_)) {
      if (entry.path().extension() != ".sizes") kept.push_back(entry.path());
    }
    return kept;
  }
  // Returns the only one that has an ending.
  stdfs::path kept(std::string_view ending) const {
    std::vector<stdfs::path> paths = kept();
    std::erase_if(paths, [&](const stdfs::path& path) { return path.extension() != ending; });
    EXPECT_THAT(paths, SizeIs(1)) << ending;
    return paths.front();
  }
  // Writes checksums that fit to records.
  void sign_records() const {
    const RecordFiles files = RecordFiles::of_text(kept(".remarks")).value();
    RecordsText text = files.load().value();
    const auto database = Database::open(files.index(), "", {});
    text.database_checksum = (*database)->files().checksum([] { return false; }).value();
    EXPECT_TRUE(files.save(text).ok());
  }
  // Returns the text that a mount of an imported database has.
  std::string imported(const std::string& name) {
    const stdfs::path base = folder_ / fmt::format("imported{}.si5", ++imports_);
    const auto report = import_games(
        {.sources = {source_ / name}, .database = base}, [](std::uint64_t, std::uint64_t) {},
        [](std::string_view) {});
    EXPECT_TRUE(report.ok()) << report.status();
    const auto library = std::move(Library::open(base, tests::without_patience()).value());
    return tests::walk_library(*library).files["all.pgn"];
  }

  const stdfs::path cache_ = folder_ / "cache";
  int imports_ = 0;
};

TEST_F(PgnFilesTest, IsReadAtTheFirstLookupOnly) {
  put("a.pgn", game("A") + game("B"));
  put("b.pgn", game("C"));
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
  EXPECT_THAT(text("status.txt"), HasSubstr("databases: 1\ngames: 2\n"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("database: a.pgn\n"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("\nformat: PGN\n"));
}

TEST_F(PgnFilesTest, HasAllThatADatabaseHasAndTheFileItself) {
  const std::string pgn = "; a comment\n" + game("A") + game("B", "1. d4 {x} (1. c4) d5");
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
  put("a.pgn", game("A"));
  put("b.pgn", game("B") + game("C"));
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

TEST_F(PgnFilesTest, TogetherHasThoseThatHaveBeenRead) {
  put("a.pgn", game("A"));
  put("b.pgn", game("B"));
  put("c.pgn", game("C"));
  open();
  text("a.pgn/all.pgn");
  rescan();
  EXPECT_FALSE(exists("together"));
  text("c.pgn/all.pgn");
  rescan();
  EXPECT_EQ(text("together/all.pgn"), text("a.pgn/all.pgn") + text("c.pgn/all.pgn"));
}

TEST_F(PgnFilesTest, AChangedFileIsReadAgain) {
  put("a.pgn", game("A"));
  open();
  const std::string before = text("a.pgn/all.pgn");
  const Inode old = inode("a.pgn/all.pgn");
  rescan();
  for (const std::string& now : {game("A") + game("B"), game("C"), std::string()}) {
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
  const std::string begun = game("A", "1. e4 Ke4") + game("B") + "[White \"C\"]\n\n1. d4";
  put("a.pgn", begun);
  open();
  EXPECT_THAT(text("a.pgn/remarks.txt"), HasSubstr(": game 3: "));
  // What is copied comes from the records.
  std::string names = tests::read_file(kept(".sn5"));
  names.replace(names.find("Other"), 5, "Again");
  tests::write_file(kept(".sn5"), names);
  sign_records();
  put("a.pgn", begun + " d5 1-0\n\n" + game("D", "1. d4 Kd5"));
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
  put("a.pgn", game("X", "1. e4 Ke4") + game("B") + "[White \"C\"]\n\n1. d4 d5 1-0\n\n" +
                   game("D", "1. d4 Kd5") + game("E"));
  rescan();
  EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
}

TEST_F(PgnFilesTest, UnusableRecordsAreMadeAgain) {
  struct Case {
    const char* what;
    const char* ending;
    void (*spoil)(const stdfs::path& path);
  };
  const auto cut = [](const stdfs::path& path) {
    stdfs::resize_file(path, stdfs::file_size(path) - 1);
  };
  const auto remove = [](const stdfs::path& path) { stdfs::remove(path); };
  const auto open_to_all = [](const stdfs::path& path) {
    stdfs::permissions(path, stdfs::perms::others_write, stdfs::perm_options::add);
  };
  put("a.pgn", game("A"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  for (const Case& one :
       std::vector<Case>{{"a cut index", ".si5", cut},
                         {"cut names", ".sn5", cut},
                         {"cut records", ".sg5", cut},
                         {"no index", ".si5", remove},
                         {"no text", ".remarks", remove},
                         {"a text that others may write", ".remarks", open_to_all}}) {
    SCOPED_TRACE(one.what);
    for (const stdfs::path& path : kept()) {
      if (path.extension() == one.ending) one.spoil(path);
    }
    open();
    EXPECT_THAT(tests::shown_databases(*library_), IsEmpty());
    EXPECT_EQ(text("a.pgn/all.pgn"), games);
    EXPECT_THAT(kept(), SizeIs(4));
  }
}

// Flips a bit of a file.
void damage(const stdfs::path& path, std::size_t at) {
  std::string bytes = tests::read_file(path);
  bytes.at(at) = static_cast<char>(bytes[at] ^ 1 << at % 8);
  tests::write_file(path, bytes);
}

constexpr std::array kRecordEndings = {".si5", ".sn5", ".sg5", ".remarks"};

TEST_F(PgnFilesTest, DamagedRecordsAreMadeAgain) {
  constexpr std::size_t kStep = 11;
  put("a.pgn", game("A", "1. e4 {good} e5 2. Ke4") + game("B") + game("C", "1. d4 d5"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  const std::string remarks = text("a.pgn/remarks.txt");
  for (const char* const ending : kRecordEndings) {
    const std::size_t size = stdfs::file_size(kept(ending));
    for (std::size_t at = 0; at < size;
         at = at + 1 < size ? std::min(at + kStep, size - 1) : size) {
      SCOPED_TRACE(fmt::format("byte {} of {}", at, ending));
      damage(kept(ending), at);
      open();
      ASSERT_THAT(tests::shown_databases(*library_), IsEmpty());
      ASSERT_EQ(text("a.pgn/all.pgn"), games);
      ASSERT_EQ(text("a.pgn/remarks.txt"), remarks);
      open();
      ASSERT_THAT(tests::shown_databases(*library_), SizeIs(1)) << "they were not made again";
    }
  }
}

TEST_F(PgnFilesTest, DamageIsNotCopied) {
  const std::string begun = game("A", "1. e4 {good} e5 2. Ke4") + game("B");
  for (const char* const ending : kRecordEndings) {
    SCOPED_TRACE(ending);
    put("a.pgn", begun);
    open();
    EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("games: 2\n"));
    damage(kept(ending), stdfs::file_size(kept(ending)) / 2);
    put("a.pgn", begun + game("C"));
    open();
    EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
    EXPECT_THAT(kept(), SizeIs(4));
  }
}

TEST_F(PgnFilesTest, RefusesWhatHasNoRoom) {
  std::string many;
  for (int i = 0; i < 30000; ++i) many += game(fmt::format("Player {}", i));
  put("large.pgn", many);
  put("small.pgn", game("A"));
  options_.pgn_bytes = 1 << 20;
  open();
  EXPECT_THAT(names("large.pgn"), ElementsAre("source.pgn", "info.txt"));
  EXPECT_THAT(text("large.pgn/info.txt"),
              HasSubstr("refused: its games need more than the 1 MiB that the cache folder may use "
                        "for PGN files\nhint: scidfs-import large.pgn -o NEW.si5 "));
  EXPECT_EQ(text("large.pgn/source.pgn"), many);
  EXPECT_FALSE(exists("large.pgn/all.pgn"));
  EXPECT_THAT(kept(), IsEmpty());
  rescan();
  EXPECT_THAT(text("info.txt"), HasSubstr("database: large.pgn: refused: its games need more"));
  EXPECT_EQ(text("small.pgn/all.pgn"), imported("small.pgn"));

  options_.pgn_bytes = 0;
  options_.database.cache_folder.clear();
  open();
  EXPECT_THAT(text("small.pgn/info.txt"),
              HasSubstr("refused: there is no cache folder for its games\n"));
  tests::write_file(folder_ / "a file", "");
  options_.database.cache_folder = folder_ / "a file";
  open();
  EXPECT_THAT(text("small.pgn/info.txt"), HasSubstr("refused: Cannot "));
}

// A few KiB or less that unpack to many MiB: the room counts while they are read.
TEST_F(PgnFilesTest, RefusesWhatUnpacksToMoreThanThereIsRoomFor) {
  std::string games;
  while (games.size() < kMebibyte) games += game("A");
  for (const char* const ending : {".gz", ".zst", ".bz2", ".xz"}) {
    put(std::string("games.pgn") + ending, tests::packed(games, ending, 16));
  }
  std::string names;
  for (int i = 0; i < 10'000; ++i)
    names += game(fmt::format("{:0>250}\"]\n[Site \"{:0>250}", i, i));
  put("names.pgn.gz", tests::packed(names, ".gz"));
  std::string some;
  while (some.size() < 10 * kMebibyte) some += games;
  // Of the larger one the directory tells enough.
  put("some.zip", tests::zipped({{"a.pgn", some}}));
  put("many.zip", tests::zipped({{"a.pgn", some + some}}));
  options_.pgn_bytes = kMebibyte;
  open();
  for (const char* const name : {"games.pgn.gz", "games.pgn.zst", "games.pgn.bz2", "games.pgn.xz",
                                 "names.pgn.gz", "some.zip/a.pgn", "many.zip/a.pgn"}) {
    EXPECT_FALSE(exists(std::string(name) + "/all.pgn")) << name;
    EXPECT_THAT(text(std::string(name) + "/info.txt"),
                HasSubstr("refused: its games need more than the 1 MiB that the cache folder"));
    EXPECT_THAT(kept(), IsEmpty()) << name;
  }
}

// A comment without end takes no more room than a database gives it.
TEST_F(PgnFilesTest, HugeCommentsAreCut) {
  put("a.pgn.gz", tests::packed(game("A") + "[White \"B\"]\n\n1. e4 {" +
                                    std::string(40 * kMebibyte, 'x') + "} e5\n\n" + game("C"),
                                ".gz"));
  options_.pgn_bytes = kMebibyte;
  open();
  EXPECT_THAT(text("a.pgn.gz/all.pgn"), HasSubstr("[White \"C\"]"));
  EXPECT_THAT(text("a.pgn.gz/remarks.txt"), HasSubstr(": game 2: "));
  std::uint64_t bytes = 0;
  for (const stdfs::path& path : kept()) bytes += stdfs::file_size(path);
  EXPECT_LE(bytes, kMebibyte);
}

TEST_F(PgnFilesTest, TheOldestRecordsMakeRoom) {
  std::string some;
  for (int i = 0; i < 4000; ++i) some += game(fmt::format("Player {}", i));
  for (const char* const name : {"a.pgn", "b.pgn", "c.pgn", "d.pgn"}) put(name, some);
  options_.pgn_bytes = 1 << 20;
  open();
  std::vector<std::set<stdfs::path>> after;
  for (const char* const name : {"a.pgn", "b.pgn", "c.pgn", "d.pgn"}) {
    EXPECT_THAT(text(std::string(name) + "/info.txt"), HasSubstr("games: 4000\n"));
    const std::vector<stdfs::path> now = kept();
    after.emplace_back(now.begin(), now.end());
  }
  std::uint64_t bytes = 0;
  for (const stdfs::path& path : kept()) bytes += stdfs::file_size(path);
  EXPECT_LE(bytes, (1U << 20U) + 1000);
  EXPECT_THAT(after.back(), SizeIs(testing::Lt(16U)));
  for (const stdfs::path& oldest : after.front()) {
    EXPECT_THAT(after.back(), Not(Contains(oldest)));
  }
  // What is open stays readable.
  EXPECT_EQ(text("a.pgn/all.pgn"), text("d.pgn/all.pgn"));
}

TEST_F(PgnFilesTest, ACancelledReadLeavesNothing) {
  std::string many;
  for (int i = 0; i < 60000; ++i) many += game(fmt::format("Player {}", i));
  put("a.pgn", many);
  open();
  std::atomic<int> asked = 0;
  const WorkBudget impatient = WorkBudget::unlimited([&asked] { return ++asked > 3; });
  EXPECT_TRUE(absl::IsCancelled(ask("a.pgn", "all.pgn", impatient)));
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_THAT(text("info.txt"), HasSubstr("not read yet"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("games: 60000\n"));
}

TEST_F(PgnFilesTest, SaysWhatWasWrongInTheFile) {
  put("a.pgn", game("A", "1. e4 Ke4") + game("B"));
  put("b.pgn", game("A"));
  open();
  for (const char* const when : {"read", "kept"}) {
    SCOPED_TRACE(when);
    EXPECT_THAT(text("a.pgn/remarks.txt"), HasSubstr("a.pgn, line 6: game 1: "));
    EXPECT_THAT(names("b.pgn"), Not(Contains("remarks.txt")));
    open();
  }
}

TEST_F(PgnFilesTest, ZipFilesAreFolders) {
  const std::string zip = tests::zipped({{"one.pgn", game("A") + game("B")},
                                         {"read me.txt", "about"},
                                         {"more/one.PGN", game("C")},
                                         {"more/one.pgn", game("D")},
                                         {"__MACOSX/._one.pgn", "of the Finder"},
                                         {"empty.pgn", ""}});
  put("a.zip", zip);
  put("locked.zip", tests::zipped({{"x.pgn", game("X")}}, true));
  open();
  EXPECT_THAT(names("a.zip"), ElementsAre("one.pgn", "one.PGN", "one~1.pgn", "empty.pgn",
                                          "info.txt", "source.zip"));
  EXPECT_THAT(text("a.zip/info.txt"),
              HasSubstr(fmt::format("database: one.pgn: PGN, {} bytes\n", 2 * game("A").size())));
  EXPECT_THAT(text("locked.zip/info.txt"), HasSubstr("refused: x.pgn: it is encrypted\n"));
  EXPECT_THAT(kept(), IsEmpty());
  put("plain.pgn", game("A") + game("B"));
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
  put("a.zip", tests::zipped({{"one.pgn", game("E")}}));
  rescan();
  EXPECT_THAT(text("a.zip/one.pgn/all.pgn"), HasSubstr("[White \"E\"]"));
}

TEST_F(PgnFilesTest, DamagedFilesSayWhatIsWrong) {
  const std::string packed = tests::packed(game("A"), ".gz");
  put("cut.pgn.gz", packed.substr(0, packed.size() - 9));
  open();
  EXPECT_THAT(names("cut.pgn.gz"), ElementsAre("source.pgn.gz", "info.txt"));
  EXPECT_THAT(text("cut.pgn.gz/info.txt"), HasSubstr("refused: Cannot unpack "));
  EXPECT_THAT(text("cut.pgn.gz/info.txt"), Not(HasSubstr("hint")));
}

TEST_F(PgnFilesTest, DamagedZipFilesSayWhatIsWrong) {
  const std::string zip = tests::zipped({{"one.pgn", game("A", std::string(5000, ' ') + "1. a3")}});
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
  put("a.pgn", game("A"));
  put("a.zip", tests::zipped({{"one.pgn", game("A")}}));
  options_.formats = source_formats(false);
  open();
  EXPECT_THAT(names(""), ElementsAre("info.txt", "index.html", "status.txt"));
}

TEST_F(PgnFilesTest, OneFileMayBeTheSource) {
  put("a.pgn", game("A"));
  LibraryTest::open(source_ / "a.pgn");
  EXPECT_EQ(text("all.pgn"), imported("a.pgn"));
  EXPECT_EQ(text("source.pgn"), game("A"));
}

}  // namespace
}  // namespace scidfs::fs
