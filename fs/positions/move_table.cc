#include "fs/positions/move_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codec/san.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Move;

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

std::size_t MoveTally::memory() const {
  return sizeof *this + numbers_.capacity() * sizeof(MoveNumber) + rows_.capacity() * sizeof(Row) +
         eco_.memory();
}

MoveTable MoveTally::table(const codec::Position& position) && {
  std::vector<PlayedMove> moves;
  moves.reserve(rows_.size());
  MoveScore all = ended_;
  for (const Row& row : rows_) {
    moves.push_back(
        {.move = row.move, .san = san_without_marks(position, row.move), .games = row.games});
    all += row.games;
  }
  std::ranges::sort(moves, [](const PlayedMove& a, const PlayedMove& b) {
    return std::tuple(b.games.score.all(), std::string_view(a.san), number_of(a.move)) <
           std::tuple(a.games.score.all(), std::string_view(b.san), number_of(b.move));
  });
  return {std::move(moves), all, range_of(eco_)};
}

}  // namespace scidfs::fs
