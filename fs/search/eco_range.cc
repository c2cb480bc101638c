#include "fs/search/eco_range.h"

#include <algorithm>
#include <string>

#include "fs/search/number_range.h"

namespace scidfs::fs {
namespace {

using codec::EcoCode;

// For each place of a code: the characters it may have, and how many codes share the prefix up to
// there. A letter or a digit of the extension may be missing; the code without it comes first.
struct TextPlace {
  char first;
  char last;
  unsigned codes;
  unsigned missing;
};
constexpr TextPlace kPlaces[] = {{.first = 'A', .last = 'E', .codes = 13100, .missing = 0},
                                 {.first = '0', .last = '9', .codes = 1310, .missing = 0},
                                 {.first = '0', .last = '9', .codes = 131, .missing = 0},
                                 {.first = 'a', .last = 'z', .codes = 5, .missing = 1},
                                 {.first = '1', .last = '4', .codes = 1, .missing = 1}};
static_assert(std::size(kPlaces) == codec::kMaxEcoLength);

constexpr char with_case_of(char c, char like) {
  const bool is_small = like >= 'a' && like <= 'z';
  if (is_small && c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  if (!is_small && c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return c;
}

std::optional<EcoRange> parse_prefix(std::string_view text) {
  if (text.empty() || text.size() > codec::kMaxEcoLength) return std::nullopt;
  unsigned first = 1;
  unsigned codes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const TextPlace& place = kPlaces[i];
    const char c = with_case_of(text[i], place.first);
    if (c < place.first || c > place.last) return std::nullopt;
    first += place.missing + static_cast<unsigned>(c - place.first) * place.codes;
    codes = place.codes;
  }
  return EcoRange{.first = static_cast<EcoCode>(first),
                  .last = static_cast<EcoCode>(first + codes - 1)};
}

// Returns the shortest prefix of a code for whose range is_it() is true.
template <class IsIt>
std::string shortest_prefix(EcoCode code, const IsIt& is_it) {
  const std::string text = codec::eco_to_string(code);
  for (std::size_t length = 1; length <= text.size(); ++length) {
    std::string prefix = text.substr(0, length);
    if (const std::optional<EcoRange> range = parse_prefix(prefix); range && is_it(*range)) {
      return prefix;
    }
  }
  return {};
}

}  // namespace

std::optional<EcoRange> EcoRange::parse(std::string_view text) {
  const auto [first, last] = NumberRange::split(text);
  if (!last.has_value()) return parse_prefix(first);
  EcoRange range;
  if (!first.empty()) {
    const std::optional<EcoRange> codes = parse_prefix(first);
    if (!codes.has_value()) return std::nullopt;
    range.first = codes->first;
  }
  if (!last->empty()) {
    const std::optional<EcoRange> codes = parse_prefix(*last);
    if (!codes.has_value()) return std::nullopt;
    range.last = codes->last;
  }
  if (range.last < range.first) return std::nullopt;
  return range;
}

std::string EcoRange::text() const {
  if (*this == EcoRange()) return "..";
  std::string prefix =
      shortest_prefix(first, [this](const EcoRange& range) { return range == *this; });
  if (!prefix.empty()) return prefix;
  return shortest_prefix(first, [this](const EcoRange& range) { return range.first == first; }) +
         ".." + shortest_prefix(last, [this](const EcoRange& range) { return range.last == last; });
}

}  // namespace scidfs::fs
