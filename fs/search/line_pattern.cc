#include "fs/search/line_pattern.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <optional>

#include "codec/position.h"
#include "codec/san.h"
#include "codec/text.h"

namespace scidfs::fs {
namespace {

// Returns "1st", "2nd", "3rd", "4th", ..., "11th", ...
std::string ordinal(std::size_t number) {
  constexpr std::size_t kTen = 10;
  const bool is_teen = number / kTen % kTen == 1;
  const std::size_t last = is_teen ? 0 : number % kTen;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

absl::Status no_move(std::size_t number, std::string_view text) {
  if (text.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("the {} move of the line is missing", ordinal(number)));
  }
  return absl::InvalidArgumentError(fmt::format("the {} move of the line, {}, is none",
                                                ordinal(number), codec::clean_line(text)));
}

}  // namespace

absl::StatusOr<LinePattern> LinePattern::parse(std::string_view text) {
  LinePattern pattern;
  codec::Position position;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    const std::optional<codec::Move> move = codec::parse_san(position, name);
    if (!move.has_value()) return no_move(pattern.moves_.size() + 1, name);
    std::string san = codec::to_san(position, *move);
    san.resize(san.find_last_not_of("+#") + 1);
    if (!pattern.text_.empty()) pattern.text_ += ',';
    pattern.text_ += san;
    pattern.moves_.push_back(*move);
    position.make(*move);
    is_last = comma == std::string_view::npos;
    if (!is_last) text.remove_prefix(comma + 1);
  }
  return pattern;
}

}  // namespace scidfs::fs
