// Databases that are copied into another format have the same texts and the same data of the index.
#include "fs/import/import.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/scid/record.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_formats.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::scid::IndexEntry;
using codec::scid::NameKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::ScidDatabase;
using tests::ScidEncoder;
using tests::ScidFiles;

// The endings of the index and of all files of a format.
struct Ending {
  std::string index, names, games;
};
const Ending kEndings[] = {{".si4", ".sn4", ".sg4"}, {".si5", ".sn5", ".sg5"}};

// Every database of the tests that Scid has made, and those of the shared folder, without ending.
std::vector<std::pair<std::string, std::string>> databases(const stdfs::path& folder) {
  std::vector<std::pair<std::string, std::string>> found;
  if (!stdfs::exists(folder)) return found;
  for (const auto& entry : stdfs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension();
    if (!ending.starts_with(".si") || entry.path().parent_path().filename() == "handmade") continue;
    found.emplace_back(stdfs::path(entry.path()).replace_extension().string(), ending);
  }
  return found;
}

class ImportTest : public testing::Test {
 protected:
  // Imports, and returns the report.
  absl::StatusOr<ImportReport> import(const std::vector<stdfs::path>& sources,
                                      const stdfs::path& database) {
    remarks_.clear();
    return import_games(
        {.sources = sources, .database = database},
        [](std::uint64_t done, std::uint64_t total) { EXPECT_LE(done, total); },
        [this](std::string_view text) { remarks_.emplace_back(text); });
  }
  // Imports a database that must become another one, and returns that.
  ScidDatabase copy(const std::string& prefix, const std::string& from, const std::string& to) {
    static int number = 0;
    const stdfs::path target = folder_ / fmt::format("copy{}{}", ++number, to);
    const auto report = import({prefix + from}, target);
    EXPECT_TRUE(report.ok()) << prefix << ": " << report.status();
    if (!report.ok()) std::abort();
    copied_ = stdfs::path(target).replace_extension().string();
    return ScidDatabase(copied_, to);
  }
  std::vector<std::string> names_in_folder() const {
    std::vector<std::string> names;
    for (const auto& entry : stdfs::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  const tests::TemporaryFolder folder_;
  std::vector<std::string> remarks_;
  std::string copied_;  // the last copy, without ending
};

// What the format of the copy has no room for, or what depends on the place of the game.
void clear_places(IndexEntry& entry) {
  entry.offset = entry.length = 0;
  entry.white = entry.black = entry.event = entry.site = entry.round = 0;
}

void expect_equal_data(const ScidDatabase& one, const ScidDatabase& other,
                       const std::string& what) {
  ASSERT_EQ(one.games(), other.games()) << what;
  EXPECT_EQ(one.render(), other.render()) << what;
  for (std::uint32_t game = 0; game < one.games(); ++game) {
    IndexEntry a = one.entry(game), b = other.entry(game);
    clear_places(a);
    clear_places(b);
    EXPECT_EQ(static_cast<const codec::scid::GameEntry&>(a),
              static_cast<const codec::scid::GameEntry&>(b))
        << what << ", game " << game;
    EXPECT_EQ(std::tie(a.variation_code, a.comment_code, a.nag_code, a.stored_line, a.plies),
              std::tie(b.variation_code, b.comment_code, b.nag_code, b.stored_line, b.plies));
    EXPECT_EQ(std::tie(a.material, a.home_pawn_count, a.home_pawns),
              std::tie(b.material, b.home_pawn_count, b.home_pawns));
  }
  const auto info = [](const ScidDatabase& database) {
    const codec::scid::DatabaseInfo& found =
        database.names().info.has_value() ? *database.names().info : database.header();
    return std::tie(found.type, found.autoload, found.description, found.custom_flags);
  };
  EXPECT_EQ(info(one), info(other)) << what;
}

TEST_F(ImportTest, CopiesHaveTheSameTextsAndData) {
  std::size_t games = 0;
  for (const auto& [prefix, from] : databases(tests::test_data(""))) {
    for (const Ending& to : kEndings) {
      const ScidDatabase original(prefix, from);
      // Games of Chess960 have a tag more in Scid 4, and no longer the bit.
      if (to.index == ".si4" && from == ".si5" && prefix.ends_with("chess960")) continue;
      expect_equal_data(original, copy(prefix, from, to.index), prefix + from + to.index);
      EXPECT_THAT(remarks_, IsEmpty()) << prefix;
      games += original.games();
    }
  }
  EXPECT_GT(games, 2000u);
}

TEST_F(ImportTest, LargeCopiesHaveTheSameTexts) {
  const auto found = databases(stdfs::path(tests::shared_folder()) / "data");
  if (found.empty()) GTEST_SKIP() << "no shared data";
  for (const auto& [prefix, from] : found) {
    const bool is_damaged = prefix.ends_with("scinc_broken");
    for (const Ending& to : kEndings) {
      const ScidDatabase copied = copy(prefix, from, to.index);
      const ScidDatabase original(prefix, from);
      // The remarks in damaged games name their places in the file.
      EXPECT_EQ(copied.render() == original.render(), !is_damaged) << prefix;
      EXPECT_EQ(copied.games(), original.games());
      EXPECT_EQ(remarks_.empty(), !is_damaged) << prefix;
    }
  }
}

// Scid has written these game by game, and so their copies are the same bytes.
TEST_F(ImportTest, WritesTheBytesOfScid) {
  // Saved again: unused bytes and names. An event date of its own: another kind of none.
  const std::set<std::string> exceptions = {"replaced", "dates", "tags"};
  std::size_t files = 0;
  for (const Ending& ending : kEndings) {
    const std::string folder = ending.index == ".si4" ? "scid4" : "scid5";
    for (const std::string& stem : tests::stems_in(folder, ending.index)) {
      if (exceptions.contains(stem)) continue;
      const std::string prefix = tests::test_data(folder + "/" + stem);
      copy(prefix, ending.index, ending.index);
      EXPECT_EQ(tests::read_scid_files(copied_, ending.index),
                tests::read_scid_files(prefix, ending.index))
          << stem;
      ++files;
    }
  }
  EXPECT_GT(files, 30u);
}

TEST_F(ImportTest, CopyOfACopyIsTheSame) {
  const std::string prefix = tests::test_data("sample/sample");
  for (const Ending& ending : kEndings) {
    copy(prefix, ".si4", ending.index);
    const std::string first = copied_;
    copy(first, ending.index, ending.index);
    EXPECT_EQ(tests::read_scid_files(first, ending.index),
              tests::read_scid_files(copied_, ending.index));
  }
}

TEST_F(ImportTest, GamesOfSeveralSourcesFollowEachOther) {
  const std::string news = tests::test_data("news/news"), fen = tests::test_data("scid4/fen");
  const auto report = import({news + ".si4", fen + ".si4"}, folder_ / "both.si5");
  ASSERT_TRUE(report.ok()) << report.status();
  const ScidDatabase both(folder_ / "both", ".si5");
  EXPECT_EQ(both.games(), report->games);
  EXPECT_EQ(both.render(), ScidDatabase(news).render() + ScidDatabase(fen).render());
  EXPECT_THAT(both.names().info->description, HasSubstr("News"));
}

// A database of Scid 5 with one game.
ScidFiles one_game(const IndexEntry& entry, const std::string& record,
                   const tests::Scid5Builder::Names& names = {}) {
  tests::Scid5Builder builder;
  builder.game(names, entry, record);
  return builder.files();
}

TEST_F(ImportTest, KeepsInTagsWhatScid4HasNoFieldFor) {
  const std::string chess960 = tests::test_data("scid5/chess960");
  EXPECT_EQ(copy(chess960, ".si5", ".si4").render(), ScidDatabase(chess960, ".si5").render());

  IndexEntry entry;
  entry.date = {.year = 2001, .month = 2, .day = 3};
  entry.event_date = {.year = 1990, .month = 12};
  const std::string record = ScidEncoder().tag("Annotator", "Anna").moves("e4 e5").record();
  write_scid_files(one_game(entry, record), folder_ / "far", ".si5");
  const std::string far = (folder_ / "far").string();
  const ScidDatabase copied = copy(far, ".si5", ".si4");
  EXPECT_THAT(copied.render(), HasSubstr("[EventDate \"1990.12.??\"]\n[Annotator \"Anna\"]"));
  EXPECT_EQ(copied.render(), ScidDatabase(far, ".si5").render());
}

TEST_F(ImportTest, TellsWhatIsLost) {
  IndexEntry entry;
  entry.event_date = {.year = 1990};
  const std::string longest =
      ScidEncoder().comment(std::string(codec::scid::kMaxRecordSize - 5, 'x')).record();
  ASSERT_EQ(longest.size(), codec::scid::kMaxRecordSize);
  write_scid_files(one_game(entry, longest, {.white = std::string(300, 'w')}), folder_ / "long",
                   ".si5");
  const ScidDatabase copied = copy((folder_ / "long").string(), ".si5", ".si4");
  EXPECT_THAT(remarks_, ElementsAre(HasSubstr("long.si5: game 1: a name is too long")));
  EXPECT_THAT(copied.render(), HasSubstr("[White \"" + std::string(255, 'w') + "\"]"));
  write_scid_files(one_game(entry, longest), folder_ / "longest", ".si5");
  copy((folder_ / "longest").string(), ".si5", ".si4");
  EXPECT_THAT(remarks_, ElementsAre(HasSubstr("game 1: the event date does not fit")));
}

TEST_F(ImportTest, DamagedDatabasesAreCopiedAsFarAsTheyCanBeRead) {
  const std::string folder = tests::test_data("scid4/handmade/");
  for (const auto& entry : stdfs::directory_iterator(folder)) {
    if (entry.path().extension() != ".si4") continue;
    const std::string stem = entry.path().stem();
    for (const Ending& to : kEndings) {
      const stdfs::path target = folder_ / (stem + to.index);
      const auto report = import({entry.path()}, target);
      const bool is_refused = stem == "bad_magic_index" || stem.starts_with("version");
      EXPECT_EQ(report.ok(), !is_refused || stem == "version300") << stem << report.status();
      if (!report.ok()) continue;
      const ScidDatabase copied((folder_ / stem).string(), to.index);
      const ScidDatabase original(folder + stem);
      if (stem == "fewer_games_declared" || stem == "more_games_declared") continue;
      EXPECT_EQ(copied.games(), original.games()) << stem;
      if (stem != "bad_offset" && stem != "corrupt_games") {
        EXPECT_EQ(copied.render(), original.render()) << stem;
      }
    }
  }
}

TEST_F(ImportTest, NeverReplacesAFile) {
  const std::string source = tests::test_data("scid4/fen.si4");
  for (const Ending& ending : kEndings) {
    for (const std::string& taken : {ending.index, ending.names, ending.games}) {
      tests::write_file(folder_ / ("base" + taken), "precious");
      const auto report = import({source}, folder_ / ("base" + ending.index));
      EXPECT_TRUE(absl::IsAlreadyExists(report.status())) << taken;
      EXPECT_THAT(names_in_folder(), ElementsAre("base" + taken));
      EXPECT_EQ(tests::read_file(folder_ / ("base" + taken)), "precious");
      stdfs::remove(folder_ / ("base" + taken));
    }
  }
}

TEST_F(ImportTest, NothingIsThereAfterAnError) {
  const std::string source = tests::test_data("scid4/fen.si4");
  EXPECT_FALSE(import({source, folder_ / "missing.si4"}, folder_ / "base.si5").ok());
  EXPECT_FALSE(import({source}, folder_ / "base.si3").ok());
  EXPECT_FALSE(import({source}, folder_ / "base").ok());
  EXPECT_FALSE(import({source}, folder_ / "none" / "base.si5").ok());
  EXPECT_THAT(names_in_folder(), IsEmpty());
  // A file that takes one of the names in the last moment.
  bool is_taken = false;
  const auto report = import_games(
      {.sources = {source}, .database = folder_ / "base.si5"},
      [&](std::uint64_t, std::uint64_t) {
        if (!std::exchange(is_taken, true)) tests::write_file(folder_ / "base.si5", "other");
      },
      [](std::string_view) {});
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(names_in_folder(), ElementsAre("base.si5"));
  EXPECT_EQ(tests::read_file(folder_ / "base.si5"), "other");
}

TEST_F(ImportTest, DatabaseThatChangesMeanwhileIsAnError) {
  const std::string source = tests::test_data("scid4/fen");
  write_scid_files(tests::read_scid_files(source), folder_ / "live");
  const auto report = import_games(
      {.sources = {folder_ / "live.si4"}, .database = folder_ / "base.si5"},
      [&](std::uint64_t, std::uint64_t) {
        ScidFiles files = tests::read_scid_files(source);
        files.games += "more";
        write_scid_files(files, folder_ / "live");
      },
      [](std::string_view) {});
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("another program is writing"));
  EXPECT_FALSE(stdfs::exists(folder_ / "base.si5"));
}

// No record crosses the end of a block.
TEST_F(ImportTest, RecordsKeepToTheirBlocks) {
  constexpr std::uint64_t kBlock = 131'072;
  tests::Scid5Builder builder;
  for (const std::size_t size : {60'000u, 71'060u, 13u, 131'059u, 72u, 100u, 131'071u, 131'071u}) {
    builder.game({}, {}, ScidEncoder().comment(std::string(size - 5, 'x')).record());
  }
  write_scid_files(builder.files(), folder_ / "blocks", ".si5");
  const std::string prefix = (folder_ / "blocks").string();
  const ScidDatabase copied = copy(prefix, ".si5", ".si4");
  EXPECT_EQ(copied.render(), ScidDatabase(prefix, ".si5").render());
  EXPECT_EQ(tests::read_file(copied_ + ".sg4"), builder.files().games);
  for (std::uint32_t game = 0; game < copied.games(); ++game) {
    const IndexEntry entry = copied.entry(game);
    EXPECT_EQ(entry.offset / kBlock, (entry.offset + entry.length - 1) / kBlock);
  }
}

}  // namespace
}  // namespace scidfs::fs
