// The formats of Scid databases: what their files are called and how these are read.
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

// A kind of database, by the names of its files. How the index lies in its file is for the index
// itself to say (IndexHeader::layout).
struct Format {
  // With the dot: ".si4", ".sn4", ".sg4".
  std::string_view index_suffix;
  std::string_view names_suffix;
  std::string_view games_suffix;
  // From the first kMaxIndexHeaderSize bytes of an index file (or fewer, if it is shorter) and its
  // size.
  absl::StatusOr<IndexHeader> (*parse_header)(Bytes front, std::uint64_t file_size, CodePage page);
  // How many bytes a name file can have in use, from its first kNamesHeaderSize (or fewer).
  std::size_t (*max_name_file_size)(Bytes front);
  Names (*parse_names)(Bytes file, CodePage page);
  // Scid fills the game file up to a multiple of this: that belongs to no game, and stays.
  std::uint32_t game_block_size;
  CastlingRule castling;  // of FENs in its records, where no tag says Chess960
};

// All that can be read.
std::span<const Format> formats();

// The format whose index files, or any of whose files, have the suffix that `file_name` ends with,
// in whatever capitals; null if there is none.
const Format* format_of_index(std::string_view file_name);
const Format* format_of_file(std::string_view file_name);

}  // namespace scidfs::codec::scid
