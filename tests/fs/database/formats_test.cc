// Databases of all formats in one folder, their faults, and how they change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_formats.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::ScidFiles;
using tests::ScidWriter;

using FormatsTest = LibraryTest;

TEST_F(FormatsTest, DatabaseInAllFormatsHasTheSameTexts) {
  const ScidFiles files = tests::read_scid_files(tests::test_data("sample/sample"));
  put("mega", files);
  put("mega", tests::as_scid3(files), tests::replace, ".si3");
  put("mega", tests::as_scid5(files), tests::replace, ".si5");
  open(source_);
  const tests::WalkedTree walked = tests::walk_library(*library_);
  EXPECT_THAT(walked.faults, IsEmpty());
  const auto at = [&walked](const std::string& path) {
    const auto found = walked.files.find(path);
    return found == walked.files.end() ? "missing" : found->second;
  };
  std::size_t files_of_scid4 = 0;
  for (const auto& [path, text] : walked.files) {
    if (!path.starts_with("mega.si4/")) continue;
    ++files_of_scid4;
    const std::string rest = path.substr(std::string_view("mega.si4").size());
    // These have the name of the database.
    if (rest == "/info.txt" || rest == "/summary.txt") continue;
    ASSERT_EQ(at("mega.si5" + rest), text) << rest;
    // Custom flags exist since Scid 4, and are in index.tsv.
    if (rest.find("custom") == std::string::npos && !rest.ends_with("index.tsv")) {
      ASSERT_EQ(at("mega.si3" + rest), text) << rest;
    }
  }
  EXPECT_GT(files_of_scid4, 2 * 1605u);
  EXPECT_THAT(at("mega.si3/info.txt"), HasSubstr("\nformat: Scid 3 (index version 300)\n"));
  EXPECT_THAT(at("mega.si4/info.txt"), HasSubstr("\nformat: Scid 4 (index version 400)\n"));
  std::string expected = at("mega.si4/info.txt");
  const auto put_in = [&expected](std::string_view from, std::string_view to) {
    expected.replace(expected.find(from), from.size(), to);
  };
  put_in("mega.si4", "mega.si5");
  put_in("Scid 4 (index version 400)", "Scid 5");
  EXPECT_EQ(at("mega.si5/info.txt"), expected);
}

// Names, tags, comments and the description; valid UTF-8 is kept.
TEST_F(FormatsTest, CodePageDependsOnNameOrFolder) {
  const std::string kasparov = "\xCA\xE0\xF1\xEF\xE0\xF0\xEE\xE2, \xC3";  // Каспаров, Г
  const std::string move = "\xCF\xB8\xF1";  // "Пёс", whose first two bytes are valid UTF-8
  ScidWriter writer;
  writer.describe(kasparov);
  writer.add(tests::ScidEncoder().tag("Annotator", kasparov).move("e4").comment(move).record(),
             kasparov, "Карпов, А");
  std::filesystem::create_directories(source_ / "russian/old");
  for (const char* const name : {"a", "b", "russian/c", "russian/old/b", "russian/d"}) {
    put(name, writer.files());
  }
  using codec::CodePage;
  options_.encodings = {{"russian", CodePage::Windows1251},
                        {"b.si4", CodePage::Windows1251},
                        {"russian/d.si4", CodePage::Windows1252}};
  open(source_);
  for (const std::string path : {"b.si4", "russian/c.si4", "russian/old/b.si4"}) {
    const std::string pgn = text(path + "/all.pgn");
    EXPECT_THAT(pgn, AllOf(HasSubstr("[White \"Каспаров, Г\"]\n[Black \"Карпов, А\"]"),
                           HasSubstr("[Annotator \"Каспаров, Г\"]"), HasSubstr("{Пёс}")));
    EXPECT_THAT(text(path + "/info.txt"), HasSubstr("\ndescription: Каспаров, Г\n"));
    EXPECT_THAT(text(path + "/search/text=пёс/games.pgn"), HasSubstr("{Пёс}"));
    EXPECT_TRUE(exists(path + "/players/Каспаров,_Г"));
  }
  for (const std::string path : {"a.si4", "russian/d.si4"}) {
    EXPECT_THAT(
        text(path + "/all.pgn"),
        AllOf(HasSubstr("[White \"Êàñïàðîâ, Ã\"]\n[Black \"Карпов, А\"]"), HasSubstr("{ϸñ}")));
    EXPECT_EQ(text(path + "/search/text=пёс/games.pgn"), "");
  }
  options_.encodings = {{"", CodePage::Windows1251}};
  open(source_ / "a.si4");
  EXPECT_THAT(text("all.pgn"), HasSubstr("{Пёс}"));
}

TEST_F(FormatsTest, EncodingOfNothingIsWarnedOf) {
  std::filesystem::create_directories(source_ / "old");
  put("old/a", ScidWriter().files());
  const auto warnings = [this](std::string_view path) {
    options_.encodings = {{std::string(path), codec::CodePage::Windows1251}};
    testing::internal::CaptureStderr();
    open(source_);
    return testing::internal::GetCapturedStderr();
  };
  for (const char* const path : {"", "old", "old/a.si4", "a.si4"}) {
    EXPECT_EQ(warnings(path), "") << path;
  }
  for (const char* const path : {"ol", "a.si5", "new/a.si4"}) {
    EXPECT_EQ(
        warnings(path),
        std::string("scidfs: -o encoding: there is no database, folder or archive ") + path + "\n");
  }
}

TEST_F(FormatsTest, DatabaseCanBeTheSource) {
  for (const std::string suffix : {".si3", ".si5"}) {
    const std::string prefix = suffix == ".si3" ? "scid3/endings" : "scid5/chess960";
    open(tests::test_data(prefix + suffix));
    EXPECT_EQ(text("all.pgn"), tests::ScidDatabase(tests::test_data(prefix), suffix).render());
    EXPECT_THAT(text("info.txt"), HasSubstr("\nhealth: good\n"));
    EXPECT_EQ(text("fens/7.epd"), text("fens/00000/000007.epd"));
    EXPECT_FALSE(exists("fens/7.pgn"));
    EXPECT_FALSE(exists("games/7.epd"));
    EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
  }
}

TEST_F(FormatsTest, InvalidDatabaseIsRefusedInOneLine) {
  const ScidFiles files = example_database(3, 1).files();
  put("whole", tests::as_scid5(files), tests::replace, ".si5");
  put(source_ / "old.si5", files.index);
  put(source_ / "newer.si4", tests::as_scid5(files).index);
  put(source_ / "ancient.si3", std::string("Scid.si\0\0\xC8", 10) + std::string(200, '\0'));
  put(source_ / "other.si6", files.index);
  open(source_);
  EXPECT_FALSE(exists("old.si5"));
  EXPECT_TRUE(exists("whole.si5/games/3.pgn"));
  const std::string info = text("info.txt");
  EXPECT_EQ(std::ranges::count(info, '\n'), 5) << info;
  EXPECT_THAT(info,
              AllOf(HasSubstr("database: whole.si5: 3 games\n"),
                    HasSubstr("ancient.si3: format version 200 is not supported, at byte 8\n"),
                    HasSubstr("newer.si4: not a Scid index (wrong magic) at byte 0\n"),
                    HasSubstr("old.si5: an index of an older Scid by another name")));
}

// Scid 4 opens files of Scid 3 with names of Scid 4 too.
TEST_F(FormatsTest, VersionOfIndexDecidesFormat) {
  const ScidFiles files = example_database(3, 1).files();
  put("a", tests::as_scid3(files));
  put("b", files, tests::replace, ".si3");
  put("c", files);
  open(source_);
  EXPECT_THAT(text("a.si4/info.txt"), HasSubstr("\nformat: Scid 3 (index version 300)\n"));
  EXPECT_THAT(text("b.si3/info.txt"), HasSubstr("\nformat: Scid 4 (index version 400)\n"));
  EXPECT_EQ(text("a.si4/all.pgn"), text("c.si4/all.pgn"));
  EXPECT_EQ(text("b.si3/all.pgn"), text("c.si4/all.pgn"));
}

TEST_F(FormatsTest, DamagedScid5ShowsReadableGames) {
  const ScidFiles whole = tests::as_scid5(example_database(20, 1).files());
  ScidFiles files = whole;
  files.index.resize(files.index.size() - 30);
  put("short_index", files, tests::replace, ".si5");
  files = whole;
  files.names.resize(files.names.size() / 2);
  put("short_names", files, tests::replace, ".si5");
  files = whole;
  files.games.resize(files.games.size() / 2);
  put("short_games", files, tests::replace, ".si5");
  files = whole;
  files.games.clear();
  files.names.clear();
  put(source_ / "alone.si5", files.index);
  put("whole", whole, tests::replace, ".si5");
  open(source_);
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
  EXPECT_THAT(text("short_index.si5/info.txt"),
              AllOf(HasSubstr("\ngames: 19\n"),
                    HasSubstr("\nproblem: the index has 26 bytes after its last declared game")));
  EXPECT_THAT(text("short_names.si5/info.txt"),
              HasSubstr("\nproblem: short_names.sn5: the name file ends in an item"));
  EXPECT_EQ(text("short_names.si5/games/1.pgn").substr(0, 7), "[Event ");
  EXPECT_EQ(text("short_games.si5/games/1.pgn"), text("whole.si5/games/1.pgn"));
  EXPECT_THAT(text("short_games.si5/errors.tsv"), HasSubstr("\n20\t"));
  EXPECT_EQ(text("short_games.si5/fens/20.epd"), "");
  EXPECT_THAT(text("alone.si5/games/20.pgn"), HasSubstr("[White \"?\"]"));
}

TEST_F(FormatsTest, DamagedNamesOfScid3KeepNamesBeforeDamage) {
  ScidFiles files = tests::read_scid_files(tests::test_data("scid3/endings"), ".si3");
  put("whole", files, tests::replace, ".si3");
  files.names.resize(files.names.size() - 10);
  put("cut", files, tests::replace, ".si3");
  open(source_);
  EXPECT_THAT(tests::walk_library(*library_).faults, IsEmpty());
  EXPECT_THAT(text("cut.si3/info.txt"), HasSubstr("\nproblem: cut.sn3: "));
  EXPECT_THAT(text("cut.si3/info.txt"), HasSubstr("\ngames: 67\n"));
  EXPECT_EQ(text("cut.si3/fens/1.epd"), text("whole.si3/fens/1.epd"));
}

TEST_F(FormatsTest, SavedVersionIsShownAndOldOneStaysReadable) {
  ScidWriter writer = example_database(20, 1);
  const auto save = [&](LibraryTest::Write write) {
    put("a", tests::as_scid5(writer.files()), write, ".si5");
  };
  save(tests::overwrite);
  open(source_);
  std::vector<std::pair<Inode, std::string>> versions;
  const std::vector<std::function<void()>> edits = {
      [&] { writer.add(record("e4 e5"), "White 1", "Somebody, New"); },
      [&] { writer.replace(3, record("d4 d5 c4")); },
      [&] { writer.toggle_flag(4, codec::scid::kFlagDeleted); },
      [&] { writer.set_white(5, "Another, New"); },
  };
  for (const auto& edit : edits) {
    for (const char* const path : {"a.si5/all.pgn", "a.si5/games/4.pgn", "a.si5/fens/4.epd"}) {
      versions.emplace_back(inode(path), text(path));
    }
    edit();
    save(tests::patch);
    EXPECT_TRUE(library_->rescan().changed);
    for (const auto& [inode, text] : versions) EXPECT_EQ(*read(inode), text);
  }
  EXPECT_EQ(text("a.si5/games/21.pgn"),
            tests::ScidDatabase(source_ / "a", ".si5").render_games()[20].text);
  EXPECT_THAT(text("a.si5/fens/4.epd"), AllOf(HasSubstr("sm d4;"), HasSubstr("id \"4.4\"; c0 ")));
  EXPECT_FALSE(exists("a.si5/fens/5.epd"));
}

}  // namespace
}  // namespace scidfs::fs
