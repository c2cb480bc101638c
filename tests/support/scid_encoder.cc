#include "tests/support/scid_encoder.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "codec/san.h"

namespace scidfs::tests {
namespace {

using codec::Color;
using codec::file_of;
using codec::make_square;
using codec::Move;
using codec::MoveKind;
using codec::PieceType;
using codec::Position;
using codec::rank_of;
using codec::Square;
using Kind = PgnToken::Kind;

constexpr std::array<std::string_view, 10> kCodedTags = {
    "WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate",
    "Opening",      "Variation",    "Setup",     "Source",   "SetUp"};

[[noreturn]] void fail(std::string_view what) {
  std::fprintf(stderr, "the encoder was given %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// The position of a step in a list of move codes that begins with code 1 (or 0).
template <std::size_t kSize>
unsigned code_of(const std::array<int, kSize>& steps, int step) {
  const auto found = std::find(steps.begin(), steps.end(), step);
  if (found == steps.end()) fail("a move that has no code");
  return static_cast<unsigned>(found - steps.begin());
}

unsigned pawn_code(const Move& move, int step) {
  if (step == 16) return 15;
  const auto code = static_cast<unsigned>(step - 7);
  switch (move.promotion) {
    case PieceType::Queen:
      return code + 3;
    case PieceType::Rook:
      return code + 6;
    case PieceType::Bishop:
      return code + 9;
    case PieceType::Knight:
      return code + 12;
    default:
      return code;
  }
}

unsigned rook_code(const Move& move) {
  return static_cast<unsigned>(rank_of(move.to) == rank_of(move.from) ? file_of(move.to)
                                                                      : 8 + rank_of(move.to));
}

bool is_diagonal(const Move& move) {
  return file_of(move.to) != file_of(move.from) && rank_of(move.to) != rank_of(move.from);
}

unsigned move_code(const Move& move, Color us) {
  constexpr std::array<int, 9> kKing = {0, -9, -8, -7, -1, 1, 7, 8, 9};
  constexpr std::array<int, 9> kKnight = {0, -17, -15, -10, -6, 6, 10, 15, 17};
  const int step = move.to - move.from;
  switch (move.piece) {
    case PieceType::King:
      if (move.kind == MoveKind::Castling) return file_of(move.to) == 6 ? 10 : 9;
      return code_of(kKing, step);
    case PieceType::Knight:
      return code_of(kKnight, step);
    case PieceType::Rook:
      return rook_code(move);
    case PieceType::Queen:
      return is_diagonal(move) ? static_cast<unsigned>(file_of(move.from)) : rook_code(move);
    case PieceType::Bishop: {
      const bool rising = (step > 0) == (file_of(move.to) > file_of(move.from));
      return static_cast<unsigned>(file_of(move.to)) + (rising ? 0 : 8);
    }
    case PieceType::Pawn:
      return pawn_code(move, us == Color::White ? step : -step);
    default:
      return 0;
  }
}

}  // namespace

NumberedSquares NumberedSquares::standard() {
  NumberedSquares lists;
  for (const Color color : {Color::White, Color::Black}) {
    const int back = color == Color::White ? 0 : 7;
    for (const int file : {4, 0, 1, 2, 3, 5, 6, 7}) {
      lists.mine(color).push_back(make_square(file, back));
    }
    const int front = color == Color::White ? 1 : 6;
    for (int file = 0; file < 8; ++file) lists.mine(color).push_back(make_square(file, front));
  }
  return lists;
}

NumberedSquares NumberedSquares::from_board(const Position& position) {
  NumberedSquares lists;
  lists.homes_ = position.castling_homes();
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const Square square = make_square(file, rank);
      const codec::Piece piece = position.piece_at(square);
      if (piece.empty()) continue;
      std::vector<Square>& list = lists.mine(piece.color);
      list.push_back(square);
      if (piece.type == PieceType::King) std::swap(list.front(), list.back());
    }
  }
  return lists;
}

std::size_t NumberedSquares::number_on(Color color, Square square) const {
  const std::vector<Square>& list = of(color);
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), square) - list.begin());
}

void NumberedSquares::play(Color us, const Move& move) {
  if (move.kind == MoveKind::Null) return;
  if (move.captured != PieceType::None) {
    Square victim = move.to;
    if (move.kind == MoveKind::EnPassant) {
      victim = make_square(file_of(move.to), rank_of(move.from));
    }
    std::vector<Square>& theirs = mine(~us);
    theirs[number_on(~us, victim)] = theirs.back();
    theirs.pop_back();
  }
  Square& moved = mine(us)[number_on(us, move.from)];
  if (move.kind == MoveKind::Castling) {
    // King and rook may move to each other's square.
    const codec::RookMove rook = homes_.rook_move(us, move.to);
    mine(us)[number_on(us, rook.from)] = rook.to;
  }
  moved = move.to;
}

std::string encode_move(const Move& move, Color us, std::size_t number) {
  std::string bytes(1, static_cast<char>(number << 4 | move_code(move, us)));
  if (move.piece == PieceType::Queen && is_diagonal(move)) bytes += static_cast<char>(64 + move.to);
  return bytes;
}

ScidEncoder::ScidEncoder() : start_(1, '\0') { line_.squares = NumberedSquares::standard(); }

ScidEncoder::ScidEncoder(std::string_view fen, codec::CastlingRule rule) {
  const absl::StatusOr<Position> start = Position::from_fen(fen, rule);
  if (!start.ok()) fail("a bad FEN");
  line_.position = *start;
  line_.squares = NumberedSquares::from_board(*start);
  start_.assign(1, '\x01').append(fen).append(1, '\0');
}

ScidEncoder& ScidEncoder::tag(std::string_view name, std::string_view value) {
  const auto coded = std::find(kCodedTags.begin(), kCodedTags.end(), name);
  if (coded != kCodedTags.end()) {
    tags_ += static_cast<char>(241 + (coded - kCodedTags.begin()));
  } else {
    tags_.append(1, static_cast<char>(name.size())).append(name);
  }
  tags_.append(1, static_cast<char>(value.size())).append(value);
  return *this;
}

ScidEncoder& ScidEncoder::move(const Move& move) {
  const Color us = line_.position.side_to_move();
  // Mate is marked only at the end of a line.
  if (line_.has_move && tokens_[line_.last_token].text.ends_with('#')) {
    tokens_[line_.last_token].text.back() = '+';
  }
  line_.last_token = tokens_.size();
  tokens_.push_back({.kind = Kind::Move, .text = codec::to_san(line_.position, move)});
  const bool null = move.kind == MoveKind::Null;
  moves_ +=
      null ? std::string(1, '\0') : encode_move(move, us, line_.squares.number_on(us, move.from));
  if (move.promotion != PieceType::None && parents_.empty()) {
    start_[0] = static_cast<char>(start_[0] | 2 | (move.promotion != PieceType::Queen ? 4 : 0));
  }
  line_.before = line_.position;
  line_.squares_before = line_.squares;
  line_.position.make(move);
  line_.squares.play(us, move);
  line_.has_move = true;
  return *this;
}

ScidEncoder& ScidEncoder::move(std::string_view san) {
  const std::optional<Move> found = codec::parse_san(line_.position, san);
  if (!found.has_value()) fail(san);
  return move(*found);
}

ScidEncoder& ScidEncoder::moves(std::string_view sans) {
  std::istringstream words{std::string(sans)};
  for (std::string word; words >> word;) move(word);
  return *this;
}

ScidEncoder& ScidEncoder::nag(std::uint8_t value) {
  moves_.append(1, '\x0B').append(1, static_cast<char>(value));
  tokens_.push_back({.kind = Kind::Nag, .text = std::to_string(value)});
  return *this;
}

ScidEncoder& ScidEncoder::comment(std::string_view text) {
  moves_ += '\x0C';
  comments_.append(text).append(1, '\0');
  if (!text.empty()) tokens_.push_back({.kind = Kind::Comment, .text = std::string(text)});
  return *this;
}

ScidEncoder& ScidEncoder::begin_variation() {
  if (!line_.has_move) fail("a variation of no move");
  moves_ += '\x0D';
  tokens_.push_back({.kind = Kind::Open});
  parents_.push_back(line_);
  line_.position = line_.before;
  line_.squares = line_.squares_before;
  line_.has_move = false;
  return *this;
}

ScidEncoder& ScidEncoder::end_variation() {
  if (parents_.empty()) fail("the end of no variation");
  moves_ += '\x0E';
  tokens_.push_back({.kind = Kind::Close});
  line_ = parents_.back();
  parents_.pop_back();
  return *this;
}

std::string ScidEncoder::record() const {
  if (!parents_.empty()) fail("a variation without its end");
  return tags_ + '\0' + start_ + moves_ + '\x0F' + comments_;
}

}  // namespace scidfs::tests
