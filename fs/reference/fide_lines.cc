#include "fs/reference/fide_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "codec/number.h"
#include "codec/scid/spelling_file.h"
#include "codec/text.h"
#include "codec/unicode.h"

namespace scidfs::fs {
namespace {

using codec::trim;

// The words of headers, some of which have no blank between them; those that begin with another one
// come before it.
constexpr std::array<std::string_view, 23> kHeaderWords = {
    "ID Number", "Name",  "Fed",   "Sex",  "Titl",  "Tit", "WTit", "OTit",
    "FOA",       "SRtng", "SGm",   "SK",   "RRtng", "RGm", "Rk",   "BRtng",
    "BGm",       "BK",    "B-day", "Born", "Games", "Gms", "Flag"};

bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::ranges::equal(text.substr(0, word.size()), word, {}, codec::to_ascii_lower,
                            codec::to_ascii_lower);
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// Returns the word of a header at the front of a text, which has no blank there.
std::string_view first_word(std::string_view text) {
  for (const std::string_view word : kHeaderWords) {
    if (begins_with(text, word)) return text.substr(0, word.size());
  }
  return text.substr(0, text.find(' '));
}

// Returns whether a word is a month such as "Mar11", which was the head of its ratings.
bool is_month(std::string_view word) {
  constexpr std::size_t kLetters = 3;
  constexpr std::size_t kLength = 5;
  return word.size() == kLength && is_capital(word[0]) &&
         std::ranges::all_of(word.substr(kLetters), is_digit);
}

// Old lists have one or two small letters for a title.
std::string_view written_out(std::string_view title) {
  constexpr std::array<std::array<std::string_view, 2>, 8> kShort = {{{"g", "GM"},
                                                                      {"m", "IM"},
                                                                      {"f", "FM"},
                                                                      {"c", "CM"},
                                                                      {"wg", "WGM"},
                                                                      {"wm", "WIM"},
                                                                      {"wf", "WFM"},
                                                                      {"wc", "WCM"}}};
  const auto found =
      std::ranges::find(kShort, title, [](const auto& pair) { return pair.front(); });
  return found == kShort.end() ? title : found->back();
}

std::uint32_t titles_of(std::string_view title) {
  return title.empty() ? 0 : codec::scid::parse_player_data(written_out(title)).titles;
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

FideColumns::Field FideColumns::field_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Field>, 11> kWords = {{{"ID Number", kId},
                                                                          {"Name", kName},
                                                                          {"Fed", kFederation},
                                                                          {"Sex", kSex},
                                                                          {"Titl", kTitle},
                                                                          {"Tit", kTitle},
                                                                          {"WTit", kWomensTitle},
                                                                          {"SRtng", kRating},
                                                                          {"B-day", kBorn},
                                                                          {"Born", kBorn},
                                                                          {"Flag", kFlag}}};
  for (const auto& [text, field] : kWords) {
    if (text.size() == word.size() && begins_with(word, text)) return field;
  }
  return is_month(word) ? kRating : kFields;
}

absl::StatusOr<FideColumns> FideColumns::parse(std::string_view header) {
  header = without_line_end(header);
  if (header.size() > kMostLine || header.find('\r') != std::string_view::npos) {
    return absl::InvalidArgumentError(
        "its first line is too long for the names of columns, or ends in CR alone");
  }
  FideColumns columns;
  columns.width_ = header.size();
  columns.elastic_ = std::numeric_limits<std::size_t>::max();
  Column* last = nullptr;
  bool is_elastic = false;
  for (std::size_t at = header.find_first_not_of(' '); at < header.size();
       at = header.find_first_not_of(' ', at)) {
    const std::string_view word = first_word(header.substr(at));
    if (last != nullptr) last->end = at;
    if (is_elastic) columns.elastic_ = at;
    is_elastic = begins_with(word, "OTit");
    const Field field = field_of(word);
    last = field == kFields ? nullptr : &columns.columns_[field];
    // Of two columns of one name the first one counts.
    if (last != nullptr && last->end != 0) last = nullptr;
    if (last != nullptr) *last = {.begin = at, .end = kMostLine};
    at += word.size();
  }
  for (const auto& [field, name] :
       {std::pair(kId, "ID Number"), std::pair(kName, "Name"), std::pair(kBorn, "B-day")}) {
    if (columns.columns_[field].end != 0) continue;
    return absl::InvalidArgumentError(fmt::format("its first line names no column {}", name));
  }
  return columns;
}

absl::StatusOr<FideColumns> FideColumns::parse_first_line(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return parse(line);
}

std::string_view FideColumns::text(std::string_view line, Field field) const {
  const auto [begin, end] = columns_[field];
  const bool is_moved = begin >= elastic_ && line.size() > width_ && line[elastic_ - 1] != ' ';
  const std::size_t first = begin + (is_moved ? line.size() - width_ : 0);
  if (begin == end || first >= line.size()) return {};
  const std::size_t last =
      end == kMostLine ? line.size() : std::min(line.size(), first + (end - begin));
  return trim(line.substr(first, last - first));
}

std::uint16_t FideColumns::number(std::string_view line, Field field, std::uint16_t least,
                                  std::uint16_t most) const {
  const auto number = codec::parse_number<std::uint16_t>(text(line, field));
  return number.has_value() && *number >= least && *number <= most ? *number : std::uint16_t{0};
}

std::optional<FidePlayer> FideColumns::player(std::string_view line) const {
  constexpr std::uint16_t kFirstYear = 1850;
  constexpr std::uint16_t kLastYear = 2047;  // as far as dates of games go
  constexpr std::uint16_t kLeastRating = 1000;
  constexpr std::uint16_t kMostRating = 3500;
  line = without_line_end(line);
  if (line.size() > kMostLine) return std::nullopt;
  const auto id = codec::parse_number<std::uint32_t>(text(line, kId));
  FidePlayer player{.id = id.value_or(0), .name = text(line, kName)};
  if (player.id == 0 || player.name.empty()) return std::nullopt;
  const std::string_view federation = text(line, kFederation);
  constexpr std::size_t kLetters = 3;
  if (federation.size() == kLetters && std::ranges::all_of(federation, is_capital)) {
    player.federation = federation;
  }
  player.titles = titles_of(text(line, kTitle)) | titles_of(text(line, kWomensTitle));
  player.born = number(line, kBorn, kFirstYear, kLastYear);
  player.rating = number(line, kRating, kLeastRating, kMostRating);
  const std::string_view flag = text(line, kFlag);
  player.is_woman = text(line, kSex) == "F" || flag.find('w') != std::string_view::npos;
  player.is_inactive = flag.find('i') != std::string_view::npos;
  return player;
}

}  // namespace scidfs::fs
