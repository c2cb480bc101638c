#include "codec/scid/index.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::uint16_t kScid3Version = 300;
constexpr std::uint32_t kMaxScid5Games = ~std::uint32_t{0} - 1;

// The real counts from which the codes 11 .. 15 are used, and the counts that they show.
constexpr unsigned kFirstRoughCode = 11;
constexpr std::array<unsigned, 5> kRoughFrom = {13, 18, 25, 35, 45};
constexpr std::array<unsigned, 5> kRoughShown = {15, 20, 30, 40, 50};

std::string read_text(ByteReader& in, std::size_t size, CodePage page) {
  return clean_line(in.take(size).first(size - 1), page);
}

// A date has 20 bits: a year of 11.
Date parse_game_date(std::uint32_t bits) { return unpack_date(bits & 0xF'FFFF); }

// Parses an event date of 12 bits; its year is relative to that of the game.
Date parse_event_date(std::uint32_t bits, std::uint16_t game_year) {
  const int code = static_cast<int>(bits >> 9 & 7);
  if (code == 0) return {};
  Date date = unpack_date(bits & 0x1FF);
  date.year = static_cast<std::uint16_t>(std::max(0, game_year + code - 4));
  return date;
}

// Returns a rating. Scid reads three bits of the type and has no name for 7.
Rating make_rating(unsigned value, unsigned type) {
  return {.value = static_cast<std::uint16_t>(value & 0xFFF),
          .type = type == 7 ? RatingType::Elo : static_cast<RatingType>(type)};
}

Rating parse_rating(std::uint16_t bits) { return make_rating(bits, bits >> 12 & 7U); }

std::uint8_t home_pawn_count(unsigned count) {
  return static_cast<std::uint8_t>(std::min<std::size_t>(count, kHomePawnItems));
}

// Parses an entry of Scid 3, which lacks the byte with the highest bit of the length and the custom
// flags.
IndexEntry parse_index3_entry(Bytes entry) {
  assert(entry.size() >= kScid3Index.entry_size);
  constexpr std::size_t kMissing = 6;
  std::array<std::uint8_t, kIndexEntrySize> whole{};
  std::ranges::copy(entry.first<kMissing>(), whole.begin());
  std::ranges::copy(entry.subspan<kMissing, kIndexEntrySize - 1 - kMissing>(),
                    whole.begin() + kMissing + 1);
  return parse_index_entry(whole);
}

// Parses an entry of Scid 5: twelve little-endian words and the home pawns.
IndexEntry parse_index5_entry(Bytes entry) {
  assert(entry.size() >= kScid5Index.entry_size);
  constexpr std::uint32_t kIdBits = 28;
  constexpr std::uint32_t kIdMask = (1U << kIdBits) - 1;
  ByteReader in(entry.first<kMaxIndexEntrySize>());
  IndexEntry e;
  const auto read_code_and_id = [&in](std::uint8_t& code, std::uint32_t& id) {
    const std::uint32_t word = in.u32_little();
    code = static_cast<std::uint8_t>(word >> kIdBits);
    id = word & kIdMask;
  };
  read_code_and_id(e.comment_code, e.white);
  read_code_and_id(e.variation_code, e.black);
  read_code_and_id(e.nag_code, e.event);
  e.site = in.u32_little();
  const std::uint32_t round = in.u32_little();
  e.chess960 = round >> 31 != 0;
  e.round = round & 0x7FFFFFFF;
  const std::uint32_t white_and_date = in.u32_little();
  const std::uint32_t black_and_event_date = in.u32_little();
  e.date = parse_game_date(white_and_date);
  e.event_date = parse_game_date(black_and_event_date);
  const std::uint32_t plies_and_flags = in.u32_little();
  e.plies = static_cast<std::uint16_t>(plies_and_flags >> kFlagCount);
  e.flags = plies_and_flags & ((1U << kFlagCount) - 1);
  const std::uint32_t length_and_offset = in.u32_little();
  e.length = length_and_offset >> 15;
  e.offset = std::uint64_t{length_and_offset & 0x7FFF} << 32 | in.u32_little();
  const std::uint32_t line_and_material = in.u32_little();
  e.stored_line = static_cast<std::uint8_t>(line_and_material >> 24);
  e.material = line_and_material & 0xFFFFFF;
  const std::uint32_t others = in.u32_little();
  e.home_pawn_count = home_pawn_count(others >> 24);
  e.white_rating = make_rating(white_and_date >> 20, others >> 21 & 7);
  e.black_rating = make_rating(black_and_event_date >> 20, others >> 18 & 7);
  e.result = static_cast<Result>(others >> 16 & 3);
  e.eco = static_cast<EcoCode>(others & 0xFFFF);
  std::ranges::copy(in.take(e.home_pawns.size()), e.home_pawns.begin());
  return e;
}

}  // namespace

const IndexLayout kScid3Index = {.name = "Scid 3 (index version 300)",
                                 .header_size = 128,
                                 .entry_size = kIndexEntrySize - 1,
                                 .parse_entry = parse_index3_entry};
const IndexLayout kScid4Index = {.name = "Scid 4 (index version 400)",
                                 .header_size = kIndexHeaderSize,
                                 .entry_size = kIndexEntrySize,
                                 .parse_entry = parse_index_entry};
const IndexLayout kScid5Index = {.name = "Scid 5",
                                 .header_size = 0,
                                 .entry_size = kMaxIndexEntrySize,
                                 .parse_entry = parse_index5_entry};

absl::StatusOr<IndexHeader> parse_index_header(Bytes file, CodePage page) {
  ByteReader in(file);
  const Bytes magic = in.take(kIndexMagic.size());
  const std::uint16_t version = in.u16();
  IndexHeader header;
  if (version == kScid3Version) header.layout = &kScid3Index;
  if (in.ok()) {
    // The magic is checked before the size: the headers of other versions are shorter.
    if (as_text(magic) != kIndexMagic) {
      return absl::InvalidArgumentError("not a Scid index (wrong magic) at byte 0");
    }
    if (version != kScid3Version && version != kScid4Version) {
      return absl::InvalidArgumentError(fmt::format(
          "format version {} is not supported, at byte {}", version, kIndexMagic.size()));
    }
  }
  if (file.size() < header.layout->header_size) {
    return absl::InvalidArgumentError(
        fmt::format("the index ends in its header, at byte {}", file.size()));
  }

  header.type = in.u32();
  header.games = in.u24();
  header.autoload = in.u24();
  header.description = read_text(in, kDescriptionSize, page);
  if (version == kScid3Version) return header;
  for (std::string& text : header.custom_flags) text = read_text(in, kCustomFlagSize, page);
  return header;
}

absl::StatusOr<IndexHeader> parse_index5_header(Bytes file, std::uint64_t file_size) {
  if (as_text(file).starts_with(kIndexMagic)) {
    return absl::InvalidArgumentError("an index of an older Scid by another name, at byte 0");
  }
  const std::uint64_t games = file_size / kScid5Index.entry_size;
  if (games > kMaxScid5Games) {
    return absl::InvalidArgumentError(
        fmt::format("{} games are more than the format has room for", games));
  }
  IndexHeader header;
  header.games = static_cast<std::uint32_t>(games);
  header.layout = &kScid5Index;
  return header;
}

IndexEntry parse_index_entry(Bytes entry) {
  assert(entry.size() >= kIndexEntrySize);
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
  e.home_pawn_count = home_pawn_count(plies_and_pawns & 0x3F);
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

namespace {

// Two items of the list of home pawns, as "e2 d7 ".
using HomePawnPair = std::array<char, 2 * kHomePawnLength>;
constexpr std::array<HomePawnPair, 256> kHomePawnPairs = [] {
  std::array<HomePawnPair, 256> pairs{};
  for (unsigned byte = 0; byte < pairs.size(); ++byte) {
    for (const unsigned half : {0U, 1U}) {
      const Square square = home_pawn_square(half == 0 ? byte >> 4 : byte & 0xF);
      char* const out = &pairs[byte][half * kHomePawnLength];
      out[0] = static_cast<char>('a' + file_of(square));
      out[1] = static_cast<char>('1' + rank_of(square));
      out[2] = ' ';
    }
  }
  return pairs;
}();
static_assert(kHomePawnsRoom ==
              sizeof(HomePawnPair) * std::tuple_size_v<decltype(IndexEntry::home_pawns)>);

}  // namespace

char* write_home_pawns(const IndexEntry& entry, char* out) {
  char* at = out;
  for (const std::uint8_t byte : entry.home_pawns) {
    std::memcpy(at, kHomePawnPairs[byte].data(), sizeof(HomePawnPair));
    at += sizeof(HomePawnPair);
  }
  return out + home_pawns_length(entry);
}

std::string home_pawns_to_string(const IndexEntry& entry) {
  std::array<char, kHomePawnsRoom> text;
  return {text.data(), write_home_pawns(entry, text.data())};
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
