// Three files of a database in one input of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/support/scid_files.h"

namespace scidfs::fuzz {

// Lengths of the index and of the names in three bytes each, then the files one after the other.
std::string pack_files(const tests::ScidFiles& files);
// Any bytes are three files: what a length promises and the input does not have is missing.
tests::ScidFiles unpack_files(std::string_view input);

// The bytes of all records that an index of this layout asks for, those outside the game file left
// out.
std::uint64_t record_bytes(const tests::ScidFiles& files,
                           const codec::scid::IndexLayout& layout = codec::scid::kScid4Index);

// The first games of a Scid 4 database with their records, which then lie side by side.
tests::ScidFiles first_games(const tests::ScidFiles& files, std::size_t games);

}  // namespace scidfs::fuzz
