// PGN that is imported becomes what Scid makes of it, and the text that it was.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fs/import/import.h"
#include "fs/import/pgn_games.h"
#include "tests/support/files.h"
#include "tests/support/packed.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using std::string_literals::operator""s;
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

  const tests::MemoryFolder folder_;
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
  for (const auto& entry : stdfs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".si4") continue;
    const std::string stem = entry.path().stem();
    const std::string prefix = stdfs::path(entry.path()).replace_extension().string();
    const std::string text = ScidDatabase(prefix).render();
    const std::string again = import_text(text).render();
    const bool is_equal = text == again;  // too long to print
    EXPECT_TRUE(is_equal) << stem;
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

TEST_F(PgnImportTest, ZipFilesAreTheirPgnFilesInARow) {
  std::string first;
  for (int i = 0; i < 30'000; ++i) first += fmt::format("[Event \"{}\"]\n\n1. e4 c5 *\n\n", i);
  const std::string second = "[Event \"second\"]\n\n1. e4 Qh6 *\n\n";
  const auto put = [this](const std::string& name, std::string_view bytes) {
    tests::write_file(folder_ / name, bytes);
    return folder_ / name;
  };
  const stdfs::path database = folder_ / "zip.si5";
  const auto import_zip = [&](std::string_view bytes) {
    remarks_.clear();
    std::uint64_t read = 0;
    const auto report = import_games(
        {.sources = {put("a.ZIP", bytes)}, .database = database},
        [&read](std::uint64_t done, std::uint64_t total) {
          EXPECT_LE(done, total);
          read = done;
        },
        [this](std::string_view text) { remarks_.emplace_back(text); });
    EXPECT_TRUE(!report.ok() || read == first.size() + second.size());
    return report.status();
  };
  const std::string zip = tests::zipped({{"notes.txt", second},
                                         {"one.pgn", first},
                                         {"__MACOSX/._one.pgn", second},
                                         {"sub/two.PGN", second}});
  ASSERT_EQ(import_zip(zip), absl::OkStatus());
  EXPECT_THAT(remarks_, ElementsAre(HasSubstr("/a.ZIP/two.PGN, line 3: game 1: ")));
  import_text(first + second);
  EXPECT_TRUE(tests::read_scid_files(imported_, ".si5") ==
              tests::read_scid_files((folder_ / "zip").string(), ".si5"));

  for (const char* const ending : {".si5", ".sg5", ".sn5"})
    stdfs::remove(folder_ / ("zip"s + ending));
  const std::string two = tests::zipped({{"one.pgn", first}, {"x.pgn", second}}, true);
  std::string damaged = zip;
  damaged[zip.size() / 2] = static_cast<char>(damaged[zip.size() / 2] ^ 1);
  for (const auto& [bytes, reason] :
       {std::pair<std::string, std::string>(zip.substr(0, zip.size() / 2), "Cannot unpack "),
        {damaged, "Cannot unpack "},
        {two, "one.pgn is encrypted"},
        {tests::zipped({{"a.txt", first}}), "it has no PGN file"}}) {
    EXPECT_THAT(import_zip(bytes).message(), HasSubstr(reason));
    EXPECT_FALSE(stdfs::exists(database));
  }
  const auto misnamed = import_games(
      {.sources = {put("a.pgn", zip)}, .database = database}, [](auto...) {}, [](auto) { FAIL(); });
  EXPECT_THAT(misnamed.status().message(), HasSubstr("it is a zip file"));
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

// Imports with the functions of a source.
class PgnSourceTest : public PgnImportTest {
 protected:
  // Writes a text to a file and imports it from there.
  absl::StatusOr<PgnImported> import_with(std::string_view text, const PgnImportOptions& options,
                                          const std::string& ending = ".pgn") {
    remarks_.clear();
    imported_ = (folder_ / fmt::format("imported{}", ++number_)).string();
    pgn_ = folder_ / ("text" + ending);
    tests::write_file(pgn_, text);
    absl::StatusOr<SourceFile> file = SourceFile::open(pgn_);
    if (!file.ok()) return file.status();
    const auto database = NewDatabase::create(imported_ + ".si5");
    if (!database.ok()) return database.status();
    absl::StatusOr<PgnImported> imported =
        PgnSource(*std::move(file))
            .import([&](const NewGame& game) { return (*database)->add(game); }, options,
                    [this](std::uint64_t bytes) { advance_(bytes); },
                    [this](std::string_view remark) { remarks_.emplace_back(remark); });
    if (!imported.ok()) return imported;
    EXPECT_EQ(options.begin.games + (*database)->games(), imported->end.games);
    const absl::Status status = (*database)->commit({});
    return status.ok() ? imported : status;
  }

  stdfs::path pgn_;
  std::function<void(std::uint64_t)> advance_ = [](std::uint64_t) {};
};

TEST_F(PgnSourceTest, GrowingTextsAreReadFromTheirLastGame) {
  const std::string text =
      "\xEF\xBB\xBF[Event \"A\"]\n[White \"B\"]\n\n1. e4 {[Event \"no\"]} e5 2. Ke3 1-0\n\n"
      "[Event \"C\"]\r\n\r\n1. d4 d5\r\n; a comment\r\n0-1\r\n[Event \"D\"]\n[Annotator \"E\"]\n\n"
      "[Event \"F\"]\n\n1. e4 {not closed\n\n[Event \"G\"]\n[Black \"H\"]\n\n1. c4 (1. Nf3) xx *\n";
  const auto whole = import_with(text, {});
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(whole->end.offset, text.size());
  EXPECT_EQ(whole->end.line, 1u + static_cast<std::size_t>(std::ranges::count(text, '\n')));
  const std::string all = ScidDatabase(imported_, ".si5").render();
  const std::vector<std::string> remarks = remarks_;
  std::set<std::uint64_t> places;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto part = import_with(text.substr(0, size), {});
    ASSERT_TRUE(part.ok()) << part.status();
    ASSERT_TRUE(import_with(text.substr(0, part->last.offset), {}).ok());
    const ScidDatabase before(imported_, ".si5");
    EXPECT_EQ(before.games(), part->last.games);
    std::vector<std::string> told = remarks_;
    const auto rest = import_with(text, {.begin = part->last});
    ASSERT_TRUE(rest.ok()) << rest.status();
    EXPECT_EQ(before.render() + ScidDatabase(imported_, ".si5").render(), all) << size;
    told.insert(told.end(), remarks_.begin(), remarks_.end());
    EXPECT_EQ(told, remarks) << size;
    EXPECT_EQ(rest->end.offset, whole->end.offset);
    EXPECT_EQ(rest->end.line, whole->end.line);
    EXPECT_EQ(rest->end.games, whole->end.games);
    EXPECT_EQ(rest->last.offset, whole->last.offset);
    EXPECT_EQ(rest->last.line, whole->last.line);
    EXPECT_EQ(rest->last.games, whole->last.games);
    places.insert(part->last.offset);
  }
  EXPECT_EQ(places.size(), 4u);
  EXPECT_TRUE(absl::IsDataLoss(import_with(text, {.begin = {.offset = text.size() + 1}}).status()));
}

TEST_F(PgnSourceTest, CompressedTextsBecomeTheSameDatabase) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) {
    text += fmt::format("[Event \"{}\"]\n\n{}. e4 c5 {}\n\n", i, i, i % 100 == 0 ? "Qh6" : "*");
  }
  ASSERT_TRUE(import_with(text, {}).ok());
  const auto expected = tests::read_scid_files(imported_, ".si5");
  const std::size_t remarks = remarks_.size();
  for (const std::string ending : {".gz", ".zst", ".bz2", ".xz"}) {
    const std::string packed = tests::packed(text, ending);
    std::uint64_t read = 0;
    advance_ = [&read](std::uint64_t bytes) { read += bytes; };
    const auto imported = import_with(packed, {}, ".PGN" + ending);
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_EQ(imported->end.offset, text.size());
    EXPECT_EQ(read, packed.size());
    EXPECT_TRUE(tests::read_scid_files(imported_, ".si5") == expected) << ending;
    EXPECT_EQ(remarks_.size(), remarks);
    EXPECT_TRUE(absl::IsDataLoss(
        import_with(std::string_view(packed).substr(0, packed.size() - 9), {}, ".pgn" + ending)
            .status()));
  }
}

TEST_F(PgnSourceTest, GivesUpAndLeavesNothing) {
  std::string text;
  while (text.size() < 4'000'000) text += "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n";
  for (const unsigned threads : {1u, 4u}) {
    for (const int calls : {0, 2}) {
      std::atomic<int> asked = 0;
      const auto cancelled =
          import_with(text, {.threads = threads, .is_cancelled = [&] { return asked++ >= calls; }});
      EXPECT_TRUE(absl::IsCancelled(cancelled.status())) << cancelled.status();
    }
    advance_ = [this](std::uint64_t) { std::ofstream(pgn_, std::ios::app) << " "; };
    const auto changed = import_with(text, {.threads = threads});
    EXPECT_TRUE(absl::IsUnavailable(changed.status())) << changed.status();
    advance_ = [](std::uint64_t) {};
  }
  EXPECT_THAT(std::vector<stdfs::path>(stdfs::directory_iterator(folder_.path()), {}),
              ElementsAre(pgn_));
}

TEST_F(PgnSourceTest, DecodesTextsWithTheCodePage) {
  for (const auto& [page, name] :
       {std::pair(codec::CodePage::Windows1252, "\u00D2\u00E0\u00EB\u00FC"),
        std::pair(codec::CodePage::Windows1251, "\u0422\u0430\u043B\u044C")}) {
    ASSERT_TRUE(import_with("[White \"\xD2\xE0\xEB\xFC\"]\n\n1. e4 *\n", {.page = page}).ok());
    EXPECT_THAT(ScidDatabase(imported_, ".si5").render(), HasSubstr(name));
  }
}

TEST(PgnName, HasAnEnding) {
  for (const auto& [name, is_pgn] : {std::pair("a.pgn", true),
                                     {"a.PGN", true},
                                     {".pgn", true},
                                     {"a.pgn.gz", true},
                                     {"a.Pgn.ZST", true},
                                     {"a.pgn.bz2", true},
                                     {"a.pgn.xz", true},
                                     {"a.gz", false},
                                     {"pgn", false},
                                     {"", false},
                                     {"a.pgn.gz.xz", false},
                                     {"a.pgn.zip", false},
                                     {"a.pgnx", false},
                                     {"a.gz.pgn", true}}) {
    EXPECT_EQ(is_pgn_name(name), is_pgn) << name;
  }
}

}  // namespace
}  // namespace scidfs::fs
