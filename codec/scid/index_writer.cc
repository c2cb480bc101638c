#include "codec/scid/index_writer.h"

#include <cassert>
#include <string_view>

#include "codec/bytes.h"
#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

using Out = std::vector<std::uint8_t>;

std::uint32_t date_bits_of(Date date) {
  return std::uint32_t{date.year} << 9 | std::uint32_t{date.month} << 5 | date.day;
}

// Returns an event date in twelve bits. Scid codes a missing one like a date of the year 0.
std::uint32_t event_date_bits_of(const GameEntry& entry) {
  if (!index4_has_event_date(entry)) return 0;
  constexpr int kSameYear = 4;
  const int code = entry.event_date.year - entry.date.year + kSameYear;
  return static_cast<std::uint32_t>(code) << 9 | (date_bits_of(entry.event_date) & 0x1FF);
}

std::uint32_t type_of(Rating rating) { return static_cast<std::uint32_t>(rating.type); }

// Appends a text, cut before a character if it is too long, and NULs up to `size` bytes.
void append_fixed(std::string_view text, std::size_t size, Out& out) {
  const std::string_view kept = cut_utf8(text, size - 1);
  out.insert(out.end(), kept.begin(), kept.end());
  out.insert(out.end(), size - kept.size(), 0);
}

void append_word(std::uint32_t value, Out& out) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

}  // namespace

bool index4_has_event_date(const GameEntry& entry) {
  constexpr int kMostYears = 3;
  const int years = entry.event_date.year - entry.date.year;
  return years >= -kMostYears && years <= kMostYears;
}

void append_index4_header(const IndexHeader& header, Out& out) {
  out.insert(out.end(), kIndexMagic.begin(), kIndexMagic.end());
  append_big(kScid4Version, 2, out);
  append_big(header.type, 4, out);
  append_big(header.games, 3, out);
  append_big(header.autoload, 3, out);
  append_fixed(header.description, kDescriptionSize, out);
  for (const std::string& text : header.custom_flags) append_fixed(text, kCustomFlagSize, out);
}

void append_index4_entry(const IndexEntry& entry, Out& out) {
  assert(entry.offset >> 32 == 0 && entry.length >> 17 == 0);
  assert(entry.white >> 20 == 0 && entry.black >> 20 == 0);
  assert(entry.event >> 19 == 0 && entry.site >> 19 == 0 && entry.round >> 18 == 0);
  assert(entry.white_rating.value >> 12 == 0 && entry.black_rating.value >> 12 == 0);
  append_big(entry.offset, 4, out);
  append_big(entry.length, 2, out);
  append_big((entry.length >> 9 & 0x80) | entry.flags >> 16, 1, out);
  append_big(entry.flags, 2, out);
  append_big((entry.white >> 12 & 0xF0) | (entry.black >> 16 & 0x0F), 1, out);
  append_big(entry.white, 2, out);
  append_big(entry.black, 2, out);
  append_big((entry.event >> 11 & 0xE0) | (entry.site >> 14 & 0x1C) | (entry.round >> 16 & 3), 1,
             out);
  append_big(entry.event, 2, out);
  append_big(entry.site, 2, out);
  append_big(entry.round, 2, out);
  append_big(static_cast<std::uint32_t>(entry.result) << 12 | std::uint32_t{entry.nag_code} << 8 |
                 std::uint32_t{entry.comment_code} << 4 | entry.variation_code,
             2, out);
  append_big(entry.eco, 2, out);
  append_big(event_date_bits_of(entry) << 20 | date_bits_of(entry.date), 4, out);
  append_big(type_of(entry.white_rating) << 12 | entry.white_rating.value, 2, out);
  append_big(type_of(entry.black_rating) << 12 | entry.black_rating.value, 2, out);
  append_big(entry.stored_line, 1, out);
  append_big(entry.material, 3, out);
  append_big(entry.plies, 1, out);
  append_big((entry.plies >> 2 & 0xC0U) | entry.home_pawn_count, 1, out);
  out.insert(out.end(), entry.home_pawns.begin(), entry.home_pawns.end());
}

void append_index5_entry(const IndexEntry& entry, Out& out) {
  constexpr unsigned kIdBits = 28;
  assert(entry.offset >> 47 == 0 && entry.length >> 17 == 0);
  assert(entry.white >> kIdBits == 0 && entry.black >> kIdBits == 0);
  assert(entry.event >> kIdBits == 0 && entry.round >> 31 == 0);
  assert(entry.white_rating.value >> 12 == 0 && entry.black_rating.value >> 12 == 0);
  append_word(std::uint32_t{entry.comment_code} << kIdBits | entry.white, out);
  append_word(std::uint32_t{entry.variation_code} << kIdBits | entry.black, out);
  append_word(std::uint32_t{entry.nag_code} << kIdBits | entry.event, out);
  append_word(entry.site, out);
  append_word((entry.chess960 ? 1U << 31 : 0) | entry.round, out);
  append_word(std::uint32_t{entry.white_rating.value} << 20 | date_bits_of(entry.date), out);
  append_word(std::uint32_t{entry.black_rating.value} << 20 | date_bits_of(entry.event_date), out);
  append_word(std::uint32_t{entry.plies} << kFlagCount | entry.flags, out);
  append_word(entry.length << 15 | static_cast<std::uint32_t>(entry.offset >> 32), out);
  append_word(static_cast<std::uint32_t>(entry.offset), out);
  append_word(std::uint32_t{entry.stored_line} << 24 | entry.material, out);
  append_word(std::uint32_t{entry.home_pawn_count} << 24 | type_of(entry.white_rating) << 21 |
                  type_of(entry.black_rating) << 18 |
                  static_cast<std::uint32_t>(entry.result) << 16 | entry.eco,
              out);
  out.insert(out.end(), entry.home_pawns.begin(), entry.home_pawns.end());
}

}  // namespace scidfs::codec::scid
