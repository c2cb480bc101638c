// Conditions on the columns of the index in memory, tested one block of games at a time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "codec/bytes.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {

// Immutable; any number of threads may use it.
class ColumnFilter {
 public:
  ColumnFilter() = default;
  ColumnFilter(const ColumnFilter&) = delete;
  ColumnFilter& operator=(const ColumnFilter&) = delete;
  virtual ~ColumnFilter() = default;

  // Removes the games that do not meet the condition from `mask`, which has games of a block.
  virtual void narrow(const PackedIndex& index, std::size_t block, BlockMask& mask) const = 0;
};

// What the range of values in a block says about its games.
enum class ZoneMatch : std::uint8_t {
  None,  // no game of the block meets the condition
  Some,  // the range does not decide it
  All,
};

// Returns the match of a block whose games have the same verdict.
constexpr ZoneMatch verdict_of(bool holds) { return holds ? ZoneMatch::All : ZoneMatch::None; }

// With at least this many games left in a block, reading the whole column is faster.
inline constexpr std::size_t kManyOfBlock = 24;

// Keeps the games for which holds(i) is true.
template <class Holds>
void keep_if(BlockMask& mask, bool all_at_once, const Holds& holds) {
  if (!all_at_once) {
    for_each_bit(mask, [&](std::size_t i) {
      if (!holds(i)) mask[i / 64] &= ~(std::uint64_t{1} << i % 64);
    });
    return;
  }
  // First one byte for each game, which lets the compiler vectorize, then one bit.
  std::array<std::uint8_t, PackedIndex::kBlock> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = holds(i) ? 1 : 0;
  constexpr std::uint64_t kGather = 0x0102'0408'1020'4080;  // the low bits of 8 bytes, at the top
  for (std::size_t word = 0; word < mask.size(); ++word) {
    std::uint64_t kept = 0;
    for (std::size_t i = 0; i < 64; i += 8) {
      kept |= codec::load_little_word(&bytes[word * 64 + i]) * kGather >> 56 << i;
    }
    mask[word] &= kept;
  }
}

// A condition on one column. `Predicate` has bool operator()(std::uint32_t value) const, for any
// value, and ZoneMatch of(PackedIndex::Range) const.
template <class Predicate>
class OneColumnFilter : public ColumnFilter {
 public:
  OneColumnFilter(PackedIndex::Column column, Predicate predicate)
      : column_(column), predicate_(std::move(predicate)) {}

  void narrow(const PackedIndex& index, std::size_t block, BlockMask& mask) const override {
    const ZoneMatch match = predicate_.of(index.range(block, column_));
    if (match == ZoneMatch::None) mask = {};
    if (match != ZoneMatch::Some) return;
    if (count_of(mask) < kManyOfBlock) {
      const auto first = static_cast<GameIndex>(block * PackedIndex::kBlock);
      keep_if(mask, false, [&](std::size_t i) {
        return predicate_(index.value(first + static_cast<GameIndex>(i), column_));
      });
    } else {
      PackedIndex::Values values{};
      index.values(block, column_, values);
      keep_if(mask, true, [&](std::size_t i) { return predicate_(values[i]); });
    }
  }

 private:
  PackedIndex::Column column_;
  Predicate predicate_;
};

// A condition on two columns. `Predicate` has bool operator()(std::uint32_t, std::uint32_t) const
// and ZoneMatch of(PackedIndex::Range, PackedIndex::Range) const.
template <class Predicate>
class TwoColumnFilter : public ColumnFilter {
 public:
  TwoColumnFilter(PackedIndex::Column one, PackedIndex::Column other, Predicate predicate)
      : one_(one), other_(other), predicate_(std::move(predicate)) {}

  void narrow(const PackedIndex& index, std::size_t block, BlockMask& mask) const override {
    const ZoneMatch match = predicate_.of(index.range(block, one_), index.range(block, other_));
    if (match == ZoneMatch::None) mask = {};
    if (match != ZoneMatch::Some) return;
    if (count_of(mask) < kManyOfBlock) {
      const auto first = static_cast<GameIndex>(block * PackedIndex::kBlock);
      keep_if(mask, false, [&](std::size_t i) {
        const GameIndex game = first + static_cast<GameIndex>(i);
        return predicate_(index.value(game, one_), index.value(game, other_));
      });
    } else {
      PackedIndex::Values ones{};
      PackedIndex::Values others{};
      index.values(block, one_, ones);
      index.values(block, other_, others);
      keep_if(mask, true, [&](std::size_t i) { return predicate_(ones[i], others[i]); });
    }
  }

 private:
  PackedIndex::Column one_, other_;
  Predicate predicate_;
};

constexpr bool has_one_value(PackedIndex::Range range) { return range.least == range.most; }

// The opposite of a predicate of one or two columns, for games of which that is known. `Predicate`
// also has, with the same parameters,
//
//   bool is_known(...)   whether values that do not meet it say that the game does not
//   bool are_known(...)  whether that is so for all values in a block; false: maybe
template <class Predicate>
struct Excludes {
  Predicate predicate;

  template <class... Values>
  bool operator()(Values... values) const {
    return predicate.is_known(values...) && !predicate(values...);
  }
  template <class... Ranges>
  ZoneMatch of(Ranges... ranges) const {
    if ((has_one_value(ranges) && ...)) return verdict_of((*this)(ranges.least...));
    const ZoneMatch match = predicate.of(ranges...);
    if (match == ZoneMatch::All) return ZoneMatch::None;
    return match == ZoneMatch::None && predicate.are_known(ranges...) ? ZoneMatch::All
                                                                      : ZoneMatch::Some;
  }
};

// Whether a value of either column passes a test of one; that of neither is known if both are.
template <class Test>
struct IsEither {
  Test test;

  bool operator()(std::uint32_t one, std::uint32_t other) const { return test(one) || test(other); }
  ZoneMatch of(PackedIndex::Range ones, PackedIndex::Range others) const {
    const ZoneMatch one = test.of(ones);
    const ZoneMatch other = test.of(others);
    if (one == ZoneMatch::All || other == ZoneMatch::All) return ZoneMatch::All;
    return one == ZoneMatch::None ? other : ZoneMatch::Some;
  }
  bool is_known(std::uint32_t one, std::uint32_t other) const {
    return test.is_known(one) && test.is_known(other);
  }
  bool are_known(PackedIndex::Range ones, PackedIndex::Range others) const {
    return test.are_known(ones) && test.are_known(others);
  }
};

template <class Predicate>
std::unique_ptr<ColumnFilter> test_column(PackedIndex::Column column, Predicate predicate) {
  return std::make_unique<OneColumnFilter<Predicate>>(column, std::move(predicate));
}

template <class Predicate>
std::unique_ptr<ColumnFilter> test_columns(PackedIndex::Column one, PackedIndex::Column other,
                                           Predicate predicate) {
  return std::make_unique<TwoColumnFilter<Predicate>>(one, other, std::move(predicate));
}

}  // namespace scidfs::fs
