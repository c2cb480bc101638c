#include "fs/positions/move_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codec/movegen.h"
#include "codec/san.h"
#include "fs/base/varint.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Move;

constexpr std::size_t kMoveBytes = 6;

// Returns nothing if no move has these bytes.
std::optional<Move> read_move(std::span<const std::uint8_t, kMoveBytes> bytes) {
  const auto none = static_cast<std::uint8_t>(codec::PieceType::None);
  const bool is_move = bytes[0] < codec::kNoSquare && bytes[1] < codec::kNoSquare &&
                       bytes[2] <= none && bytes[3] <= none && bytes[4] <= none &&
                       bytes[5] <= static_cast<std::uint8_t>(codec::MoveKind::Null);
  if (!is_move) return std::nullopt;
  return Move{.from = bytes[0],
              .to = bytes[1],
              .piece = static_cast<codec::PieceType>(bytes[2]),
              .captured = static_cast<codec::PieceType>(bytes[3]),
              .promotion = static_cast<codec::PieceType>(bytes[4]),
              .kind = static_cast<codec::MoveKind>(bytes[5])};
}

// Returns whether a move takes en passant if a pawn has just moved two squares: where rights do not
// count, the position does not say so.
bool takes_en_passant(const codec::Position& position, const Move& move) {
  if (move.kind != codec::MoveKind::EnPassant) return false;
  const Color us = position.side_to_move();
  const codec::Square victim = codec::en_passant_victim(move.to, us);
  using codec::Piece;
  using codec::PieceType;
  return move.piece == PieceType::Pawn && move.captured == PieceType::Pawn &&
         move.promotion == PieceType::None && victim < codec::kNoSquare &&
         position.piece_at(move.from) == Piece(PieceType::Pawn, us) &&
         position.piece_at(victim) == Piece(PieceType::Pawn, ~us) &&
         position.piece_at(move.to).empty() &&
         (codec::pawn_attacks(us, move.from) & codec::bit(move.to)) != 0;
}

void write_score(const MoveScore& score, std::vector<std::uint8_t>& out) {
  for (const std::uint32_t games : score.score.games) add_varint(games, out);
  for (const Average& average : {score.elo, score.against}) {
    add_varint(average.sum, out);
    add_varint(average.count, out);
  }
  add_varint(score.first_year, out);
  add_varint(score.last_year, out);
  add_varint(score.last_decided.game, out);
}

MoveScore read_score(VarintReader& in) {
  MoveScore score;
  for (std::uint32_t& games : score.score.games) games = static_cast<std::uint32_t>(in.next());
  for (Average* const average : {&score.elo, &score.against}) {
    average->sum = in.next();
    average->count = in.next();
  }
  score.first_year = static_cast<std::uint16_t>(in.next());
  score.last_year = static_cast<std::uint16_t>(in.next());
  score.last_decided.game = static_cast<GameIndex>(in.next());
  return score;
}

MoveTable::Eco range_of(const EcoCounts& counts) {
  constexpr std::uint64_t kOneIn = 100;
  std::uint64_t all = 0;
  std::uint32_t greatest = 0;
  MoveTable::Eco eco;
  counts.for_each([&](unsigned base, std::uint32_t games) {
    all += games;
    if (games < greatest || (games == greatest && base > eco.most)) return;
    greatest = games;
    eco.most = base;
  });
  eco.lowest = eco.highest = eco.most;
  counts.for_each([&](unsigned base, std::uint32_t games) {
    if (games * kOneIn < all) return;
    eco.lowest = std::min(eco.lowest, base);
    eco.highest = std::max(eco.highest, base);
  });
  return eco;
}

}  // namespace

std::string san_without_marks(const codec::Position& position, const Move& move) {
  std::string san = codec::to_san(position, move);
  san.resize(san.find_last_not_of("+#") + 1);
  return san;
}

void MoveScore::add_year(std::uint32_t year) {
  if (year == 0) return;
  const auto added = static_cast<std::uint16_t>(year);
  first_year = first_year == 0 ? added : std::min(first_year, added);
  last_year = std::max(last_year, added);
}

MoveScore& MoveScore::operator+=(const MoveScore& other) {
  score += other.score;
  elo += other.elo;
  against += other.against;
  add_year(other.first_year);
  add_year(other.last_year);
  last_decided = std::max(last_decided, other.last_decided);
  return *this;
}

std::size_t MoveTable::memory() const {
  std::size_t texts = 0;
  for (const PlayedMove& move : moves_) {
    // The string object itself holds short texts.
    if (move.san.capacity() > std::string().capacity()) texts += move.san.capacity() + 1;
  }
  return sizeof *this + moves_.capacity() * sizeof(PlayedMove) + texts;
}

MoveScore& MoveTally::row_of(const Move& move) {
  const MoveNumber number = number_of(move);
  const auto found = std::ranges::find(numbers_, number);
  auto place = static_cast<std::size_t>(found - numbers_.begin());
  if (found == numbers_.end()) {
    numbers_.push_back(number);
    rows_.push_back({.move = move, .games = {}});
  } else if (place != 0 && rows_[place].games.score.all() > rows_[place - 1].games.score.all()) {
    std::swap(numbers_[place], numbers_[place - 1]);
    std::swap(rows_[place], rows_[place - 1]);
    --place;
  }
  return rows_[place].games;
}

void MoveTally::add(const Game& game, const std::optional<Move>& next, Color side_to_move) {
  MoveScore& games = next.has_value() ? row_of(*next) : ended_;
  games.score.add(outcome_of(game.result, Color::White));
  games.elo.add(game.elo[static_cast<std::size_t>(side_to_move)]);
  games.against.add(game.elo[static_cast<std::size_t>(~side_to_move)]);
  games.add_year(game.year);
  if (game.result != codec::Result::Unknown) {
    games.last_decided = std::max(games.last_decided, game.place);
  }
  if (const unsigned base = codec::eco_base(game.eco); base != codec::kEcoBases) eco_.add(base);
}

void MoveTally::add_part(const MoveTally& other, std::uint32_t part) {
  MoveTally of_part = other;
  const auto place = [part](MoveScore& games) {
    if (games.score.decided() != 0) games.last_decided.part = part;
  };
  for (Row& row : of_part.rows_) place(row.games);
  place(of_part.ended_);
  *this += of_part;
}

MoveTally& MoveTally::operator+=(const MoveTally& other) {
  for (const Row& row : other.rows_) row_of(row.move) += row.games;
  ended_ += other.ended_;
  eco_ += other.eco_;
  return *this;
}

void MoveTally::write(std::vector<std::uint8_t>& out) const {
  add_varint(rows_.size(), out);
  for (const Row& row : rows_) {
    const std::array<std::uint8_t, kMoveBytes> move = {
        row.move.from,
        row.move.to,
        static_cast<std::uint8_t>(row.move.piece),
        static_cast<std::uint8_t>(row.move.captured),
        static_cast<std::uint8_t>(row.move.promotion),
        static_cast<std::uint8_t>(row.move.kind)};
    out.insert(out.end(), move.begin(), move.end());
    write_score(row.games, out);
  }
  write_score(ended_, out);
  std::vector<std::uint8_t> codes;
  std::uint64_t count = 0;
  eco_.for_each([&](unsigned base, std::uint32_t games) {
    add_varint(base, codes);
    add_varint(games, codes);
    ++count;
  });
  add_varint(count, out);
  out.insert(out.end(), codes.begin(), codes.end());
}

std::optional<MoveTally> MoveTally::read(codec::Bytes bytes, GameIndex games,
                                         const codec::Position& position) {
  const codec::MoveList legal = codec::legal_moves(position);
  MoveTally tally;
  VarintReader in(bytes);
  for (std::uint64_t rows = in.next(); rows != 0; --rows) {
    if (in.rest().size() < kMoveBytes) return std::nullopt;
    const std::optional<Move> move = read_move(in.rest().first<kMoveBytes>());
    if (!move.has_value()) return std::nullopt;
    const bool is_possible = move->kind == codec::MoveKind::Null ||
                             std::ranges::find(legal, *move) != legal.end() ||
                             takes_en_passant(position, *move);
    if (!is_possible) return std::nullopt;
    in = VarintReader(in.rest().subspan(kMoveBytes));
    const MoveScore score = read_score(in);
    if (score.last_decided.game >= games) return std::nullopt;
    tally.row_of(*move) += score;
  }
  tally.ended_ = read_score(in);
  for (std::uint64_t codes = in.next(); codes != 0 && !in.has_failed(); --codes) {
    const std::uint64_t base = in.next();
    const std::uint64_t with_code = in.next();
    if (base >= codec::kEcoBases) return std::nullopt;
    tally.eco_.add(static_cast<unsigned>(base), static_cast<std::uint32_t>(with_code));
  }
  if (in.has_failed() || !in.rest().empty()) return std::nullopt;
  return tally;
}

std::size_t MoveTally::memory() const {
  return sizeof *this + numbers_.capacity() * sizeof(MoveNumber) + rows_.capacity() * sizeof(Row) +
         eco_.memory();
}

MoveScore MoveTally::all() const {
  MoveScore all = ended_;
  for (const Row& row : rows_) all += row.games;
  return all;
}

MoveTable MoveTally::table(const codec::Position& position) && {
  std::vector<PlayedMove> moves;
  moves.reserve(rows_.size());
  for (const Row& row : rows_) {
    moves.push_back(
        {.move = row.move, .san = san_without_marks(position, row.move), .games = row.games});
  }
  std::ranges::sort(moves, [](const PlayedMove& a, const PlayedMove& b) {
    return std::tuple(b.games.score.all(), std::string_view(a.san), number_of(a.move)) <
           std::tuple(a.games.score.all(), std::string_view(b.san), number_of(b.move));
  });
  return {std::move(moves), all(), range_of(eco_)};
}

}  // namespace scidfs::fs
