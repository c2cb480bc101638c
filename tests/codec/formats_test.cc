// The same database in the formats of Scid 3, 4 and 5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/scid/format.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_formats.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::HasSubstr;
using tests::ScidDatabase;
using tests::ScidFiles;

TEST(Formats, AreFoundBySuffix) {
  ASSERT_EQ(formats().size(), 3u);
  for (const Format& format : formats()) {
    EXPECT_EQ(format_of_index(std::string("a").append(format.index_suffix)), &format);
    EXPECT_EQ(format_of_index(std::string("a").append(format.names_suffix)), nullptr);
    for (const std::string_view suffix :
         {format.index_suffix, format.names_suffix, format.games_suffix}) {
      EXPECT_EQ(format_of_file(std::string("a.b").append(suffix)), &format);
    }
  }
  for (const std::string_view name : {"A.SI4", "a.SI4", "a.Sg4", "A.sN4"}) {
    EXPECT_EQ(format_of_file(name), format_of_index("a.si4")) << name;
  }
  for (const std::string_view name : {"", "a", "si4", "a.si4 ", "a.si", "a.si6"}) {
    EXPECT_EQ(format_of_file(name), nullptr) << name;
  }
}

class EveryFixture : public ::testing::TestWithParam<std::string> {
 protected:
  ScidFiles files() const {
    return tests::read_scid_files(tests::test_data("scid4/" + GetParam()));
  }
};

TEST_P(EveryFixture, HasTheSameTextInScid5) {
  const ScidFiles files = this->files();
  const ScidDatabase before(files, ".si4");
  const ScidDatabase after(tests::as_scid5(files), ".si5");
  ASSERT_TRUE(after.names().status.ok()) << after.names().status;
  ASSERT_EQ(after.games(), before.games());
  EXPECT_EQ(after.render(), before.render());
  for (std::uint32_t game = 0; game < before.games(); ++game) {
    EXPECT_EQ(static_cast<GameEntry>(after.entry(game)), before.entry(game)) << game;
    EXPECT_EQ(tests::index_entry(after.entry(game)), tests::index_entry(before.entry(game)));
  }
  ASSERT_TRUE(after.names().info.has_value());
  EXPECT_EQ(after.names().info->type, before.header().type);
  EXPECT_EQ(after.names().info->autoload, before.header().autoload);
  EXPECT_EQ(after.names().info->description, before.header().description);
  EXPECT_EQ(after.names().info->custom_flags, before.header().custom_flags);
}

TEST_P(EveryFixture, HasTheSameTextInScid3) {
  const ScidFiles files = this->files();
  const ScidDatabase before(files, ".si4");
  const ScidDatabase after(tests::as_scid3(files), ".si3");
  ASSERT_EQ(after.games(), before.games());
  for (std::uint32_t game = 0; game < before.games(); ++game) {
    // Longer records and custom flags cannot be stored.
    IndexEntry expected = before.entry(game);
    if (expected.length > 0xFFFF) continue;
    expected.flags &= 0xFFFF;
    EXPECT_EQ(tests::index_entry(after.entry(game)), tests::index_entry(expected)) << game;
    GameText one({});
    GameText other({});
    EXPECT_EQ(after.render(game, one).text, before.render(game, other).text);
  }
  EXPECT_EQ(after.header().description, before.header().description);
  EXPECT_EQ(after.header().type, before.header().type);
}

INSTANTIATE_TEST_SUITE_P(Scid4, EveryFixture, ::testing::ValuesIn(tests::stems_in("scid4", ".si4")),
                         [](const auto& test) { return test.param; });

TEST(Index3, ReadsHeaderAndEntries) {
  const ScidDatabase endings(tests::test_data("scid3/endings"), ".si3");
  EXPECT_EQ(endings.header().layout, &kScid3Index);
  EXPECT_EQ(endings.games(), 67u);
  EXPECT_EQ(endings.header().type, 16u);
  EXPECT_EQ(endings.header().autoload, 2u);
  EXPECT_EQ(endings.header().custom_flags, (std::array<std::string, kCustomFlags>{}));
  EXPECT_TRUE(endings.names().status.ok());
}

TEST(Index3, RefusesEveryTruncationOfItsHeader) {
  const std::string file = tests::read_file(tests::test_data("scid3/endings.si3"));
  for (std::size_t size = 0; size < kScid3Index.header_size; ++size) {
    EXPECT_FALSE(parse_index_header(tests::as_bytes(file).first(size)).ok()) << size;
  }
  EXPECT_TRUE(parse_index_header(tests::as_bytes(file).first(kScid3Index.header_size)).ok());
}

// The example of codec/scid/FORMAT.md, section 13.
TEST(Index5, ReadsExampleOfTheFormat) {
  constexpr std::array<std::uint8_t, 56> kEntry = {
      0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xC8, 0xBA, 0x1F, 0xAC, 0xC8, 0xBA, 0xEF, 0xAA,
      0x00, 0x00, 0x80, 0x10, 0x00, 0x80, 0x23, 0x00, 0x00, 0x00, 0x00, 0x00, 0x45, 0x41,
      0x11, 0x00, 0x01, 0x00, 0x02, 0x0B, 0xE3, 0xB4, 0x5C, 0x8D, 0x6A, 0x20, 0x00, 0x00};
  const IndexEntry entry = kScid5Index.parse_entry(kEntry);
  EXPECT_EQ(entry.white, 0u);
  EXPECT_EQ(entry.black, 1u);
  EXPECT_EQ(entry.white_rating, (Rating{2753, RatingType::Elo}));
  EXPECT_EQ(entry.black_rating, (Rating{2734, RatingType::Elo}));
  EXPECT_EQ(entry.date, (Date{2013, 6, 8}));
  EXPECT_EQ(entry.event_date, (Date{2013, 6, 8}));
  EXPECT_EQ(entry.plies, 66u);
  EXPECT_EQ(entry.length, 71u);
  EXPECT_EQ(entry.offset, 0u);
  EXPECT_EQ(entry.material, 0x114145u);
  EXPECT_EQ(entry.eco, 1u);
  EXPECT_EQ(entry.result, Result::BlackWins);
  EXPECT_EQ(entry.home_pawn_count, 11u);
  EXPECT_EQ(entry.home_pawns[7], 0u);
  EXPECT_FALSE(entry.chess960);
}

TEST(Index5, ReadsGreatestValues) {
  std::array<std::uint8_t, 56> raw;
  raw.fill(0xFF);
  const IndexEntry entry = kScid5Index.parse_entry(raw);
  EXPECT_EQ(entry.white, (1u << 28) - 1);
  EXPECT_EQ(entry.event, (1u << 28) - 1);
  EXPECT_EQ(entry.site, ~0u);
  EXPECT_EQ(entry.round, (1u << 31) - 1);
  EXPECT_EQ(entry.offset, (std::uint64_t{1} << 47) - 1);
  EXPECT_EQ(entry.length, (1u << 17) - 1);
  EXPECT_EQ(entry.flags, (1u << 22) - 1);
  EXPECT_EQ(entry.plies, 1023u);
  EXPECT_EQ(entry.white_rating, (Rating{4095, RatingType::Elo}));
  EXPECT_EQ(entry.event_date, (Date{2047, 15, 31}));
  EXPECT_EQ(entry.home_pawn_count, 16u);
  EXPECT_TRUE(entry.chess960);
  EXPECT_EQ(tests::index5_entry(entry).substr(0, 44), std::string(44, '\xFF'));
}

TEST(Index5, CountsGamesByFileSize) {
  EXPECT_EQ(parse_index5_header({}, 0)->games, 0u);
  EXPECT_EQ(parse_index5_header({}, 56 * 7 + 55)->games, 7u);
  const std::uint64_t most = (std::uint64_t{1} << 32) - 2;
  EXPECT_EQ(parse_index5_header({}, 56 * most)->games, most);
  EXPECT_FALSE(parse_index5_header({}, 56 * (most + 1)).ok());
}

TEST(Index5, RefusesOlderFormats) {
  const std::string file = tests::read_file(tests::test_data("scid4/fen.si4"));
  EXPECT_THAT(
      std::string(parse_index5_header(tests::as_bytes(file), file.size()).status().message()),
      HasSubstr("older Scid"));
}

}  // namespace
}  // namespace scidfs::codec::scid
