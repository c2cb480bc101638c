// The records of PGN files in the cache folder: when they count, and how much room they take.
#include "fs/pgn/pgn_records.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/descriptor_limit.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/packed.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

class PgnRecordsTest : public PgnLibraryTest {};

TEST_F(PgnRecordsTest, UnusableRecordsAreMadeAgain) {
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
  put("a.pgn", pgn_game("A"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  for (const Case& one :
       std::vector<Case>{{"a cut index", ".si5", cut},
                         {"cut names", ".sn5", cut},
                         {"cut records", ".sg5", cut},
                         {"no index", ".si5", remove},
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

TEST_F(PgnRecordsTest, DamagedRecordsAreMadeAgain) {
  constexpr std::size_t kStep = 11;
  put("a.pgn", pgn_game("A", "1. e4 {good} e5 2. Ke4") + pgn_game("B") + pgn_game("C", "1. d4 d5"));
  open();
  const std::string games = text("a.pgn/all.pgn");
  const std::string remarks = text("a.pgn/remarks.txt");
  for (const std::string_view ending : kRecordEndings) {
    const std::size_t size = stdfs::file_size(kept(ending));
    // Without its first word the text is not one of scidfs.
    constexpr std::size_t kWord = 6;
    for (std::size_t at = ending == ".remarks" ? kWord : 0; at < size;
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

TEST_F(PgnRecordsTest, DamageIsNotCopied) {
  const std::string begun = pgn_game("A", "1. e4 {good} e5 2. Ke4") + pgn_game("B");
  for (const char* const ending : kRecordEndings) {
    SCOPED_TRACE(ending);
    put("a.pgn", begun);
    open();
    EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("games: 2\n"));
    damage(kept(ending), stdfs::file_size(kept(ending)) / 2);
    put("a.pgn", begun + pgn_game("C"));
    open();
    EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
    EXPECT_THAT(kept(), SizeIs(4));
  }
}

TEST_F(PgnRecordsTest, RecordsOfAnotherFileDoNotCount) {
  put("a.pgn", pgn_game("A"));
  open();
  text("a.pgn/all.pgn");
  const std::vector<stdfs::path> of_a = kept();
  put("b.pgn", pgn_game("B"));
  open();
  text("b.pgn/all.pgn");
  const std::string stem = of_a.front().stem();
  for (const stdfs::path& path : kept()) {
    if (path.stem() != stem) stdfs::rename(path, cache_ / (stem + path.extension().string()));
  }
  open();
  EXPECT_THAT(text("a.pgn/all.pgn"), HasSubstr("[White \"A\"]"));
  EXPECT_THAT(text("b.pgn/all.pgn"), HasSubstr("[White \"B\"]"));
}

TEST_F(PgnRecordsTest, OnlyAnEarlierStateThatIsThereWholeIsContinued) {
  struct Case {
    const char* what;
    std::string before, after;
  };
  const std::string two = "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
  const std::string one_line = "[Event \"A\"]\n\n1. e4 2. Ke4 * [Event \"B\"]\n\n1. d4 *\n";
  const std::vector<Case> cases = {
      {"the last game no longer begins with a tag of its own",
       "[Event \"A\"]\n\n1. e4\n[Event \"B\"]\n\n1. d4 *\n",
       "[Event \"A\"]\n\n1. e4\n[White \"B\"]\n\n1. d4 *\n\n"},
      {"cut in the first tag of the last game", two, two.substr(0, 26)},
      {"cut and continued", two, two.substr(0, 26) + "nt \"C\"]\n\n1. c4 *\n" + two},
      {"remarks about the line in which the last game begins", one_line,
       one_line + "\n[Event \"C\"]\n\n1. c4 Ke7 *\n"},
      {"touched", one_line, one_line}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    put("a.pgn", one.before);
    open();
    text("a.pgn/all.pgn");
    put("a.pgn", one.after);
    put("fresh.pgn", one.after);
    open();
    EXPECT_EQ(text("a.pgn/all.pgn"), text("fresh.pgn/all.pgn"));
    ASSERT_EQ(exists("a.pgn/remarks.txt"), exists("fresh.pgn/remarks.txt"));
    if (!exists("a.pgn/remarks.txt")) continue;
    std::string remarks = text("a.pgn/remarks.txt");
    for (std::size_t at = 0; (at = remarks.find("a.pgn", at)) != std::string::npos;) {
      remarks.replace(at, 1, "fresh");
    }
    EXPECT_EQ(remarks, text("fresh.pgn/remarks.txt"));
  }
}

// As two daemons do that share a cache folder.
TEST_F(PgnRecordsTest, TwoMayReadTheSameFile) {
  const PgnRecordStore store(options_.database, std::make_shared<RecordFolder>(cache_));
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 40; ++i) {
    const stdfs::path path = source_ / fmt::format("{}.pgn", i);
    LibraryTest::put(path, pgn_game(fmt::format("Player {}", i)));
    const PgnFile file{.path = path, .stamp = stamp_of(path), .open = [path](const auto&) {
                         return SourceFile::open(path);
                       }};
    std::vector<std::thread> readers;
    for (int reader = 0; reader < 3; ++reader) {
      readers.emplace_back([&] {
        const absl::StatusOr<ReadDatabase> made =
            store.make(file, WorkBudget::unlimited(nullptr), [](std::uint64_t, std::uint64_t) {});
        EXPECT_TRUE(made.ok()) << made.status();
        if (!made.ok() || made->database->games() != 1 ||
            !made->database->files().problems().empty() ||
            made->database->names()[codec::scid::NameKind::Player].size() != 2)
          ++wrong;
      });
    }
    for (std::thread& reader : readers) reader.join();
    EXPECT_TRUE(store.find(file).has_value());
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(PgnRecordsTest, StayWhenNoFileCanBeOpened) {
  put("a.pgn", pgn_game("A"));
  const PgnRecordStore store(options_.database, std::make_shared<RecordFolder>(cache_));
  const stdfs::path path = source_ / "a.pgn";
  const PgnFile file{.path = path, .stamp = stamp_of(path), .open = [&path](const auto&) {
                       return SourceFile::open(path);
                     }};
  const auto make = [&] {
    const WorkBudget budget = WorkBudget::unlimited([] { return false; });
    return store.make(file, budget, [](std::uint64_t, std::uint64_t) {}).status();
  };
  ASSERT_EQ(make(), absl::OkStatus());
  std::vector<stdfs::file_time_type> times;
  for (const stdfs::path& each : kept()) times.push_back(stdfs::last_write_time(each));
  bool is_enough = false;
  for (std::size_t more = 0; !is_enough; ++more) {
    ASSERT_LT(more, 50u);
    const tests::DescriptorLimit limit(tests::open_descriptors() + more);
    const absl::Status status = make();
    is_enough = status.ok();
    EXPECT_TRUE(is_enough || absl::IsResourceExhausted(status)) << status;
  }
  const std::vector<stdfs::path> paths = kept();
  ASSERT_THAT(paths, SizeIs(times.size()));
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_EQ(stdfs::last_write_time(paths[i]), times[i]);
}

TEST_F(PgnRecordsTest, TheFileItselfNeedsNoRecords) {
  put("a.pgn", pgn_game("A"));
  open();
  EXPECT_TRUE(ask("a.pgn", "source.pgn", WorkBudget::limited(1000)).ok());
  EXPECT_EQ(text("a.pgn/source.pgn"), pgn_game("A"));
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(PgnRecordsTest, RefusesWhatHasNoRoom) {
  std::string many;
  for (int i = 0; i < 30000; ++i) many += pgn_game(fmt::format("Player {}", i));
  put("large.pgn", many);
  put("small.pgn", pgn_game("A"));
  put("packed.zip", tests::zipped({{"large.pgn", many}}));
  options_.pgn_bytes = 1 << 20;
  open();
  EXPECT_THAT(text("packed.zip/large.pgn/info.txt"),
              HasSubstr("hint: scidfs-import packed.zip -o "));
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
TEST_F(PgnRecordsTest, RefusesWhatUnpacksToMoreThanThereIsRoomFor) {
  std::string games;
  while (games.size() < kMebibyte) games += pgn_game("A");
  for (const char* const ending : {".gz", ".zst", ".bz2", ".xz"}) {
    put(std::string("games.pgn") + ending, tests::packed(games, ending, 4));
  }
  std::string names;
  for (int i = 0; i < 10'000; ++i)
    names += pgn_game(fmt::format("{:0>250}\"]\n[Site \"{:0>250}", i, i));
  put("names.pgn.gz", tests::packed(names, ".gz"));
  std::string some;
  while (some.size() < 3 * kMebibyte) some += games;
  // Of the larger one the directory tells enough.
  put("some.zip", tests::zipped({{"a.pgn", some}}));
  put("many.zip", tests::zipped({{"a.pgn", some + some + some + some + some}}));
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
TEST_F(PgnRecordsTest, HugeCommentsAreCut) {
  put("a.pgn.gz", tests::packed(pgn_game("A") + "[White \"B\"]\n\n1. e4 {" +
                                    std::string(40 * kMebibyte, 'x') + "} e5\n\n" + pgn_game("C"),
                                ".gz"));
  options_.pgn_bytes = kMebibyte;
  open();
  EXPECT_THAT(text("a.pgn.gz/all.pgn"), HasSubstr("[White \"C\"]"));
  EXPECT_THAT(text("a.pgn.gz/remarks.txt"), HasSubstr(": game 2: "));
  std::uint64_t bytes = 0;
  for (const stdfs::path& path : kept()) bytes += stdfs::file_size(path);
  EXPECT_LE(bytes, kMebibyte);
}

TEST_F(PgnRecordsTest, TheOldestRecordsMakeRoom) {
  std::string some;
  for (int i = 0; i < 4000; ++i) some += pgn_game(fmt::format("Player {}", i));
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

TEST_F(PgnRecordsTest, ACancelledReadLeavesNothing) {
  std::string many;
  for (int i = 0; i < 60000; ++i) many += pgn_game(fmt::format("Player {}", i));
  put("a.pgn", many);
  open();
  std::atomic<int> asked = 0;
  const WorkBudget impatient = WorkBudget::unlimited([&asked] { return ++asked > 3; });
  EXPECT_TRUE(absl::IsCancelled(ask("a.pgn", "all.pgn", impatient)));
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_THAT(text("info.txt"), HasSubstr("not read yet"));
  EXPECT_THAT(text("a.pgn/info.txt"), HasSubstr("games: 60000\n"));
}

}  // namespace
}  // namespace scidfs::fs
