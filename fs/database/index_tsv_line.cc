#include "fs/database/index_tsv_line.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <string>

#include "codec/date.h"
#include "codec/types.h"
#include "codec/write.h"
#include "fs/base/filename.h"
#include "fs/base/tsv.h"

namespace scidfs::fs {
namespace {

using codec::Date;
using codec::kMaxDigits;
using codec::Rating;
using codec::RatingType;
using codec::write_text;
using codec::scid::GameEntry;
using codec::scid::IndexEntry;
using codec::scid::NameKind;
using codec::scid::Names;
using codec::scid::NameTable;

// A line without its names, its file name and its directory takes at most 237 bytes, including the
// blank written after the last home pawn.
constexpr std::size_t kFieldsRoom = 256;
constexpr std::size_t kFileNameRoom = kMaxNameBytes + kGameSuffix.size();
static_assert(IndexTsvLines::kPathRoom >= kFileNameRoom + kMaxDigits + 2);

constexpr auto kColumns =
    static_cast<std::size_t>(std::ranges::count(IndexTsvLines::kHead, '\t')) + 1;
constexpr std::size_t kMaterialLength = 21;  // with fewer than ten pawns a side

constexpr std::array<std::uint32_t, kMaxDigits> kLeastWithDigits = {
    0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

constexpr std::size_t digits_of(std::uint32_t number) {
  // 1233 / 4096 approximates the logarithm of 2 to base 10, closely enough for 32 bits.
  const auto fewest = static_cast<std::size_t>(std::bit_width(number | 1) * 1233 >> 12);
  return fewest + (number >= kLeastWithDigits[fewest] ? 1 : 0);
}

// The offset of a record has 47 bits, mostly far fewer.
constexpr std::uint64_t kUpperOffset = 1'000'000'000;
constexpr std::size_t kLowerDigits = 9;

constexpr std::size_t offset_digits(std::uint64_t offset) {
  if (offset < kUpperOffset) return digits_of(static_cast<std::uint32_t>(offset));
  return digits_of(static_cast<std::uint32_t>(offset / kUpperOffset)) + kLowerDigits;
}

// A directory's name is the game's number without this many digits.
constexpr std::size_t kDigitsWithin = digits_of(kGamesPerDirectory) - 1;

constexpr std::size_t directory_digits(std::size_t digits) {
  return std::max(digits, kDirectoryDigits + kDigitsWithin) - kDigitsWithin;
}

// Returns the length of the rating in its two columns.
std::size_t rating_length(Rating rating) {
  if (rating.value == 0) return 0;
  const bool named = rating.type != RatingType::Elo;
  return digits_of(rating.value) + (named ? codec::rating_name(rating.type).size() + 1 : 0);
}

// Returns the length of the date in a file name: "_unknown", "2013", "2013.11" or the whole.
std::size_t file_date_length(Date date) {
  if (date.year == 0) return kUnknownName.size();
  return date.month == 0 ? 4 : date.day == 0 ? 7 : codec::kDateLength;
}

// Returns the length of a date in ISO 8601, up to its first unknown or invalid part: nothing,
// "2013", "2013-11" or the whole.
std::size_t iso_date_length(Date date) {
  constexpr std::size_t kYear = 4;
  constexpr std::size_t kMonth = 7;
  if (date.year == 0) return 0;
  const auto month = std::chrono::year(date.year) / static_cast<int>(date.month);
  if (!month.ok()) return kYear;
  return (month / static_cast<int>(date.day)).ok() ? codec::kDateLength : kMonth;
}

std::size_t count_length(std::uint8_t code) { return digits_of(codec::scid::shown_count(code)); }

std::size_t material_length(std::uint32_t material) {
  return kMaterialLength + ((material >> 12 & 0xF) > 9 ? 1 : 0) + ((material & 0xF) > 9 ? 1 : 0);
}

// "00" to "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  }
  return pairs;
}();

// Writes the last `digits` digits, with zeros in front.
char* write_digits(std::uint32_t number, std::size_t digits, char* out) {
  char* const end = out + digits;
  char* at = end;
  for (; at - out >= 2; number /= 100) {
    at -= 2;
    std::memcpy(at, &kPairs[std::size_t{2} * (number % 100)], 2);
  }
  if (at != out) *out = static_cast<char>('0' + number % 10);
  return end;
}

char* write_number(std::uint32_t number, char* out) {
  return write_digits(number, digits_of(number), out);
}

char* write_offset(std::uint64_t offset, char* out) {
  if (offset < kUpperOffset) return write_number(static_cast<std::uint32_t>(offset), out);
  out = write_number(static_cast<std::uint32_t>(offset / kUpperOffset), out);
  return write_digits(static_cast<std::uint32_t>(offset % kUpperOffset), kLowerDigits, out);
}

// Writes a date in ISO 8601. `text` is the date as codec::write_date() writes it.
char* write_iso_date(Date date, const char* text, char* out) {
  const std::size_t length = iso_date_length(date);
  std::array<char, codec::kDateLength> iso;
  std::memcpy(iso.data(), text, iso.size());
  iso[4] = iso[7] = '-';
  return write_text({iso.data(), length}, out);
}

char* write_elo(Rating rating, char* out) {
  return rating.elo() == 0 ? out : write_number(rating.value, out);
}

// Writes a rating of another system than Elo: "USCF 2100".
char* write_other_rating(Rating rating, char* out) {
  if (rating.value == 0 || rating.type == RatingType::Elo) return out;
  out = write_text(codec::rating_name(rating.type), out);
  *out++ = ' ';
  return write_number(rating.value, out);
}

char* write_flags(std::uint32_t flags, char* out) {
  for (; flags != 0; flags &= flags - 1)
    *out++ = codec::scid::kFlagLetters[std::countr_zero(flags)];
  return out;
}

// Writes the 12 bits of one side.
char* write_side(std::uint32_t bits, char* out) {
  char* const end = write_text("Q0R0B0N0P", out);
  for (unsigned i = 0; i < 4; ++i) {
    out[2 * i + 1] = static_cast<char>('0' + (bits >> (10 - 2 * i) & 3));
  }
  return write_number(bits & 0xF, end);
}

// Returns whether the name is the same in file names except for `_` instead of blanks.
bool is_plain(std::string_view text, std::string_view escaped) {
  return std::ranges::equal(text, escaped,
                            [](char from, char to) { return to == (from == ' ' ? '_' : from); });
}

}  // namespace

IndexTsvLines::IndexTsvLines(const Names& names, const OpeningNames* openings)
    : names_(names), openings_(openings) {
  for (std::size_t i = 0; i < eco_lengths_.size(); ++i) {
    eco_lengths_[i] =
        static_cast<std::uint8_t>(codec::eco_to_string(static_cast<codec::EcoCode>(i + 1)).size());
  }
}

IndexTsvLines::Lengths IndexTsvLines::make_lengths() const {
  Lengths lengths;
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) {
    const NameTable& table = names_.tables[kind];
    lengths.texts[kind].resize(std::size_t{table.size()} + 1);
    for (std::uint32_t id = 0; id <= table.size(); ++id) {
      lengths.texts[kind][id] = static_cast<std::uint8_t>(
          std::min<std::size_t>(known_name(table.text(id)).size(), kLong));
    }
  }
  const NameTable& players = names_[NameKind::Player];
  lengths.players.resize(std::size_t{players.size()} + 1);
  std::string escaped;
  for (std::uint32_t id = 0; id <= players.size(); ++id) {
    const std::string_view text = players.text(id);
    escaped.clear();
    append_escaped(text, escaped);
    lengths.players[id] =
        is_plain(text, escaped) ? kPlain : static_cast<std::uint8_t>(escaped.size());
  }
  return lengths;
}

std::size_t IndexTsvLines::memory() const {
  std::size_t memory = sizeof(*this);
  if (const Lengths* const made = lengths_.made()) {
    memory += made->players.capacity();
    for (const auto& lengths : made->texts) memory += lengths.capacity();
  }
  return memory;
}

std::size_t IndexTsvLines::text_length(NameKind kind, std::uint32_t id) const {
  const auto& of_kind = lengths().texts[static_cast<std::size_t>(kind)];
  const std::uint8_t length = of_kind[std::min<std::size_t>(id, of_kind.size() - 1)];
  return length != kLong ? length : names_[kind].text(id).size();
}

std::size_t IndexTsvLines::names_length(const IndexEntry& entry) const {
  return text_length(NameKind::Player, entry.white) + text_length(NameKind::Player, entry.black) +
         text_length(NameKind::Round, entry.round) + text_length(NameKind::Event, entry.event) +
         text_length(NameKind::Site, entry.site);
}

std::size_t IndexTsvLines::player_length(std::uint32_t id) const {
  const auto& players = lengths().players;
  const std::uint8_t length = players[std::min<std::size_t>(id, players.size() - 1)];
  return length != kPlain ? length : text_length(NameKind::Player, id);
}

std::size_t IndexTsvLines::eco_length(codec::EcoCode code) const {
  return code == 0 || code > codec::kMaxEco ? 0 : eco_lengths_[(code - 1U) % kEcoExtensions];
}

std::size_t IndexTsvLines::uncut_length(std::uint32_t number, const GameEntry& entry) const {
  constexpr std::size_t kDashes = 4;
  return std::max(kGameDigits, digits_of(number)) + player_length(entry.white) +
         player_length(entry.black) + file_date_length(entry.date) +
         result_word(entry.result).size() + kDashes + kGameSuffix.size();
}

std::string IndexTsvLines::cut_file_name(std::uint32_t number, const GameEntry& entry) const {
  const NameTable& players = names_[NameKind::Player];
  return game_file_name(number, players.text(entry.white), players.text(entry.black), entry.date,
                        entry.result);
}

std::size_t IndexTsvLines::length(GameIndex game, const IndexEntry& entry,
                                  std::string_view directory, std::string_view database) const {
  const std::uint32_t number = game + 1;
  const std::size_t digits = digits_of(number);
  std::size_t file_name = uncut_length(number, entry);
  if (file_name > kFileNameRoom) [[unlikely]]
    file_name = cut_file_name(number, entry).size();
  constexpr std::size_t kSlashes = 2;
  const std::size_t path = directory.size() + directory_digits(digits) + file_name + kSlashes;
  const std::size_t counts = count_length(entry.variation_code) + count_length(entry.comment_code) +
                             count_length(entry.nag_code);
  return digits + names_length(entry) + rating_length(entry.white_rating) +
         rating_length(entry.black_rating) + codec::result_token(entry.result).size() +
         codec::kDateLength + eco_length(entry.eco) + digits_of(entry.plies) + path +
         (entry.event_date.empty() ? 0 : codec::kDateLength) +
         static_cast<std::size_t>(std::popcount(entry.flags)) + counts +
         digits_of(entry.stored_line) + material_length(entry.material) +
         codec::scid::home_pawns_length(entry) + offset_digits(entry.offset) +
         digits_of(entry.length) + opening_length(entry.eco) + iso_date_length(entry.date) +
         kColumns + (database.empty() ? 0 : database.size() + 1);
}

// Writes a name. Names are clean lines: they cannot break the table.
char* IndexTsvLines::write_name(NameKind kind, std::uint32_t id, char* out) const {
  out = write_text(known_name(names_[kind].text(id)), out);
  *out++ = '\t';
  return out;
}

char* IndexTsvLines::write_player(std::uint32_t id, char* out) const {
  const NameTable& players = names_[NameKind::Player];
  if (id >= players.size() || lengths().players[id] != kPlain) {
    return write_escaped(players.text(id), out);
  }
  const std::string_view text = players.text(id);
  std::ranges::replace_copy(text, out, ' ', '_');
  return out + text.size();
}

char* IndexTsvLines::write_path(GameIndex game, const GameEntry& entry, std::string_view directory,
                                char* out) const {
  std::array<char, codec::kDateLength> date;
  codec::write_date(entry.date, date.data());
  return write_dated_path(game + 1, entry, directory, date.data(), out);
}

char* IndexTsvLines::write_dated_path(std::uint32_t number, const GameEntry& entry,
                                      std::string_view directory, const char* date,
                                      char* out) const {
  const std::size_t digits = digits_of(number);
  out = write_text(directory, out);
  *out++ = '/';
  out = write_digits(number / kGamesPerDirectory, directory_digits(digits), out);
  *out++ = '/';
  if (uncut_length(number, entry) > kFileNameRoom) [[unlikely]]
    return write_text(cut_file_name(number, entry), out);
  out = write_digits(number, std::max(kGameDigits, digits), out);
  *out++ = '-';
  out = write_player(entry.white, out);
  *out++ = '-';
  out = write_player(entry.black, out);
  *out++ = '-';
  out = entry.date.year == 0 ? write_text(kUnknownName, out)
                             : write_text({date, file_date_length(entry.date)}, out);
  *out++ = '-';
  out = write_text(result_word(entry.result), out);
  return write_text(kGameSuffix, out);
}

void IndexTsvLines::append(GameIndex game, const IndexEntry& entry, std::string_view directory,
                           codec::TextBuffer& buffer, std::string_view database) const {
  const std::uint32_t number = game + 1;
  char* out = buffer.room(kFieldsRoom + kFileNameRoom + directory.size() + database.size() +
                          names_length(entry) + opening_length(entry.eco));
  out = write_number(number, out);
  *out++ = '\t';
  out = write_name(NameKind::Player, entry.white, out);
  out = write_elo(entry.white_rating, out);
  *out++ = '\t';
  out = write_name(NameKind::Player, entry.black, out);
  out = write_elo(entry.black_rating, out);
  *out++ = '\t';
  out = write_text(codec::result_token(entry.result), out);
  *out++ = '\t';
  const char* const date = out;
  out = codec::write_date(entry.date, out);
  *out++ = '\t';
  out = write_name(NameKind::Round, entry.round, out);
  out = write_name(NameKind::Event, entry.event, out);
  out = write_name(NameKind::Site, entry.site, out);
  out = codec::write_eco(entry.eco, out);
  *out++ = '\t';
  out = write_number(entry.plies, out);
  *out++ = '\t';
  out = write_dated_path(number, entry, directory, date, out);
  *out++ = '\t';
  if (!entry.event_date.empty()) out = codec::write_date(entry.event_date, out);
  *out++ = '\t';
  out = write_flags(entry.flags, out);
  *out++ = '\t';
  out = write_number(codec::scid::shown_count(entry.variation_code), out);
  *out++ = '\t';
  out = write_number(codec::scid::shown_count(entry.comment_code), out);
  *out++ = '\t';
  out = write_number(codec::scid::shown_count(entry.nag_code), out);
  *out++ = '\t';
  out = write_number(entry.stored_line, out);
  *out++ = '\t';
  out = write_side(entry.material >> 12, out);
  *out++ = '-';
  out = write_side(entry.material, out);
  *out++ = '\t';
  out = codec::scid::write_home_pawns(entry, out);
  *out++ = '\t';
  out = write_offset(entry.offset, out);
  *out++ = '\t';
  out = write_number(entry.length, out);
  *out++ = '\t';
  if (openings_ != nullptr) out = write_text(openings_->name_of(entry.eco), out);
  *out++ = '\t';
  out = write_iso_date(entry.date, date, out);
  *out++ = '\t';
  out = write_other_rating(entry.white_rating, out);
  *out++ = '\t';
  out = write_other_rating(entry.black_rating, out);
  if (!database.empty()) {
    *out++ = '\t';
    out = write_text(database, out);
  }
  *out++ = '\n';
  buffer.commit(out);
}

}  // namespace scidfs::fs
