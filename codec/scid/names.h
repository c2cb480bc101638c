// The name file of a database: four dictionaries, with front coding (.sn3, .sn4) or without (.sn5).
// Source: FORMAT.md, sections 2, 12 and 13.
#pragma once

#include <absl/status/status.h>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/bytes.h"
#include "codec/pgn.h"
#include "codec/scid/index.h"

namespace scidfs::codec::scid {

enum class NameKind : std::uint8_t { Player, Event, Site, Round };
inline constexpr std::size_t kNameKinds = 4;

// Name files of Scid 3 and 4: the first bytes; the bytes of an id among so many names, and of a
// frequency, of which the greatest counts; how many names of a kind the index can number, by kind;
// the most bytes of a name.
inline constexpr std::string_view kNamesMagic("Scid.sn\0", 8);
constexpr std::size_t name_id_width(std::uint32_t count) { return count < 0x10000 ? 2 : 3; }
constexpr std::size_t name_frequency_width(std::uint32_t greatest) {
  return greatest < 0x100 ? 1 : greatest < 0x10000 ? 2 : 3;
}
inline constexpr std::array<std::uint32_t, kNameKinds> kMaxNames4 = {(1 << 20) - 1, (1 << 19) - 1,
                                                                     (1 << 19) - 1, (1 << 18) - 1};
inline constexpr std::size_t kMaxName4 = 255;

// Name files of Scid 5: the bits of an item's number that are its type.
inline constexpr unsigned kName5TypeBits = 3;

// One dictionary: id -> text. All text is clean one-line UTF-8 (see text.h) and is kept twice only
// where PGN has to escape it. Immutable once built; any number of threads may read it. Copies share
// their bytes.
class NameTable {
 public:
  // The text for an id that the dictionary lacks.
  static constexpr std::string_view kMissing = "?";

  // Where the text of an id is.
  struct Slot {
    std::uint32_t offset = 0;
    std::uint16_t length : 15 = 0;
    std::uint16_t ascii : 1 = 0;
    std::uint16_t pgn_length : 15 = 0;  // 0: use the text itself; else it follows the text
    std::uint16_t present : 1 = 0;

    std::uint64_t end() const { return std::uint64_t{offset} + length + pgn_length; }
  };
  static_assert(sizeof(Slot) == 8);

  NameTable() = default;
  // Takes slots and texts of another table, which outlive this, and reads none of them yet. A name
  // whose slot is not within the texts is missing. Trusts that the texts are clean.
  static NameTable of(std::span<const Slot> slots, std::string_view texts);
  std::span<const Slot> slots() const { return slots_; }
  std::string_view texts() const { return texts_; }

  // Number of ids: 0 .. size()-1. Some may be missing in a damaged file.
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  bool contains(std::uint32_t id) const {
    return id < slots_.size() && slots_[id].present != 0 &&
           slots_[id].end() + kPadding <= texts_.size();
  }

  // Returns the text for users, without any escapes; kMissing for an id that is not there.
  std::string_view text(std::uint32_t id) const {
    if (!contains(id)) return kMissing;
    return {texts_.data() + slots_[id].offset, slots_[id].length};
  }

  // Returns the length of the text without reading it. REQUIRES: contains(id).
  std::size_t length(std::uint32_t id) const {
    assert(contains(id));
    return slots_[id].length;
  }
  // Returns whether the text is known to have only ASCII characters. False does not mean that it
  // has others.
  bool is_ascii(std::uint32_t id) const { return slots_[id].ascii != 0; }

  // Returns the text for the value of a PGN roster tag: `"` and `\` escaped, "?" for an empty name.
  // At least kPadding readable bytes follow the view's end (so that a writer may copy in blocks),
  // except for kMissing ones, which are copied from a padded constant.
  std::string_view pgn(std::uint32_t id) const;

  // Returns the bytes of all texts together, or a few more.
  std::size_t text_bytes() const { return texts_.size(); }
  // Returns how many bytes of memory the table has of its own.
  std::size_t memory() const {
    return own_ == nullptr ? 0 : own_->slots.capacity() * sizeof(Slot) + own_->texts.capacity();
  }

  static constexpr std::size_t kPadding = kTagPadding;

 private:
  friend class NamesBuilder;
  struct Own {
    std::vector<Slot> slots;
    std::string texts;
  };
  explicit NameTable(Own own) : NameTable(std::make_shared<const Own>(std::move(own))) {}
  explicit NameTable(std::shared_ptr<const Own> own) : NameTable(own->slots, own->texts) {
    own_ = std::move(own);
  }
  NameTable(std::span<const Slot> slots, std::string_view texts) : slots_(slots), texts_(texts) {}

  std::shared_ptr<const Own> own_;  // null: the bytes are another's
  std::span<const Slot> slots_;
  std::string_view texts_;
};

// Longer names are cut to this. In front coding no name has more than 255.
inline constexpr std::size_t kMaxNameBytes = 4096;

// The names of a name file, however damaged it is.
struct Names {
  std::array<NameTable, kNameKinds> tables;
  // OK, or the first fault found (InvalidArgument, with the byte offset). The names read before it
  // are valid.
  absl::Status status;
  // How many names are longer than kMaxNameBytes and were cut; that is not a fault of the file.
  std::size_t cut = 0;
  // The properties that Scid 5 keeps here and not in the index.
  std::optional<DatabaseInfo> info;

  const NameTable& operator[](NameKind kind) const {
    return tables[static_cast<std::size_t>(kind)];
  }
};

// The names of a file as they are stored, by kind and id: for programs that write them again. Empty
// for an id that is missing.
using StoredNames = std::array<std::vector<std::string>, kNameKinds>;

// Decodes a whole name file. Checks every bound (section 10, check 2): a prefix longer than the
// name or than the previous name, an id out of range or given twice (the first one counts), a name
// given twice in a row, more names than section 9 allows. Memory is bounded by the size of the file
// (a factor of 64 above a fixed megabyte or two, of 8 beyond some 64 megabytes), not by the
// declared counts: ids or texts beyond that are faults. A wrong magic yields four empty
// dictionaries. `page` says how to decode bytes that are not UTF-8. Unless it is
// null, `stored` gets all names that the result has.
Names parse_names(Bytes file, CodePage page = CodePage::Windows1252, StoredNames* stored = nullptr);

// Does the same for Scid 5, where names are not sorted and the id of a name is its place. Faults
// are an item that is cut off, a type above 4, and a second empty name of a kind: from there on the
// file has only zeros that no program wrote.
Names parse_names5(Bytes file, CodePage page = CodePage::Windows1252,
                   StoredNames* stored = nullptr);

// The most bytes of a name file that are read: several times the size in large databases.
inline constexpr std::size_t kMaxNameFileSize = std::size_t{256} << 20;

// How many bytes at the front of a name file max_name_file_size() needs.
inline constexpr std::size_t kNamesHeaderSize = 36;

// Returns how many bytes of a name file of Scid 3 or 4 can be in use, from its first
// kNamesHeaderSize bytes (or fewer, if it is shorter): the rest need not be read. At most
// kMaxNameFileSize.
std::size_t max_name_file_size(Bytes header);

}  // namespace scidfs::codec::scid
