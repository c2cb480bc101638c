// Compares the text of every game with the output of Scid 4.7.4. Every intended difference is named
// here with its reason; there are no other exceptions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/differential/reference.h"
#include "tests/support/files.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_compare.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

using ::testing::IsEmpty;

constexpr PgnCompareOptions kAgainstScid = {.scid = true};

// One of the bundled databases.
struct Bundled {
  std::string prefix;
  std::string suffix;
};

std::vector<Bundled> bundled() {
  std::vector<Bundled> found;
  for (const auto& [folder, suffix] :
       {std::pair("scid3", ".si3"), std::pair("scid4", ".si4"), std::pair("scid5", ".si5")}) {
    for (const std::string& stem : stems_in(folder, suffix)) {
      found.push_back({.prefix = std::string(folder) + "/" + stem, .suffix = suffix});
    }
  }
  return found;
}

class Fixture : public ::testing::TestWithParam<Bundled> {};

TEST_P(Fixture, TextEqualsThatOfScid) {
  const std::string path = test_data(GetParam().prefix);
  const std::string ours = ScidDatabase(path, GetParam().suffix).render();
  EXPECT_THAT(compare_pgn(ours, read_file(path + ".expected.pgn"), kAgainstScid), IsEmpty());
  EXPECT_THAT(pgn_faults(ours), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Bundled, Fixture, ::testing::ValuesIn(bundled()), [](const auto& test) {
  std::string name = test.param.prefix;
  std::ranges::replace(name, '/', '_');
  return name;
});

TEST(Fixtures, AllBundledFixturesExist) { EXPECT_EQ(bundled().size(), 37u); }

// Texts that scidfs changes on purpose.
struct Meant {
  std::string_view database;
  std::uint32_t game;
  std::string_view scid;  // in Scid's text ...
  std::string_view ours;  // ... is this in ours
};

constexpr Meant kMeant[] = {
    // The index has these tags of the record too, so they would be written twice, with two values;
    // a FEN tag of a game that starts from the standard position is invalid.
    {"edge_tags", 4, "[Date \"1999.01.01\"]\n[Result \"1-0\"]\n", ""},
    {"edge_tags", 4, "[FEN \"xx\"]\n", ""},
    // PGN has no way to write a closing brace inside a comment.
    {"edge_comments", 8, "{brace } and { inside}", "{brace ) and { inside}"},
    // This rating type does not exist.
    {"edge_index", 1, "[White(null) \"1500\"]", "[WhiteElo \"1500\"]"},
    // This ECO code does not exist.
    {"edge_index", 6, "[ECO \"F00\"]\n", ""},
};

// Returns Scid's text of a game with the intended changes.
std::string as_meant(std::string_view database, const JudgedGame& game) {
  std::string text = *game.pgn;
  for (const Meant& meant : kMeant) {
    if (meant.database != database || meant.game != game.number) continue;
    const std::size_t at = text.find(meant.scid);
    EXPECT_NE(at, std::string::npos) << "Scid does not print " << meant.scid;
    if (at != std::string::npos) text.replace(at, meant.scid.size(), meant.ours);
  }
  return text;
}

// Databases of which both Scid and scidfs read games. The others have another format version, a
// wrong magic, or a name file that neither opens.
constexpr std::string_view kOtherVersions[] = {"bad_magic_index", "version299", "version401"};

class HandmadeFixture : public ::testing::TestWithParam<std::string> {};

TEST_P(HandmadeFixture, ScidfsAndScidRejectTheSameGames) {
  const std::string path = test_data("scid4/handmade/" + GetParam());
  const std::vector<JudgedGame> verdicts = parse_verdicts(read_file(path + ".expected.txt"));
  const ScidDatabase database(path);
  const std::vector<RenderedGame> ours = database.render_games();
  for (const RenderedGame& game : ours) EXPECT_THAT(pgn_faults(game.text), IsEmpty());
  for (const JudgedGame& game : verdicts) {
    SCOPED_TRACE(GetParam() + " game " + std::to_string(game.number));
    ASSERT_LE(game.number, ours.size());
    const RenderedGame& mine = ours[game.number - 1];
    if (game.pgn.has_value()) {
      EXPECT_FALSE(mine.damage.has_value()) << mine.damage->reason;
      EXPECT_THAT(compare_pgn(mine.text, as_meant(GetParam(), game), kAgainstScid), IsEmpty());
    } else {
      EXPECT_TRUE(mine.damage.has_value()) << mine.text;
      EXPECT_THAT(mine.text, ::testing::HasSubstr("{scidfs: game "));
      EXPECT_EQ(parse_pgn(mine.text).size(), 1u);
    }
  }
  if (!verdicts.empty()) {
    EXPECT_EQ(verdicts.size(), ours.size());
  }
}

std::vector<std::string> readable_handmade() {
  std::vector<std::string> names = stems_in("scid4/handmade", ".si4");
  std::erase_if(names, [](const std::string& name) {
    return std::ranges::find(kOtherVersions, name) != std::end(kOtherVersions);
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Handmade, HandmadeFixture, ::testing::ValuesIn(readable_handmade()),
                         [](const auto& test) { return test.param; });

// A hash of the text of all bundled games. An intended change of the text requires a new number
// here and a new version of the writer, which is part of the keys of caches.
TEST(Fixtures, TextOfBundledGamesHasExpectedHash) {
  constexpr std::uint64_t kSignature = 6064653150747198916u;
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::string& name : stems_in("scid4", ".si4")) {
    for (const char c : ScidDatabase(test_data("scid4/" + name)).render()) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    }
  }
  EXPECT_EQ(hash, kSignature) << "the text of a game has changed";
}

// Large databases that may exist beside the sources.
struct Large {
  std::string name, path, reference;
  std::string suffix = ".si4";
};

void compare_large(const Large& base) {
  if (!std::filesystem::exists(base.path + base.suffix)) {
    GTEST_SKIP() << "the shared databases are not here";
  }
  const std::string ours = ScidDatabase(base.path, base.suffix).render();
  const std::optional<std::string> reference = base.reference.ends_with(".xz")
                                                   ? output_of("xz -dc '" + base.reference + "'")
                                                   : std::optional(read_file(base.reference));
  ASSERT_TRUE(reference.has_value()) << "xz cannot read " << base.reference;
  EXPECT_GT(reference->size(), 1000u);
  EXPECT_THAT(compare_pgn(ours, *reference, kAgainstScid), IsEmpty());
  EXPECT_THAT(pgn_faults(ours), IsEmpty());
}

TEST(SharedDatabases, ResDatabaseEqualsThatOfScid) {
  const std::string path = shared_folder() + "/fixtures/scid4/res_database";
  compare_large({"res_database", path, path + ".expected.pgn"});
}

TEST(SharedDatabases, Scid5ResDatabaseEqualsThatOfScid) {
  const std::string path = shared_folder() + "/fixtures/scid5/res_database";
  compare_large({"res_database5", path, path + ".expected.pgn", ".si5"});
}

TEST(SharedDatabases, Scid3TacticsEqualsThatOfScid) {
  const std::string path = shared_folder() + "/fixtures/scid3/tactics";
  compare_large({"tactics3", path, path + ".expected.pgn", ".si3"});
}

// The text does not depend on the format of the files.
TEST(SharedDatabases, ResDatabaseHasTheSameTextInBothFormats) {
  const std::string fixtures = shared_folder() + "/fixtures/";
  if (!std::filesystem::exists(fixtures + "scid5/res_database.si5")) {
    GTEST_SKIP() << "the shared databases are not here";
  }
  EXPECT_EQ(ScidDatabase(fixtures + "scid5/res_database", ".si5").render(),
            ScidDatabase(fixtures + "scid4/res_database").render());
}

TEST(SharedDatabases, AnnotatedEqualsThatOfScid) {
  const std::string data = shared_folder() + "/data/";
  compare_large({"annotated", data + "annotated", data + "reference/annotated.scidpgn.pgn.xz"});
}

class ThirdParty : public ::testing::TestWithParam<std::string> {};

TEST_P(ThirdParty, TextEqualsThatOfScid) {
  const std::string data = shared_folder() + "/data/";
  compare_large({GetParam(), data + "third_party/" + GetParam(),
                 data + "reference/" + GetParam() + ".scidpgn.pgn.xz"});
}

INSTANTIATE_TEST_SUITE_P(SharedDatabases, ThirdParty,
                         ::testing::Values("five", "scid_gtest", "scinc_test", "svpc_endings",
                                           "svpc_matein1"),
                         [](const auto& test) { return test.param; });

// Scid gives up at its first game; scidfs shows all readable ones.
TEST(SharedDatabases, BrokenDatabaseShowsItsReadableGames) {
  const std::string path = shared_folder() + "/data/third_party/scinc_broken";
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared databases are not here";
  const std::vector<RenderedGame> games = ScidDatabase(path).render_games();
  EXPECT_EQ(games.size(), 7u);
  ASSERT_FALSE(games.empty());
  EXPECT_TRUE(games[0].damage.has_value());
  for (const RenderedGame& game : games) EXPECT_THAT(pgn_faults(game.text), IsEmpty());
}

TEST(SharedDatabases, MastersEqualsOutputOfInstalledScid) {
  const std::string path = shared_folder() + "/data/masters";
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared databases are not here";
  const std::string scidpgn = find_program("scidpgn");
  if (scidpgn.empty()) GTEST_SKIP() << "scidpgn is not installed";
  const std::optional<std::string> reference = output_of(
      "PATH=\"$PATH:/usr/games\" LC_ALL=C.UTF-8 '" + scidpgn + "' '" + path + "' 2>/dev/null");
  ASSERT_TRUE(reference.has_value()) << "scidpgn failed";
  const std::string ours = ScidDatabase(path).render();
  EXPECT_THAT(compare_pgn(ours, *reference, kAgainstScid), IsEmpty());
  EXPECT_THAT(pgn_faults(ours), IsEmpty());
}

}  // namespace
}  // namespace scidfs::tests
