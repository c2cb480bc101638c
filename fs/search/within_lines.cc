#include "fs/search/within_lines.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include "codec/number.h"
#include "codec/text.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kTo = "to=";

// Takes the part after the last comma off a text; empty if there is none.
std::string_view take_last(std::string_view& text) {
  const std::size_t comma = text.rfind(',');
  if (comma == std::string_view::npos) return {};
  const std::string_view last = text.substr(comma + 1);
  text.remove_suffix(last.size() + 1);
  return last;
}

}  // namespace

absl::StatusOr<WithinLines> WithinLines::parse(std::string_view text) {
  WithinLines lines;
  std::string_view rest = text;
  std::string_view last = take_last(rest);
  if (last.starts_with(kTo)) {
    const auto to = codec::parse_number<std::uint32_t>(last.substr(kTo.size()));
    if (!to.has_value() || *to > kMostPlies) {
      return absl::InvalidArgumentError(
          fmt::format("to= is a number of plies up to {}", kMostPlies));
    }
    lines.to = *to;
    text = rest;
    last = take_last(rest);
  }
  if (last == "white" || last == "black") {
    lines.side = last == "white" ? codec::Color::White : codec::Color::Black;
    text = rest;
  }
  // The mount shows no others.
  const bool is_name =
      !text.empty() && codec::clean_line(text) == text && text.find('/') == std::string_view::npos;
  if (!is_name) return absl::InvalidArgumentError("the name of a file comes first");
  lines.repertoire = text;
  return lines;
}

std::string WithinLines::text() const {
  std::string text = repertoire;
  if (side.has_value()) text += *side == codec::Color::White ? ",white" : ",black";
  // Also the usual number: a name may end like this.
  return text + fmt::format(",{}{}", kTo, to);
}

}  // namespace scidfs::fs
