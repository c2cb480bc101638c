#include "fs/search/nearest_names.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <tuple>
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

// Of a text with more words, these count.
constexpr std::size_t kMostWantedWords = 8;
constexpr std::size_t kMostWords = 32;
// A word, or a beginning, with fewer letters is vague.
constexpr std::size_t kTellingLetters = 2;
constexpr std::size_t kTellingBeginning = 3;

// Returns whether a byte of a folded text, or of ASCII, is that of a letter, a digit or a wildcard.
constexpr bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         !codec::is_ascii(c) || c == kAnyCharacter;
}

constexpr std::array<bool, 256> kIsOfWord = [] {
  std::array<bool, 256> is{};
  for (std::size_t c = 0; c < is.size(); ++c) is[c] = is_of_word(static_cast<char>(c));
  return is;
}();

// Calls take(word) for each word of a text until it returns false.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  const auto is_letter = [](char c) { return kIsOfWord[static_cast<unsigned char>(c)]; };
  for (const auto* at = text.begin(); at != text.end();) {
    const auto* const first = std::find_if(at, text.end(), is_letter);
    at = std::find_if_not(first, text.end(), is_letter);
    if (first != at && !take(std::string_view(first, at))) return;
  }
}

// How a word that was asked for is in a name, the best first.
struct WordMatch {
  enum class Kind : std::uint8_t { Exact, Misspelled, Beginning, None };
  Kind kind = Kind::None;
  std::size_t wrong = 0;
  bool is_vague = true;  // in too many names to tell which is meant

  auto operator<=>(const WordMatch&) const = default;  // NOLINT(modernize-use-nullptr)
};

WordMatch match_word(const MisspelledText& wanted, std::string_view word) {
  using Kind = WordMatch::Kind;
  const std::size_t same = wanted.count_same(word);
  const std::size_t size = wanted.size();
  const bool is_vague = size < kTellingLetters;
  const std::size_t more = std::max(size, word.size()) - std::min(size, word.size());
  if (same == size && more == 0) return {.kind = Kind::Exact, .wrong = 0, .is_vague = is_vague};
  const bool is_beginning = same == size || same == word.size();
  if (more <= wanted.most_wrong()) {
    const std::size_t wrong = is_beginning ? more : wanted.measure(word).of_whole;
    if (wrong <= wanted.most_wrong()) {
      return {.kind = Kind::Misspelled, .wrong = wrong, .is_vague = is_vague};
    }
  }
  if (!is_beginning) return {};
  return {
      .kind = Kind::Beginning, .wrong = 1, .is_vague = same != size || size < kTellingBeginning};
}

}  // namespace

MisspelledName::MisspelledName(std::string_view text) {
  std::string folded;
  codec::append_utf8(codec::as_bytes(text), folded);
  fold_text_in_place(folded);
  std::string_view wanted = folded;
  const bool is_anywhere = wanted.starts_with(kAnyCharacters);
  if (is_anywhere) wanted.remove_prefix(1);
  if (wanted.ends_with(kAnyCharacters)) wanted.remove_suffix(1);
  if (wanted.empty() || wanted.find(kAnyCharacters) != std::string_view::npos) return;
  whole_.emplace(wanted, is_anywhere);
  for_each_word(wanted.substr(0, MisspelledText::kMostBytes), [this](std::string_view word) {
    words_.emplace_back(word, false);
    letters_ += words_.back().size();
    return words_.size() < kMostWantedWords;
  });
  std::ranges::stable_sort(words_, std::greater(), &MisspelledText::size);
}

// Returns what can be near, by the kinds of letters alone: most names lack more of them than may be
// wrong.
MisspelledName::Possible MisspelledName::possible(std::string_view name) const {
  const std::size_t most = whole_->most_wrong();
  // Letters after the part that may be meant do not count for the whole.
  const std::size_t part =
      whole_->is_anywhere() ? name.size() : std::min(name.size(), whole_->size() + most);
  LetterKinds letters;
  letters.add(name.substr(0, part));
  Possible result{.whole = name.size() + most >= whole_->size() &&
                           whole_->letters().missing_in(letters) <= most};
  letters.add(name.substr(part));
  if (!letters.is_ascii) return {.whole = true, .words = true};
  bool is_telling = false;
  bool has_all = true;
  std::size_t exact = 0;
  for (const MisspelledText& word : words_) {
    const std::size_t missing = word.letters().missing_in(letters);
    is_telling = is_telling || (missing <= word.most_wrong() && word.size() >= kTellingLetters);
    if (missing == 0) exact += word.size();
    has_all = has_all && (missing <= word.most_wrong() || word.first().missing_in(letters) == 0);
  }
  result.words = is_telling && (has_all || 2 * exact >= letters_);
  return result;
}

// Takes each word of a name for at most one that was asked for, and for the longest of these first.
MisspelledName::OfWords MisspelledName::compare_words(std::string_view name) const {
  std::array<std::string_view, kMostWords> room;
  std::size_t count = 0;
  for_each_word(name, [&](std::string_view word) {
    room[count++] = word;
    return count < kMostWords;
  });
  const std::span<const std::string_view> words(room.data(), count);
  std::uint32_t used = 0;
  OfWords result;
  bool is_telling = false;
  std::size_t exact = 0;
  for (const MisspelledText& wanted : words_) {
    WordMatch best;
    std::size_t best_word = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if ((used >> i & 1U) != 0) continue;
      const WordMatch match = match_word(wanted, words[i]);
      if (match < best) std::tie(best, best_word) = std::pair(match, i);
    }
    if (best.kind == WordMatch::Kind::None) {
      ++result.missing;
      continue;
    }
    used |= std::uint32_t{1} << best_word;
    result.wrong += best.wrong;
    is_telling = is_telling || !best.is_vague;
    if (best.kind == WordMatch::Kind::Beginning) ++result.begun;
    if (best.kind == WordMatch::Kind::Exact) exact += wanted.size();
  }
  result.inexact = letters_ - exact;
  result.are_enough = is_telling && (result.missing == 0 || 2 * exact >= letters_);
  return result;
}

std::optional<Nearness> MisspelledName::nearness(std::string_view name, std::string& room) const {
  if (!whole_.has_value()) return std::nullopt;
  const Possible possible = this->possible(name);
  if (!possible.whole && !possible.words) return std::nullopt;
  if (!std::ranges::all_of(name, codec::is_ascii)) {
    room.clear();
    codec::append_utf8(codec::as_bytes(name), room);
    fold_text_in_place(room);
    name = room;
  }
  Nearness near;
  if (possible.whole) near.distance = whole_->measure(name);
  const bool is_near = possible.whole && near.distance.of_part <= whole_->most_wrong();
  if (!is_near && !possible.words) return std::nullopt;
  const OfWords words = compare_words(name);
  if (!is_near && !words.are_enough) return std::nullopt;
  if (!possible.whole) near.distance = whole_->measure(name);
  near.inexact = words.inexact;
  near.begun = words.begun;
  near.missing = is_near ? 0 : words.missing;
  near.wrong = is_near ? near.distance.of_part : words.wrong;
  if (words.are_enough && words.missing == 0) near.wrong = std::min(near.wrong, words.wrong);
  return near;
}

void NearestNames::add(std::string_view name, std::uint32_t id) {
  const auto found = nearness(name);
  if (found.has_value()) add({.nearness = *found, .name = std::string(name), .id = id});
}

std::optional<Nearness> NearestNames::nearness(std::string_view name) {
  const std::optional<Nearness> found = wanted_.nearness(name, room_);
  if (near_.size() < kMost || !found.has_value()) return found;
  return *found <= near_.back().nearness ? found : std::nullopt;
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

absl::StatusOr<NearestNames> nearest_names(
    std::uint32_t count, const MisspelledName& wanted, const WorkBudget& budget,
    absl::FunctionRef<std::optional<std::string_view>(std::uint32_t id, std::string& room)>
        name_of) {
  if (!budget.spend(count / kNamesOfGame)) return WorkBudget::exceeded();
  std::vector<NearestNames> found(count_name_ranges(count), NearestNames(wanted));
  const auto look = [&](std::size_t number, std::uint32_t first, std::uint32_t end) {
    std::string room;
    for (std::uint32_t id = first; id < end; ++id) {
      const std::optional<std::string_view> name = name_of(id, room);
      if (name.has_value()) found[number].add(*name, id);
    }
  };
  RETURN_IF_ERROR(visit_name_ranges(count, budget, look));
  NearestNames nearest(wanted);
  for (const NearestNames& part : found) nearest.add(part);
  return nearest;
}

absl::StatusOr<NearestNames> nearest_names(const NameTable& names, const MisspelledName& wanted,
                                           const WorkBudget& budget) {
  if (!budget.spend(names.text_bytes() / kNameBytesOfGame)) return WorkBudget::exceeded();
  return nearest_names(names.size(), wanted, budget,
                       [&names](std::uint32_t id, std::string&) -> std::optional<std::string_view> {
                         if (id + kNamesAhead < names.size()) {
                           __builtin_prefetch(names.text(id + kNamesAhead).data());
                         }
                         if (!names.contains(id)) return std::nullopt;
                         return names.text(id);
                       });
}

}  // namespace scidfs::fs
