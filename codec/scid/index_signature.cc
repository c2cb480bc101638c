#include "codec/scid/index_signature.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

#include "codec/bitboard.h"
#include "codec/scid/facts.h"
#include "codec/scid/line_moves.h"
#include "codec/scid/lines.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::uint64_t kBytes = 0x0101'0101'0101'0101;
constexpr std::uint64_t kLowHalves = 15 * kBytes;
constexpr std::uint64_t kAboveHalves = 16 * kBytes;
constexpr unsigned kHomeSquares = 16;

// The fields of IndexSignature::others that tests compare: of Black and then of White the pawns,
// knights, bishops, rooks and queens; then two of one bit.
constexpr unsigned kLineBits = 8;
constexpr unsigned kPawnBits = 4;
constexpr unsigned kPieceBits = 2;
constexpr unsigned kPieceFields = 4;  // of a side
constexpr unsigned kFields = 2 * (kPieceFields + 1) + 2;

// Returns how many bits a field has, without the free one above it.
constexpr unsigned bits_of(unsigned field) {
  if (field >= kFields - 2) return 1;
  return field % (kPieceFields + 1) == 0 ? kPawnBits : kPieceBits;
}

constexpr std::array<unsigned, kFields> kShifts = [] {
  std::array<unsigned, kFields> shifts{};
  unsigned shift = kLineBits;
  for (unsigned field = 0; field < kFields; ++field) {
    shifts[field] = shift;
    shift += bits_of(field) + 1;
  }
  return shifts;
}();
static_assert(kShifts[kPieceFields + 1] == 25 && kShifts[kFields - 2] == 42 &&
              kShifts.back() == 44);

// The two fields of one bit: whether a pawn is left that has not moved, and whether there is no
// promotion. A game in which one is set cannot come to a position in which it is clear.
constexpr std::uint64_t kHasHomePawn = std::uint64_t{1} << kShifts[kFields - 2];
constexpr std::uint64_t kNotPromoted = std::uint64_t{1} << kShifts[kFields - 1];

constexpr std::uint64_t kFree = [] {
  std::uint64_t bits = 0;
  for (unsigned field = 0; field < kFields; ++field) {
    bits |= std::uint64_t{1} << (kShifts[field] + bits_of(field));
  }
  return bits;
}();
constexpr std::uint64_t kUsed = [] {
  std::uint64_t bits = 0;
  for (unsigned field = 0; field < kFields; ++field) {
    bits |= ((std::uint64_t{1} << bits_of(field)) - 1) << kShifts[field];
  }
  return bits;
}();

// Spreads the fields of IndexEntry::material. Omits those of pieces if not `with_pieces`.
constexpr std::uint64_t spread(std::uint32_t material, bool with_pieces) {
  std::uint64_t fields = 0;
  for (unsigned field = 0; field < kFields - 2; ++field) {
    const unsigned bits = bits_of(field);
    const std::uint64_t count = material & ((1U << bits) - 1);
    if (with_pieces || bits == kPawnBits) fields |= count << kShifts[field];
    material >>= bits;
  }
  return fields;
}

constexpr unsigned kTopBit = 63;

// The top bits of up to 64 numbers, with that of the first lowest.
class TopBits {
 public:
  void add(std::uint64_t number) {
    bits_ = bits_ >> 1 | (number >> kTopBit << kTopBit);
    ++count_;
  }
  std::uint64_t bits() const { return count_ == 0 ? 0 : bits_ >> (kTopBit + 1 - count_); }

 private:
  std::uint64_t bits_ = 0;
  unsigned count_ = 0;
};

std::size_t count(const Position& position, Color color, PieceType type) {
  return static_cast<std::size_t>(std::popcount(position.pieces(color, type)));
}

bool has_promoted(const Position& position) {
  const Position start;
  for (const Color color : {Color::White, Color::Black}) {
    for (const PieceType type :
         {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
      if (count(position, color, type) > count(start, color, type)) return true;
    }
  }
  return false;
}

// Returns whether pawns and men of `from` are enough for `to`; promotions may add pieces.
bool may_lead(const Position& from, const Position& to) {
  if ((home_pawns_of(to) & ~home_pawns_of(from)) != 0) return false;
  return std::ranges::all_of(std::array{Color::White, Color::Black}, [&](Color color) {
    return count(from, color, PieceType::Pawn) >= count(to, color, PieceType::Pawn) &&
           std::popcount(from.pieces(color)) >= std::popcount(to.pieces(color));
  });
}

}  // namespace

IndexSignature make_signature(const HomePawnOrder& order, std::uint32_t material, bool promotion,
                              unsigned stored_line) {
  return {.home_pawns = order.ranks(),
          .others = stored_line | spread(material, !promotion) |
                    (order.count() < kHomeSquares ? kHasHomePawn : 0) |
                    (promotion ? 0 : kNotPromoted)};
}

IndexSignature signature_of(const IndexEntry& entry) {
  if (entry.has(kFlagStart)) return kNoSignature;
  HomePawnOrder order;
  for (std::size_t i = 0; i < entry.home_pawn_count; ++i) {
    if (!order.add(home_pawn_item(entry, i))) return kNoSignature;
  }
  const unsigned line = entry.stored_line <= kStoredLines ? entry.stored_line : 0;
  return make_signature(order, entry.material, entry.has(kFlagPromotion), line);
}

void SignatureFilter::set_home(Bitboard home, Test& test) {
  unsigned left = kHomeSquares;
  for (Bitboard rest = home; rest != 0; rest &= rest - 1) {
    const unsigned item = home_pawn_item(first_square(rest));
    test.at_home[item % 2] |= std::uint64_t{kHomeSquares} << item / 2 * 8;
    --left;
  }
  test.rank_limit = (kHomeSquares - left) * kBytes;
  test.most |= left < kHomeSquares ? kHasHomePawn : 0;
}

SignatureFilter::Test SignatureFilter::test_of(const Position& position) {
  Test test{.most = kFree | spread(material_of(position), true) |
                    (has_promoted(position) ? 0 : kNotPromoted)};
  set_home(home_pawns_of(position), test);
  return test;
}

SignatureFilter SignatureFilter::for_position(const TargetPosition& target) {
  SignatureFilter filter;
  filter.tests_.push_back(test_of(target.position));
  for (unsigned code = 0; code < kLineCodes; ++code) {
    const std::span<const Move> line = stored_line_moves(code);
    Position position;
    std::size_t ply = 0;
    while (ply < line.size() && !target.is_met_by(position)) position.make(line[ply++]);
    if (target.is_met_by(position)) {
      Reached reached{.ply = static_cast<std::uint32_t>(ply), .next = {}};
      if (ply < line.size()) reached.next = line[ply];
      filter.judge_line(code, Verdict::Surely, reached);
    } else if (!may_lead(position, target.position)) {
      filter.judge_line(code, Verdict::Never);
    }
  }
  return filter;
}

SignatureFilter SignatureFilter::for_line(std::span<const Move> moves) {
  constexpr auto kIsSame = [](const Move& a, const Move& b) {
    return a.from == b.from && a.to == b.to;
  };
  SignatureFilter filter;
  Position position;
  for (const Move& move : moves) position.make(move);
  filter.tests_.push_back(test_of(position));
  for (unsigned code = 0; code < kLineCodes; ++code) {
    const std::span<const Move> line = stored_line_moves(code);
    const std::size_t common = std::min(line.size(), moves.size());
    if (!std::ranges::equal(line.first(common), moves.first(common), kIsSame)) {
      filter.judge_line(code, Verdict::Never);
    } else if (common == moves.size()) {
      Reached reached{.ply = static_cast<std::uint32_t>(common), .next = {}};
      if (common < line.size()) reached.next = line[common];
      filter.judge_line(code, Verdict::Surely, reached);
    }
  }
  return filter;
}

SignatureFilter SignatureFilter::for_material(std::span<const MaterialBound> bounds) {
  SignatureFilter filter;
  for (const MaterialBound& bound : bounds) {
    filter.tests_.push_back({.rank_limit = kAboveHalves,
                             .at_home = {kAboveHalves, kAboveHalves},
                             .most = kFree | spread(bound.most, true) | kHasHomePawn |
                                     (bound.is_promoted ? 0 : kNotPromoted)});
  }
  return filter;
}

SignatureFilter SignatureFilter::for_pawns(const std::array<std::optional<Bitboard>, 2>& pawns) {
  constexpr std::array<unsigned, 2> kPawnShifts = {12, 0};  // in IndexEntry::material
  constexpr std::uint32_t kMostPawns = (1U << kPawnBits) - 1;
  std::uint32_t most = MaterialBound{}.most;
  for (std::size_t side = 0; side < pawns.size(); ++side) {
    if (!pawns[side].has_value()) continue;
    const auto count = static_cast<std::uint32_t>(std::popcount(*pawns[side]));
    most &= ~(kMostPawns << kPawnShifts[side]) | std::min(count, kMostPawns) << kPawnShifts[side];
  }
  Test test{.rank_limit = kAboveHalves,
            .at_home = {kAboveHalves, kAboveHalves},
            .most = kFree | spread(most, true) | kNotPromoted};
  if (pawns[0].has_value() && pawns[1].has_value()) {
    test.at_home = {};
    set_home(home_pawns_of(*pawns[0], *pawns[1]), test);
  } else {
    test.most |= kHasHomePawn;
  }
  SignatureFilter filter;
  filter.tests_.push_back(test);
  return filter;
}

// Returns the games that pass a test. In the sum of a rank and the limit, the bit above is set if
// the pawn was at home when as many pawns had left as in the target. In the difference of the
// fields, the bit above is clear if the game has more at its end.
std::uint64_t SignatureFilter::possible(const Test& test, std::span<const IndexSignature> games) {
  TopBits possible;
  for (const auto& [home, others] : games) {
    const std::uint64_t lower = (home & kLowHalves) + test.rank_limit;
    const std::uint64_t upper = (home >> 4 & kLowHalves) + test.rank_limit;
    const std::uint64_t differ =
        (((lower ^ test.at_home[0]) | (upper ^ test.at_home[1])) & kAboveHalves) |
        (~(test.most - (others & kUsed)) & kFree);
    possible.add(differ - 1);  // of all numbers only 0 gives this top bit
  }
  return possible.bits();
}

Judged SignatureFilter::judge(std::span<const IndexSignature> games) const {
  assert(games.size() <= 64);
  std::uint64_t is_possible = 0;
  for (const Test& test : tests_) is_possible |= possible(test, games);
  TopBits unknown;
  TopBits maybe;
  TopBits surely;
  for (const IndexSignature& marks : games) {
    const Verdict verdict = verdicts_[marks.stored_line()];
    unknown.add(marks.others);
    maybe.add(static_cast<std::uint64_t>(verdict) << kTopBit);
    surely.add(static_cast<std::uint64_t>(verdict) << (kTopBit - 1));
  }
  return {.maybe = (maybe.bits() & is_possible) | unknown.bits(),
          .surely = surely.bits() & ~unknown.bits()};
}

}  // namespace scidfs::codec::scid
