#include "codec/scid/eco_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"

namespace scidfs::codec::scid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kExample =
    "# names\n"
    "\n"
    "A00a \"Start position\"  *\n"
    "B90b2\t\"Sicilian: Najdorf, 6.a4\"\t\r\n"
    "  1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4\n"
    "  Nf6 5.Nc3 a6 6. a4 * and more\n"
    "A04/11 \"R\xE9ti\" 1.Nf3*\n"
    "C20 \"R\xC3\xA9ti * 2\" 1.e4 e5 (2. Nf3 *\n";

std::string fen_of(LinePlayer& player, std::string_view moves) {
  const absl::StatusOr<Position> position = player.play(moves);
  return position.ok() ? position->fen() : std::string(position.status().message());
}

TEST(EcoFile, ParsesEntries) {
  const EcoFile file = parse_eco_file(kExample);
  EXPECT_THAT(file.problems, IsEmpty());
  ASSERT_THAT(file.lines, SizeIs(4));
  EXPECT_EQ(file.lines[0].name, "Start position");
  EXPECT_EQ(file.lines[0].moves, "");
  EXPECT_EQ(eco_to_string(file.lines[1].code), "B90b2");
  EXPECT_EQ(file.lines[1].name, "Sicilian: Najdorf, 6.a4");
  EXPECT_EQ(file.lines[1].plies, 11);
  EXPECT_EQ(eco_to_string(file.lines[2].code), "A04");
  EXPECT_EQ(file.lines[2].name, "R\xC3\xA9ti");
  EXPECT_EQ(file.lines[3].name, "R\xC3\xA9ti * 2");
  LinePlayer player;
  EXPECT_EQ(fen_of(player, file.lines[1].moves),
            "rnbqkb1r/1p2pppp/p2p1n2/8/P2NP3/2N5/1PP2PPP/R1BQKB1R b KQkq a3 0 6");
  EXPECT_EQ(fen_of(player, file.lines[3].moves),
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

TEST(EcoFile, SkipsBadEntries) {
  const EcoFile file = parse_eco_file(
      "nothing\n"
      "A00 no name *\n"
      "A01 \"not over\" 1.e4\n"
      "A02 \"cut\n"
      "A03 \"\" 1.e4 *\n"
      "A04 \"good\" 1.e4 *\n"
      "A05 \"the end\" 1.e4");
  ASSERT_THAT(file.lines, SizeIs(1));
  EXPECT_EQ(file.lines[0].name, "good");
  EXPECT_EQ(file.bad_entries, 6);
  EXPECT_THAT(file.problems,
              ElementsAre("line 1: a code is missing", "line 2: a name in quotes is missing",
                          "line 3: no * ends the moves", "line 4: a name in quotes is missing",
                          "line 5: the name is empty"));
}

TEST(EcoFile, LinePlayerPlaysLinesInAnyOrder) {
  LinePlayer player;
  const std::string after_e4 = fen_of(player, "1.e4");
  EXPECT_EQ(fen_of(player, "1.e4 e5 2.Nf3"), fen_of(player, "1.e4 e5 2.Nf3"));
  EXPECT_EQ(fen_of(player, "1.e4"), after_e4);
  EXPECT_EQ(fen_of(player, ""), Position().fen());
  EXPECT_THAT(fen_of(player, "1.e4 e5 2.Ke3"), HasSubstr("Ke3"));
  EXPECT_EQ(fen_of(player, "1.e4"), after_e4);
}

// Any bytes give clean entries.
TEST(EcoFile, AnyBytesGiveCleanEntries) {
  tests::Random random(3);
  for (int round = 0; round < 500; ++round) {
    std::string text(kExample);
    for (std::size_t change = random.below(8); change-- > 0;) {
      const std::size_t at = random.below(text.size());
      constexpr std::string_view kBytes = "\"*#\nA0b1 .e4\xC3\xFF\0\x01(";
      switch (random.below(3)) {
        case 0:
          text[at] = kBytes[random.below(kBytes.size())];
          break;
        case 1:
          text.erase(at, random.below(20));
          break;
        default:
          text.insert(at, text.substr(random.below(text.size()), random.below(40)));
      }
      if (text.empty()) text = "*";
    }
    const EcoFile file = parse_eco_file(text);
    LinePlayer player;
    for (const NamedLine& line : file.lines) {
      ASSERT_TRUE(is_utf8(tests::as_bytes(line.name)));
      ASSERT_EQ(line.name, clean_line(line.name));
      ASSERT_FALSE(line.name.empty());
      ASSERT_NE(line.code, 0);
      const absl::StatusOr<Position> position = player.play(line.moves);
      const std::string message(position.status().message());
      ASSERT_TRUE(is_utf8(tests::as_bytes(message)));
    }
    ASSERT_EQ(file.bad_entries == 0, file.problems.empty());
    ASSERT_LE(file.problems.size(), kMostEcoProblems);
  }
}

// The files that Scid installs. A few entries of the French one have typing errors.
TEST(EcoFile, ReadsFilesOfScid) {
  struct Installed {
    std::string_view name;
    std::size_t fewest;
    std::size_t most_bad;
  };
  for (const auto& [name, fewest, most_bad] : std::to_array<Installed>(
           {{"scid.eco", 10'000, 0}, {"scid_es.eco", 10'000, 0}, {"scid_fr.eco", 2'000, 10}})) {
    const std::string path = "/usr/share/scid/data/" + std::string(name);
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "wants " << path << " (Debian: scid-data)";
    const std::string text = tests::read_file(path);
    const EcoFile file = parse_eco_file(text);
    EXPECT_EQ(file.bad_entries, 0) << name;
    EXPECT_GT(file.lines.size(), fewest) << name;
    LinePlayer player;
    std::size_t bad = 0;
    for (const NamedLine& line : file.lines) bad += player.play(line.moves).ok() ? 0 : 1;
    EXPECT_LE(bad, most_bad) << name;
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
