#include "codec/scid/record.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "codec/scid/walk.h"
#include "codec/variant.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::uint8_t kBinaryEventDate = 255;
constexpr std::size_t kBinaryEventDateSize = 3;
// The names of the tags 241..250 (section 4.3).
constexpr std::array<std::string_view, 10> kCodedNames = {
    "WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate",
    "Opening",      "Variation",    "Setup",     "Source",   "SetUp"};

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Damage damage_at(const ByteReader& reader, std::string_view reason) {
  return {.offset = static_cast<std::uint32_t>(reader.offset()), .reason = reason};
}

std::optional<Damage> parse_tags(ByteReader& reader, std::vector<ExtraTag>& tags) {
  while (true) {
    const std::uint8_t type = reader.u8();
    if (!reader.ok()) return damage_at(reader, "the tags do not end");
    if (type == 0) return std::nullopt;
    if (type == kBinaryEventDate) {
      reader.take(kBinaryEventDateSize);
      continue;
    }
    ExtraTag tag;
    if (type <= kMaxTagName) {
      tag.name = as_text(reader.take(type));
    } else if (const std::size_t code = type - kMaxTagName - 1U; code < kCodedNames.size()) {
      tag.name = kCodedNames[code];
    }
    tag.value = reader.take(reader.u8());
    if (!reader.ok()) return damage_at(reader, "a tag is longer than the record");
    if (!tag.name.empty()) tags.push_back(tag);
  }
}

// Returns whether a tag says that the game is one of Chess960.
bool is_chess960_tag(const ExtraTag& tag) {
  return tag.name == "Variant" && codec::names_chess960(as_text(tag.value));
}

}  // namespace

std::optional<std::uint8_t> code_of_tag(std::string_view name) {
  const auto* const found = std::ranges::find(kCodedNames, name);
  if (found == kCodedNames.end()) return std::nullopt;
  return static_cast<std::uint8_t>(kMaxTagName + 1 + (found - kCodedNames.begin()));
}

std::optional<Damage> parse_record_tags(Bytes record, std::vector<ExtraTag>& tags) {
  ByteReader reader(record);
  return parse_tags(reader, tags);
}

std::optional<Damage> parse_record_head(Bytes record, std::vector<ExtraTag>& tags, RecordHead& head,
                                        CastlingRule rule) {
  ByteReader reader(record);
  const auto others = static_cast<std::ptrdiff_t>(tags.size());
  if (std::optional<Damage> damage = parse_tags(reader, tags)) return damage;
  const std::uint8_t flags = reader.u8();
  if (!reader.ok()) return damage_at(reader, "the record ends before its flags");
  if ((flags & 1) != 0) {
    const Bytes rest = record.subspan(reader.offset());
    const auto end = std::find(rest.begin(), rest.end(), 0);
    if (end == rest.end()) return damage_at(reader, "the FEN does not end");
    const Bytes fen = reader.take(static_cast<std::size_t>(end - rest.begin()));
    if (std::any_of(tags.begin() + others, tags.end(), is_chess960_tag)) {
      rule = CastlingRule::Chess960;
    }
    absl::StatusOr<Position> start = Position::from_fen(as_text(fen), rule);
    if (!start.ok()) {
      return Damage{.offset = static_cast<std::uint32_t>(record.size() - rest.size()),
                    .reason = "the FEN is no position"};
    }
    head.fen = *start;
    reader.take(1);
  }
  head.moves_offset = static_cast<std::uint32_t>(reader.offset());
  return std::nullopt;
}

void CommentTexts::find_first() {
  found_ = true;
  const std::uint8_t* const moves = record_.data() + offset_;
  const std::uint8_t* const end = record_.data() + record_.size();
  offset_ = record_.size();
  for (const std::uint8_t* in = moves; in != end; ++in) {
    in = static_cast<const std::uint8_t*>(
        std::memchr(in, kMarkEndGame, static_cast<std::size_t>(end - in)));
    if (in == nullptr) return;
    // Of the bytes before it that look like NAG marks, every second one is an operand. If the last
    // one is a mark, this byte is its operand.
    const std::uint8_t* nags = in;
    while (nags != moves && nags[-1] == kMarkNag) --nags;
    if ((in - nags) % 2 == 0) {
      offset_ = static_cast<std::size_t>(in + 1 - record_.data());
      return;
    }
  }
}

bool CommentTexts::has_more() {
  if (!found_) find_first();
  return std::find(record_.begin() + static_cast<std::ptrdiff_t>(offset_), record_.end(), 0) !=
         record_.end();
}

}  // namespace scidfs::codec::scid
