// PGN that is imported becomes what Scid makes of it, and the text that it was.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fs/import/import.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::ScidDatabase;

class PgnImportTest : public testing::Test {
 protected:
  // Imports a PGN file into a database, and returns that.
  ScidDatabase import(const stdfs::path& pgn, const std::string& ending, unsigned threads = 2) {
    remarks_.clear();
    imported_ = (folder_ / fmt::format("imported{}", ++number_)).string();
    std::uint64_t last = 0;
    const auto report = import_games(
        {.sources = {pgn}, .database = imported_ + ending, .threads = threads},
        [&last](std::uint64_t done, std::uint64_t total) {
          EXPECT_LE(done, total);
          EXPECT_LT(std::exchange(last, done), done);
        },
        [this](std::string_view text) { remarks_.emplace_back(text); });
    EXPECT_TRUE(report.ok()) << pgn << ": " << report.status();
    if (!report.ok()) std::abort();
    EXPECT_EQ(last, stdfs::file_size(pgn));
    return ScidDatabase(imported_, ending);
  }
  ScidDatabase import_text(std::string_view text, const std::string& ending = ".si5",
                           unsigned threads = 2) {
    const stdfs::path pgn = folder_ / fmt::format("text{}.pgn", number_);
    tests::write_file(pgn, text);
    return import(pgn, ending, threads);
  }

  const tests::TemporaryFolder folder_;
  int number_ = 0;
  std::vector<std::string> remarks_;
  std::string imported_;  // the last database, without ending
};

// Returns a text with one blank for each run of white space.
std::string words_of(const std::string& text) {
  std::string words;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank || (!words.empty() && words.back() != ' ')) words += is_blank ? ' ' : c;
  }
  return words;
}

// The fixtures in which Scid does something else with the text, and why.
const std::map<std::string, std::string> kOtherThanScid = {
    {"comments", "Scid joins two comments of a move without a blank, we with one"},
    {"dates", "Scid 4 loses event dates that are far away, and the day of 2020.1.2; we keep them"},
    {"eco", "Scid loses the code F00; we keep it as a tag"},
    {"header", "the properties of the database were set afterwards"},
    {"ratings", "Scid loses the rating 4001; we keep it as a tag"},
    {"replaced", "games were saved again afterwards"},
    {"tags", "Scid 4 loses an event date that is far away; we keep it as a tag"},
    {"tags_long", "Scid loses tags of more than 240 bytes; we keep them"}};

TEST_F(PgnImportTest, WritesTheBytesOfScid) {
  const stdfs::path folder = stdfs::path(tests::shared_folder()) / "fixtures";
  if (!stdfs::exists(folder)) GTEST_SKIP() << "no fixtures";
  std::size_t equal = 0;
  for (const auto& [name, ending] : {std::pair("scid4", ".si4"), std::pair("scid5", ".si5")}) {
    for (const auto& entry : stdfs::directory_iterator(folder / name)) {
      const std::string stem = entry.path().stem();
      if (entry.path().extension() != ".pgn" || stem.find('.') != std::string::npos) continue;
      import(entry.path(), ending);
      const std::string expected = (folder / name / stem).string();
      const auto ours = tests::read_scid_files(imported_, ending);
      const auto theirs = tests::read_scid_files(expected, ending);
      const std::string different = fmt::format(
          "{}{}{}", ours.index == theirs.index ? "" : "index ",
          ours.names == theirs.names ? "" : "names ", ours.games == theirs.games ? "" : "games");
      EXPECT_EQ(different.empty(), !kOtherThanScid.contains(stem)) << stem << ": " << different;
      if (different.empty()) ++equal;
    }
  }
  EXPECT_GT(equal, 25u);
}

TEST_F(PgnImportTest, TextsComeBackAsTheyWere) {
  std::size_t games = 0;
  for (const auto& entry : stdfs::recursive_directory_iterator(tests::test_data(""))) {
    const std::string ending = entry.path().extension();
    if (!ending.starts_with(".si") || entry.path().parent_path().filename() == "handmade") continue;
    const std::string prefix = stdfs::path(entry.path()).replace_extension().string();
    const std::string text = ScidDatabase(prefix, ending).render();
    for (const std::string to : {".si4", ".si5"}) {
      const ScidDatabase imported = import_text(text, to);
      EXPECT_EQ(imported.render(), text) << prefix;
      EXPECT_THAT(remarks_, IsEmpty()) << prefix;
      games += imported.games();
    }
  }
  EXPECT_GT(games, 2000u);
}

TEST_F(PgnImportTest, LargeTextsComeBackAsTheyWere) {
  const stdfs::path folder = stdfs::path(tests::shared_folder()) / "data";
  if (!stdfs::exists(folder)) GTEST_SKIP() << "no shared data";
  // Comments with two blanks where a line ends, which PGN does not keep.
  const std::set<std::string> other_blanks = {"annotated"};
  for (const auto& entry : stdfs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".si4") continue;
    const std::string stem = entry.path().stem();
    const std::string prefix = stdfs::path(entry.path()).replace_extension().string();
    const std::string text = ScidDatabase(prefix).render();
    const std::string again = import_text(text).render();
    const bool is_equal = text == again;  // too long to print
    EXPECT_EQ(is_equal, !other_blanks.contains(stem)) << stem;
    const bool has_equal_words = words_of(text) == words_of(again);
    EXPECT_TRUE(has_equal_words) << stem;
  }
}

TEST_F(PgnImportTest, ThreadsKeepTheOrder) {
  tests::Random random(7);
  std::string text;
  while (text.size() < 5'000'000) {
    text += fmt::format("[Event \"{}\"]\n[White \"{}\"]\n\n", random.below(1000), text.size());
    for (std::size_t i = random.below(100); i != 0; --i) text += "Nf3 Nf6 {some words} Ng1 Ng8 ";
    text += random.one_in(500) ? "Nd4 *\n\n" : "*\n\n";
  }
  import_text(text, ".si5", 1);
  const auto one = tests::read_scid_files(imported_, ".si5");
  const std::vector<std::string> remarks = remarks_;
  EXPECT_GT(remarks.size(), 3u);
  number_ = 0;  // the same names
  stdfs::remove(imported_ + ".si5");
  for (const char* const ending : {".sn5", ".sg5"}) stdfs::remove(imported_ + ending);
  import_text(text, ".si5", 4);
  EXPECT_TRUE(tests::read_scid_files(imported_, ".si5") == one);
  EXPECT_EQ(remarks_, remarks);
}

TEST_F(PgnImportTest, TellsWhatIsWrongWhere) {
  const ScidDatabase imported = import_text(
      "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"
      "[White \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5\n2. Ke3 Nc6 1-0\n\n"
      "[White \"C\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n\n");
  EXPECT_EQ(imported.games(), 3u);
  EXPECT_THAT(remarks_, ElementsAre(HasSubstr("text0.pgn, line 10: game 2: ")));
  EXPECT_THAT(imported.render(), HasSubstr("1. d4 1-0"));
}

TEST_F(PgnImportTest, KeepsTheGameThatIsTooLong) {
  const ScidDatabase imported =
      import_text("[White \"A\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n\n1. e4 {" +
                  std::string(200'000, 'x') + "} e5 1-0\n\n[White \"B\"]\n\n1. d4 *\n");
  EXPECT_EQ(imported.games(), 2u);
  EXPECT_THAT(remarks_, testing::Contains(HasSubstr("game 1: the game is too long")));
  EXPECT_THAT(imported.render(), HasSubstr("[Date \"2001.02.03\"]"));
  EXPECT_THAT(imported.render(), HasSubstr("1. d4 *"));
}

// Tags that the index has a field for, as people write them, and what a game has of them then.
TEST_F(PgnImportTest, ReadsTagsOfTheIndex) {
  struct Case {
    std::string_view tags, shown;
  };
  for (const auto& [tags, shown] :
       std::vector<Case>{{"[Date \"2020.1.2\"]", "[Date \"2020.01.02\"]"},
                         {"[Date \"2020-11-03\"]", "[Date \"2020.11.03\"]"},
                         {"[Date \"2020/1\"]", "[Date \"2020.01.??\"]"},
                         {"[Date \"2020.13.05\"]", "[Date \"2020.??.??\"]"},
                         {"[Date \"2019.02.29\"]", "[Date \"2019.02.??\"]"},
                         {"[Date \"2020.02.29\"]", "[Date \"2020.02.29\"]"},
                         {"[Date \"????.02.29\"]", "[Date \"????.02.29\"]"},
                         {"[Date \"2020.??.31\"]", "[Date \"2020.??.31\"]"},
                         {"[Date \"2048.01.01\"]", "[Date \"????.01.01\"]"},
                         {"[EventDate \"summer 1990\"]", "[EventDate \"summer 1990\"]"},
                         {"[EventDate \"1990\"]", "[EventDate \"1990.??.??\"]"},
                         {"[ECO \"b1\"]", "[ECO \"B10\"]"},
                         {"[ECO \"A00z4\"]", "[ECO \"A00z4\"]"},
                         {"[ECO \"none\"]", "[ECO \"none\"]"},
                         {"[WhiteElo \"2500?\"]", "[WhiteElo \"2500\"]"},
                         {"[BlackRapid \"4001\"]", "[BlackRapid \"4001\"]"},
                         {"[WhiteElo \"2500\"]\n[WhiteUSCF \"2550\"]",
                          "[WhiteElo \"2500\"]\n[WhiteUSCF \"2550\"]"},
                         {"[WhiteTitle \"GM\"]", "[WhiteTitle \"GM\"]"},
                         {"[Result \"1/2\"]", "[Result \"1/2-1/2\"]"}}) {
    const std::string text = fmt::format("{}\n\n1. e4\n", tags);
    EXPECT_THAT(import_text(text).render(), HasSubstr(shown));
  }
  for (const std::string_view nothing : {"[WhiteElo \"0\"]", "[BlackElo \"-\"]", "[ECO \"?\"]",
                                         "[EventDate \"????.??.??\"]", "[ECO \"\"]"}) {
    const std::string text = fmt::format("{}\n\n1. e4 *\n", nothing);
    EXPECT_EQ(import_text(text).render(), import_text("[Event \"?\"]\n\n1. e4 *\n").render());
  }
  const ScidDatabase flagged = import_text("[ScidFlags \"SXDU!6\"]\n\n1. e4 *\n", ".si4");
  EXPECT_EQ(codec::scid::flags_to_string(flagged.entry(0).flags), "D!U6");
}

}  // namespace
}  // namespace scidfs::fs
