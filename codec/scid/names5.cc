// The name file of Scid 5: items of any kind one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "codec/scid/names.h"
#include "codec/scid/names_builder.h"
#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::size_t kInfoType = kNameKinds;

// Returns the number at the front of `text`; 0 if there is none.
std::uint32_t parse_decimal(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : 0;
}

// Reads an item with a key and, right after it, its value. Ignores unknown keys.
void read_info(Bytes item, CodePage page, DatabaseInfo& info) {
  const std::string_view text = as_text(item);
  const auto value_of = [text](std::string_view key) -> std::optional<std::string_view> {
    if (!text.starts_with(key)) return std::nullopt;
    return text.substr(key.size());
  };
  const auto clean = [page](std::string_view value) {
    return clean_line(value.substr(0, kMaxNameBytes), page);
  };
  if (const auto type = value_of("type")) info.type = parse_decimal(*type);
  if (const auto autoload = value_of("autoload")) info.autoload = parse_decimal(*autoload);
  if (const auto description = value_of("description")) info.description = clean(*description);
  for (std::size_t flag = 0; flag < kCustomFlags; ++flag) {
    if (const auto value = value_of(fmt::format("flag{}", flag + 1))) {
      info.custom_flags[flag] = clean(*value);
    }
  }
}

class ItemReader {
 public:
  ItemReader(Bytes file, CodePage page, StoredNames* stored)
      : in_(file), builder_(file.size(), page, stored) {}

  Names read() {
    while (in_.remaining() != 0 && read_item()) {
    }
    Names names = builder_.finish();
    names.info = std::move(info_);
    return names;
  }

 private:
  // Reads seven bits a byte, the low ones first. Returns nothing if the number is too long or cut
  // off.
  std::optional<std::uint64_t> read_number() {
    constexpr unsigned kBits = 7;
    constexpr unsigned kMaxBytes = 10;
    std::uint64_t number = 0;
    for (unsigned i = 0; i < kMaxBytes; ++i) {
      const std::uint64_t byte = in_.u8();
      if (!in_.ok()) return std::nullopt;
      number |= (byte & 0x7F) << (kBits * i);
      if (byte < 0x80) return number;
    }
    return std::nullopt;
  }

  // Reads an item. Returns false if the next item cannot be found.
  bool read_item() {
    const std::size_t offset = in_.offset();
    const std::optional<std::uint64_t> number = read_number();
    const Bytes text = in_.take(number.value_or(0) >> kName5TypeBits);
    if (!number.has_value() || !in_.ok()) {
      builder_.report("the name file ends in an item or is damaged", offset);
      return false;
    }
    const std::size_t type = *number & ((1U << kName5TypeBits) - 1);
    if (type > kInfoType) {
      builder_.report(fmt::format("an item has the unknown type {}", type), offset);
      return false;
    }
    if (type == kInfoType) {
      read_info(text, builder_.page(), info_);
      return true;
    }
    return add_name(static_cast<NameKind>(type), text, offset);
  }

  bool add_name(NameKind kind, Bytes text, std::size_t offset) {
    bool& has_empty = has_empty_[static_cast<std::size_t>(kind)];
    if (text.empty() && std::exchange(has_empty, true)) {
      builder_.report(kind, "the empty name is there twice,", offset);
      return false;
    }
    if (text.size() > kMaxNameBytes) {
      builder_.count_cut();
      text = text.first(kMaxNameBytes);
    }
    const std::uint32_t id = builder_.size(kind);
    if (builder_.has_slot(id) && builder_.store(kind, id, text)) return true;
    builder_.report(kind, "the names are too many for a file of this size,", offset);
    return false;
  }

  ByteReader in_;
  NamesBuilder builder_;
  DatabaseInfo info_;
  std::array<bool, kNameKinds> has_empty_{};
};

}  // namespace

Names parse_names5(Bytes file, CodePage page, StoredNames* stored) {
  return ItemReader(file, page, stored).read();
}

}  // namespace scidfs::codec::scid
