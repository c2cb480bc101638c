#include <bit>

#include "codec/scid/seek.h"

namespace scidfs::codec::scid {
namespace {

template <class Test>
class CountsScan {
 public:
  CountsScan(const Test& test, const Position& start) : test_(test), counts_(start) {}

  // Returns the place after the move between the two positions; null if they have not been found.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard board, Color) {
    is_met_ = test_.is_met(counts_, board);
    return goes_on();
  }
  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move& move, const std::uint8_t* next) {
    const bool was_met = is_met_;
    if (counts_.follow(kUs, move)) {
      is_met_ = test_.is_met(counts_, after);
      if (!goes_on()) return false;
    }
    if (!was_met || !is_met_) [[likely]]
      return true;
    end_ = next;
    return false;
  }

 private:
  // Returns whether the game has come to the target or may still come to it.
  bool goes_on() const { return is_met_ || test_.may_come(counts_); }

  const Test test_;
  MaterialCounts counts_;
  bool is_met_ = false;
  const std::uint8_t* end_ = nullptr;
};

template <class Test>
class CountsLook {
 public:
  explicit CountsLook(const Test& test) : test_(test) {}

  // Returns the ply of the first of the two positions.
  const std::optional<std::uint32_t>& first() const { return first_; }

  void start(const Position& position) { is_met_ = is_met_by(position); }
  void move(const Position& after, const Move&) {
    const bool was_met = is_met_;
    is_met_ = is_met_by(after);
    if (!first_.has_value() && was_met && is_met_) first_ = plies_;
    ++plies_;
  }

 private:
  bool is_met_by(const Position& position) const {
    return test_.is_met(MaterialCounts(position), position);
  }

  const Test& test_;
  bool is_met_ = false;
  std::uint32_t plies_ = 0;
  std::optional<std::uint32_t> first_;
};

PieceCounts pack(const std::array<std::uint8_t, MaterialTarget::kKinds>& numbers) {
  PieceCounts counts = 0;
  for (std::size_t kind = 0; kind < numbers.size(); ++kind) {
    counts += numbers[kind] * kOnePiece[kind + 1];
  }
  return counts;
}

}  // namespace

PieceCounts count_pieces(const Position& position, Color color) {
  PieceCounts counts = 0;
  for (std::size_t kind = 1; kind < kPieceTypes; ++kind) {
    const Bitboard pieces = position.pieces(color, static_cast<PieceType>(kind));
    counts += static_cast<PieceCounts>(std::popcount(pieces)) * kOnePiece[kind];
  }
  return counts;
}

MaterialTest::MaterialTest(const MaterialTarget& target) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    sides_[i] = {.least = pack(target.sides[i].least), .most = pack(target.sides[i].most)};
  }
}

template <class Test>
CountsSeeker<Test>::CountsSeeker(const typename Test::Target& target, CastlingRule rule)
    : test_(target), reader_(rule) {}

template <class Test>
std::optional<std::uint32_t> CountsSeeker<Test>::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  CountsScan scan(test_, reader_.start());
  reader_.replay(scan);
  if (scan.end() == nullptr) return std::nullopt;
  CountsLook look(test_);
  reader_.walk_to(scan.end(), look);
  return look.first();
}

template class CountsSeeker<MaterialTest>;
template class CountsSeeker<BalanceTest>;
template class CountsSeeker<BishopsTest>;

}  // namespace scidfs::codec::scid
