// The index file of a database (.si3, .si4, .si5): data about games without decoding them.
// Source: FORMAT.md, sections 3, 12 and 13.
#pragma once

#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/eco.h"
#include "codec/text.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// The sizes of Scid 4.
inline constexpr std::size_t kIndexHeaderSize = 182;
inline constexpr std::size_t kIndexEntrySize = 47;
// The size of Scid 5: no format has longer entries.
inline constexpr std::size_t kMaxIndexEntrySize = 56;
inline constexpr std::size_t kCustomFlags = 6;
// The first bytes of an index of Scid 3 or 4, the version of Scid 4, and the sizes of the texts in
// its header, each with the NUL at its end.
inline constexpr std::string_view kIndexMagic("Scid.si\0", 8);
inline constexpr std::uint16_t kScid4Version = 400;
inline constexpr std::size_t kDescriptionSize = 108;
inline constexpr std::size_t kCustomFlagSize = 9;

// The properties of a database that users have set. Texts are clean UTF-8 of one line.
struct DatabaseInfo {
  std::uint32_t type = 0;      // an icon number of Scid's user interface
  std::uint32_t autoload = 0;  // game to load on opening: 0 none, 1 the first, ...
  std::string description;
  std::array<std::string, kCustomFlags> custom_flags;
};

struct IndexEntry;

// The layout of an index file of a version: a header, then entries one after the other.
struct IndexLayout {
  std::string_view name;  // of the version, for users
  std::size_t header_size;
  std::size_t entry_size;
  // Parses an entry. REQUIRES: at least entry_size bytes. Never fails: every bit pattern has a
  // meaning.
  IndexEntry (*parse_entry)(Bytes entry);
};
extern const IndexLayout kScid3Index;
extern const IndexLayout kScid4Index;
extern const IndexLayout kScid5Index;

struct IndexHeader : DatabaseInfo {
  std::uint32_t games = 0;  // declared number of games
  const IndexLayout* layout = &kScid4Index;
};

// The most bytes at the front of an index file that a header takes.
inline constexpr std::size_t kMaxIndexHeaderSize = kIndexHeaderSize;

// Parses the header at the start of an index of Scid 3 or 4; its version tells which. Errors
// (InvalidArgument, with the byte offset): too short, wrong magic, a version other than 300 and
// 400. Does not read beyond the header.
absl::StatusOr<IndexHeader> parse_index_header(Bytes file, CodePage page = CodePage::Windows1252);

// Returns a header for a Scid 5 index of `file_size` bytes, which has none. The number of games
// follows from the size; all else is in the name file. Errors (InvalidArgument): it is an index of
// Scid 3 or 4 by its magic; more games than the format has room for.
absl::StatusOr<IndexHeader> parse_index5_header(Bytes file, std::uint64_t file_size);

// Bits of IndexEntry::flags.
enum Flag : unsigned {
  kFlagStart,           // S: own start position
  kFlagPromotion,       // X
  kFlagUnderpromotion,  // Y
  kFlagDeleted,         // D
  kFlagWhiteOpening,    // W
  kFlagBlackOpening,    // B
  kFlagMiddlegame,      // M
  kFlagEndgame,         // E
  kFlagNovelty,         // N
  kFlagPawnStructure,   // P
  kFlagTactics,         // T
  kFlagKingside,        // K
  kFlagQueenside,       // Q
  kFlagBrilliancy,      // !
  kFlagBlunder,         // ?
  kFlagUser,            // U
  kFlagCustom1,         // 1 .. 6
  kFlagCount = kFlagCustom1 + kCustomFlags,
};

// One-letter names of the flags in the order of their bits, as in the PGN tag ScidFlags.
inline constexpr char kFlagLetters[] = "SXYDWBMENPTKQ!?U123456";

// The data of an entry with which a game is shown. Names are ids into Names, not yet checked.
struct GameEntry {
  std::uint64_t offset = 0;  // of the record in the game file, 47 bits
  std::uint32_t length = 0;  // of the record, 17 bits
  std::uint32_t flags = 0;   // 1 << Flag
  std::uint32_t white = 0, black = 0, event = 0, site = 0, round = 0;
  Date date;
  Date event_date;  // empty: none
  Rating white_rating, black_rating;
  EcoCode eco = 0;
  Result result = Result::Unknown;
  bool chess960 = false;  // king or rook castles from other squares than in chess

  bool has(Flag flag) const { return (flags >> flag & 1) != 0; }
  friend bool operator==(const GameEntry&, const GameEntry&) = default;
};

// All data of an entry about one game, including facts about its moves. The final material has no
// kings, and 3 pieces are 3 or more:
//
//  bits    field         width      bits    field         width
//  23..22  white queens      2      11..10  black queens      2
//  21..20  rooks             2      9..8    rooks             2
//  19..18  bishops           2      7..6    bishops           2
//  17..16  knights           2      5..4    knights           2
//  15..12  pawns             4      3..0    pawns             4
struct IndexEntry : GameEntry {
  std::uint8_t variation_code = 0, comment_code = 0, nag_code = 0;  // see shown_count()
  std::uint8_t stored_line = 0;                                     // see lines.h
  std::uint8_t home_pawn_count = 0;                                 // 0..16 (capped)
  std::uint16_t plies = 0;                                          // of the main line, modulo 1024
  std::uint32_t material = 0;                                       // final; see above
  std::array<std::uint8_t, 8> home_pawns{};                         // 16 nibbles, high nibble first
};

// Parses an entry of Scid 4. REQUIRES: entry.size() >= kIndexEntrySize.
IndexEntry parse_index_entry(Bytes entry);

// Returns the number of a count code 0..15: 0..10 exact, then 15, 20, 30, 40, 50 ("or so").
unsigned shown_count(std::uint8_t code);

// Returns the code as which a real count is stored; the inverse of the table in section 3.2.
std::uint8_t count_code(unsigned count);

// Returns piece counts of White and Black as Scid keeps them, e.g. "Q1R2B2N2P8-Q1R2B2N2P8"; 24
// bits.
std::string material_to_string(std::uint32_t material);

// Home-pawn items: h7 is 0, a7 is 7, h2 is 8, a2 is 15.
constexpr unsigned home_pawn_item(Square square) {
  return 7U - static_cast<unsigned>(file_of(square)) + (rank_of(square) == 1 ? 8U : 0U);
}
constexpr Square home_pawn_square(unsigned item) {
  return make_square(7 - static_cast<int>(item & 7), item < 8 ? 6 : 1);
}
// REQUIRES: at < entry.home_pawn_count.
constexpr unsigned home_pawn_item(const IndexEntry& entry, std::size_t at) {
  assert(at < entry.home_pawn_count);
  const unsigned both = entry.home_pawns[at / 2];
  return at % 2 == 0 ? both >> 4 : both & 15;
}

// Writes home-pawn items in order, e.g. "e2 d7"; nothing if there are none. Returns the end of the
// text. REQUIRES: `out` has kHomePawnsRoom.
inline constexpr std::size_t kHomePawnItems = 16;
inline constexpr std::size_t kHomePawnLength = 3;  // with a blank
inline constexpr std::size_t kHomePawnsRoom = kHomePawnItems * kHomePawnLength;
char* write_home_pawns(const IndexEntry& entry, char* out);
// Returns the bytes of that text.
constexpr std::size_t home_pawns_length(const IndexEntry& entry) {
  const std::size_t count = std::min<std::size_t>(entry.home_pawn_count, kHomePawnItems);
  return count == 0 ? 0 : count * kHomePawnLength - 1;
}
// Returns that text.
std::string home_pawns_to_string(const IndexEntry& entry);

// Returns the letters of all set flags in the order of kFlagLetters, e.g. "DU1".
std::string flags_to_string(std::uint32_t flags);

}  // namespace scidfs::codec::scid
