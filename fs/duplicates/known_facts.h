// The known facts about a game's date and result, for the decision whether two games may be one.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "codec/types.h"

namespace scidfs::fs {

// The year, month, day and result of a game, each if it is known. A small value.
class KnownFacts {
 public:
  KnownFacts() = default;
  // Takes the date as codec::pack_date() returns it.
  KnownFacts(std::uint32_t date, codec::Result result)
      : bits_(date << kResultBits | (static_cast<std::uint32_t>(result) & kResult)) {}

  // Returns whether no fact that is known of both differs. Of several games that agree pairwise,
  // there may be one that has all of their facts.
  bool agrees_with(KnownFacts other) const {
    return ((bits_ ^ other.bits_) & known_in(bits_) & known_in(other.bits_)) == 0;
  }
  // Returns the facts that are known of either. REQUIRES: they agree.
  KnownFacts with(KnownFacts other) const {
    assert(agrees_with(other));
    KnownFacts both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  // Returns how many of the four facts are known.
  int known() const {
    int count = 0;
    for (const std::uint32_t field : kFields) count += (bits_ & field) != 0 ? 1 : 0;
    return count;
  }
  std::uint32_t date() const { return bits_ >> kResultBits; }
  std::uint32_t year() const { return bits_ & kFields[0]; }
  codec::Result result() const { return static_cast<codec::Result>(bits_ & kResult); }

  friend bool operator==(KnownFacts, KnownFacts) = default;
  // Orders by year first.
  friend bool operator<(KnownFacts a, KnownFacts b) { return a.bits_ < b.bits_; }

 private:
  // The fields of bits_; 0: unknown.
  //
  //  bits    field   width
  //  26..11  year       16
  //  10..7   month       4
  //  6..2    day         5
  //  1..0    result      2
  static constexpr unsigned kResultBits = 2;
  static constexpr std::uint32_t kResult = 3;
  static constexpr std::uint32_t kMonth = codec::pack_date({.month = 0xF}) << kResultBits;
  static constexpr std::uint32_t kDay = codec::pack_date({.day = 0x1F}) << kResultBits;
  static constexpr std::array<std::uint32_t, 4> kFields = {~(kMonth | kDay | kResult), kMonth, kDay,
                                                           kResult};

  // Returns all bits of the fields that are not 0.
  static constexpr std::uint32_t known_in(std::uint32_t bits) {
    std::uint32_t known = 0;
    for (const std::uint32_t field : kFields) known |= (bits & field) != 0 ? field : 0;
    return known;
  }

  std::uint32_t bits_ = 0;
};

// Calls keep(i), ascending, for those of `count` games that agree with another one of them.
// REQUIRES: facts_of(i) is ascending. If very many games have the same year, or none, calls it for
// all of these.
template <class FactsOf, class Keep>
void for_each_agreeing(std::size_t count, const FactsOf& facts_of, const Keep& keep) {
  for (std::size_t i = 1; i < count; ++i) assert(!(facts_of(i) < facts_of(i - 1)));
  constexpr std::size_t kMostCompared = 64;
  for (std::size_t begin = 0, end = count; begin < count; begin = end) {
    // Those without a year agree with any year; they come first.
    end = count;
    if (facts_of(0).year() != 0) {
      end = begin + 1;
      while (end < count && facts_of(end).year() == facts_of(begin).year()) ++end;
    }
    const auto agrees = [&](std::size_t i) {
      for (std::size_t other = begin; other < end; ++other) {
        if (other != i && facts_of(i).agrees_with(facts_of(other))) return true;
      }
      return false;
    };
    for (std::size_t i = begin; i < end; ++i) {
      if (end - begin > kMostCompared || agrees(i)) keep(i);
    }
  }
}

}  // namespace scidfs::fs
