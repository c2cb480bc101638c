#include "fs/serve/conditions.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "codec/ending.h"
#include "codec/number.h"
#include "codec/text.h"
#include "fs/serve/http_date.h"

namespace scidfs::fs {
namespace {

enum class Comparison { Strong, Weak };

// Takes an entity tag from the front of a text. Returns it with its quotes, and in a strong
// comparison an empty text for a weak one; nothing if there is no tag.
std::optional<std::string_view> take_tag(std::string_view& text, Comparison comparison) {
  const bool is_weak = text.starts_with("W/");
  std::string_view tag = text;
  if (is_weak) tag.remove_prefix(2);
  const std::size_t end = tag.find('"', 1);
  if (!tag.starts_with('"') || end == std::string_view::npos) return std::nullopt;
  text = tag.substr(end + 1);
  return is_weak && comparison == Comparison::Strong ? std::string_view() : tag.substr(0, end + 1);
}

// Returns whether a list of entity tags has that of a file that exists; `*` has all. Nothing is
// found behind what is no tag.
bool has_tag(std::string_view list, std::string_view etag, Comparison comparison) {
  if (codec::trim(list) == "*") return true;
  while (true) {
    list.remove_prefix(std::min(list.find_first_not_of(" \t,"), list.size()));
    const std::optional<std::string_view> tag = take_tag(list, comparison);
    if (!tag.has_value()) return false;
    if (*tag == etag) return true;
  }
}

// Returns the verdict of the conditions but If-Range (RFC 9110, 13.2.2): Whole if the request is to
// be answered.
Verdict judge_preconditions(const Conditions& conditions, const Validators& validators) {
  if (!conditions.if_match.empty()) {
    if (!has_tag(conditions.if_match, validators.etag, Comparison::Strong)) {
      return Verdict::PreconditionFailed;
    }
  } else if (const auto date = parse_http_date(conditions.if_unmodified_since)) {
    if (validators.modified > *date) return Verdict::PreconditionFailed;
  }
  if (!conditions.if_none_match.empty()) {
    if (has_tag(conditions.if_none_match, validators.etag, Comparison::Weak)) {
      return Verdict::NotModified;
    }
  } else if (const auto date = parse_http_date(conditions.if_modified_since)) {
    if (validators.modified <= *date) return Verdict::NotModified;
  }
  return Verdict::Whole;
}

// Returns whether the client has parts of this very version, or does not say.
bool is_of_version(std::string_view if_range, const Validators& validators) {
  if (if_range.empty()) return true;
  if_range = codec::trim(if_range);
  std::string_view rest = if_range;
  if (const auto tag = take_tag(rest, Comparison::Strong)) {
    return rest.empty() && *tag == validators.etag;
  }
  return parse_http_date(if_range) == validators.modified;
}

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

// Returns a number of digits alone; kHuge for a larger one.
std::optional<std::uint64_t> parse_position(std::string_view digits) {
  const bool are_digits = digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits.empty() || !are_digits) return std::nullopt;
  return codec::parse_number<std::uint64_t>(digits).value_or(kHuge);
}

// Returns the bytes that "0-99", "100-" or "-5" asks for, none if the file does not have them;
// nothing if the syntax is wrong.
std::optional<ByteRange> parse_range(std::string_view spec, std::uint64_t size) {
  const std::size_t sign = spec.find('-');
  if (sign == std::string_view::npos) return std::nullopt;
  const std::string_view from = spec.substr(0, sign);
  const std::string_view to = spec.substr(sign + 1);
  if (from.empty()) {
    const std::optional<std::uint64_t> most = parse_position(to);
    if (!most.has_value()) return std::nullopt;
    const std::uint64_t taken = std::min(*most, size);
    return ByteRange{.first = size - taken, .size = taken};
  }
  const std::optional<std::uint64_t> first = parse_position(from);
  const std::optional<std::uint64_t> last = to.empty() ? kHuge : parse_position(to);
  if (!first.has_value() || !last.has_value() || *first > *last) return std::nullopt;
  if (*first >= size) return ByteRange{};
  return ByteRange{.first = *first, .size = std::min(*last, size - 1) - *first + 1};
}

bool overlap(std::vector<ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::first);
  const auto two = std::ranges::adjacent_find(
      ranges, [](const auto& one, const auto& next) { return next.first - one.first < one.size; });
  return two != ranges.end();
}

Judged judge_ranges(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (size == 0 || codec::in_small_letters(header.substr(0, kUnit.size())) != kUnit) return {};
  header.remove_prefix(kUnit.size());
  std::vector<ByteRange> ranges;
  std::size_t asked = 0;
  while (!header.empty()) {
    const std::string_view spec = header.substr(0, header.find(','));
    header.remove_prefix(std::min(spec.size() + 1, header.size()));
    if (codec::trim(spec).empty()) continue;  // lists may have empty elements (5.6.1)
    const std::optional<ByteRange> range = parse_range(codec::trim(spec), size);
    if (!range.has_value() || ++asked > kMostRanges) return {};
    if (range->size > 0) ranges.push_back(*range);
  }
  if (asked == 0 || overlap(ranges)) return {};
  if (ranges.empty()) return {.verdict = Verdict::Unsatisfiable, .ranges = {}};
  return {.verdict = Verdict::Ranges, .ranges = std::move(ranges)};
}

}  // namespace

Judged judge(const Conditions& conditions, const Validators& validators, std::uint64_t size,
             bool is_compressed) {
  const Verdict verdict = judge_preconditions(conditions, validators);
  if (verdict != Verdict::Whole) return {.verdict = verdict, .ranges = {}};
  if (is_compressed || !is_of_version(conditions.if_range, validators)) return {};
  return judge_ranges(conditions.range, size);
}

}  // namespace scidfs::fs
