#include "fs/database/index_tsv_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "codec/date.h"
#include "codec/eco.h"
#include "fs/base/filename.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;
using codec::scid::NameKind;
using codec::scid::Names;

std::string iso_date(codec::Date date) {
  constexpr std::array<int, 13> kDays = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.year == 0) return "";
  const std::string year = fmt::format("{:04}", date.year);
  if (date.month == 0 || date.month > 12) return year;
  const std::string month = fmt::format("{}-{:02}", year, date.month);
  const bool is_leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
  const bool is_day = date.day != 0 && date.day <= kDays[date.month] &&
                      (is_leap || date.month != 2 || date.day != 29);
  return is_day ? fmt::format("{}-{:02}", month, date.day) : month;
}

// Writes a line in the plain way.
std::string plain_line(const Names& names, const OpeningNames* openings, GameIndex game,
                       const IndexEntry& entry, std::string_view directory) {
  const auto name = [&](NameKind kind, std::uint32_t id) {
    std::string field(names[kind].text(id));
    for (char& c : field) c = c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
    return field == "?" ? "" : field;
  };
  const auto elo = [](codec::Rating rating) {
    const bool is_elo = rating.type == codec::RatingType::Elo && rating.value != 0;
    return is_elo ? std::to_string(rating.value) : "";
  };
  const auto other = [](codec::Rating rating) {
    if (rating.type == codec::RatingType::Elo || rating.value == 0) return std::string();
    return fmt::format("{} {}", codec::rating_name(rating.type), rating.value);
  };
  const std::uint32_t number = game + 1;
  std::string path(directory);
  path += "/" + games_directory_name(number) + "/" +
          game_file_name(number, names[NameKind::Player].text(entry.white),
                         names[NameKind::Player].text(entry.black), entry.date, entry.result);
  const std::vector<std::string> fields = {
      std::to_string(number),
      name(NameKind::Player, entry.white),
      elo(entry.white_rating),
      name(NameKind::Player, entry.black),
      elo(entry.black_rating),
      std::string(codec::result_token(entry.result)),
      codec::to_string(entry.date),
      name(NameKind::Round, entry.round),
      name(NameKind::Event, entry.event),
      name(NameKind::Site, entry.site),
      codec::eco_to_string(entry.eco),
      std::to_string(entry.plies),
      path,
      entry.event_date.empty() ? "" : codec::to_string(entry.event_date),
      codec::scid::flags_to_string(entry.flags),
      std::to_string(codec::scid::shown_count(entry.variation_code)),
      std::to_string(codec::scid::shown_count(entry.comment_code)),
      std::to_string(codec::scid::shown_count(entry.nag_code)),
      std::to_string(entry.stored_line),
      codec::scid::material_to_string(entry.material),
      codec::scid::home_pawns_to_string(entry),
      std::to_string(entry.offset),
      std::to_string(entry.length),
      openings == nullptr ? "" : std::string(openings->name_of(entry.eco)),
      iso_date(entry.date),
      other(entry.white_rating),
      other(entry.black_rating)};
  return fmt::format("{}\n", fmt::join(fields, "\t"));
}

// A name file with the same names in each of the four dictionaries. Id 1 occurs twice and id 2 is
// missing.
Names names_of(const std::vector<std::string>& texts) {
  std::string file("Scid.sn\0\0\0\0\0", 12);
  const auto append = [&file](std::size_t value, std::size_t width) {
    while (width-- > 0) file += static_cast<char>(value >> (8 * width));
  };
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) append(texts.size(), 3);
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) append(1, 3);
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      append(i == 2 ? 1 : i, 2);
      append(1, 1);
      append(texts[i].size(), 1);
      if (i > 0) append(0, 1);
      file += texts[i];
    }
  }
  return codec::scid::parse_names(tests::as_bytes(file));
}

class Checker {
 public:
  explicit Checker(const Names& names, const OpeningNames* openings = nullptr)
      : names_(names), openings_(openings), lines_(names, openings) {}

  void check(GameIndex game, const IndexEntry& entry, std::string_view directory) {
    const std::string expected = plain_line(names_, openings_, game, entry, directory);
    // A buffer of exactly the requested size, so that a sanitizer detects writes beyond the end.
    codec::TextBuffer buffer;
    buffer.append("kept");
    lines_.append(game, entry, directory, buffer);
    ASSERT_EQ(buffer.view(), "kept" + expected);
    ASSERT_EQ(lines_.length(game, entry, directory), expected.size()) << expected;
  }

 private:
  const Names& names_;
  const OpeningNames* openings_;
  IndexTsvLines lines_;
};

class IndexLineTest : public testing::Test {
 protected:
  std::uint32_t random(std::uint32_t below) {
    return static_cast<std::uint32_t>(random_() % below);
  }

  std::string random_text() {
    // Letters; with blanks; with many characters that file names escape; bytes that become three
    // each.
    const std::array<std::string_view, 4> kAlphabets = {"abcXYZ,", "ab c",
                                                        ".-_ a\"\\/'%\xC3\xA9\t\x01", "\x80\x85"};
    const std::string_view alphabet = kAlphabets[random(kAlphabets.size())];
    std::string text(random(2) == 0 ? random(20) : random(256), '\0');
    for (char& c : text) c = alphabet[random(static_cast<std::uint32_t>(alphabet.size()))];
    return text;
  }

  // Names of every kind, including odd ones.
  Names random_names() {
    std::vector<std::string> texts = {"", "?", "missing", ".", "-", "_", " ", "a.", "O'Kelly"};
    for (const std::size_t length :
         {80U, 84U, 85U, 168U, 169U, 197U, 198U, 199U, 200U, 201U, 254U, 255U}) {
      texts.emplace_back(length, 'x');
      texts.push_back(std::string(length - 1, 'y') + ".");
    }
    while (texts.size() < 200) texts.push_back(random_text());
    return names_of(texts);
  }

  // Any 47 bytes, with ids that mostly exist.
  IndexEntry random_entry(const Names& names) {
    std::array<std::uint8_t, codec::scid::kIndexEntrySize> bytes;
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random(256));
    IndexEntry entry = codec::scid::parse_index_entry(bytes);
    if (random(8) != 0) {
      const std::uint32_t ids = names[NameKind::Player].size() + 2;
      for (std::uint32_t* id :
           {&entry.white, &entry.black, &entry.event, &entry.site, &entry.round}) {
        *id = random(ids);
      }
    }
    return entry;
  }

  // Numbers of every length, mostly the first and last of each.
  GameIndex random_game() {
    GameIndex game = 1;
    for (std::uint32_t zeros = random(10); zeros > 0; --zeros) game *= 10;
    switch (random(3)) {
      case 0:
        return game - 2;  // also the greatest index, after which numbers wrap around
      case 1:
        return game - 1;
      default:
        return static_cast<GameIndex>(random_());
    }
  }

 private:
  std::mt19937 random_{20240611};
};

TEST_F(IndexLineTest, WritesAllFields) {
  const Names names = names_of({"Carlsen, Magnus", "Anand, V.", "", "World Championship", "9"});
  IndexEntry entry;
  entry.offset = 4294967295;
  entry.length = 131071;
  entry.flags = 1U << codec::scid::kFlagDeleted | 1U << codec::scid::kFlagUser;
  entry.white = 0;
  entry.black = 1;
  entry.event = 3;
  entry.site = 2;
  entry.round = 4;
  entry.date = {.year = 2013, .month = 11};
  entry.event_date = {.year = 2013, .month = 11, .day = 7};
  entry.white_rating = {.value = 2870};
  entry.black_rating = {.value = 99, .type = codec::RatingType::Iccf};
  entry.eco = 1;
  entry.result = codec::Result::Draw;
  entry.variation_code = 15;
  entry.comment_code = 10;
  entry.nag_code = 9;
  entry.stored_line = 254;
  entry.home_pawn_count = 3;
  entry.plies = 1023;
  entry.material = 0x6A86AA;
  entry.home_pawns = {0xB3, 0xC0};
  const IndexTsvLines lines(names);
  codec::TextBuffer buffer;
  lines.append(12344, entry, "deleted", buffer);
  EXPECT_EQ(buffer.view(),
            "12345\tCarlsen, Magnus\t2870\tAnand, V.\t\t1/2-1/2\t2013.11.??\t9\t"
            "World Championship\t\tA00\t1023\t"
            "deleted/00012/00012345-Carlsen,_Magnus-Anand,_V%2E-2013.11-draw.pgn\t2013.11.07\tDU\t"
            "50\t10\t9\t254\tQ1R2B2N2P8-Q1R2B2N2P10\te2 e7 d2\t"
            "4294967295\t131071\t\t2013-11\t\tICCF 99\n");
  EXPECT_EQ(lines.length(12344, entry, "deleted"), buffer.size());
  EXPECT_EQ(std::ranges::count(IndexTsvLines::kHead, '\t'),
            std::ranges::count(buffer.view(), '\t'));
}

TEST_F(IndexLineTest, AgreesWithPlainWriterOnRandomEntries) {
  std::string file;
  for (unsigned base = 0; base < codec::kEcoBases; base += 2) {
    file += fmt::format("{} \"{}\" 1.e4 *\n", codec::eco_base_to_string(base),
                        std::string(1 + base % 300, 'n'));
  }
  const OpeningNames openings(file);
  for (int round = 0; round < 20; ++round) {
    const Names names = random_names();
    Checker checker(names, round % 2 == 0 ? &openings : nullptr);
    for (int i = 0; i < 2000; ++i) {
      checker.check(random_game(), random_entry(names), random(2) == 0 ? "games" : "deleted");
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(IndexLineTest, AgreesWithPlainWriterOnAllValuesOfSmallFields) {
  const Names names = names_of({"a", "b", "", "c"});
  Checker checker(names);
  IndexEntry entry;
  for (std::uint32_t value = 0; value < 65536; ++value) {
    const auto byte = static_cast<std::uint8_t>(value & 0xFF);
    const auto nibble = static_cast<std::uint8_t>(value & 0xF);
    entry.flags = 1U << value % codec::scid::kFlagCount;
    entry.date.year = static_cast<std::uint16_t>(value & 0x7FF);
    entry.white_rating.value = static_cast<std::uint16_t>(value & 0xFFF);
    entry.eco = static_cast<codec::EcoCode>(value);
    entry.variation_code = nibble;
    entry.stored_line = byte;
    entry.plies = static_cast<std::uint16_t>(value & 0x3FF);
    ASSERT_NO_FATAL_FAILURE(checker.check(0, entry, "games"));
  }
}

TEST_F(IndexLineTest, AgreesWithPlainWriterOnOffsetsOfScid5) {
  const Names names = names_of({"a", "b", "", "c"});
  Checker checker(names);
  IndexEntry entry;
  for (std::uint64_t power = 1; power < std::uint64_t{1} << 47; power *= 10) {
    for (const std::uint64_t offset : {power - 1, power, power + 1}) {
      entry.offset = offset;
      ASSERT_NO_FATAL_FAILURE(checker.check(0, entry, "games"));
    }
  }
  entry.offset = (std::uint64_t{1} << 47) - 1;
  ASSERT_NO_FATAL_FAILURE(checker.check(0, entry, "games"));
}

TEST_F(IndexLineTest, AgreesWithPlainWriterWithoutNames) {
  const Names names = codec::scid::parse_names({});
  Checker checker(names);
  for (int i = 0; i < 1000; ++i)
    ASSERT_NO_FATAL_FAILURE(checker.check(random_game(), random_entry(names), "games"));
}

TEST_F(IndexLineTest, AgreesWithPlainWriterOnSample) {
  const tests::ScidDatabase database(tests::test_data("sample/sample"));
  Checker checker(database.names());
  for (GameIndex game = 0; game < database.games(); ++game) {
    ASSERT_NO_FATAL_FAILURE(checker.check(game, database.entry(game), "games"));
  }
}

}  // namespace
}  // namespace scidfs::fs
