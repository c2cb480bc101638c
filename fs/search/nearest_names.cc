#include "fs/search/nearest_names.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "codec/text.h"
#include "fs/base/glob.h"
#include "fs/base/status_macros.h"
#include "fs/base/wildcards.h"
#include "fs/content/work_cost.h"
#include "fs/search/name_ranges.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameTable;

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

// Returns the bit for the kind of a folded letter: one for each of a to z and each digit; others
// share the rest.
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

MisspelledName::MisspelledName(std::string_view text) {
  std::string folded;
  codec::append_utf8(codec::as_bytes(text), folded);
  fold_text_in_place(folded);
  std::string_view wanted = folded;
  is_anywhere_ = wanted.starts_with(kAnyCharacters);
  if (is_anywhere_) wanted.remove_prefix(1);
  if (wanted.ends_with(kAnyCharacters)) wanted.remove_suffix(1);
  if (wanted.find(kAnyCharacters) != std::string_view::npos) return;
  wanted = wanted.substr(0, kMostBytes);
  size_ = wanted.size();
  for (std::size_t place = 0; place < size_; ++place) {
    const std::uint64_t bit = std::uint64_t{1} << place;
    if (wanted[place] == kAnyCharacter) {
      for (std::uint64_t& places : places_of_) places |= bit;
    } else {
      const auto letter = static_cast<unsigned char>(wanted[place]);
      places_of_[letter] |= bit;
      letters_ |= kind_of(letter);
    }
  }
  // So ASCII need not be folded.
  for (std::size_t c = 0; c < kFolded.size(); ++c) {
    places_of_[c] = places_of_[static_cast<unsigned char>(kFolded[c])];
  }
}

std::optional<MisspelledName::Distance> MisspelledName::distance(std::string_view name,
                                                                 std::size_t most,
                                                                 std::string& room) const {
  if (size_ == 0) return std::nullopt;
  // Most names lack more kinds of letters than may be wrong. Those after the part that may be meant
  // do not count.
  const std::size_t looked_at = is_anywhere_ ? name.size() : std::min(name.size(), size_ + most);
  std::uint64_t letters = 0;
  unsigned char seen = 0;
  for (std::size_t i = 0; i < looked_at; ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    seen |= byte;
    letters |= kKinds[byte & 0x7FU];
  }
  const auto missing = static_cast<std::size_t>(std::popcount(letters_ & ~letters));
  if (seen < kKinds.size() && (missing > most || name.size() + most < size_)) return std::nullopt;
  if (!std::ranges::all_of(name, codec::is_ascii)) {
    room.clear();
    codec::append_utf8(codec::as_bytes(name), room);
    fold_text_in_place(room);
    name = room;
  }
  const Distance found = measure(name);
  return found.of_part <= most ? std::optional(found) : std::nullopt;
}

// Keeps a column of the table of distances between beginnings as differences of neighbors, a bit
// each: Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003.
MisspelledName::Distance MisspelledName::measure(std::string_view text) const {
  const std::uint64_t last = std::uint64_t{1} << (size_ - 1);
  const std::uint64_t first_grows = is_anywhere_ ? 0 : 1;
  std::uint64_t more = ~std::uint64_t{0};  // by place: the distance is more than that before it
  std::uint64_t less = 0;
  std::uint64_t same =
      0;  // by place: the distance is that of both texts without their last letters
  std::uint64_t equal_before = 0;
  Distance result{.of_part = size_, .of_name = size_};
  for (const char letter : text) {
    const std::uint64_t equal = places_of_[static_cast<unsigned char>(letter)];
    const std::uint64_t swapped = (~same & equal) << 1U & equal_before;
    same = swapped | (((equal & more) + more) ^ more) | equal | less;
    std::uint64_t grows = less | ~(same | more);  // with this letter
    std::uint64_t shrinks = more & same;
    if ((grows & last) != 0) ++result.of_name;
    if ((shrinks & last) != 0) --result.of_name;
    result.of_part = std::min(result.of_part, result.of_name);
    grows = grows << 1U | first_grows;
    shrinks <<= 1U;
    more = shrinks | ~(same | grows);
    less = grows & same;
    equal_before = equal;
  }
  return result;
}

std::optional<MisspelledName::Distance> NearestNames::distance(std::string_view name) {
  const std::size_t most =
      near_.size() < kMost ? wanted_.most_wrong() : near_.back().distance.of_part;
  return wanted_.distance(name, most, room_);
}

void NearestNames::add(std::string_view name) {
  const auto found = distance(name);
  if (found.has_value()) add({.distance = *found, .name = std::string(name)});
}

void NearestNames::add(const NearestNames& others) {
  for (const Near& other : others.near_) add(other);
}

void NearestNames::add(Near near) {
  const auto has_name = [&near](const Near& other) { return other.name == near.name; };
  if (std::ranges::any_of(near_, has_name)) return;
  near_.insert(std::ranges::upper_bound(near_, near), std::move(near));
  if (near_.size() > kMost) near_.pop_back();
}

absl::StatusOr<NearestNames> nearest_names(const NameTable& names, const MisspelledName& wanted,
                                           const WorkBudget& budget,
                                           absl::FunctionRef<bool(std::uint32_t id)> is_meant) {
  if (!budget.spend(std::max(names.size() / kNamesOfGame, names.text_bytes() / kNameBytesOfGame))) {
    return WorkBudget::exceeded();
  }
  std::vector<NearestNames> found(count_name_ranges(names), NearestNames(wanted));
  const auto look = [&](std::size_t number, std::uint32_t first, std::uint32_t end) {
    NearestNames& near = found[number];
    for (std::uint32_t id = first; id < end; ++id) {
      if (id + kNamesAhead < end) __builtin_prefetch(names.text(id + kNamesAhead).data());
      if (!names.contains(id)) continue;
      const std::string_view name = names.text(id);
      const auto distance = near.distance(name);
      if (!distance.has_value() || !is_meant(id)) continue;
      near.add({.distance = *distance, .name = std::string(name), .id = id});
    }
  };
  RETURN_IF_ERROR(visit_name_ranges(names, budget, look));
  NearestNames nearest(wanted);
  for (const NearestNames& part : found) nearest.add(part);
  return nearest;
}

}  // namespace scidfs::fs
