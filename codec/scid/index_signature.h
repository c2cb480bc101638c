// The part of an index entry that tells which positions a game cannot come to: which pawns left
// their home squares in which order, the final material, and the stored line with which the game
// begins.
// Source: FORMAT.md, section 3.2.
//
// The index may be wrong. An index signature is verified only if the moves of the game have been
// found to agree with it (GameText::length()); all other games must be replayed. A verified stored
// line means that the game begins with it, not that it begins with no longer one.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bitboard.h"
#include "codec/scid/index.h"
#include "codec/scid/seek.h"
#include "codec/target_position.h"

namespace scidfs::codec::scid {

// A signature of 16 bytes, made so that a test is a few sums without branches: a pass over ten
// million games takes some twenty milliseconds. A plain value.
//
//  word        bits      field        width  meaning
//  home_pawns  4i+3..4i  rank             4  of home_pawn_item() i: how many pawns had left home
//                                            before its pawn did; 15 if it never left, or left last
//                                            of sixteen
//  others      63        nothing          1  tells_nothing()
//              44        not promoted     1  no pawn promotes in the main line
//              42        home pawn        1  a pawn never left home
//              40..39    white queens     2  final material, as in IndexEntry::material; if a pawn
//              37..36    rooks            2  promotes, no pieces but pawns
//              34..33    bishops          2
//              31..30    knights          2
//              28..25    pawns            4
//              23..22    black queens     2
//              20..19    rooks            2
//              17..16    bishops          2
//              14..13    knights          2
//              11..8     pawns            4
//              7..0      stored line      8  0: none
//
// The other bits are 0. So each field from the pawns to "not promoted" has a free bit above it, by
// which one subtraction compares all of them.
struct IndexSignature {
  std::uint64_t home_pawns = 0;
  std::uint64_t others = 0;

  unsigned stored_line() const { return others & 0xFF; }
  bool has_home_pawn() const { return (others >> 42 & 1) != 0; }
  // Returns whether the game may come to any position: it has a start of its own, or its index
  // entry makes no sense.
  bool tells_nothing() const { return others >> 63 != 0; }
  // Returns the number of pieces, without king and pawns, of the side that has more of them at the
  // end: that or more. 0 if a pawn promotes. Until then the side never had fewer.
  unsigned most_pieces() const {
    // The lowest bits of the knights; three bits further are those of the next kind.
    constexpr unsigned kBlackKnights = 13;
    constexpr unsigned kWhiteKnights = 30;
    const auto count = [this](unsigned shift) {
      return static_cast<unsigned>((others >> shift & 3) + (others >> (shift + 3) & 3) +
                                   (others >> (shift + 6) & 3) + (others >> (shift + 9) & 3));
    };
    return std::max(count(kBlackKnights), count(kWhiteKnights));
  }

  friend bool operator==(const IndexSignature&, const IndexSignature&) = default;
};

// The signature of games that may come to any position.
inline constexpr IndexSignature kNoSignature = {.home_pawns = ~std::uint64_t{0},
                                                .others = std::uint64_t{1} << 63};

IndexSignature signature_of(const IndexEntry& entry);

// The order in which pawns leave, as in IndexSignature.
class HomePawnOrder {
 public:
  // Adds a pawn. Returns false if it has left before. REQUIRES: item < 16.
  bool add(unsigned item) {
    assert(item < 16);
    constexpr std::uint64_t kNever = 15;
    const std::uint64_t was = left_;
    left_ |= std::uint64_t{1} << item;
    if (was == left_) return false;
    ranks_ ^= (kNever - count_++) << 4 * item;
    return true;
  }
  std::uint64_t ranks() const { return ranks_; }
  unsigned count() const { return count_; }

 private:
  std::uint64_t ranks_ = ~std::uint64_t{0};
  std::uint64_t left_ = 0;  // 1 << item
  unsigned count_ = 0;
};

// Returns the signature of a game from the standard position. `material` is as in IndexEntry;
// `promotion` is whether its main line has one.
IndexSignature make_signature(const HomePawnOrder& order, std::uint32_t material, bool promotion,
                              unsigned stored_line);

// A bound of the target material, as counts in the form of IndexEntry::material.
struct MaterialBound {
  std::uint32_t most = 0xFF'FFFF;  // 3 of a piece, 15 pawns: no bound
  // Whether a side has pieces that it cannot have without a promotion.
  bool is_promoted = false;
};

// The verdicts on up to 64 games, bit i for the i-th.
struct Judged {
  std::uint64_t maybe = 0;   // must be replayed
  std::uint64_t surely = 0;  // come to it by their stored line; not in `maybe`
};

// A filter that tells by their signatures which games may come to a target. Immutable; any number
// of threads may use it.
class SignatureFilter {
 public:
  static SignatureFilter for_position(const TargetPosition& target);
  // Returns a filter for games that begin with these moves from the standard position. REQUIRES:
  // each fits the board.
  static SignatureFilter for_line(std::span<const Move> moves);
  // Returns a filter for games that at some time have no more pieces than one of the bounds allows.
  static SignatureFilter for_material(std::span<const MaterialBound> bounds);
  // Returns a filter for games in which at some time all pawns of a side, or of both, stand on
  // these squares, by color.
  static SignatureFilter for_pawns(const std::array<std::optional<Bitboard>, 2>& pawns);

  // Judges games by their signatures. REQUIRES: at most 64 games.
  Judged judge(std::span<const IndexSignature> games) const;
  // Returns whether judge() says that a game surely comes to the target.
  bool is_sure(const IndexSignature& marks) const {
    return verdicts_[marks.stored_line()] == Verdict::Surely && !marks.tells_nothing();
  }
  // Returns where a game that surely comes to the target does so. `next` is empty if the stored
  // line ends there; the game may continue. REQUIRES: is_sure().
  const Reached& by_line(const IndexSignature& marks) const {
    assert(is_sure(marks));
    return by_line_[marks.stored_line()];
  }

 private:
  static constexpr std::size_t kLineCodes = 256;
  // The verdict by the stored line: a bit for each answer.
  enum class Verdict : std::uint8_t { Never = 0, Maybe = 1, Surely = 2 };

  // The conditions on the signature of a game that may come to the target.
  struct Test {
    std::uint64_t rank_limit = 0;  // 16 less the number of pawns that left, in each byte
    // The home squares that still have their pawns: 16 in the byte of each, for the lower and the
    // upper four bits of the bytes of IndexSignature::home_pawns.
    std::array<std::uint64_t, 2> at_home{};
    std::uint64_t most = 0;  // of each field in IndexSignature::others, with the free bits set
  };
  static Test test_of(const Position& position);
  // Sets the conditions on the order in which pawns left home. `home` are those that have not.
  static void set_home(Bitboard home, Test& test);
  static std::uint64_t possible(const Test& test, std::span<const IndexSignature> games);

  SignatureFilter() : by_line_(kLineCodes) { verdicts_.fill(Verdict::Maybe); }
  void judge_line(unsigned code, Verdict verdict, Reached reached = {}) {
    verdicts_[code] = verdict;
    by_line_[code] = reached;
  }

  std::vector<Test> tests_;  // one of them must hold
  std::array<Verdict, kLineCodes> verdicts_{};
  std::vector<Reached> by_line_;
};

}  // namespace scidfs::codec::scid
