#include "tests/bench/own_lines.h"

#include <algorithm>

#include "codec/movegen.h"
#include "codec/scid/main_line.h"
#include "tests/support/random_game.h"

namespace scidfs::bench {
namespace {

// Collects the main line of a game.
struct MainLineMoves {
  void start(const codec::Position& position) { positions.push_back(position); }
  void move(const codec::Position& after, const codec::Move& move) {
    positions.push_back(after);
    moves.push_back(move);
  }

  std::vector<codec::Position>& positions;
  std::vector<codec::Move>& moves;
};

}  // namespace

OwnGame OwnLines::make(codec::Bytes record, const codec::scid::RecordHead& head,
                       const std::vector<codec::scid::ExtraTag>& tags, std::uint64_t number) {
  positions_.clear();
  moves_.clear();
  MainLineMoves line{.positions = positions_, .moves = moves_};
  walk_main_line(walker_, record, record, head, line);
  tests::Random random(number);
  const std::size_t kept =
      std::min<std::size_t>(kFirstOwn + random.below(kLastOwn + 1 - kFirstOwn),
                            moves_.size() - std::min<std::size_t>(moves_.size(), kLeastOwn));
  encoder_.begin();
  for (const codec::scid::ExtraTag& tag : tags) encoder_.tag(tag.name, codec::as_text(tag.value));
  encoder_.start(positions_.front(), true);
  for (std::size_t ply = 0; ply < kept; ++ply) encoder_.move(moves_[ply], positions_[ply + 1]);
  codec::Position position = positions_[kept];
  for (std::size_t ply = kept; ply < moves_.size(); ++ply) {
    const codec::MoveList moves = codec::legal_moves(position);
    if (moves.empty()) break;
    const codec::Move move = moves.begin()[random.below(moves.size())];
    position.make(move);
    encoder_.move(move, position);
  }
  const codec::Bytes made = encoder_.end();
  return {.record = made, .facts = encoder_.facts()};
}

}  // namespace scidfs::bench
