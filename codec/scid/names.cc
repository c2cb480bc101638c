#include "codec/scid/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::string_view kMagic("Scid.sn\0", 8);
constexpr std::size_t kStampSize = 4;

constexpr std::array<std::string_view, kNameKinds> kKindNames = {"player", "event", "site",
                                                                 "round"};
// The index has so many bits for an id (specification scid4, section 9).
constexpr std::array<std::uint32_t, kNameKinds> kMaxCounts = {(1 << 20) - 1, (1 << 19) - 1,
                                                              (1 << 19) - 1, (1 << 18) - 1};

constexpr std::size_t kMinRecordSize = 4;  // two bytes of id, frequency, length
constexpr std::size_t kMaxName = 255;

// Front coding turns a record of a few bytes into 255, so a small file could ask for gigabytes.
// Real files stay far below a factor of 64; the constants leave room for every honest small file.
constexpr std::size_t kMaxExpansion = 64;
constexpr std::size_t kMaxExpansionOfLarge = 8;
constexpr std::size_t kFreeText = 1 << 16;
constexpr std::size_t kFreeTextOfLarge = std::size_t{64} << 20;
constexpr std::size_t kFreeSlots = 1 << 16;

constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

std::size_t max_text_of(std::size_t file_size) {
  return std::min({kFreeText + kMaxExpansion * file_size,
                   kFreeTextOfLarge + kMaxExpansionOfLarge * file_size,
                   std::size_t{std::numeric_limits<std::uint32_t>::max()}});
}

// "?" with the padding that NameTable::pgn() promises.
constexpr std::array<char, 1 + NameTable::kPadding> kPaddedMissing = {NameTable::kMissing[0]};

// Whether the bytes are text as it is, for the table and for PGN.
bool is_plain(Bytes raw) {
  bool plain = !raw.empty();
  for (const std::uint8_t byte : raw) {
    plain &= byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
  }
  return plain;
}

std::size_t id_width(std::uint32_t count) { return count < 0x10000 ? 2 : 3; }

std::size_t frequency_width(std::uint32_t greatest) {
  return greatest < 0x100 ? 1 : greatest < 0x10000 ? 2 : 3;
}

}  // namespace

// Reads the four sections one after the other, as far as they can be followed.
class NamesBuilder {
 public:
  explicit NamesBuilder(Bytes file)
      : in_(file),
        max_text_(max_text_of(file.size())),
        max_slots_(kFreeSlots + kMaxExpansion / sizeof(NameTable::Slot) * file.size()) {}

  Names build() {
    std::array<std::uint32_t, kNameKinds> counts{};
    std::array<std::uint32_t, kNameKinds> frequencies{};
    if (!read_header(counts, frequencies)) return std::move(names_);
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
      kind_ = kind;
      const bool whole = read_section(counts[kind], frequencies[kind]);
      finish_table();
      // Without the end of a section there is no beginning of the next.
      if (!whole) break;
    }
    return std::move(names_);
  }

 private:
  NameTable& table() { return names_.tables[kind_]; }

  // Keeps the first fault only.
  void report(std::string_view what, std::size_t offset) {
    if (!names_.status.ok()) return;
    names_.status = absl::InvalidArgumentError(fmt::format("{} at byte {}", what, offset));
  }

  void report_record(std::string_view what) {
    report(fmt::format("{} names: {}", kKindNames[kind_], what), record_offset_);
  }

  bool read_header(std::array<std::uint32_t, kNameKinds>& counts,
                   std::array<std::uint32_t, kNameKinds>& frequencies) {
    const Bytes magic = in_.take(kMagic.size());
    if (in_.ok() && as_text(magic) != kMagic) {
      report("not a Scid name file (wrong magic)", 0);
      return false;
    }
    in_.take(kStampSize);
    for (std::uint32_t& count : counts) count = in_.u24();
    for (std::uint32_t& frequency : frequencies) frequency = in_.u24();
    if (!in_.ok()) report("the name file ends in its header", in_.offset());
    return in_.ok();
  }

  // False if the place where the section ends is not known.
  bool read_section(std::uint32_t count, std::uint32_t greatest_frequency) {
    record_offset_ = in_.offset();
    if (count > kMaxCounts[kind_]) {
      report_record(fmt::format("{} are declared, more than the format has room for,", count));
      return false;
    }
    const std::size_t likely = std::min<std::size_t>(count, in_.remaining() / kMinRecordSize + 1);
    table().slots_.resize(count == 0 ? 0 : likely);
    table().arena_.reserve(std::min<std::size_t>(likely * 16, in_.remaining() * 2));

    const std::size_t id_size = id_width(count);
    const std::size_t frequency_size = frequency_width(greatest_frequency);
    std::size_t previous_length = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      record_offset_ = in_.offset();
      const auto id = static_cast<std::uint32_t>(in_.big(id_size));
      in_.take(frequency_size);
      const std::size_t length = in_.u8();
      const std::size_t prefix = i == 0 ? 0 : in_.u8();
      if (prefix > length) {
        report_record("a prefix is longer than its name,");
        return false;
      }
      if (prefix > previous_length) {
        report_record("a prefix is longer than the name before,");
        return false;
      }
      const Bytes rest = in_.take(length - prefix);
      if (!in_.ok()) {
        report_record(fmt::format("the file ends in name {} of {},", i + 1, count));
        return false;
      }
      const auto tail = name_.begin() + static_cast<std::ptrdiff_t>(prefix);
      if (i > 0 && length == previous_length && std::equal(rest.begin(), rest.end(), tail)) {
        report_record("a name is there twice,");  // harmless: both ids mean it
      }
      std::ranges::copy(rest, tail);
      previous_length = length;
      if (!store(id, count, Bytes(name_).first(length))) return false;
    }
    // `count` records with different ids below `count`: whatever id is missing has been reported.
    return true;
  }

  // False if there is no room for more text. A bad id costs only its own name.
  bool store(std::uint32_t id, std::uint32_t count, Bytes raw) {
    std::vector<NameTable::Slot>& slots = table().slots_;
    if (id >= count || id >= max_slots_) {
      report_record(fmt::format("id {} is out of range,", id));
      return true;
    }
    if (id >= slots.size()) slots.resize(id + 1u);
    NameTable::Slot& slot = slots[id];
    if (slot.present) {
      report_record(fmt::format("id {} is there twice,", id));
      return true;
    }

    std::string& arena = table().arena_;
    // A byte becomes at most three, and is kept once more with a backslash before it.
    if (text_ + arena.size() + kMaxName * (3 + 3) + NameTable::kPadding > max_text_) {
      report_record("the names are too long for a file of this size,");
      return false;
    }
    slot.offset = static_cast<std::uint32_t>(arena.size());
    slot.present = 1;
    if (is_plain(raw)) {
      arena += as_text(raw);
      slot.length = static_cast<std::uint16_t>(raw.size());
      return true;
    }
    const std::string text = clean_line(raw);
    arena += text;
    slot.length = static_cast<std::uint16_t>(text.size());
    const std::string pgn = text.empty() ? std::string(NameTable::kMissing) : pgn_escape(text);
    if (pgn != text) {
      arena += pgn;
      slot.pgn_length = static_cast<std::uint16_t>(pgn.size() & 0x7FFF);
    }
    return true;
  }

  void finish_table() {
    table().arena_.append(NameTable::kPadding, '\0');
    table().arena_.shrink_to_fit();
    table().slots_.shrink_to_fit();
    text_ += table().arena_.size();
  }

  ByteReader in_;
  const std::size_t max_text_;
  const std::size_t max_slots_;
  Names names_;
  std::size_t kind_ = 0;
  std::size_t record_offset_ = 0;
  std::size_t text_ = 0;                       // of the tables that are finished
  std::array<std::uint8_t, kMaxName> name_{};  // the last name, raw: front coding knows only bytes
};

std::string_view NameTable::pgn(std::uint32_t id) const {
  if (!contains(id)) return std::string_view(kPaddedMissing.data(), kMissing.size());
  const Slot& slot = slots_[id];
  const std::string_view arena = arena_;
  if (slot.pgn_length == 0) return arena.substr(slot.offset, slot.length);
  return arena.substr(std::size_t{slot.offset} + slot.length, slot.pgn_length);
}

std::size_t max_name_file_size(Bytes header) {
  constexpr std::size_t kMaxRecordSize = 3 + 3 + 1 + 1 + kMaxName;
  ByteReader in(header);
  in.take(kMagic.size() + kStampSize);
  std::size_t size = kNamesHeaderSize;
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) size += in.u24() * kMaxRecordSize;
  return std::min(size, kMaxFileSize);
}

Names parse_names(Bytes file) { return NamesBuilder(file).build(); }

}  // namespace scidfs::codec::scid
