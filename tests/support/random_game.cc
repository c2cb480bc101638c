#include "tests/support/random_game.h"

#include <algorithm>
#include <array>

#include "codec/movegen.h"

namespace scidfs::tests {
namespace {

using codec::Move;
using codec::MoveKind;
using codec::MoveList;
using codec::Position;
using codec::Square;

constexpr std::size_t kMaxDepth = 4;

constexpr std::array<std::string_view, 16> kWords = {"a",
                                                     "better",
                                                     "is",
                                                     "Kt-KB3",
                                                     "[%clk 0:01:02]",
                                                     "[Event",
                                                     "%",
                                                     "1-0",
                                                     "(here)",
                                                     "{",
                                                     "\xC3\xA9",
                                                     "\xE2\x99\x98"
                                                     "f3",
                                                     "Zugzwang",
                                                     "\xD0\xA5\xD0\xBE\xD0\xB4",
                                                     "...",
                                                     "3."};
constexpr std::array<std::string_view, 6> kGaps = {" ", " ", " ", "  ", "\n", "\t"};

class GameMaker {
 public:
  GameMaker(ScidEncoder& game, Random& random, const RandomGameOptions& options)
      : game_(game), random_(random), annotated_(options.annotated), eventful_(options.eventful) {}

  void line(std::size_t plies) {
    if (annotated_ && random_.one_in(6)) comment();
    for (std::size_t ply = 0; ply < plies; ++ply) {
      const Position before = game_.position();
      if (eventful_ && !codec::has_legal_move(before)) break;
      const Move move = random_.one_in(40) ? null_move(before) : next_move(before);
      // Texts written by Scid have no end of a game inside; a null move instead of a move is valid.
      game_.move(move);
      if (annotated_) annotate();
    }
  }

 private:
  Move next_move(const Position& position) {
    if (eventful_) {
      for (const Move& move : codec::legal_moves(position)) {
        Position after = position;
        after.make(move);
        if (move.kind == MoveKind::Castling || !codec::has_legal_move(after)) return move;
      }
    }
    return random_move(position, random_);
  }
  static Move null_move(const Position& position) {
    const Square king = position.king(position.side_to_move());
    return {.from = king, .to = king, .kind = MoveKind::Null};
  }

  void comment() { game_.comment(random_comment(random_, 1 + random_.below(12))); }

  void annotate() {
    // Above 21 no NAG replaces another.
    for (std::size_t i = random_.one_in(5) ? random_.below(4) : 0; i != 0; --i) {
      game_.nag(static_cast<std::uint8_t>(22 + random_.below(234)));
    }
    if (random_.one_in(5)) comment();
    while (game_.depth() < kMaxDepth && random_.one_in(8)) {
      game_.begin_variation();
      line(random_.below(6));
      game_.end_variation();
    }
  }

  ScidEncoder& game_;
  Random& random_;
  bool annotated_;
  bool eventful_;
};

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

const std::vector<std::string>& example_fens() {
  static const std::vector<std::string> fens = {
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
      "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
      "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
      "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
      "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
      "QQQ1k3/QQQ5/8/8/8/5qqq/5qqq/3K2qq w - - 3 40",
      "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ b - - 0 1",
      "NNN1k1bb/NNN3bb/8/8/3R1R2/BB3nnn/BB1R1nnn/BB2K1nn w - - 0 20",
      "4k3/PPPPPPPP/8/8/8/8/pppppppp/4K3 b - - 0 300",
      "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
      "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
      "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
      "8/8/8/8/8/4k3/8/R3K2R w KQ - 0 1",
      "k7/8/8/8/8/8/8/K7 b - - 0 99"};
  return fens;
}

std::string random_fen(Random& random, std::size_t most) {
  std::array<char, 64> board{};
  board.fill(' ');
  const auto put = [&](char letter) {
    std::size_t square = random.below(64);
    while (board[square] != ' ') square = random.below(64);
    board[square] = letter;
  };
  put('K');
  put('k');
  constexpr std::string_view kWhite = "QQRRBBNNPPPPP";
  constexpr std::string_view kBlack = "qqrrbbnnppppp";
  for (std::size_t i = random.below(most + 1); i != 0; --i)
    put(kWhite[random.below(kWhite.size())]);
  for (std::size_t i = random.below(most + 1); i != 0; --i)
    put(kBlack[random.below(kBlack.size())]);
  std::string fen;
  for (std::size_t i = 0; i < board.size(); ++i) {
    if (i != 0 && i % 8 == 0) fen += '/';
    if (board[i] != ' ') {
      fen += board[i];
    } else if (!fen.empty() && fen.back() >= '1' && fen.back() <= '7' && i % 8 != 0) {
      ++fen.back();
    } else {
      fen += '1';
    }
  }
  fen += random.one_in(2) ? " w KQkq - 0 1" : " b KQkq - 0 1";
  return fen;
}

Move random_move(const Position& position, Random& random) {
  const MoveList moves = codec::legal_moves(position);
  if (moves.empty()) {
    const Square king = position.king(position.side_to_move());
    return {.from = king, .to = king, .kind = MoveKind::Null};
  }
  return moves.begin()[random.below(moves.size())];
}

std::string random_comment(Random& random, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    if (i != 0) text += kGaps[random.below(kGaps.size())];
    text += kWords[random.below(kWords.size())];
  }
  return text;
}

void flip_bit(std::string& text, Random& random) {
  char& byte = text[random.below(text.size())];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << random.below(8));
}

ScidEncoder random_game(Random& random, const RandomGameOptions& options) {
  ScidEncoder game = options.fen.empty() ? ScidEncoder() : ScidEncoder(options.fen);
  GameMaker(game, random, options).line(options.plies);
  return game;
}

}  // namespace scidfs::tests
