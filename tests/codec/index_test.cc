#include "codec/scid/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/support/files.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::as_bytes;
using tests::read_file;
using tests::test_data;

using RawEntry = std::array<std::uint8_t, kIndexEntrySize>;

IndexHeader header_of(const std::string& name) {
  const absl::StatusOr<IndexHeader> header =
      parse_index_header(as_bytes(read_file(test_data(name))));
  EXPECT_TRUE(header.ok()) << name;
  return header.value_or(IndexHeader{});
}

std::string error_of(std::string_view file) {
  const absl::StatusOr<IndexHeader> header = parse_index_header(as_bytes(file));
  EXPECT_EQ(header.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(header.status().message());
}

IndexEntry entry_of(const std::string& name, std::size_t game) {
  const std::string file = read_file(test_data(name));
  return parse_index_entry(as_bytes(file).subspan(kIndexHeaderSize + game * kIndexEntrySize));
}

TEST(IndexHeader, ReadsEveryField) {
  const IndexHeader header = header_of("scid4/header.si4");
  EXPECT_EQ(header.type, 3u);
  EXPECT_EQ(header.games, 5u);
  EXPECT_EQ(header.autoload, 4u);
  EXPECT_EQ(header.description, "Test base, made by hand");
  EXPECT_THAT(header.custom_flags, ElementsAre("Rare", "Won in 9", "12345678", "", "", "too long"));
}

TEST(IndexHeader, ReadsEmptyDatabase) {
  EXPECT_EQ(header_of("scid4/handmade/empty_base.si4").games, 0u);
}

TEST(IndexHeader, TextsWithoutNulEndWithTheirFields) {
  std::string file = read_file(test_data("scid4/handmade/empty_base.si4"));
  file.replace(0x14, kIndexHeaderSize - 0x14, kIndexHeaderSize - 0x14, '\xE9');
  const absl::StatusOr<IndexHeader> header = parse_index_header(as_bytes(file));
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->description.size(), 2u * 107);
  EXPECT_EQ(header->custom_flags[5], "éééééééé");
}

TEST(IndexHeader, RefusesOtherFormats) {
  const auto handmade = [](std::string_view name) {
    return read_file(test_data("scid4/handmade/" + std::string(name) + ".si4"));
  };
  EXPECT_THAT(error_of(handmade("version299")), HasSubstr("version 299 is not supported"));
  // Scid 3 under the names of Scid 4.
  EXPECT_EQ(header_of("scid4/handmade/version300.si4").layout, &kScid3Index);
  EXPECT_THAT(error_of(handmade("version401")),
              AllOf(HasSubstr("version 401 is not supported"), HasSubstr("byte 8")));
  EXPECT_THAT(error_of(handmade("bad_magic_index")), HasSubstr("wrong magic"));
  EXPECT_THAT(error_of(read_file(test_data("scid4/fen.sn4"))), HasSubstr("wrong magic"));
}

TEST(IndexHeader, RefusesEveryTruncation) {
  const std::string file = read_file(test_data("scid4/header.si4"));
  for (std::size_t size = 0; size < kIndexHeaderSize; ++size) {
    const std::string part = file.substr(0, size);
    EXPECT_THAT(error_of(part), HasSubstr("byte " + std::to_string(size)));
  }
  EXPECT_TRUE(parse_index_header(as_bytes(file).first(kIndexHeaderSize)).ok());
}

// The example of codec/scid/FORMAT.md, section 11.
TEST(IndexEntry, MatchesWorkedExample) {
  const IndexEntry entry = entry_of("scid4/worked_example.si4", 0);
  EXPECT_EQ(entry.offset, 0u);
  EXPECT_EQ(entry.length, 52u);
  EXPECT_EQ(entry.flags, 0u);
  EXPECT_EQ(entry.white, 0u);
  EXPECT_EQ(entry.black, 1u);
  EXPECT_EQ(entry.event, 0u);
  EXPECT_EQ(entry.site, 0u);
  EXPECT_EQ(entry.round, 0u);
  EXPECT_EQ(entry.result, Result::WhiteWins);
  EXPECT_EQ(entry.nag_code, 2);
  EXPECT_EQ(entry.comment_code, 3);
  EXPECT_EQ(entry.variation_code, 2);
  EXPECT_EQ(eco_to_string(entry.eco), "B01a");
  EXPECT_EQ(entry.date, (Date{2019, 5, 4}));
  EXPECT_EQ(entry.event_date, (Date{2019, 5, 1}));
  EXPECT_EQ(entry.white_rating, (Rating{2105, RatingType::Elo}));
  EXPECT_EQ(entry.black_rating, (Rating{1990, RatingType::Uscf}));
  EXPECT_EQ(entry.stored_line, 176);
  EXPECT_EQ(entry.material, 0x6A76A7u);
  EXPECT_EQ(material_to_string(entry.material), "Q1R2B2N2P7-Q1R2B2N2P7");
  EXPECT_EQ(entry.plies, 6);
  EXPECT_EQ(entry.home_pawn_count, 2);
  EXPECT_EQ(home_pawns_to_string(entry), "e2 d7");
}

TEST(IndexEntry, AssignsHighBitsToTheirFields) {
  RawEntry raw{};
  EXPECT_EQ(parse_index_entry(raw).white, 0u);
  const auto with = [&raw](std::size_t at, std::uint8_t byte) {
    raw = {};
    raw[at] = byte;
    return parse_index_entry(raw);
  };
  EXPECT_EQ(with(0, 0xFF).offset, 0xFF000000u);
  EXPECT_EQ(with(6, 0x80).length, 0x10000u);
  EXPECT_EQ(with(6, 0x40).flags, 0u);
  EXPECT_EQ(with(6, 0x21).flags, 1u << kFlagCustom1 | 1u << (kFlagCustom1 + 5));
  EXPECT_EQ(with(9, 0xF0).white, 0xF0000u);
  EXPECT_EQ(with(9, 0x0F).black, 0xF0000u);
  EXPECT_EQ(with(14, 0xE0).event, 0x70000u);
  EXPECT_EQ(with(14, 0x1C).site, 0x70000u);
  EXPECT_EQ(with(14, 0x03).round, 0x30000u);
  EXPECT_EQ(with(38, 0xC0).plies, 0x300);
  EXPECT_EQ(with(38, 0x3F).home_pawn_count, 16);
  EXPECT_EQ(with(21, 0x70).result, Result::Draw);
}

TEST(IndexEntry, EveryBitPatternIsValid) {
  RawEntry raw;
  raw.fill(0xFF);
  const IndexEntry entry = parse_index_entry(raw);
  EXPECT_EQ(entry.length, 0x1FFFFu);
  EXPECT_EQ(entry.white, 0xFFFFFu);
  EXPECT_EQ(entry.event, 0x7FFFFu);
  EXPECT_EQ(entry.round, 0x3FFFFu);
  EXPECT_EQ(entry.white_rating, (Rating{4095, RatingType::Elo}));
  EXPECT_EQ(entry.eco, 0xFFFF);
  EXPECT_EQ(eco_to_string(entry.eco), "");
  EXPECT_EQ(entry.date, (Date{2047, 15, 31}));
  EXPECT_EQ(entry.event_date, (Date{2050, 15, 31}));
  EXPECT_EQ(home_pawns_to_string(entry), "a2 a2 a2 a2 a2 a2 a2 a2 a2 a2 a2 a2 a2 a2 a2 a2");
  EXPECT_EQ(flags_to_string(entry.flags), kFlagLetters);
}

TEST(IndexEntry, ReadsRatingTypes) {
  RawEntry raw{};
  for (unsigned type = 0; type < 16; ++type) {
    raw[29] = static_cast<std::uint8_t>(type << 4 | 0x5);
    const unsigned meant = type % 8 == 7 ? 0 : type % 8;
    const Rating rating = parse_index_entry(raw).white_rating;
    EXPECT_EQ(rating, (Rating{0x500, static_cast<RatingType>(meant)}));
    EXPECT_EQ(rating.elo(), meant == 0 ? 0x500 : 0);
  }
}

TEST(IndexEntry, EventDateIsRelativeToTheGame) {
  const auto event_date = [](unsigned year, unsigned code, unsigned month, unsigned day) {
    const std::uint32_t bits = code << 29 | month << 25 | day << 20 | year << 9 | 1 << 5 | 1;
    RawEntry raw{};
    for (unsigned i = 0; i < 4; ++i) raw[25 + i] = static_cast<std::uint8_t>(bits >> (24 - 8 * i));
    return parse_index_entry(raw).event_date;
  };
  EXPECT_EQ(event_date(2000, 1, 2, 3), (Date{1997, 2, 3}));
  EXPECT_EQ(event_date(2000, 4, 0, 0), (Date{2000, 0, 0}));
  EXPECT_EQ(event_date(2000, 7, 2, 3), (Date{2003, 2, 3}));
  EXPECT_EQ(event_date(2000, 0, 2, 3), (Date{0, 0, 0}));
  EXPECT_EQ(event_date(2, 1, 2, 3), (Date{0, 2, 3}));
  EXPECT_EQ(event_date(0, 4, 0, 0), (Date{0, 0, 0}));
  EXPECT_EQ(event_date(3, 1, 0, 0), (Date{0, 0, 0}));
  EXPECT_EQ(event_date(0, 7, 0, 0), (Date{3, 0, 0}));
}

// The games of this fixture have one flag each in the order of the letters, then all of them, then
// two.
TEST(IndexEntry, FlagsHaveTheirLetters) {
  const std::string file = "scid4/flags.si4";
  const std::string letters = "DWBMENPTKQ!?U123456";
  const auto flags = [&file](std::size_t game) {
    return flags_to_string(entry_of(file, game).flags);
  };
  ASSERT_EQ(header_of(file).games, letters.size() + 2);
  for (std::size_t game = 0; game < letters.size(); ++game) {
    EXPECT_EQ(flags(game), letters.substr(game, 1));
  }
  EXPECT_EQ(flags(letters.size()), letters);
  EXPECT_EQ(flags(letters.size() + 1), "D1");
  EXPECT_EQ(flags_to_string(1u << kFlagDeleted | 1u << kFlagUser | 1u << kFlagCustom1), "DU1");
}

TEST(CountCodes, MatchTableOfTheFormat) {
  for (unsigned count = 0; count <= 10; ++count) {
    EXPECT_EQ(count_code(count), count);
    EXPECT_EQ(shown_count(static_cast<std::uint8_t>(count)), count);
  }
  const std::array<std::array<unsigned, 4>, 6> rows = {{{10, 10, 12, 10},
                                                        {11, 13, 17, 15},
                                                        {12, 18, 24, 20},
                                                        {13, 25, 34, 30},
                                                        {14, 35, 44, 40},
                                                        {15, 45, 1u << 31, 50}}};
  for (const auto& [code, first, last, shown] : rows) {
    EXPECT_EQ(count_code(first), code);
    EXPECT_EQ(count_code(last), code);
    EXPECT_EQ(shown_count(static_cast<std::uint8_t>(code)), shown);
  }
}

TEST(CountCodes, SurviveRoundTrip) {
  for (std::uint8_t code = 0; code < 16; ++code) EXPECT_EQ(count_code(shown_count(code)), code);
  for (unsigned count = 0; count < 1000; ++count) {
    EXPECT_LE(count_code(count), count_code(count + 1));
  }
}

TEST(Material, HasTextOfBothSides) {
  EXPECT_EQ(material_to_string(0x6A86A8), "Q1R2B2N2P8-Q1R2B2N2P8");
  EXPECT_EQ(material_to_string(0), "Q0R0B0N0P0-Q0R0B0N0P0");
  EXPECT_EQ(material_to_string(0xC01002), "Q3R0B0N0P1-Q0R0B0N0P2");
}

}  // namespace
}  // namespace scidfs::codec::scid
