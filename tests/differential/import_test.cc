// Databases that are imported, as Scid 4.7.4 opens, shows, searches, edits and compacts them.
#include "fs/import/import.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "tests/differential/reference.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace stdfs = std::filesystem;

class ScidOpensImports : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("tkscid").empty()) GTEST_SKIP() << "Scid is not installed";
  }
  // Imports into `database`, without its ending, as a database of Scid 4.
  static void import(const stdfs::path& source, const stdfs::path& database) {
    const auto report = fs::import_games(
        {.sources = {source}, .database = database.string() + ".si4"},
        [](std::uint64_t, std::uint64_t) {}, [](std::string_view) {});
    ASSERT_TRUE(report.ok()) << report.status();
  }
  // Returns what a script for Scid prints.
  static std::string tell(std::string_view script, const std::string& words) {
    return output_of(fmt::format("LC_ALL=C.UTF-8 timeout 120 '{}' '{}' {} < /dev/null",
                                 find_program("tkscid"), source_path(script).native(), words))
        .value_or("Scid failed");
  }
  static std::string quoted(const stdfs::path& path) { return fmt::format("'{}'", path.native()); }

  const TemporaryFolder folder_;
};

TEST_F(ScidOpensImports, ScidShowsThemLikeItsOwn) {
  const stdfs::path pgn = folder_ / "games.pgn";
  std::string text;
  for (const char* const name : {"sample/sample", "news/news", "scid4/fen", "scid4/nags",
                                 "scid4/random_annotated", "scid4/promotions", "scid4/text_utf8"}) {
    text += ScidDatabase(test_data(name)).render();
  }
  write_file(pgn, text);
  import(pgn, folder_ / "ours");
  const std::string games = "tests/differential/scid_games.tcl";
  const std::string ours = tell(games, quoted(folder_ / "ours"));
  EXPECT_EQ(ours, tell(games, quoted(folder_ / "theirs") + " " + quoted(pgn)));
  EXPECT_EQ(split(ours, '\f').size(), ScidDatabase((folder_ / "ours").string()).games());
  // And the files are the same.
  EXPECT_EQ(read_scid_files((folder_ / "ours").string()),
            read_scid_files((folder_ / "theirs").string()));
}

TEST_F(ScidOpensImports, ScidEditsAndCompactsThem) {
  const stdfs::path pgn = folder_ / "games.pgn";
  write_file(pgn, ScidDatabase(test_data("sample/sample")).render());
  import(test_data("sample/sample.si4"), folder_ / "edited");
  stdfs::create_directory(folder_ / "steps");
  const std::string steps =
      tell("tests/mounted/scid_edits.tcl", fmt::format("{} {} 5 {}", quoted(folder_ / "edited"),
                                                       quoted(folder_ / "steps"), quoted(pgn)));
  EXPECT_NE(steps, "Scid failed");
  EXPECT_NE(steps, "");
  // What Scid has left can be imported again.
  import(folder_ / "edited.si4", folder_ / "again");
  EXPECT_EQ(ScidDatabase((folder_ / "again").string()).render(),
            ScidDatabase((folder_ / "edited").string()).render());
}

// Searches for positions use the stored lines and the pawns that left home.
TEST_F(ScidOpensImports, ScidFindsTheSameGamesInThem) {
  write_file(folder_ / "boards",
             "board rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w\n"
             "board rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w\n"
             "board r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b\n"
             "board rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b\n");
  write_file(folder_ / "searches",
             "{{-eco {B00 C99}}}\n{{-date {2010.00.00 2022.12.31} -result 1}}\n{{-flag D}}\n"
             "{{-welo {2600 2900}}}\n{{-length {1 30}}}\n");
  const stdfs::path sample = test_data("sample/sample");
  import(sample.string() + ".si4", folder_ / "found");
  for (const auto& [script, words] :
       {std::pair("tests/bench/scid_positions.tcl",
                  fmt::format("{} answers", quoted(folder_ / "boards"))),
        std::pair("tests/bench/scid_search.tcl",
                  fmt::format("{} numbers", quoted(folder_ / "searches")))}) {
    const std::string answers = tell(script, fmt::format("{} {}", quoted(sample), words));
    EXPECT_GT(answers.size(), 100u) << answers;
    EXPECT_EQ(tell(script, fmt::format("{} {}", quoted(folder_ / "found"), words)), answers);
  }
}

}  // namespace
}  // namespace scidfs::tests
