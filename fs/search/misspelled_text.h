// Compares a text that may be misspelled with others, by the letters that are wrong.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scidfs::fs {

// Which kinds of letters a text has: each of a to z and each digit is one, others share the rest.
struct LetterKinds {
  std::uint64_t kinds = 0;  // a bit each
  bool is_ascii = true;

  // Adds those of a text, folded or not.
  void add(std::string_view text);
  // Returns at least how many letters of these a text with others lacks.
  std::size_t missing_in(const LetterKinds& others) const {
    return static_cast<std::size_t>(std::popcount(kinds & ~others.kinds));
  }
};

// The text may have `?` as a wildcard (fs/base/wildcards.h). Texts that it is compared with are
// folded (fold_text()), or ASCII. Immutable.
class MisspelledText {
 public:
  // Of a longer text, these bytes count.
  static constexpr std::size_t kMostBytes = 64;

  // Takes a folded text. With `is_anywhere` it may stand anywhere in another.
  MisspelledText(std::string_view folded, bool is_anywhere);

  std::size_t size() const { return size_; }
  bool is_anywhere() const { return is_anywhere_; }
  // Returns its kinds of letters, without wildcards.
  const LetterKinds& letters() const { return letters_; }
  // Returns that of its first letter.
  const LetterKinds& first() const { return first_; }
  // Returns the greatest distance at which another text may be meant: one letter in four may be
  // wrong.
  std::size_t most_wrong() const { return size_ / kOneWrongIn; }

  // The number of letters that were left out, added, changed or swapped with the next.
  struct Distance {
    std::size_t of_part = 0;  // of a text: its beginning, or any part with `is_anywhere`
    std::size_t of_whole = 0;

    auto operator<=>(const Distance&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // REQUIRES: size() != 0.
  Distance measure(std::string_view text) const;
  // Returns how many letters from the beginning on are the same in another text.
  std::size_t count_same(std::string_view text) const;

 private:
  static constexpr std::size_t kOneWrongIn = 4;

  std::size_t size_ = 0;
  bool is_anywhere_ = false;
  LetterKinds letters_, first_;
  std::array<std::uint64_t, 256> places_of_ = {};  // by byte: a bit for each place that has it
};

}  // namespace scidfs::fs
