#include "codec/scid/ending_seek.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "codec/scid/bishops.h"
#include "codec/scid/main_line.h"
#include "codec/scid/material_test.h"

namespace scidfs::codec::scid {
namespace {

// A number for at most two pieces: two bits each for queens, rooks, bishops and knights, from the
// lowest on. kMorePieces: there are more.
constexpr std::size_t kPieceCodes = 256;
constexpr std::size_t kMorePieces = kPieceCodes - 1;

constexpr std::size_t piece_code(PieceCounts counts) {
  constexpr PieceCounts kPieces = 0xFF'FF'FF'FF;
  constexpr PieceCounts kOnes = 0x01'01'01'01;
  constexpr unsigned kSum = 24;  // the lowest bit of the sum of four bytes
  const PieceCounts pieces = counts & kPieces;
  if ((pieces * kOnes >> kSum & 0xFF) > 2) return kMorePieces;
  return static_cast<std::size_t>((pieces | pieces >> 6 | pieces >> 12 | pieces >> 18) & 0xFF);
}

constexpr PieceCounts count_letters(std::string_view pieces) {
  constexpr std::string_view kByType = "QRBN";  // from Queen on
  PieceCounts counts = 0;
  for (const char letter : pieces) counts += kOnePiece[kByType.find(letter) + 1];
  return counts;
}

// The classes by what positions have. So small that it stays in the cache.
struct EndingTable {
  static constexpr std::size_t kSides = 15;
  // The classes with the same pieces, without pawns and with them: with bishops of one color and of
  // opposite ones.
  using ByPawns = std::array<std::array<EndingNumber, 2>, 2>;

  std::array<std::uint8_t, kPieceCodes> sides{};  // by piece_code(); 0: of no class
  std::array<std::array<ByPawns, kSides>, kSides> endings{};
};

constexpr EndingTable kTable = [] {
  EndingTable table;
  for (auto& of_one : table.endings) {
    for (EndingTable::ByPawns& of_both : of_one) {
      for (auto& by_bishops : of_both) by_bishops.fill(kNoEnding);
    }
  }
  std::uint8_t sides = 0;
  for (std::size_t ending = 0; ending < kEndings; ++ending) {
    const EndingClass& row = kEndingClasses[ending];
    std::array<std::size_t, 2> of_row{};
    for (std::size_t i = 0; i < of_row.size(); ++i) {
      std::uint8_t& side = table.sides[piece_code(count_letters(row.pieces[i]))];
      if (side == 0) side = ++sides;
      of_row[i] = side;
    }
    for (std::size_t are_opposite = 0; are_opposite < 2; ++are_opposite) {
      const auto others = are_opposite != 0 ? EndingClass::Bishops::OfOneColor
                                            : EndingClass::Bishops::OfOppositeColors;
      if (row.bishops == others) continue;
      const std::size_t pawns = row.has_pawns ? 1 : 0;
      const auto number = static_cast<EndingNumber>(ending);
      table.endings[of_row[0]][of_row[1]][pawns][are_opposite] = number;
      table.endings[of_row[1]][of_row[0]][pawns][are_opposite] = number;
    }
  }
  return table;
}();

// Returns the class of a position. `are_opposite` tells whether the sides' only bishops are of
// opposite colors.
template <class AreOpposite>
EndingNumber ending_of(PieceCounts white, PieceCounts black, const AreOpposite& are_opposite) {
  const std::size_t pawns = ((white | black) & kAllPawns) != 0 ? 1 : 0;
  const auto& by_bishops =
      kTable.endings[kTable.sides[piece_code(white)]][kTable.sides[piece_code(black)]][pawns];
  if (by_bishops[0] == by_bishops[1]) return by_bishops[0];
  return by_bishops[are_opposite() ? 1 : 0];
}

// The endings of a game, move by move.
class EndingLog {
 public:
  explicit EndingLog(std::vector<ReachedEnding>& reached) : reached_(reached) { reached_.clear(); }

  // Returns the class of the last position.
  EndingNumber last() const { return last_; }

  void start(EndingNumber ending) { last_ = ending; }
  void move(EndingNumber ending) {
    const bool stands = ending != kNoEnding && ending == last_;
    last_ = ending;
    if (stands && (seen_ >> ending & 1) == 0) {
      seen_ |= std::uint64_t{1} << ending;
      reached_.push_back({.ending = ending, .plies = ply_});
    }
    ++ply_;
  }
  // Replaces the plies before the endings by those from there on.
  void end() {
    for (ReachedEnding& reached : reached_) reached.plies = ply_ - reached.plies;
  }

 private:
  std::vector<ReachedEnding>& reached_;
  std::uint64_t seen_ = 0;  // 1 << ending
  std::uint32_t ply_ = 0;
  EndingNumber last_ = kNoEnding;
};

// A visitor of a replay.
class EndingScan {
 public:
  EndingScan(const Position& start, EndingLog& log) : counts_(start), log_(log) {}

  bool start(ReplayBoard board, Color) {
    log_.start(ending_on(board));
    return true;
  }
  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move& move, const std::uint8_t*) {
    log_.move(counts_.follow(kUs, move) ? ending_on(after) : log_.last());
    return true;
  }

 private:
  [[gnu::noinline]] EndingNumber ending_on(ReplayBoard board) const {
    return ending_of(counts_[Color::White], counts_[Color::Black],
                     [board] { return has_opposite_bishops(board); });
  }

  MaterialCounts counts_;
  EndingLog& log_;
};

// A visitor of a walk along the main line.
class EndingLook {
 public:
  explicit EndingLook(EndingLog& log) : log_(log) {}

  void start(const Position& position) { log_.start(ending_in(position)); }
  void move(const Position& after, const Move&) { log_.move(ending_in(after)); }

 private:
  static EndingNumber ending_in(const Position& position) {
    return ending_of(count_pieces(position, Color::White), count_pieces(position, Color::Black),
                     [&] { return has_opposite_bishops(position); });
  }

  EndingLog& log_;
};

}  // namespace

std::span<const ReachedEnding> EndingSeeker::seek(Bytes record, const RecordHead& head,
                                                  bool is_whole) {
  EndingLog replayed(reached_);
  EndingScan scan(head.fen.has_value() ? *head.fen : standard_, replayed);
  replay_.run(record, head, scan);
  replayed.end();
  if (is_whole || reached_.empty()) return reached_;
  EndingLog walked(reached_);
  EndingLook look(walked);
  walk_main_line(walker_, record, record, head, look);
  walked.end();
  return reached_;
}

}  // namespace scidfs::codec::scid
