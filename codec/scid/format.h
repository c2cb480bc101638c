// The formats of Scid databases: the names of their files, and the functions that read them.
// Source: FORMAT.md.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"

namespace scidfs::codec::scid {

// A kind of database, by the names of its files. The index itself states how it lies in its file
// (IndexHeader::layout).
struct Format {
  // With the dot: ".si4", ".sn4", ".sg4".
  std::string_view index_suffix;
  std::string_view names_suffix;
  std::string_view games_suffix;
  // Parses the first kMaxIndexHeaderSize bytes of an index file (fewer, if it is shorter), which
  // has `file_size` bytes.
  absl::StatusOr<IndexHeader> (*parse_header)(Bytes front, std::uint64_t file_size, CodePage page);
  // Returns how many bytes of a name file can be in use, from its first kNamesHeaderSize (or
  // fewer).
  std::size_t (*max_name_file_size)(Bytes front);
  Names (*parse_names)(Bytes file, CodePage page, StoredNames* stored);
  // Scid pads the game file to a multiple of this: the padding belongs to no game, and stays.
  std::uint32_t game_block_size;
  CastlingRule castling;  // of FENs in its records, if no tag says Chess960
};

// Returns all formats that can be read.
std::span<const Format> formats();

// Returns the format whose index file, or any of whose files, has the suffix that `file_name` ends
// with, in any case; null if there is none.
const Format* format_of_index(std::string_view file_name);
const Format* format_of_file(std::string_view file_name);

}  // namespace scidfs::codec::scid
