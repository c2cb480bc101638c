#include "codec/scid/pattern_seek.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>

namespace scidfs::codec::scid {
namespace {

constexpr std::array kColors = {Color::White, Color::Black};

constexpr SquareKind any_of(Color color) { return color == Color::White ? kAnyWhite : kAnyBlack; }

SquaresByKind squares_of(const Position& position) {
  SquaresByKind squares{};
  for (const Color color : kColors) {
    for (std::size_t type = 0; type < kPieceTypes; ++type) {
      const auto piece = static_cast<PieceType>(type);
      squares[kind_of(color, piece)] = position.pieces(color, piece);
    }
    squares[any_of(color)] = position.pieces(color);
  }
  squares[kEmptySquare] = ~(squares[kAnyWhite] | squares[kAnyBlack]);
  return squares;
}

std::size_t count(Bitboard squares) { return static_cast<std::size_t>(std::popcount(squares)); }

// Counts the positions on end that a pattern is true of.
class Run {
 public:
  explicit Run(std::uint32_t wanted) : wanted_(wanted) {}

  // Adds the next position. Returns whether there are enough.
  bool add(bool is_met) {
    ++positions_;
    length_ = is_met ? length_ + 1 : 0;
    return length_ >= wanted_;
  }
  // Returns the ply of the first position of the run. REQUIRES: there is one.
  std::uint32_t first() const {
    assert(length_ != 0);
    return positions_ - length_;
  }

 private:
  const std::uint32_t wanted_;
  std::uint32_t positions_ = 0;
  std::uint32_t length_ = 0;
};

// A visitor of a replay.
class PatternScan {
 public:
  PatternScan(const PatternTest& test, const Position& start)
      : test_(test),
        run_(test.positions()),
        squares_(squares_of(start)),
        is_met_(test.is_met(squares_)) {}

  bool is_found() const { return is_found_; }
  // Returns the place after the move to the last position of the run; null if that is the start.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard, Color) {
    is_found_ = run_.add(is_met_);
    return !is_found_ && (is_met_ || test_.may_come(squares_));
  }
  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move& move, const std::uint8_t* next) {
    const Bitboard changed = follow<kUs>(after, move);
    if ((changed & test_.watched()) != 0) is_met_ = look(after);
    if (run_.add(is_met_)) [[unlikely]] {
      is_found_ = true;
      end_ = next;
      return false;
    }
    const bool is_final = move.captured != PieceType::None || move.promotion != PieceType::None;
    return !is_final || is_met_ || test_.may_come(squares_);
  }

 private:
  // Makes a move on the squares of the men. Returns the squares that it changes.
  template <Color kUs>
  [[gnu::always_inline]] Bitboard follow(ReplayBoard after, const Move& move) {
    constexpr std::size_t kOurs = kind_of(kUs, PieceType::King);
    constexpr std::size_t kTheirs = kind_of(~kUs, PieceType::King);
    if (move.kind >= MoveKind::Castling) [[unlikely]]
      return castle<kUs>(after, move);
    const PieceType placed = move.promotion == PieceType::None ? move.piece : move.promotion;
    squares_[kOurs + static_cast<std::size_t>(move.piece)] &= ~bit(move.from);
    squares_[kOurs + static_cast<std::size_t>(placed)] |= bit(move.to);
    Bitboard changed = bit(move.from) | bit(move.to);
    if (move.captured != PieceType::None) {
      const Bitboard victim = bit(victim_of(move, kUs));
      squares_[kTheirs + static_cast<std::size_t>(move.captured)] &= ~victim;
      changed |= victim;
    }
    return changed;
  }
  template <Color kUs>
  Bitboard castle(ReplayBoard after, const Move& move) {
    if (move.kind == MoveKind::Null) return 0;
    const RookMove rook = after.lists().castling_homes().rook_move(kUs, move.to);
    squares_[kind_of(kUs, PieceType::King)] = bit(move.to);
    Bitboard& rooks = squares_[kind_of(kUs, PieceType::Rook)];
    rooks = (rooks & ~bit(rook.from)) | bit(rook.to);
    return bit(move.from) | bit(move.to) | bit(rook.from) | bit(rook.to);
  }
  [[gnu::noinline]] bool look(ReplayBoard after) {
    for (const Color color : kColors) squares_[any_of(color)] = after.occupied(color);
    squares_[kEmptySquare] = ~(squares_[kAnyWhite] | squares_[kAnyBlack]);
    return test_.is_met(squares_);
  }

  const PatternTest& test_;
  Run run_;
  SquaresByKind squares_;
  bool is_met_;
  bool is_found_ = false;
  const std::uint8_t* end_ = nullptr;
};

// A visitor of a walk along the main line.
class PatternLook {
 public:
  explicit PatternLook(const PatternTest& test) : test_(test), run_(test.positions()) {}

  const std::optional<std::uint32_t>& first() const { return first_; }

  void start(const Position& position) { look(position); }
  void move(const Position& after, const Move&) { look(after); }

 private:
  void look(const Position& position) {
    if (first_.has_value()) return;
    if (run_.add(test_.is_met(squares_of(position)))) first_ = run_.first();
  }

  const PatternTest& test_;
  Run run_;
  std::optional<std::uint32_t> first_;
};

}  // namespace

PatternTest::PatternTest(BoardPattern pattern) : pattern_(std::move(pattern)) {
  for (const BoardPattern::Rule& rule : pattern_.rules) watched_ |= rule.squares;
  // Pawns elsewhere would be too many.
  for (const auto& pawns : pattern_.pawns) watched_ |= pawns.has_value() ? ~Bitboard{0} : 0;
}

bool PatternTest::is_met(const SquaresByKind& squares) const {
  for (const Color color : kColors) {
    const std::optional<Bitboard>& pawns = pattern_.pawns[static_cast<std::size_t>(color)];
    if (pawns.has_value() && squares[kind_of(color, PieceType::Pawn)] != *pawns) return false;
  }
  return std::ranges::all_of(pattern_.rules, [&](const BoardPattern::Rule& rule) {
    const Bitboard found = squares[rule.kind] & rule.squares;
    return rule.least == 1 ? found != 0 : count(found) >= rule.least;
  });
}

bool PatternTest::may_come(const SquaresByKind& squares) const {
  for (const Color color : kColors) {
    const std::optional<Bitboard>& pawns = pattern_.pawns[static_cast<std::size_t>(color)];
    const Bitboard left = squares[kind_of(color, PieceType::Pawn)];
    if (pawns.has_value() && count(left) < count(*pawns)) return false;
  }
  return std::ranges::all_of(pattern_.rules, [&](const BoardPattern::Rule& rule) {
    if (rule.kind >= kAnyWhite) return true;
    const auto color = static_cast<Color>(rule.kind / kPieceTypes);
    const SquareKind pawn = kind_of(color, PieceType::Pawn);
    const std::size_t of_kind = count(squares[rule.kind]);
    return of_kind + (rule.kind == pawn ? 0 : count(squares[pawn])) >= rule.least;
  });
}

PatternSeeker::PatternSeeker(BoardPattern pattern, CastlingRule rule)
    : test_(std::move(pattern)), reader_(rule) {}

std::optional<std::uint32_t> PatternSeeker::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  PatternScan scan(test_, reader_.start());
  reader_.replay(scan);
  if (!scan.is_found()) return std::nullopt;
  PatternLook look(test_);
  reader_.walk_to(scan.end() == nullptr ? reader_.moves() : scan.end(), look);
  return look.first();
}

}  // namespace scidfs::codec::scid
