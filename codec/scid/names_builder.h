// The common part of the readers of name files: cleans texts and bounds memory. For them only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/bytes.h"
#include "codec/scid/names.h"

namespace scidfs::codec::scid {

// A builder of the tables of Names. Memory is bounded by the size of the file.
class NamesBuilder {
 public:
  // Unless it is null, `stored` gets the bytes of all names.
  NamesBuilder(std::size_t file_size, CodePage page, StoredNames* stored);

  CodePage page() const { return page_; }

  // Records a fault; keeps only the first.
  void report(std::string_view what, std::size_t offset);
  // Does the same for the names of a kind.
  void report(NameKind kind, std::string_view what, std::size_t offset);

  // Prepares for about so many names of a kind, of so many bytes.
  void expect(NameKind kind, std::size_t names, std::size_t bytes);

  std::uint32_t size(NameKind kind) const {
    return static_cast<std::uint32_t>(own(kind).slots.size());
  }
  bool contains(NameKind kind, std::uint32_t id) const {
    return id < own(kind).slots.size() && own(kind).slots[id].present;
  }
  // Returns whether the file is large enough for names up to this id.
  bool has_slot(std::uint32_t id) const { return id < max_slots_; }
  // Stores a name. Returns false if there is no room for more text. REQUIRES: has_slot(id),
  // !contains(kind, id); at most kMaxNameBytes.
  bool store(NameKind kind, std::uint32_t id, Bytes raw);

  // Counts a name that was cut to kMaxNameBytes.
  void count_cut() { ++names_.cut; }
  // Ends all names. Call this once, last.
  Names finish();

 private:
  NameTable::Own& own(NameKind kind) { return own_[static_cast<std::size_t>(kind)]; }
  const NameTable::Own& own(NameKind kind) const { return own_[static_cast<std::size_t>(kind)]; }

  const std::size_t max_text_;
  const std::size_t max_slots_;
  const CodePage page_;
  StoredNames* const stored_;
  std::size_t text_ = 0;  // of all tables
  std::array<NameTable::Own, kNameKinds> own_;
  Names names_;  // without the tables
};

}  // namespace scidfs::codec::scid
