#include "fs/check/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "codec/scid/index.h"
#include "fs/check/check_report.h"
#include "fs/check/database_check.h"
#include "fs/views/database_texts.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/packed.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_formats.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Report {
  Health health{};
  std::string text;
};

Report check_source(const stdfs::path& source, const CheckOptions& options = {}) {
  Report report;
  report.health = check(
      source, options, [&report](std::string_view text) { report.text += text; },
      [](std::uint64_t, std::uint64_t) {});
  return report;
}

std::size_t count_lines(const std::string& text, std::string_view with) {
  std::size_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) count += line.find(with) != std::string::npos;
  return count;
}

// A database that tests may damage.
class CheckTest : public testing::Test {
 protected:
  // Copies a fixture, e.g. "scid4/fen", as base.si4 and so on.
  void copy(const std::string& fixture) {
    for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
      stdfs::copy_file(tests::test_data(fixture + extension), path(extension));
    }
  }
  stdfs::path path(const std::string& extension) const { return folder_ / ("base" + extension); }
  // Writes bytes into the entry of a game, counted from 1.
  void patch_entry(unsigned game, std::size_t at, std::string_view bytes) {
    std::fstream file(path(".si4"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(codec::scid::kIndexHeaderSize +
                                           (game - 1) * codec::scid::kIndexEntrySize + at));
    file << bytes;
  }

  tests::TemporaryFolder folder_;
};

class GoodFixtures : public testing::TestWithParam<std::string> {};

TEST_P(GoodFixtures, AreGoodAndTheirIndexAgrees) {
  const Report report = check_source(tests::test_data("scid4/" + GetParam() + ".si4"));
  EXPECT_EQ(report.health, Health::Good) << report.text;
  EXPECT_THAT(report.text, AllOf(StartsWith(GetParam() + ".si4: "), Not(HasSubstr("note: in"))));
}

INSTANTIATE_TEST_SUITE_P(Scid4, GoodFixtures, testing::ValuesIn(tests::stems_in("scid4", ".si4")),
                         [](const auto& test) { return test.param; });

TEST(OtherFormats, AreChecked) {
  const Report chess960 = check_source(tests::test_data("scid5/chess960.si5"));
  EXPECT_EQ(chess960.health, Health::Good);
  EXPECT_THAT(chess960.text,
              AllOf(StartsWith("chess960.si5: 19 games\n"), Not(HasSubstr("note: in"))));
  // Old programs wrote the material of the standard position for games without moves.
  const Report endings = check_source(tests::test_data("scid3/endings.si3"));
  EXPECT_EQ(endings.health, Health::Good);
  EXPECT_THAT(endings.text, AllOf(StartsWith("endings.si3: 67 games\n"),
                                  HasSubstr("    final material: 53 games\n")));
}

class AllFixtures : public testing::TestWithParam<std::string> {};

// The games and places in errors.tsv of a mount.
TEST_P(AllFixtures, DamageEqualsThatOfErrorsTable) {
  const stdfs::path path = tests::test_data("scid4/handmade/" + GetParam() + ".si4");
  const auto database = Database::open(path, path.filename(), {});
  if (!database.ok()) {
    EXPECT_EQ(check_source(path).health, Health::Unreadable);
    return;
  }
  ASSERT_TRUE((*database)->compute_sizes(0, (*database)->games()).ok());
  const auto errors = errors_text(**database, tests::unlimited_budget());
  ASSERT_TRUE(errors.ok());
  const DatabaseFindings findings = check_database(**database, 0, 1000, 0, [](std::uint64_t) {});
  std::string listed = "number\toffset\treason\n";
  for (const DamagedGame& damaged : findings.damaged.first()) {
    listed += fmt::format("{}\t{}\t{}\n", damaged.game + 1, damaged.offset, damaged.reason);
  }
  EXPECT_EQ(listed, *errors);
  EXPECT_EQ(check_source(path).health,
            is_damaged(**database, findings) ? Health::Damaged : Health::Good);
}

INSTANTIATE_TEST_SUITE_P(Handmade, AllFixtures,
                         testing::ValuesIn(tests::stems_in("scid4/handmade", ".si4")),
                         [](const auto& test) { return test.param; });

TEST_F(CheckTest, ReportsDamagedGamesAndWhatIsLeft) {
  const Report report = check_source(tests::test_data("scid4/handmade/corrupt_games.si4"));
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(
      report.text,
      AllOf(
          StartsWith("corrupt_games.si4: 23 games\n  22 damaged games:\n"),
          HasSubstr("    game 1 (White P - Black P, Ev "),
          HasSubstr("), byte 0: its record does not lie in the game file; its tags can be "
                    "read\n"),
          HasSubstr("byte 31: the moves do not end; its tags and 1 ply can be read\n"),
          HasSubstr("\ncorrupt_games.si4: damaged: 1 game whole, 21 up to their damage (7 plies), "
                    "1 by tags alone\n"),
          testing::EndsWith("\n1 database: 0 good, 1 damaged, 0 unreadable; 23 games, 22 of them "
                            "damaged\n")));
}

TEST_F(CheckTest, ReportsMissingNames) {
  const Report report = check_source(tests::test_data("scid4/handmade/bad_name_ids.si4"));
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(report.text, AllOf(HasSubstr("  2 games with names that the name file does not have"),
                                 HasSubstr("    game 1: White is name 5 of 2\n"),
                                 HasSubstr("    game 2: Black is name 77 of 2, Event is name 1 of "
                                           "1, Site is name 9 of 1, Round is name 3 of 1\n")));
}

TEST_F(CheckTest, ReportsMissingFiles) {
  copy("scid4/fen");
  stdfs::remove(path(".sn4"));
  Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("  problem: Cannot open "),
                    HasSubstr("damaged: the moves of every game can be read whole\n")));
  stdfs::remove(path(".sg4"));
  report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(report.text, HasSubstr("0 up to their damage (0 plies), 11 by tags alone\n"));
}

TEST_F(CheckTest, ReportsOverlappingRecords) {
  copy("scid4/fen");
  // Game 3 gets the offset of game 2: the first four bytes of an entry.
  const auto database = Database::open(path(".si4"), "base.si4", {});
  ASSERT_TRUE(database.ok());
  const auto offset = (*database)->entry(1).offset;
  patch_entry(3, 0, std::string{0, 0, static_cast<char>(offset >> 8), static_cast<char>(offset)});
  const Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("  1 pair of games whose records overlap"),
                    HasSubstr(fmt::format("    games 2 and 3, from byte {}\n", offset))));
}

TEST_F(CheckTest, DisagreeingIndexIsNoteAndNotDamage) {
  copy("scid4/fen");
  // These bytes contain the codes of variations, comments and NAGs.
  patch_entry(2, 21, std::string(2, '\1'));
  const Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Good);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("  note: in 1 game the index says something else than the moves"),
                    HasSubstr("    variations: 1 game\n      game 2: index "),
                    HasSubstr("base.si4: good: every game can be read whole\n")));
}

TEST_F(CheckTest, UnusedBytesAreNote) {
  copy("scid4/fen");
  std::ofstream(path(".sg4"), std::ios::app | std::ios::binary) << "0123456";
  const Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Good);
  EXPECT_THAT(report.text, HasSubstr("  note: 7 bytes of the game file belong to no game"));
}

// A record that does not fit before a border begins there; the gap is not reported as waste.
TEST_F(CheckTest, PaddingOfBlocksIsNotReported) {
  copy("scid4/fen");
  const std::string games = tests::read_file(path(".sg4"));
  const auto database = Database::open(path(".si4"), "base.si4", {});
  ASSERT_TRUE(database.ok());
  const auto last = (*database)->entry((*database)->games() - 1);
  ASSERT_EQ(last.offset + last.length, games.size());
  patch_entry((*database)->games(), 0, std::string("\0\2\0\0", 4));
  std::string moved = games.substr(0, last.offset);
  moved.resize(131'072);
  moved += games.substr(last.offset);
  tests::write_file(path(".sg4"), moved);
  EXPECT_THAT(check_source(folder_.path()).text, Not(HasSubstr("belong")));
  tests::write_file(path(".sg4"), moved + "0123456");
  EXPECT_THAT(check_source(folder_.path()).text, HasSubstr("  note: 7 bytes of the game file"));
  // The same number of bytes again, behind a whole block of waste.
  moved.resize(2 * 131'072);
  tests::write_file(path(".sg4"), moved + "0123456");
  EXPECT_THAT(check_source(folder_.path()).text, HasSubstr("  note: 7 bytes of the game file"));
}

TEST_F(CheckTest, TruncatedIndexReportsNumberOfLostGames) {
  copy("scid4/fen");
  stdfs::resize_file(path(".si4"),
                     codec::scid::kIndexHeaderSize + 5 * codec::scid::kIndexEntrySize);
  Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("the index declares 11 games but ends after 5"),
                    HasSubstr("damaged: 5 games whole; 6 lost with the end of the index\n")));
  stdfs::resize_file(path(".sg4"), 0);
  report = check_source(folder_.path());
  EXPECT_THAT(report.text, HasSubstr("damaged: 0 games whole, 0 up to their damage (0 plies), "
                                     "5 by tags alone; 6 lost with the end of the index\n"));
}

TEST_F(CheckTest, TruncatedNameIsNote) {
  tests::ScidFiles files = tests::read_scid_files(tests::test_data("scid5/chess960"), ".si5");
  files.names += tests::name5_item(0, std::string(4097, 'n'));
  tests::write_scid_files(files, folder_ / "base", ".si5");
  const Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Good);
  EXPECT_THAT(report.text, HasSubstr("  note: names longer than 4096 bytes, which are cut there: "
                                     "1\n"));
  const auto database = Database::open(path(".si5"), "base.si5", {});
  ASSERT_TRUE(database.ok());
  EXPECT_THAT((*database)->files().problems(), IsEmpty());
  EXPECT_THAT(info_text(**database, false), HasSubstr("\nnote: names longer than 4096 bytes"));
}

TEST_F(CheckTest, LinesAreBoundedUnlessVerbose) {
  copy("sample/sample");
  stdfs::resize_file(path(".sg4"), 1000);
  const Report brief = check_source(folder_.path());
  EXPECT_EQ(brief.health, Health::Damaged);
  const std::size_t damaged = 1605 - 100 - count_lines(brief.text, "can be read whole");
  EXPECT_EQ(count_lines(brief.text, "    game "), 100U);
  EXPECT_EQ(count_lines(brief.text, "more (--verbose prints all)"), 1U);
  const Report all = check_source(folder_.path(), {.most_lines = SIZE_MAX, .most_notes = SIZE_MAX});
  EXPECT_GT(count_lines(all.text, "    game "), damaged - 50);
  EXPECT_EQ(count_lines(all.text, "more"), 0U);
  // The first ones, in order.
  EXPECT_EQ(all.text.substr(all.text.find("    game "), 2000),
            brief.text.substr(brief.text.find("    game "), 2000));
}

TEST_F(CheckTest, ReportDoesNotDependOnThreads) {
  copy("sample/sample");
  stdfs::resize_file(path(".sg4"), 100'000);
  const std::string one = check_source(folder_.path(), {.threads = 1}).text;
  EXPECT_EQ(check_source(folder_.path(), {.threads = 4}).text, one);
}

TEST_F(CheckTest, HealthOfFolderIsThatOfItsWorstDatabase) {
  copy("scid4/fen");
  stdfs::create_directories(folder_ / "a/b");
  const auto add = [&](const std::string& fixture, const stdfs::path& to) {
    for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
      stdfs::copy_file(tests::test_data(fixture + extension), to.string() + extension);
    }
  };
  add("scid4/handmade/bad_offset", folder_ / "a/b/one");
  Report report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Damaged);
  EXPECT_THAT(report.text, AllOf(HasSubstr("base.si4: good"), HasSubstr("a/b/one.si4: damaged")));
  add("scid4/handmade/version401", folder_ / "a/two");
  report = check_source(folder_.path());
  EXPECT_EQ(report.health, Health::Unreadable);
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("unreadable: "), HasSubstr("two.si4: format version 401"),
                    HasSubstr("\n3 databases: 1 good, 1 damaged, 1 unreadable; ")));
}

TEST_F(CheckTest, PgnFilesAreReadToTheirEnds) {
  const std::string good = "[White \"A\"]\n\n1. e4 e5 1-0\n";
  const std::string bad = "[White \"B\"]\n\n1. e4 Ke3 *\n\n" + good + "1. d4 {open";
  tests::write_file(folder_ / "good.pgn", good + good);
  tests::write_file(folder_ / "bad.pgn", bad);
  tests::write_file(folder_ / "packed.pgn.gz", tests::packed(bad, ".gz"));
  tests::write_file(folder_ / "short.pgn.gz", tests::packed(good + good, ".gz").substr(0, 30));
  tests::write_file(folder_ / "zeros.pgn", good + std::string(100, '\0') + good);
  tests::write_file(folder_ / "all.zip", tests::zipped({{"a/in.pgn", bad}}));
  const Report report = check_source(folder_.path(), {.most_lines = 2});
  EXPECT_EQ(report.health, Health::Unreadable);
  for (const std::string name : {"bad.pgn", "all.zip/in.pgn", "packed.pgn.gz"}) {
    EXPECT_THAT(
        report.text,
        HasSubstr(name +
                  ": 3 games\n  3 remarks:\n"
                  "    line 3: game 1: illegal move 1...Ke3: the rest of the game is left out\n"
                  "    line 8: game 3: a comment is not closed\n"
                  "    ... and 1 more (--verbose prints all)\n" +
                  name + ": damaged: "));
  }
  EXPECT_THAT(report.text,
              AllOf(HasSubstr("good.pgn: 2 games\ngood.pgn: good: every game can be read whole\n"),
                    HasSubstr(": game 1: zero bytes: part of the text is lost\nzeros.pgn: damaged"),
                    HasSubstr("/short.pgn.gz: before byte 30: the compressed data end too early\n"
                              "short.pgn.gz: unreadable\n"),
                    HasSubstr("\n6 databases: 1 good, 4 damaged, 1 unreadable; 13 games, 7 of them "
                              "damaged\n")));
  EXPECT_EQ(std::distance(stdfs::directory_iterator(folder_.path()), {}), 6);
  EXPECT_EQ(check_source(folder_ / "good.pgn").health, Health::Good);
  EXPECT_EQ(check_source(folder_ / "bad.pgn", {.threads = 1}).health, Health::Damaged);
}

TEST_F(CheckTest, FolderWithoutDatabasesIsUnreadable) {
  const Report empty = check_source(folder_.path());
  EXPECT_EQ(empty.health, Health::Unreadable);
  EXPECT_THAT(empty.text, StartsWith("0 databases: "));
  EXPECT_EQ(check_source(folder_ / "none").health, Health::Unreadable);
}

TEST(Findings, KeepsFirstFindingsAndCountsAll) {
  Findings<Overlap> findings(3);
  for (const GameIndex game : {9U, 2U, 7U, 1U, 8U, 5U}) {
    findings.add({.game = game, .other = 0, .offset = 0});
  }
  EXPECT_EQ(findings.count(), 6U);
  std::vector<GameIndex> games;
  for (const Overlap& overlap : findings.first()) games.push_back(overlap.game);
  EXPECT_THAT(games, ElementsAre(1, 2, 5));
  Findings<Overlap> none(0);
  none.add({.game = 1, .other = 2, .offset = 3});
  EXPECT_EQ(none.count(), 1U);
  EXPECT_THAT(none.first(), IsEmpty());
}

}  // namespace
}  // namespace scidfs::fs
