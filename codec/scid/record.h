// The parts of a game record: tags, start position, moves, comments.
// Source: FORMAT.md, section 4.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/moves.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// The size of the shortest whole record: no tags, no flags, no moves.
inline constexpr std::size_t kMinRecordSize = 3;

// The most bytes of a whole record, and of the name and the value of an extra tag.
inline constexpr std::size_t kMaxRecordSize = (1U << 17U) - 1;
inline constexpr std::size_t kMaxTagName = 240;
inline constexpr std::size_t kMaxTagValue = 255;

// An extra tag as it is stored. The bytes are in the record (a one-byte-coded name in static text).
struct ExtraTag {
  std::string_view name;
  Bytes value;
};

// Returns the byte that stands for the name of a tag; nothing if the name has none.
std::optional<std::uint8_t> code_of_tag(std::string_view name);

// All parts of a record before its moves.
struct RecordHead {
  std::uint32_t moves_offset = 0;  // of the first move byte
  // The start if the record has a FEN; the pieces are then numbered as for a FEN. Else the game
  // begins in the standard position.
  std::optional<Position> fen;
};

// Parses the tags. Whole ones are appended to `tags` in stored order, even if the record turns out
// to be damaged. The binary event date of old files is skipped.
std::optional<Damage> parse_record_tags(Bytes record, std::vector<ExtraTag>& tags);

// Parses tags, as above, flags and FEN. The castling letters of the FEN follow `rule`, or the rule
// of Chess960 if a tag Variant names it (FORMAT.md, section 5.2).
std::optional<Damage> parse_record_head(Bytes record, std::vector<ExtraTag>& tags, RecordHead& head,
                                        CastlingRule rule = CastlingRule::Standard);

// The comment texts after a record's moves, in the order of their markers. Finds the end of the
// moves automatically when the first text is requested (section 6: NAG operands are no markers).
class CommentTexts {
 public:
  CommentTexts(Bytes record, std::uint32_t moves_offset) : record_(record), offset_(moves_offset) {}

  // Returns the next text without its NUL; nothing if none is left or its NUL is missing.
  std::optional<Bytes> next();
  // Returns where in the record next() looks. REQUIRES: next() has been called.
  std::uint32_t offset() const {
    assert(found_);
    return static_cast<std::uint32_t>(offset_);
  }
  // Returns whether at least one whole text is left.
  bool has_more();

 private:
  [[gnu::noinline]] void find_first();

  Bytes record_;
  std::size_t offset_;
  bool found_ = false;
};

inline std::optional<Bytes> CommentTexts::next() {
  if (!found_) [[unlikely]]
    find_first();
  const Bytes rest = record_.subspan(offset_);
  if (rest.empty()) return std::nullopt;
  const void* const end = std::memchr(rest.data(), 0, rest.size());
  if (end == nullptr) return std::nullopt;
  const auto length = static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - rest.data());
  offset_ += length + 1;
  return rest.first(length);
}

}  // namespace scidfs::codec::scid
