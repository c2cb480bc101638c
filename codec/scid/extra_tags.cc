#include "codec/scid/extra_tags.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace scidfs::codec::scid {
namespace {

// Returns whether the standard allows a character in the name of a tag (8.1.1).
constexpr bool is_tag_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Returns a stored name as the standard allows it; empty if it is.
std::string make_tag_name(std::string_view stored) {
  std::string name(stored);
  std::ranges::replace_if(name, std::not_fn(is_tag_name_char), '_');
  const std::size_t first = name.find_first_not_of('_');
  if (first == std::string::npos) return name.empty() ? name : "X" + name;
  return name.substr(first);
}

// Returns whether all tags surely have different names: compares the names of few tags by their
// lengths and some of their characters.
bool have_different_names(std::span<const ExtraTag> tags) {
  constexpr std::size_t kFew = 24;
  if (tags.size() > kFew) return false;
  std::array<std::uint32_t, kFew> keys;
  auto end = keys.begin();
  for (const ExtraTag& tag : tags) {
    if (tag.name.empty()) return false;
    std::uint32_t key = static_cast<std::uint8_t>(tag.name.size());
    for (const char c : {tag.name.front(), tag.name[tag.name.size() / 2], tag.name.back()}) {
      key = key << 8U | static_cast<unsigned char>(c);
    }
    if (std::find(keys.begin(), end, key) != end) return false;
    *end++ = key;
  }
  return true;
}

// Merges tags that are stored under one name: the place of the first and the value of the last
// count.
void merge_equal_names(std::vector<ExtraTag>& tags) {
  if (have_different_names(tags)) return;
  absl::flat_hash_map<std::string_view, std::size_t> places;
  std::size_t kept = 0;
  for (const ExtraTag& tag : tags) {
    const auto [place, is_new] = places.try_emplace(tag.name, kept);
    if (is_new) {
      tags[kept++] = tag;
    } else {
      tags[place->second].value = tag.value;
    }
  }
  tags.resize(kept);
}

}  // namespace

bool is_tag_name(std::string_view name) {
  return !name.empty() && name.front() != '_' && std::ranges::all_of(name, is_tag_name_char);
}

std::string_view GameTags::*roster_member(std::string_view name) {
  if (name == "Event") return &GameTags::event;
  if (name == "Site") return &GameTags::site;
  if (name == "Round") return &GameTags::round;
  if (name == "White") return &GameTags::white;
  if (name == "Black") return &GameTags::black;
  return nullptr;
}

bool is_tag_of_index(std::string_view name) {
  constexpr auto kOthers =
      std::to_array<std::string_view>({"Date", "Result", "ECO", "EventDate", "SetUp", "FEN"});
  constexpr std::size_t kColor = 5;
  if (roster_member(name) != nullptr || std::ranges::count(kOthers, name) != 0) return true;
  if (!name.starts_with("White") && !name.starts_with("Black")) return false;
  for (unsigned type = 0; type <= static_cast<unsigned>(RatingType::Ecf); ++type) {
    if (name.substr(kColor) == rating_name(static_cast<RatingType>(type))) return true;
  }
  return false;
}

std::string_view shown_value(Bytes value, CodePage page, std::string& room) {
  const auto is_plain = [](std::uint8_t byte) { return byte >= ' ' && byte < 0x7F; };
  if (!std::ranges::all_of(value, is_plain)) [[unlikely]] {
    room = clean_line(value, page);
    return room;
  }
  return as_text(value);
}

void clean_extra_tags(std::vector<ExtraTag>& tags, std::vector<std::string>& names) {
  merge_equal_names(tags);
  if (std::ranges::all_of(tags, is_tag_name, &ExtraTag::name)) return;
  names.clear();
  names.reserve(tags.size());
  absl::flat_hash_set<std::string_view> seen;
  std::size_t kept = 0;
  for (ExtraTag tag : tags) {
    const bool as_stored = is_tag_name(tag.name);
    if (!as_stored) tag.name = names.emplace_back(make_tag_name(tag.name));
    // A name that became one of the index only by make_tag_name() does not replace it.
    const bool is_roster = !as_stored && roster_member(tag.name) != nullptr;
    if (!tag.name.empty() && !is_roster && seen.insert(tag.name).second) tags[kept++] = tag;
  }
  tags.resize(kept);
}

}  // namespace scidfs::codec::scid
