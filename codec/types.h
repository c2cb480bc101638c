// The small domain types of chess that every part of scidfs shares.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <string_view>

namespace scidfs::codec {

enum class Color : std::uint8_t { White, Black };

constexpr Color operator~(Color color) {
  return color == Color::White ? Color::Black : Color::White;
}

// In the order of SAN letters and of Scid's final-material field (which begins with the queen).
enum class PieceType : std::uint8_t { King, Queen, Rook, Bishop, Knight, Pawn, None };

inline constexpr std::size_t kPieceTypes = 6;

// A square is 0..63: a1 = 0, b1 = 1, ... h8 = 63 (scid/FORMAT.md).
using Square = std::uint8_t;
inline constexpr Square kNoSquare = 64;

constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }
constexpr Square make_square(int file, int rank) { return static_cast<Square>(rank * 8 + file); }

// Returns an index into tables by type and square: the type in bits 8..6, the square in 5..0.
constexpr std::size_t place_of(PieceType type, Square square) {
  return static_cast<std::size_t>(type) << 6 | square;
}
inline constexpr std::size_t kPlaces = kPieceTypes << 6;  // those of None come last

// The contents of a move's target square, as a set of one bit; a king is in no set.
enum Obstacle : std::uint8_t { kNoObstacle = 1, kWhiteObstacle = 2, kBlackObstacle = 4 };

constexpr Obstacle obstacle_of(Color color) {
  return color == Color::White ? kWhiteObstacle : kBlackObstacle;
}

// A piece on a square of the board, or nothing. One byte, so that a board of them is one cache
// line.
struct Piece {
  constexpr Piece() : Piece(PieceType::None, Color::White) {}
  constexpr Piece(PieceType piece_type, Color piece_color)
      : obstacle(piece_type == PieceType::None   ? kNoObstacle
                 : piece_type == PieceType::King ? Obstacle{}
                                                 : obstacle_of(piece_color)),
        color(piece_color),
        type(piece_type) {}

  Obstacle obstacle : 3;  // derived from the others, so that one test tells what may move here
  Color color : 2;
  PieceType type : 3;

  constexpr bool empty() const { return type == PieceType::None; }
  friend constexpr bool operator==(Piece, Piece) = default;
};

enum class MoveKind : std::uint8_t { Normal, DoublePush, EnPassant, Castling, Null };

// One ply. For castling `to` is the king's target square. `captured` is None unless something is
// taken; `promotion` is None unless a pawn reaches the last rank.
struct Move {
  Square from = 0;
  Square to = 0;
  PieceType piece = PieceType::None;
  PieceType captured = PieceType::None;
  PieceType promotion = PieceType::None;
  MoveKind kind = MoveKind::Normal;

  friend constexpr bool operator==(const Move&, const Move&) = default;
};

// Result of a game; the numbers are those of the Scid index (scid/FORMAT.md, section 3.2).
enum class Result : std::uint8_t { Unknown, WhiteWins, BlackWins, Draw };

// Returns "*", "1-0", "0-1" or "1/2-1/2".
constexpr std::string_view result_token(Result result) {
  constexpr std::array<std::string_view, 4> kTokens = {"*", "1-0", "0-1", "1/2-1/2"};
  return kTokens[static_cast<std::size_t>(result) & 3];
}

// A calendar date of which any part may be unknown (0). Months to 15 and days to 31 occur in files
// and are kept as they are.
struct Date {
  std::uint16_t year = 0;
  std::uint8_t month = 0;
  std::uint8_t day = 0;

  constexpr bool empty() const { return year == 0 && month == 0 && day == 0; }
  // clang-tidy takes the zero in the comparison for a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend constexpr auto operator<=>(const Date&, const Date&) = default;
};

// A date as a number, which sorts as dates do. The index of Scid has the low 20 bits.
//
//  bits   field  width
//  24..9  year      16
//  8..5   month      4
//  4..0   day        5
inline constexpr unsigned kMonthShift = 5;
inline constexpr unsigned kYearShift = 9;

// REQUIRES: month and day fit.
constexpr std::uint32_t pack_date(Date date) {
  assert(date.month >> (kYearShift - kMonthShift) == 0 && date.day >> kMonthShift == 0);
  return std::uint32_t{date.year} << kYearShift | std::uint32_t{date.month} << kMonthShift |
         date.day;
}
constexpr Date unpack_date(std::uint32_t number) {
  return {.year = static_cast<std::uint16_t>(number >> kYearShift),
          .month = static_cast<std::uint8_t>(number >> kMonthShift & 0xF),
          .day = static_cast<std::uint8_t>(number & 0x1F)};
}

// Returns the last day that a packed date, of which parts may be unknown, can mean: of any year if
// the year is unknown. The first one is the date itself. Files have months above 12.
constexpr std::uint32_t last_day_of(std::uint32_t date) {
  constexpr std::uint32_t kDays = (1U << kMonthShift) - 1;
  constexpr std::uint32_t kMonthsAndDays = (1U << kYearShift) - 1;
  if (date <= kMonthsAndDays) return std::numeric_limits<std::uint32_t>::max();
  if ((date & kMonthsAndDays) <= kDays) return date | kMonthsAndDays;
  return (date & kDays) == 0 ? date | kDays : date;
}

// Rating systems in the order of the index (scid/FORMAT.md, section 3.2).
enum class RatingType : std::uint8_t { Elo, Rating, Rapid, Iccf, Uscf, Dwz, Ecf };

struct Rating {
  std::uint16_t value = 0;  // 0: none
  RatingType type = RatingType::Elo;

  // Returns the rating if it is an Elo rating, else 0.
  constexpr std::uint16_t elo() const { return type == RatingType::Elo ? value : std::uint16_t{0}; }

  friend constexpr bool operator==(const Rating&, const Rating&) = default;
};

// Returns "Elo", "Rating", ...: the part after White or Black in the name of the PGN tag.
constexpr std::string_view rating_name(RatingType type) {
  constexpr std::array<std::string_view, 7> kNames = {"Elo",  "Rating", "Rapid", "ICCF",
                                                      "USCF", "DWZ",    "ECF"};
  return kNames[static_cast<std::size_t>(type)];
}

// The place where the bytes of a game stop making sense, and why. `reason` points to static text.
struct Damage {
  std::uint32_t offset = 0;  // bytes from the start of the record
  std::string_view reason;
};

}  // namespace scidfs::codec
