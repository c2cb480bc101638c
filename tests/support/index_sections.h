// Takes index files of the cache folder apart, and puts them together again with right checksums.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fs/database/stored_index.h"
#include "fs/file/section_file.h"
#include "tests/support/files.h"

namespace scidfs::tests {

struct IndexSections {
  static constexpr std::size_t kLayoutAt = 8;  // in the file
  static constexpr std::size_t kCountAt = 12;
  static constexpr std::size_t kKeyAt = 16;
  static constexpr std::size_t kTableAt = 48;
  static constexpr std::size_t kRowOfTable = 24;

  std::uint64_t key = 0;
  std::map<std::uint64_t, std::string> bytes;  // by number

  // Reads what any bytes have: sections that do not lie in the file are left out.
  static IndexSections of(std::string_view file);
  // Returns the file.
  std::string file() const;

  // Has the sizes say that all texts report damage. Replays trust what says that one does not.
  void damage_texts();

  std::string& operator[](fs::StoredPart part) { return bytes[static_cast<std::uint64_t>(part)]; }
  // Reads and replaces the value at an index of a section of such values. REQUIRES: it exists.
  template <class Value>
  Value value(fs::StoredPart part, std::size_t index) const {
    const std::string& section = bytes.at(static_cast<std::uint64_t>(part));
    assert((index + 1) * sizeof(Value) <= section.size());
    Value value;
    std::memcpy(&value, section.data() + index * sizeof value, sizeof value);
    return value;
  }
  template <class Value>
  void set(fs::StoredPart part, std::size_t index, Value value) {
    std::string& section = (*this)[part];
    assert((index + 1) * sizeof value <= section.size());
    std::memcpy(section.data() + index * sizeof value, &value, sizeof value);
  }
};

inline IndexSections IndexSections::of(std::string_view file) {
  if (file.size() < kTableAt) return {};
  const auto word = [file](std::size_t at) {
    std::uint64_t found = 0;
    std::memcpy(&found, file.data() + at, sizeof found);
    return found;
  };
  IndexSections sections{.key = word(kKeyAt), .bytes = {}};
  std::uint32_t count = 0;
  std::memcpy(&count, file.data() + kCountAt, sizeof count);
  for (std::size_t at = kTableAt; count != 0 && at + kRowOfTable <= file.size();
       at += kRowOfTable, --count) {
    const std::uint64_t offset = word(at + 8);
    const std::uint64_t bytes = word(at + 16);
    if (offset > file.size() || bytes > file.size() - offset) continue;
    sections.bytes[word(at)] = file.substr(offset, bytes);
  }
  return sections;
}

inline void IndexSections::damage_texts() {
  constexpr std::uint32_t kDamaged = std::uint32_t{1} << 31;
  const auto sizes = bytes.find(static_cast<std::uint64_t>(fs::StoredPart::Sizes));
  const std::size_t count = sizes == bytes.end() ? 0 : sizes->second.size() / sizeof kDamaged;
  for (std::size_t game = 0; game < count; ++game) {
    const auto word = value<std::uint32_t>(fs::StoredPart::Sizes, game);
    if (word != 0) set(fs::StoredPart::Sizes, game, word | kDamaged);
  }
}

inline std::string IndexSections::file() const {
  std::vector<fs::Section> sections;
  for (const auto& [number, section] : bytes) {
    sections.push_back({.number = number, .pieces = {as_bytes(section)}});
  }
  std::string file;
  (void)fs::SectionImage(key, std::move(sections)).for_each_part([&file](codec::Bytes part) {
    file.append(reinterpret_cast<const char*>(part.data()), part.size());
    return absl::OkStatus();
  });
  return file;
}

}  // namespace scidfs::tests
