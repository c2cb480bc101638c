#include "fs/positions/met_targets.h"

#include <array>
#include <limits>

#include "codec/scid/main_line.h"

namespace scidfs::fs {
namespace {

using codec::Bitboard;
using codec::CastlingHomes;
using codec::Color;
using codec::Position;

// A right, and the squares of its king and its rook.
struct Right {
  constexpr Right(codec::CastlingRight castling, Color color, bool is_short)
      : right(castling),
        squares(codec::bit(CastlingHomes().king(color)) |
                codec::bit(CastlingHomes().rook(color, is_short))) {}

  std::uint8_t right;
  Bitboard squares;
};
constexpr std::array<Right, 4> kRights = {{
    {codec::kWhiteShort, Color::White, true},
    {codec::kWhiteLong, Color::White, false},
    {codec::kBlackShort, Color::Black, true},
    {codec::kBlackLong, Color::Black, false},
}};

// Returns the rights of a game from the standard position that has touched these squares.
std::uint8_t castling_after(Bitboard touched) {
  std::uint8_t rights = 0;
  for (const Right& right : kRights) {
    if ((touched & right.squares) == 0) rights |= right.right;
  }
  return rights;
}

}  // namespace

MetTargets::MetTargets(const Database& database, const TargetBoards& boards,
                       std::span<const codec::TargetPosition> targets)
    : database_(database), boards_(boards), targets_(targets) {
  rights_.reserve(targets.size());
  for (const codec::TargetPosition& target : targets) {
    const Position& position = target.position;
    rights_.push_back({.takeable = takeable_en_passant(position, position.en_passant()),
                       .castling = position.castling(),
                       .as_in_chess = position.castles_as_in_chess()});
  }
}

bool MetTargets::has_rights(const TargetHits::Hit& hit, std::uint32_t target) const {
  const Rights& wanted = rights_[target];
  // The board is that of the target, so a square where one can take is one there as well.
  const codec::Square takeable = hit.passed == wanted.takeable
                                     ? wanted.takeable
                                     : takeable_en_passant(targets_[target].position, hit.passed);
  return wanted.as_in_chess && wanted.castling == castling_after(hit.touched) &&
         wanted.takeable == takeable;
}

std::span<const MetTargets::Place> MetTargets::find(GameIndex game, codec::Bytes record,
                                                    const codec::scid::RecordHead& head,
                                                    const TargetHits& finder,
                                                    std::span<const TargetHits::Hit> hits) {
  places_.clear();
  if (!head.fen.has_value() && database_.sizes().is_whole(game)) {
    plies_ = std::numeric_limits<std::uint32_t>::max();
    for (const TargetHits::Hit& hit : hits) {
      boards_.for_each_target(hit.board, [&](std::uint32_t target) {
        places_.push_back({.hit = &hit, .target = target, .has_rights = has_rights(hit, target)});
      });
    }
    return places_;
  }
  auto hit = hits.begin();
  plies_ = walk_positions(
      walker_, record, finder.wanted_part(), head,
      [&](std::uint32_t ply, const Position& position) {
        if (hit == hits.end() || hit->ply != ply) return;
        boards_.for_each_target(hit->board, [&](std::uint32_t target) {
          const bool has_rights =
              position.has_same_castling(targets_[target].position) &&
              takeable_en_passant(position, position.en_passant()) == rights_[target].takeable;
          places_.push_back({.hit = &*hit, .target = target, .has_rights = has_rights});
        });
        ++hit;
      });
  return places_;
}

}  // namespace scidfs::fs
