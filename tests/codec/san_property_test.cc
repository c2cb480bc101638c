// Compares the fast ways of SAN and check with slow ones that know only how pieces attack; in legal
// positions and in those that only a database can contain.
#include <gtest/gtest.h>

#include <array>

#include "codec/movegen.h"
#include "codec/san.h"
#include "codec/scid/moves.h"
#include "tests/support/random_game.h"

namespace scidfs::codec {
namespace {

using tests::Random;

// All moves that a record can have here, legal or not: every byte, decoded.
std::vector<Move> well_formed_moves(const Position& position) {
  const scid::PieceLists lists = scid::PieceLists::from_position(position);
  std::vector<Move> moves;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (byte > 10 && byte < 16) continue;
    const auto decode = [&](unsigned second) {
      const scid::DecodedMove decoded = scid::decode_move(
          position, lists, static_cast<std::uint8_t>(byte), static_cast<std::uint8_t>(second));
      if (decoded.error.empty()) moves.push_back(decoded.move);
      return decoded.two_bytes;
    };
    if (!decode(64)) {
      // The second byte of a queen's move: only moves of two bytes depend on it.
      for (unsigned second = 65; second < 128; ++second) {
        const scid::DecodedMove decoded = scid::decode_move(
            position, lists, static_cast<std::uint8_t>(byte), static_cast<std::uint8_t>(second));
        if (decoded.error.empty() && decoded.two_bytes) moves.push_back(decoded.move);
      }
    } else {
      for (unsigned second = 65; second < 128; ++second) decode(second);
    }
  }
  return moves;
}

// True if a piece of the other side attacks the king of `color`.
bool attacked(const Position& position, Color color) {
  for (Square from = 0; from < 64; ++from) {
    const Piece piece = position.piece_at(from);
    if (piece.empty() || piece.color == color) continue;
    const Bitboard reach = piece.type == PieceType::Pawn
                               ? pawn_attacks(piece.color, from)
                               : attacks(piece.type, from, position.occupied());
    if ((reach & bit(position.king(color))) != 0) return true;
  }
  return false;
}

// Returns the disambiguating letters by the rules of SAN.
std::string disambiguation(const Position& before, const Move& move) {
  bool rivals = false;
  bool same_file = false;
  bool same_rank = false;
  for (Square from = 0; from < 64; ++from) {
    if (from == move.from || before.piece_at(from) != Piece{move.piece, before.side_to_move()}) {
      continue;
    }
    if ((attacks(move.piece, from, before.occupied()) & bit(move.to)) == 0) continue;
    Move rival = move;
    rival.from = from;
    Position after = before;
    after.make(rival);
    if (attacked(after, before.side_to_move())) continue;
    rivals = true;
    same_file |= file_of(from) == file_of(move.from);
    same_rank |= rank_of(from) == rank_of(move.from);
  }
  const std::string file(1, static_cast<char>('a' + file_of(move.from)));
  const std::string rank(1, static_cast<char>('1' + rank_of(move.from)));
  if (!rivals) return "";
  if (!same_file) return file;
  return same_rank ? file + rank : rank;
}

std::string slow_san(const Position& before, const Move& move) {
  if (move.kind == MoveKind::Null) return "--";
  if (move.kind == MoveKind::Castling) return move.to > move.from ? "O-O" : "O-O-O";
  std::string san;
  const bool capture = move.captured != PieceType::None;
  if (move.piece == PieceType::Pawn) {
    if (capture) san += static_cast<char>('a' + file_of(move.from));
  } else {
    san += "KQRBN"[static_cast<std::size_t>(move.piece)];
    if (move.piece != PieceType::King) san += disambiguation(before, move);
  }
  if (capture) san += 'x';
  san += static_cast<char>('a' + file_of(move.to));
  san += static_cast<char>('1' + rank_of(move.to));
  if (move.promotion != PieceType::None) {
    san += '=';
    san += "KQRBN"[static_cast<std::size_t>(move.promotion)];
  }
  return san;
}

// Follows a game as the writer does.
struct Follower {
  explicit Follower(const Position& start) : position(start) {}

  template <Color kUs>
  void play(const Move& move) {
    const Position before = position;
    const std::string fen = position.fen();
    const std::string full = to_san(position, move);
    position.make<kUs>(move);
    std::array<char, ShortText::kRoom> text;
    const std::string_view spaced(text.data(), find_san<kUs>(position, move).write(text.data()));
    ASSERT_TRUE(spaced.starts_with(' '));
    const std::string_view san = spaced.substr(1);
    EXPECT_EQ(san, slow_san(before, move)) << fen;
    const bool check = position.in_check(~kUs);
    EXPECT_EQ(check, attacked(position, ~kUs)) << fen << ' ' << full;
    EXPECT_EQ(position.in_check(kUs), attacked(position, kUs)) << fen << ' ' << full;
    EXPECT_EQ(full.substr(0, san.size()), san);
    EXPECT_EQ(full.size() > san.size(), check) << fen << ' ' << full;
    EXPECT_EQ(full.ends_with('#'), check && legal_moves(position).empty()) << fen << ' ' << full;
  }
  void play(const Move& move) {
    position.side_to_move() == Color::White ? play<Color::White>(move) : play<Color::Black>(move);
  }

  Position position;
};

TEST(SanProperty, FastSanEqualsSlowSanInLegalGames) {
  Random random(5);
  for (const std::string& fen : tests::example_fens()) {
    for (int walk = 0; walk < 10; ++walk) {
      Follower game(*Position::from_fen(fen));
      for (int ply = 0; ply < 60; ++ply) game.play(tests::random_move(game.position, random));
      if (HasFailure()) return;
    }
  }
}

// Kings that stay in check, castle out of it, pass while in check, capture with pinned pieces.
TEST(SanProperty, FastSanEqualsSlowSanInIllegalGames) {
  Random random(6);
  for (int walk = 0; walk < 600; ++walk) {
    const std::vector<std::string>& fens = tests::example_fens();
    const std::string fen =
        walk % 3 == 0 ? fens[random.below(fens.size())] : tests::random_fen(random);
    Follower game(*Position::from_fen(fen));
    for (int ply = 0; ply < 25; ++ply) {
      const std::vector<Move> moves = well_formed_moves(game.position);
      ASSERT_FALSE(moves.empty());
      game.play(moves[random.below(moves.size())]);
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace scidfs::codec
