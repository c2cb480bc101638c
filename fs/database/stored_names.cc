#include "fs/database/stored_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/number.h"
#include "codec/text.h"
#include "fs/database/stored_index.h"

namespace scidfs::fs {
namespace {

using codec::scid::DatabaseInfo;
using codec::scid::kNameKinds;
using codec::scid::Names;
using codec::scid::NameTable;

std::string info_text(const Names& names) {
  std::string text = fmt::format("{}\n{}\n", names.cut, std::string(names.status.message()));
  if (!names.info.has_value()) return text;
  const DatabaseInfo& info = *names.info;
  text += fmt::format("{}\n{}\n{}\n", info.type, info.autoload, info.description);
  for (const std::string& flag : info.custom_flags) text += fmt::format("{}\n", flag);
  return text;
}

// Reads the lines of info_text(), one after the other.
class InfoReader {
 public:
  explicit InfoReader(std::string_view text) : rest_(text) {}

  std::string_view line() {
    const std::size_t end = rest_.find('\n');
    is_whole_ &= end != std::string_view::npos;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return line;
  }
  template <class Number>
  Number number() {
    const std::optional<Number> number = codec::parse_number<Number>(line());
    is_whole_ &= number.has_value();
    return number.value_or(0);
  }
  bool at_end() const { return rest_.empty(); }
  // Returns whether all lines were there.
  bool is_whole() const { return is_whole_; }

 private:
  std::string_view rest_;
  bool is_whole_ = true;
};

// Reads info_text(). Returns false if it is something else.
bool read_info_text(std::string_view text, Names& names) {
  InfoReader in(text);
  names.cut = in.number<std::size_t>();
  const std::string_view fault = in.line();
  if (!fault.empty()) names.status = absl::InvalidArgumentError(std::string(fault));
  if (!in.at_end()) {
    DatabaseInfo& info = names.info.emplace();
    info.type = in.number<std::uint32_t>();
    info.autoload = in.number<std::uint32_t>();
    info.description = in.line();
    for (std::string& flag : info.custom_flags) flag = in.line();
  }
  return in.is_whole() && in.at_end();
}

}  // namespace

void add_names(const Names& names, StoredParts& parts) {
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    const NameTable& table = names.tables[kind];
    parts.add(part_after(StoredPart::NameSlots, kind), table.slots());
    parts.add(part_after(StoredPart::NameTexts, kind),
              std::span<const char>(table.texts().data(), table.texts().size()));
  }
  parts.keep(StoredPart::NamesInfo, info_text(names));
}

std::optional<Names> stored_names(const StoredIndex& stored) {
  Names names;
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    const codec::Bytes slots = stored.bytes(part_after(StoredPart::NameSlots, kind));
    const std::size_t count = slots.size() / sizeof(NameTable::Slot);
    if (count * sizeof(NameTable::Slot) != slots.size()) return std::nullopt;
    names.tables[kind] = NameTable::of(
        stored.values<NameTable::Slot>(part_after(StoredPart::NameSlots, kind), count),
        codec::as_text(stored.bytes(part_after(StoredPart::NameTexts, kind))));
  }
  if (!read_info_text(codec::as_text(stored.bytes(StoredPart::NamesInfo)), names)) {
    return std::nullopt;
  }
  return names;
}

}  // namespace scidfs::fs
