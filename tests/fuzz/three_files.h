// Packs three files of a database into one input of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/support/scid_files.h"

namespace scidfs::fuzz {

// Lengths of the index and of the name file in three bytes each, then the files one after the
// other.
std::string pack_files(const tests::ScidFiles& files);
// Any bytes are valid: parts that a length declares and the input lacks are missing.
tests::ScidFiles unpack_files(std::string_view input);

// The number of bytes of all records of an index of this layout, without those outside the game
// file.
std::uint64_t record_bytes(const tests::ScidFiles& files,
                           const codec::scid::IndexLayout& layout = codec::scid::kScid4Index);

// The first games of a Scid 4 database with their records, which are contiguous then.
tests::ScidFiles first_games(const tests::ScidFiles& files, std::size_t games);

}  // namespace scidfs::fuzz
