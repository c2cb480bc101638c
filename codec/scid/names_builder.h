// The common part of the readers of name files: cleans texts and bounds memory. For them only.
#pragma once

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

  std::uint32_t size(NameKind kind) const { return names_[kind].size(); }
  bool contains(NameKind kind, std::uint32_t id) const { return names_[kind].contains(id); }
  // Returns whether the file is large enough for names up to this id.
  bool has_slot(std::uint32_t id) const { return id < max_slots_; }
  // Stores a name. Returns false if there is no room for more text. REQUIRES: has_slot(id),
  // !contains(kind, id); at most kMaxNameBytes.
  bool store(NameKind kind, std::uint32_t id, Bytes raw);

  Names& names() { return names_; }
  // Ends the names of this kind.
  void finish(NameKind kind);

 private:
  NameTable& table(NameKind kind) { return names_.tables[static_cast<std::size_t>(kind)]; }

  const std::size_t max_text_;
  const std::size_t max_slots_;
  const CodePage page_;
  StoredNames* const stored_;
  std::size_t text_ = 0;  // of all tables
  Names names_;
};

}  // namespace scidfs::codec::scid
