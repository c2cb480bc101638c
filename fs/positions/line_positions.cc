#include "fs/positions/line_positions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace scidfs::fs {

using codec::TargetPosition;

std::uint32_t LinePositions::number_of(const TargetPosition& target) {
  const auto [place, is_new] = numbers_.try_emplace(codec::position_name(target),
                                                    static_cast<std::uint32_t>(positions_.size()));
  if (is_new) positions_.push_back({.target = target});
  return place->second;
}

void LinePositions::add(std::uint32_t number, const LineTally& tally) {
  Position& position = positions_[number];
  position.tally += tally;
  position.is_counted = true;
  position.is_sorted = false;
}

std::span<const LinePositions::Move> LinePositions::moves(std::uint32_t number) {
  Position& position = positions_[number];
  if (position.is_sorted) return position.moves;
  position.is_sorted = true;
  position.moves.clear();
  for (const auto& [move, score] : position.tally.rows()) {
    if (score.all() < fewest_ || move.kind == codec::MoveKind::Null) continue;
    std::string san = san_without_marks(position.target.position, move);
    // Games may contain invalid moves.
    const std::optional<codec::Move> named = position.target.parse_move(san);
    if (!named.has_value() || fs::number_of(*named) != fs::number_of(move)) continue;
    position.moves.push_back({.move = *named, .san = std::move(san), .score = score});
  }
  std::ranges::sort(position.moves, [](const Move& a, const Move& b) {
    return std::tuple(b.score.all(), std::string_view(a.san)) <
           std::tuple(a.score.all(), std::string_view(b.san));
  });
  position.after.assign(position.moves.size(), kNone);
  return position.moves;
}

std::uint32_t LinePositions::after(std::uint32_t number, std::size_t move) {
  if (positions_[number].after[move] == kNone) {
    const Position& position = positions_[number];
    const std::uint32_t next = number_of(position.target.after(position.moves[move].move));
    positions_[number].after[move] = next;
  }
  return positions_[number].after[move];
}

}  // namespace scidfs::fs
