#include "codec/scid/names_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::array<std::string_view, kNameKinds> kKindNames = {"player", "event", "site",
                                                                 "round"};

// Front coding turns a record of a few bytes into 255, so a small file could require gigabytes.
// Real files stay far below a factor of 64; the constants leave room for every genuine small file.
constexpr std::size_t kMaxExpansion = 64;
constexpr std::size_t kMaxExpansionOfLarge = 8;
constexpr std::size_t kFreeText = 1 << 16;
constexpr std::size_t kFreeTextOfLarge = std::size_t{64} << 20;
constexpr std::size_t kFreeSlots = 1 << 16;

// How many bytes one byte of a name becomes at most, in the text and in the one with a backslash
// before some of them, which all are ASCII.
constexpr std::size_t kMostCleaned = 3;
constexpr std::size_t kMostEscaped = 3;

std::size_t max_text_of(std::size_t file_size) {
  return std::min({kFreeText + kMaxExpansion * file_size,
                   kFreeTextOfLarge + kMaxExpansionOfLarge * file_size,
                   std::size_t{std::numeric_limits<std::uint32_t>::max()}});
}

// "?" with the padding that NameTable::pgn() promises.
constexpr std::array<char, 1 + NameTable::kPadding> kPaddedMissing = {NameTable::kMissing[0]};

// Returns whether the bytes are text without changes, for the table and for PGN.
bool is_plain(Bytes raw) {
  bool plain = !raw.empty();
  for (const std::uint8_t byte : raw) {
    plain &= byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
  }
  return plain;
}

}  // namespace

std::string_view NameTable::pgn(std::uint32_t id) const {
  if (!contains(id)) return std::string_view(kPaddedMissing.data(), kMissing.size());
  const Slot& slot = slots_[id];
  if (slot.pgn_length == 0) return {texts_.data() + slot.offset, slot.length};
  return {texts_.data() + slot.offset + slot.length, slot.pgn_length};
}

NameTable NameTable::of(std::span<const Slot> slots, std::string_view texts) {
  return NameTable(slots, texts);
}

NamesBuilder::NamesBuilder(std::size_t file_size, CodePage page, StoredNames* stored)
    : max_text_(max_text_of(file_size)),
      max_slots_(kFreeSlots + kMaxExpansion / sizeof(NameTable::Slot) * file_size),
      page_(page),
      stored_(stored) {}

void NamesBuilder::report(std::string_view what, std::size_t offset) {
  if (!names_.status.ok()) return;
  names_.status = absl::InvalidArgumentError(fmt::format("{} at byte {}", what, offset));
}

void NamesBuilder::report(NameKind kind, std::string_view what, std::size_t offset) {
  report(fmt::format("{} names: {}", kKindNames[static_cast<std::size_t>(kind)], what), offset);
}

void NamesBuilder::expect(NameKind kind, std::size_t names, std::size_t bytes) {
  own(kind).slots.resize(names);
  own(kind).texts.reserve(bytes);
}

bool NamesBuilder::store(NameKind kind, std::uint32_t id, Bytes raw) {
  assert(has_slot(id) && !contains(kind, id));
  assert(raw.size() <= kMaxNameBytes);
  if (text_ + raw.size() * (kMostCleaned + kMostEscaped) + NameTable::kPadding * kNameKinds >
      max_text_)
    return false;
  std::vector<NameTable::Slot>& slots = own(kind).slots;
  if (id >= slots.size()) slots.resize(id + 1u);
  NameTable::Slot& slot = slots[id];
  std::string& arena = own(kind).texts;
  slot.offset = static_cast<std::uint32_t>(arena.size());
  slot.present = 1;
  if (stored_ != nullptr) {
    std::vector<std::string>& texts = (*stored_)[static_cast<std::size_t>(kind)];
    texts.resize(std::max<std::size_t>(texts.size(), id + 1U));
    texts[id] = as_text(raw);
  }
  if (is_plain(raw)) {
    arena += as_text(raw);
    slot.length = static_cast<std::uint16_t>(raw.size() & 0x7FFF);
    slot.ascii = 1;
    text_ += raw.size();
    return true;
  }
  const std::string text = clean_line(raw, page_);
  arena += text;
  slot.length = static_cast<std::uint16_t>(text.size() & 0x7FFF);
  const std::string pgn = text.empty() ? std::string(NameTable::kMissing) : pgn_escape(text);
  if (pgn != text) {
    arena += pgn;
    slot.pgn_length = static_cast<std::uint16_t>(pgn.size() & 0x7FFF);
  }
  text_ += arena.size() - slot.offset;
  return true;
}

Names NamesBuilder::finish() {
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    NameTable::Own& own = own_[kind];
    own.texts.append(NameTable::kPadding, '\0');
    own.texts.shrink_to_fit();
    own.slots.shrink_to_fit();
    names_.tables[kind] = NameTable(std::move(own));
  }
  return std::move(names_);
}

}  // namespace scidfs::codec::scid
