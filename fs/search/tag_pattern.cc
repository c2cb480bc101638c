#include "fs/search/tag_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "codec/scid/extra_tags.h"
#include "codec/text.h"
#include "fs/base/filename.h"

namespace scidfs::fs {
namespace {

// What to ask instead of a tag that the index holds.
std::string_view instead_of(std::string_view tag) {
  struct Instead {
    std::string_view tag;
    std::string_view key;
  };
  constexpr auto kKeys = std::to_array<Instead>({{"Event", "event="},
                                                 {"Site", "site="},
                                                 {"Date", "date="},
                                                 {"Round", "round="},
                                                 {"White", "white="},
                                                 {"Black", "black="},
                                                 {"Result", "result="},
                                                 {"ECO", "eco="},
                                                 {"WhiteElo", "white_elo="},
                                                 {"BlackElo", "black_elo="},
                                                 {"SetUp", "start=fen"},
                                                 {"FEN", "position="}});
  const auto* const found = std::ranges::find(kKeys, tag, &Instead::tag);
  return found == kKeys.end() ? "index.tsv" : found->key;
}

}  // namespace

absl::StatusOr<TagPattern> TagPattern::parse(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    return absl::InvalidArgumentError("a comma follows the name of the tag");
  }
  const std::string_view tag = text.substr(0, comma);
  if (!codec::scid::is_tag_name(tag)) {
    return absl::InvalidArgumentError(
        fmt::format("`{}` is no name of a tag", codec::clean_line(tag)));
  }
  if (codec::scid::is_tag_of_index(tag)) {
    return absl::InvalidArgumentError(
        fmt::format("{} is in the index; use {}", tag, instead_of(tag)));
  }
  const std::string_view value = text.substr(comma + 1);
  std::optional<NamePattern> pattern = NamePattern::parse(value);
  if (!pattern.has_value() || pattern->only().has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("`{}` is no pattern of a value", codec::clean_line(value)));
  }
  return TagPattern(tag, *std::move(pattern));
}

}  // namespace scidfs::fs
