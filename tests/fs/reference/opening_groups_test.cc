// Names of openings: of codes, of positions, and as directories.
#include "fs/reference/opening_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "codec/unicode.h"
#include "fs/reference/opening_names.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

codec::Position position_of(std::string_view fen) {
  return codec::Position::from_fen(fen).value_or(codec::Position());
}

std::string_view name_of(const OpeningNames& names, std::string_view code) {
  return names.name_of(codec::parse_eco(code));
}

TEST(OpeningNames, FindNameOfCode) {
  const OpeningNames names(
      "A00a \"Start\" *\n"
      "A00b \"Barnes Opening\" 1.f3 *\n"
      "B90a \"Sicilian: Najdorf\" 1.e4 c5 *\n"
      "B90b \"Longer\" 1.e4 c5 2.Nf3 *\n"
      "B90b \"Short\" 1.e4 *\n"
      "B90b \"As short\" 1.d4 *\n");
  EXPECT_EQ(name_of(names, "A00a"), "Start");
  EXPECT_EQ(name_of(names, "A00"), "Barnes Opening");
  EXPECT_EQ(name_of(names, "B90b"), "Short");
  EXPECT_EQ(name_of(names, "B90a"), "Sicilian: Najdorf");
  EXPECT_EQ(name_of(names, "B90a3"), "Sicilian: Najdorf");
  EXPECT_EQ(name_of(names, "B90z4"), "Short");
  EXPECT_EQ(names.name_of_base(190), "Short");
  EXPECT_EQ(name_of(names, "B91"), "");
  EXPECT_EQ(names.name_of(0), "");
  EXPECT_EQ(names.name_of(0xFFFF), "");
  EXPECT_EQ(names.name_of_base(codec::kEcoBases), "");
}

TEST(OpeningNames, FindNameOfPosition) {
  const OpeningNames names(
      "A00 \"first\" 1.Nf3 Nf6 2.Nc3 *\n"
      "A01 \"last\" 1.Nc3 Nf6 2.Nf3 *\n"
      "A02 \"no move\" 1.Ke3 *\n"
      "A03 \"en passant\" 1.e4 a6 2.e5 d5 *\n"
      "A04 \"none\" 1.e3 d6 2.e4 a6 3.e5 d5 *\n"
      "A05 \"two steps\" 1.e4 *\n"
      "A06 \"moved king\" 1.e4 e5 2.Ke2 Nf6 3.Ke1 Ng8 *\n");
  const auto name = [&](std::string_view fen) { return names.name(names.find(position_of(fen))); };
  EXPECT_EQ(name("rnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R b KQkq - 3 2"), "last");
  EXPECT_EQ(name("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"), "en passant");
  EXPECT_EQ(name("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"), "none");
  EXPECT_EQ(name("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), "two steps");
  EXPECT_EQ(name("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"), "");
  EXPECT_EQ(name("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w kq - 0 1"), "moved king");
  EXPECT_EQ(names.find(codec::Position()), kNoOpening);
}

std::vector<std::string> parts(std::string_view name) {
  std::vector<std::string> texts;
  for (const OpeningPart& part : parts_of_opening(name)) texts.emplace_back(part.text);
  return texts;
}

TEST(OpeningGroups, SplitNamesIntoParts) {
  EXPECT_THAT(parts("Sicilian: Najdorf, 6.a4"), ElementsAre("Sicilian", "Najdorf", "6.a4"));
  EXPECT_THAT(parts("a (b, c: d), e"), ElementsAre("a (b, c: d)", "e"));
  EXPECT_THAT(parts(": ,a,, b ,"), ElementsAre("a", "b"));
  EXPECT_THAT(parts(",:"), ElementsAre(",:"));
  EXPECT_THAT(parts(""), IsEmpty());
}

std::vector<std::string> below(const OpeningGroups& groups, OpeningGroups::Index parent) {
  std::vector<std::string> names;
  for (const auto index : groups.below(parent)) names.push_back(groups[index].file_name);
  return names;
}

TEST(OpeningGroups, AreDirectories) {
  const OpeningNames names(
      "A00 \"Sicilian: Najdorf, 6.a4\" *\n"
      "A00 \"sicilian: Alapin\" *\n"
      "A00 \"Sicilian: 5.Cxd5\" *\n"
      "A00 \"Sicilian: 5.cxd5\" *\n"
      "A00 \"Sicilian: tree\" *\n"
      "A00 \"Benoni/Old\" *\n"
      "A00 \"Sicilian: Najdorf\" *\n");
  const OpeningGroups groups(names);
  EXPECT_THAT(below(groups, OpeningGroups::kRoot), ElementsAre("Benoni%2FOld", "Sicilian"));
  const OpeningGroups::Index sicilian = groups.find(OpeningGroups::kRoot, "Sicilian").value_or(0);
  const std::vector<std::string> variations = below(groups, sicilian);
  ASSERT_EQ(variations.size(), 5);
  EXPECT_THAT(variations[0], testing::AnyOf("5.Cxd5", "5.cxd5"));
  EXPECT_THAT(variations[1], testing::StartsWith("5.cxd5~"));
  EXPECT_EQ(variations[2], "Alapin");
  EXPECT_EQ(variations[3], "Najdorf");
  EXPECT_THAT(variations[4], testing::StartsWith("tree~"));
  EXPECT_EQ(groups.find(OpeningGroups::kRoot, "sicilian"), std::nullopt);
  const OpeningGroups::Group& najdorf = groups[groups.of(7)];
  EXPECT_EQ(najdorf.name, "Sicilian: Najdorf");
  EXPECT_EQ(groups[groups.of(1)].parent, groups.of(7));
  EXPECT_EQ(groups.of(1), groups.of(7) + 1);
  EXPECT_EQ(groups.of(kNoOpening), OpeningGroups::kRoot);
}

// A walk through the tree meets each group once, with unique names and keys.
TEST(OpeningGroups, FormTreeOfUniqueKeys) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "A00 \"" + std::to_string(i % 7) + (i % 2 == 0 ? ": a" : ": A") + ", " +
            std::to_string(i % 100) + "\" *\n";
  }
  const OpeningGroups groups{OpeningNames(text)};
  std::set<std::uint32_t> keys;
  for (OpeningGroups::Index index = 0; index < groups.size(); ++index) {
    EXPECT_TRUE(keys.insert(groups[index].key).second);
    EXPECT_EQ(groups.find_key(groups[index].key), index);
    std::set<std::string> names;
    OpeningGroups::Index next = index + 1;
    for (const OpeningGroups::Index child : groups.below(index)) {
      EXPECT_EQ(child, next);
      EXPECT_EQ(groups[child].parent, index);
      EXPECT_EQ(groups.find(index, groups[child].file_name), child);
      EXPECT_TRUE(names.insert(codec::fold_case(groups[child].file_name)).second);
      next = groups[child].end;
    }
    EXPECT_EQ(next, groups[index].end);
  }
  EXPECT_EQ(groups.find_key(12345), std::nullopt);
}

}  // namespace
}  // namespace scidfs::fs
