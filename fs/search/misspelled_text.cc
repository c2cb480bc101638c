#include "fs/search/misspelled_text.h"

#include <algorithm>
#include <cassert>

#include "fs/base/wildcards.h"

namespace scidfs::fs {
namespace {

// Folds a byte of ASCII as fold_text() does.
constexpr std::array<char, 128> kFolded = [] {
  std::array<char, 128> folded{};
  for (std::size_t c = 0; c < folded.size(); ++c) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    folded[c] = static_cast<char>(is_capital ? c - 'A' + 'a' : c);
  }
  folded['_'] = ' ';
  return folded;
}();

// Returns the bit for the kind of a folded letter.
constexpr std::uint64_t kind_of(unsigned char letter) {
  constexpr unsigned kLetters = 26;
  constexpr unsigned kDigits = 10;
  constexpr unsigned kOthers = 64 - kLetters - kDigits;
  unsigned kind = kLetters + kDigits + letter % kOthers;
  if (letter >= 'a' && letter <= 'z') kind = letter - unsigned{'a'};
  if (letter >= '0' && letter <= '9') kind = kLetters + letter - unsigned{'0'};
  return std::uint64_t{1} << kind;
}

// By byte of ASCII, before it is folded.
constexpr std::array<std::uint64_t, 128> kKinds = [] {
  std::array<std::uint64_t, 128> kinds{};
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    kinds[c] = kind_of(static_cast<unsigned char>(kFolded[c]));
  }
  return kinds;
}();

}  // namespace

void LetterKinds::add(std::string_view text) {
  std::uint64_t added = 0;
  unsigned char seen = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    seen |= byte;
    added |= kKinds[byte & 0x7FU];
  }
  kinds |= added;
  is_ascii = is_ascii && seen < kKinds.size();
}

MisspelledText::MisspelledText(std::string_view folded, bool is_anywhere)
    : size_(std::min(folded.size(), kMostBytes)), is_anywhere_(is_anywhere) {
  for (std::size_t place = 0; place < size_; ++place) {
    const std::uint64_t bit = std::uint64_t{1} << place;
    if (folded[place] == kAnyCharacter) {
      for (std::uint64_t& places : places_of_) places |= bit;
    } else {
      const auto letter = static_cast<unsigned char>(folded[place]);
      places_of_[letter] |= bit;
      letters_.kinds |= kind_of(letter);
      if (place == 0) first_.kinds = letters_.kinds;
    }
  }
  // So ASCII need not be folded.
  for (std::size_t c = 0; c < kFolded.size(); ++c) {
    places_of_[c] = places_of_[static_cast<unsigned char>(kFolded[c])];
  }
}

// Keeps a column of the table of distances between beginnings as differences of neighbors, a bit
// each: Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003.
MisspelledText::Distance MisspelledText::measure(std::string_view text) const {
  assert(size_ != 0);
  const std::uint64_t last = std::uint64_t{1} << (size_ - 1);
  const std::uint64_t first_grows = is_anywhere_ ? 0 : 1;
  std::uint64_t more = ~std::uint64_t{0};  // by place: the distance is more than that before it
  std::uint64_t less = 0;
  std::uint64_t same =
      0;  // by place: the distance is that of both texts without their last letters
  std::uint64_t equal_before = 0;
  Distance result{.of_part = size_, .of_whole = size_};
  for (const char letter : text) {
    const std::uint64_t equal = places_of_[static_cast<unsigned char>(letter)];
    const std::uint64_t swapped = (~same & equal) << 1U & equal_before;
    same = swapped | (((equal & more) + more) ^ more) | equal | less;
    std::uint64_t grows = less | ~(same | more);  // with this letter
    std::uint64_t shrinks = more & same;
    if ((grows & last) != 0) ++result.of_whole;
    if ((shrinks & last) != 0) --result.of_whole;
    result.of_part = std::min(result.of_part, result.of_whole);
    grows = grows << 1U | first_grows;
    shrinks <<= 1U;
    more = shrinks | ~(same | grows);
    less = grows & same;
    equal_before = equal;
  }
  return result;
}

std::size_t MisspelledText::count_same(std::string_view text) const {
  const std::size_t size = std::min(size_, text.size());
  std::size_t place = 0;
  while (place < size && (places_of_[static_cast<unsigned char>(text[place])] >> place & 1U) != 0) {
    ++place;
  }
  return place;
}

}  // namespace scidfs::fs
