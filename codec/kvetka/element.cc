#include "codec/kvetka/element.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace scidfs::codec::kvetka {
namespace {

enum ElementFlag : std::uint8_t {
  kHasComment = 1,
  kHasLinks = 2,
  kHasSomeSource = 4,
  kFutureFlags = 0xF8,
};

// The bytes of the key, three counters, the number of moves and the flags.
constexpr std::size_t kMinFields = kKeySize + 5;
constexpr std::uint64_t kCounterBound = std::uint64_t{1} << 62;

GameLink read_link(ByteReader& in) { return {.source = in.u16(), .game = in.u32()}; }

void append_link(GameLink link, std::vector<std::uint8_t>& out) {
  append_big(link.source, 2, out);
  append_big(link.game, 4, out);
}

// The width of a count in front of the list, if the list has this layout.
constexpr std::array<std::pair<LinkLayout, std::size_t>, 3> kCountedLayouts = {
    {{LinkLayout::Compact, 1}, {LinkLayout::U16, 2}, {LinkLayout::U32, 4}}};

// Finds the list in the rest of an element.
void find_links(Bytes rest, bool has_future, Element& element) {
  element.layout = LinkLayout::Unknown;
  for (const auto& [layout, width] : kCountedLayouts) {
    // If other fields follow, only the count can tell where the list ends.
    if (has_future ? layout != LinkLayout::Compact : rest.size() % kLinkSize != width) continue;
    ByteReader in(rest);
    const std::uint64_t count = in.big(width);
    const Bytes links = in.take(count * kLinkSize);
    if (!in.ok() || (!has_future && in.remaining() != 0)) return;
    element.layout = layout;
    element.links = links;
    return;
  }
  if (!has_future && !rest.empty() && rest.size() % kLinkSize == 0) {
    element.layout = LinkLayout::Bare;
    element.links = rest;
  }
}

std::size_t compact_size(std::uint64_t value) {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

}  // namespace

std::optional<std::uint64_t> read_compact(ByteReader& in, std::size_t most_bytes) {
  const unsigned bits = most_bytes == kShortCompact ? 32 : 64;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < most_bytes; ++i) {
    const std::uint8_t byte = in.u8();
    if (!in.ok() || value >> (bits - 7) != 0) return std::nullopt;
    value = value << 7 | (byte & 0x7FU);
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

void append_compact(std::uint64_t value, std::vector<std::uint8_t>& out) {
  for (std::size_t left = compact_size(value); left-- > 0;) {
    const auto digit = static_cast<std::uint8_t>(value >> 7 * left & 0x7F);
    out.push_back(left == 0 ? digit : digit | 0x80U);
  }
}

GameLink Element::link(std::size_t i) const {
  assert(i < link_count());
  ByteReader in(links.subspan(i * kLinkSize, kLinkSize));
  return read_link(in);
}

BlockElements::BlockElements(Bytes block, bool has_links) : block_(block), has_links_(has_links) {
  assert(block.size() == kBlockSize);
  ByteReader in(block);
  used_ = in.u16();
}

BlockElements::Next BlockElements::fail(std::string_view error) {
  error_ = error;
  return Next::Damage;
}

BlockElements::Next BlockElements::next(Element& element) {
  offset_ = at_;
  if (used_ < kBlockHeadSize || used_ > kBlockSize) {
    if (at_ == kBlockSize) return Next::End;
    at_ = kBlockSize;
    offset_ = 0;
    return fail("its number of used bytes is impossible");
  }
  if (at_ >= used_) return Next::End;
  ByteReader in(block_.first(used_).subspan(at_));
  const std::optional<std::uint64_t> length = read_compact(in, kShortCompact);
  const Bytes fields = in.take(length.value_or(0));
  if (!length.has_value() || !in.ok()) {
    at_ = used_;
    return fail(length.has_value() ? "an element ends beyond the used bytes"
                                   : "an element's length is no number");
  }
  at_ += in.offset();
  element = Element{};
  element.size = in.offset();
  if (fields.size() < kMinFields) return fail("an element is too short");
  if (!parse(fields, element)) return fail("a field ends beyond its element");
  return Next::Element;
}

bool BlockElements::parse(Bytes fields, Element& element) {
  ByteReader in(fields);
  std::ranges::copy(in.take(kKeySize), element.key.begin());
  for (std::uint64_t* const counter : {&element.wins, &element.draws, &element.losses}) {
    const std::optional<std::uint64_t> value = read_compact(in, kLongCompact);
    if (!value.has_value() || *value >= kCounterBound) return false;
    *counter = *value;
  }
  element.moves = in.take(in.u8());
  const std::uint8_t flags = in.u8();
  if (has_links_ && (flags & kHasSomeSource) != 0) element.some_source = read_link(in);
  if ((flags & kHasComment) != 0) element.comment = in.take(std::uint64_t{in.u32()} * 2);
  if (!in.ok()) return false;
  if (has_links_ && (flags & kHasLinks) != 0) {
    find_links(in.take(in.remaining()), (flags & kFutureFlags) != 0, element);
  }
  return true;
}

std::size_t append_element(const NewElement& element, bool has_links,
                           std::vector<std::uint8_t>& out) {
  const bool some_source = has_links && element.some_source.has_value();
  // The largest length takes two bytes.
  std::size_t room = kMaxElementSize - 2 - kKeySize - compact_size(element.wins) -
                     compact_size(element.draws) - compact_size(element.losses) - 2 -
                     (some_source ? kLinkSize : 0);
  const std::size_t moves = std::min(element.moves.size(), kMaxMoves);
  room -= moves;
  // The number of links takes one byte, as there are so few.
  const std::size_t links = has_links && !element.links.empty()
                                ? std::min(element.links.size(), (room - 1) / kLinkSize)
                                : 0;
  std::vector<std::uint8_t> fields(element.key.begin(), element.key.end());
  for (const std::uint64_t counter : {element.wins, element.draws, element.losses}) {
    append_compact(counter, fields);
  }
  fields.push_back(static_cast<std::uint8_t>(moves));
  fields.insert(fields.end(), element.moves.begin(),
                element.moves.begin() + static_cast<std::ptrdiff_t>(moves));
  fields.push_back(
      static_cast<std::uint8_t>((links != 0 ? kHasLinks : 0) | (some_source ? kHasSomeSource : 0)));
  if (some_source) append_link(*element.some_source, fields);
  if (links != 0) {
    append_compact(links, fields);
    for (const GameLink link : element.links.first(links)) append_link(link, fields);
  }
  const std::size_t before = out.size();
  append_compact(fields.size(), out);
  out.insert(out.end(), fields.begin(), fields.end());
  return out.size() - before;
}

}  // namespace scidfs::codec::kvetka
