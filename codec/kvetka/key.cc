#include "codec/kvetka/key.h"

#include <fmt/format.h>

#include <string_view>

#include "codec/bitboard.h"

namespace scidfs::codec::kvetka {
namespace {

constexpr std::size_t kKeyBits = kKeySize * 8;
constexpr std::string_view kPieceLetters = "KQRBNPkqrbnp";

struct Code {
  std::uint8_t bits = 0;
  std::uint8_t length = 1;
};

// The codes by piece type (empty squares are the last one) and color after normalization.
constexpr std::array<std::array<Code, 2>, kPieceTypes + 1> kCodes = {{
    {{{0b100000, 6}, {0b100001, 6}}},
    {{{0b100010, 6}, {0b100011, 6}}},
    {{{0b10110, 5}, {0b10111, 5}}},
    {{{0b10100, 5}, {0b10101, 5}}},
    {{{0b10010, 5}, {0b10011, 5}}},
    {{{0b110, 3}, {0b111, 3}}},
    {{{0, 1}, {0, 1}}},
}};

// At most 32 pieces and 32 empty squares, and eight bits more.
constexpr std::size_t kMostBytes = (32 * 6 + 32 + 8 + 7) / 8;

class BitWriter {
 public:
  void put(unsigned bits, unsigned length) {
    pending_ = pending_ << length | bits;
    pending_length_ += length;
    length_ += length;
    while (pending_length_ >= 8) {
      pending_length_ -= 8;
      bytes_[size_++] = static_cast<std::uint8_t>(pending_ >> pending_length_);
    }
  }
  std::optional<Key> finish() {
    if (length_ > kKeyBits) return std::nullopt;
    if (pending_length_ != 0) put(0, 8 - pending_length_);
    Key key{};
    std::copy_n(bytes_.begin(), size_, key.begin());
    return key;
  }

 private:
  std::array<std::uint8_t, kMostBytes> bytes_{};
  std::size_t size_ = 0;
  std::size_t length_ = 0;
  std::uint64_t pending_ = 0;
  unsigned pending_length_ = 0;
};

// A reader of bits that returns 0 after the end.
class BitReader {
 public:
  explicit BitReader(const Key& key) : key_(key) {}

  unsigned take(unsigned length) {
    unsigned bits = 0;
    for (; length > 0; --length, ++at_) {
      bits <<= 1;
      if (at_ < kKeyBits) bits |= key_[at_ / 8] >> (7 - at_ % 8) & 1U;
    }
    return bits;
  }
  bool is_over() const { return at_ > kKeyBits; }
  bool rest_is_zero() {
    while (at_ < kKeyBits) {
      if (take(1) != 0) return false;
    }
    return true;
  }

 private:
  const Key& key_;
  std::size_t at_ = 0;
};

// Returns the piece of the next code as a letter; a blank for an empty square.
char take_piece(BitReader& in) {
  if (in.take(1) == 0) return ' ';
  PieceType type = PieceType::Pawn;
  if (in.take(1) == 0) {
    switch (in.take(2)) {
      case 0b11:
        type = PieceType::Rook;
        break;
      case 0b10:
        type = PieceType::Bishop;
        break;
      case 0b01:
        type = PieceType::Knight;
        break;
      default:
        type = in.take(1) == 0 ? PieceType::King : PieceType::Queen;
    }
  }
  return kPieceLetters[in.take(1) * kPieceTypes + static_cast<std::size_t>(type)];
}

// Returns the file, from 1, of a pawn that can be taken en passant; 0 if there is none (section
// 4.2: the legality of the capture does not matter).
unsigned en_passant_code(const Position& position, Turning turning) {
  const Square passed = position.en_passant();
  if (passed == kNoSquare) return 0;
  const Color us = position.side_to_move();
  const Square victim = en_passant_victim(passed, us);
  if (position.piece_at(victim) != Piece{PieceType::Pawn, ~us}) return 0;
  if ((pawn_attacks(~us, passed) & position.pieces(us, PieceType::Pawn)) == 0) return 0;
  return static_cast<unsigned>(file_of(turning.apply(passed))) + 1;
}

// Returns the other side's rights before the mover's, short before long.
unsigned castling_code(const Position& position) {
  const unsigned rights = position.castling();
  const unsigned white = rights & (kWhiteShort | kWhiteLong);
  const unsigned black = rights >> 2;
  const bool flipped = position.side_to_move() == Color::Black;
  const auto in_order = [](unsigned pair) { return (pair & 1) << 1 | pair >> 1; };
  return in_order(flipped ? white : black) << 2 | in_order(flipped ? black : white);
}

std::string board_field(const std::array<char, 64>& board) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    const auto put_empty = [&] {
      if (empty != 0) text += static_cast<char>('0' + empty);
      empty = 0;
    };
    for (int file = 0; file < 8; ++file) {
      const char piece = board[make_square(file, rank)];
      if (piece == ' ') {
        ++empty;
      } else {
        put_empty();
        text += piece;
      }
    }
    put_empty();
    if (rank != 0) text += '/';
  }
  return text;
}

}  // namespace

Turning turning_of(const Position& position) {
  const Color us = position.side_to_move();
  return {.flipped = us == Color::Black,
          .mirrored = file_of(position.king(us)) < 4 && position.castling() == 0};
}

std::optional<Key> key_of(const Position& position, Turning turning) {
  if (!position.castles_as_in_chess()) return std::nullopt;
  BitWriter out;
  for (int file = 0; file < 8; ++file) {
    for (int rank = 0; rank < 8; ++rank) {
      const Piece piece = position.piece_at(turning.apply(make_square(file, rank)));
      const Code code = kCodes[static_cast<std::size_t>(piece.type)]
                              [static_cast<std::size_t>(turning.apply(piece.color))];
      out.put(code.bits, code.length);
    }
  }
  out.put(en_passant_code(position, turning), 4);
  out.put(castling_code(position), 4);
  return out.finish();
}

std::optional<Key> key_of(const Position& position) {
  return key_of(position, turning_of(position));
}

std::optional<Position> position_of(const Key& key) {
  BitReader in(key);
  std::array<char, 64> board{};
  for (int file = 0; file < 8; ++file) {
    for (int rank = 0; rank < 8; ++rank) board[make_square(file, rank)] = take_piece(in);
  }
  const unsigned en_passant = in.take(4);
  const unsigned castling = in.take(4);
  if (in.is_over() || en_passant > 8 || !in.rest_is_zero()) return std::nullopt;
  std::string fen = board_field(board) + " w ";
  constexpr std::string_view kRights = "QKqk";  // from the last bit on
  std::string rights;
  for (const std::size_t right : {1, 0, 3, 2}) {
    if ((castling >> right & 1) != 0) rights += kRights[right];
  }
  fen += rights.empty() ? "-" : rights;
  if (en_passant != 0) fen += {' ', static_cast<char>('a' + en_passant - 1), '6'};
  absl::StatusOr<Position> position = Position::from_fen(fen);
  if (!position.ok()) return std::nullopt;
  return *std::move(position);
}

std::string short_fen(const Position& position) {
  std::string fen = position.fen();
  for (int field = 0; field < 2; ++field) fen.resize(fen.find_last_of(' '));
  return fen;
}

std::string key_to_hex(const Key& key) {
  std::string text;
  for (const std::uint8_t byte : key) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace scidfs::codec::kvetka
