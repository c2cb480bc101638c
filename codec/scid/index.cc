#include "codec/scid/index.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::string_view kMagic("Scid.si\0", 8);
constexpr std::uint16_t kVersion = 400;
constexpr std::size_t kDescriptionSize = 108;  // with the NUL at the end, as the next
constexpr std::size_t kCustomFlagSize = 9;

constexpr std::size_t kHomePawnItems = 16;

// Real counts from which the codes 11 .. 15 are used, and what they are shown as.
constexpr unsigned kFirstRoughCode = 11;
constexpr std::array<unsigned, 5> kRoughFrom = {13, 18, 25, 35, 45};
constexpr std::array<unsigned, 5> kRoughShown = {15, 20, 30, 40, 50};

std::string read_text(ByteReader& in, std::size_t size) {
  return clean_line(in.take(size).first(size - 1));
}

Date parse_game_date(std::uint32_t bits) {
  return {.year = static_cast<std::uint16_t>(bits >> 9 & 0x7FF),
          .month = static_cast<std::uint8_t>(bits >> 5 & 0xF),
          .day = static_cast<std::uint8_t>(bits & 0x1F)};
}

// `bits` are the 12 bits of an event date; its year is relative to that of the game.
Date parse_event_date(std::uint32_t bits, std::uint16_t game_year) {
  const int code = static_cast<int>(bits >> 9 & 7);
  if (code == 0) return {};
  const int year = std::max(0, game_year + code - 4);
  return {.year = static_cast<std::uint16_t>(year),
          .month = static_cast<std::uint8_t>(bits >> 5 & 0xF),
          .day = static_cast<std::uint8_t>(bits & 0x1F)};
}

Rating parse_rating(std::uint16_t bits) {
  // Scid looks at three bits of the type and has no name for 7.
  const unsigned type = bits >> 12 & 7;
  return {.value = static_cast<std::uint16_t>(bits & 0xFFF),
          .type = type == 7 ? RatingType::Elo : static_cast<RatingType>(type)};
}

}  // namespace

absl::StatusOr<IndexHeader> parse_index_header(Bytes file) {
  ByteReader in(file);
  const Bytes magic = in.take(kMagic.size());
  const std::uint16_t version = in.u16();
  if (in.ok()) {
    // Before the size: the headers of other versions are shorter.
    if (as_text(magic) != kMagic) {
      return absl::InvalidArgumentError("not a Scid index (wrong magic) at byte 0");
    }
    if (version != kVersion) {
      return absl::InvalidArgumentError(
          fmt::format("format version {} is not supported, at byte {}", version, kMagic.size()));
    }
  }
  if (file.size() < kIndexHeaderSize) {
    return absl::InvalidArgumentError(
        fmt::format("the index ends in its header, at byte {}", file.size()));
  }

  IndexHeader header;
  header.type = in.u32();
  header.games = in.u24();
  header.autoload = in.u24();
  header.description = read_text(in, kDescriptionSize);
  for (std::string& text : header.custom_flags) text = read_text(in, kCustomFlagSize);
  return header;
}

IndexEntry parse_index_entry(Bytes entry) {
  // A fixed size lets the compiler drop the reader's checks.
  ByteReader in(entry.first<kIndexEntrySize>());
  IndexEntry e;
  e.offset = in.u32();
  const std::uint32_t length_low = in.u16();
  const std::uint32_t length_and_flags = in.u8();
  e.length = (length_and_flags & 0x80) << 9 | length_low;
  e.flags = (length_and_flags & 0x3F) << 16 | in.u16();

  const std::uint32_t players_high = in.u8();
  e.white = (players_high & 0xF0) << 12 | in.u16();
  e.black = (players_high & 0x0F) << 16 | in.u16();
  const std::uint32_t others_high = in.u8();
  e.event = (others_high & 0xE0) << 11 | in.u16();
  e.site = (others_high & 0x1C) << 14 | in.u16();
  e.round = (others_high & 0x03) << 16 | in.u16();

  const unsigned counts = in.u16();
  e.result = static_cast<Result>(counts >> 12 & 3);
  e.nag_code = static_cast<std::uint8_t>(counts >> 8 & 0xF);
  e.comment_code = static_cast<std::uint8_t>(counts >> 4 & 0xF);
  e.variation_code = static_cast<std::uint8_t>(counts & 0xF);

  e.eco = in.u16();
  const std::uint32_t dates = in.u32();
  e.date = parse_game_date(dates & 0xFFFFF);
  e.event_date = parse_event_date(dates >> 20, e.date.year);
  e.white_rating = parse_rating(in.u16());
  e.black_rating = parse_rating(in.u16());

  e.stored_line = in.u8();
  e.material = in.u24();
  const unsigned plies_low = in.u8();
  const unsigned plies_and_pawns = in.u8();
  e.plies = static_cast<std::uint16_t>((plies_and_pawns & 0xC0) << 2 | plies_low);
  e.home_pawn_count =
      static_cast<std::uint8_t>(std::min<std::size_t>(plies_and_pawns & 0x3F, kHomePawnItems));
  std::ranges::copy(in.take(e.home_pawns.size()), e.home_pawns.begin());
  return e;
}

unsigned shown_count(std::uint8_t code) {
  const unsigned number = code & 0xF;
  return number < kFirstRoughCode ? number : kRoughShown[number - kFirstRoughCode];
}

std::uint8_t count_code(unsigned count) {
  const auto above = std::ranges::upper_bound(kRoughFrom, count);
  if (above != kRoughFrom.begin()) {
    return static_cast<std::uint8_t>(kFirstRoughCode - 1 + (above - kRoughFrom.begin()));
  }
  return static_cast<std::uint8_t>(std::min(count, kFirstRoughCode - 1));
}

std::string material_to_string(std::uint32_t material) {
  const auto side = [material](unsigned shift) {
    const std::uint32_t bits = material >> shift;
    return fmt::format("Q{}R{}B{}N{}P{}", bits >> 10 & 3, bits >> 8 & 3, bits >> 6 & 3,
                       bits >> 4 & 3, bits & 0xF);
  };
  return side(12) + "-" + side(0);
}

std::string home_pawns_to_string(const IndexEntry& entry) {
  std::string text;
  const std::size_t count = std::min<std::size_t>(entry.home_pawn_count, kHomePawnItems);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned byte = entry.home_pawns[i / 2];
    const unsigned item = i % 2 == 0 ? byte >> 4 : byte & 0xF;
    if (!text.empty()) text += ' ';
    text += static_cast<char>('h' - (item & 7));
    text += item < 8 ? '7' : '2';
  }
  return text;
}

std::string flags_to_string(std::uint32_t flags) {
  static_assert(std::size(kFlagLetters) == kFlagCount + 1);
  std::string text;
  for (unsigned bit = 0; bit < kFlagCount; ++bit) {
    if ((flags >> bit & 1) != 0) text += kFlagLetters[bit];
  }
  return text;
}

}  // namespace scidfs::codec::scid
