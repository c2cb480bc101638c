// What the readers of name files have in common: texts are cleaned, and memory stays within bounds.
// Part of them; not for others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/bytes.h"
#include "codec/scid/names.h"

namespace scidfs::codec::scid {

// Fills the tables of Names. Memory is bounded by the size of the file.
class NamesBuilder {
 public:
  NamesBuilder(std::size_t file_size, CodePage page);

  CodePage page() const { return page_; }

  // Keeps the first fault only.
  void report(std::string_view what, std::size_t offset);
  // The same of names of a kind.
  void report(NameKind kind, std::string_view what, std::size_t offset);

  // About so many names of a kind are to come, of so many bytes.
  void expect(NameKind kind, std::size_t names, std::size_t bytes);

  std::uint32_t size(NameKind kind) const { return names_[kind].size(); }
  bool contains(NameKind kind, std::uint32_t id) const { return names_[kind].contains(id); }
  // Whether the file is large enough for names up to this id.
  bool has_slot(std::uint32_t id) const { return id < max_slots_; }
  // False if there is no room for more text. REQUIRES: has_slot(id), !contains(kind, id); no more
  // than kMaxNameBytes.
  bool store(NameKind kind, std::uint32_t id, Bytes raw);

  Names& names() { return names_; }
  // No more names of this kind.
  void finish(NameKind kind);

 private:
  NameTable& table(NameKind kind) { return names_.tables[static_cast<std::size_t>(kind)]; }

  const std::size_t max_text_;
  const std::size_t max_slots_;
  const CodePage page_;
  std::size_t text_ = 0;  // of all tables
  Names names_;
};

}  // namespace scidfs::codec::scid
