// The index file of a Scid 4 database (.si4): what is known of a game without decoding it.
// Source: specification scid4, section 3.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "codec/bytes.h"
#include "codec/eco.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

inline constexpr std::size_t kIndexHeaderSize = 182;
inline constexpr std::size_t kIndexEntrySize = 47;
inline constexpr std::size_t kCustomFlags = 6;

struct IndexHeader {
  std::uint32_t type = 0;      // an icon number of Scid's user interface
  std::uint32_t games = 0;     // declared number of games
  std::uint32_t autoload = 0;  // game to load on opening: 0 none, 1 the first, ...
  std::string description;     // clean UTF-8
  std::array<std::string, kCustomFlags> custom_flags;
};

// The header at the start of `file`. Errors (InvalidArgument, with the byte offset): too short,
// wrong magic, a version other than 400. Does not look at what follows the header.
absl::StatusOr<IndexHeader> parse_index_header(Bytes file);

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

// What an entry says that a game is shown with. Names are ids into Names, not yet checked.
struct GameEntry {
  std::uint64_t offset = 0;  // of the record in .sg4
  std::uint32_t length = 0;  // of the record, 17 bits
  std::uint32_t flags = 0;   // 1 << Flag
  std::uint32_t white = 0, black = 0, event = 0, site = 0, round = 0;
  Date date;
  Date event_date;  // empty: none
  Rating white_rating, black_rating;
  EcoCode eco = 0;
  Result result = Result::Unknown;

  bool has(Flag flag) const { return (flags >> flag & 1) != 0; }
  friend bool operator==(const GameEntry&, const GameEntry&) = default;
};

// Everything a 47-byte entry says of one game: facts about its moves, too.
struct IndexEntry : GameEntry {
  std::uint8_t variation_code = 0, comment_code = 0, nag_code = 0;  // see shown_count()
  std::uint8_t stored_line = 0;                                     // see lines.h
  std::uint8_t home_pawn_count = 0;                                 // 0..16 (capped)
  std::uint16_t plies = 0;                                          // of the main line, modulo 1024
  std::uint32_t material = 0;                                       // final material, 24 bits
  std::array<std::uint8_t, 8> home_pawns{};                         // 16 nibbles, high nibble first
};

// REQUIRES: entry.size() >= kIndexEntrySize. Never fails: every bit pattern has a meaning.
IndexEntry parse_index_entry(Bytes entry);

// The number that a count code 0..15 stands for: 0..10 exact, then 15, 20, 30, 40, 50 ("or so").
unsigned shown_count(std::uint8_t code);

// The code a real count is stored as; the inverse of what section 3.2 tabulates.
std::uint8_t count_code(unsigned count);

// "W" and "B" piece counts as Scid keeps them, e.g. "Q1R2B2N2P8-Q1R2B2N2P8"; 24 bits.
std::string material_to_string(std::uint32_t material);

// Home-pawn items in order, e.g. "e2 d7"; empty if there are none.
std::string home_pawns_to_string(const IndexEntry& entry);

// Letters of all set flags in the order of kFlagLetters, e.g. "DU1".
std::string flags_to_string(std::uint32_t flags);

}  // namespace scidfs::codec::scid
