// The code pages that make-code-pages found in iconv where this program was built. They are linked
// in, so that texts are the same on each machine, also where the C library has no files of its own.
#pragma once

#include <cstddef>
#include <span>

namespace scidfs::fs {

// Pages one after another, in ascending order of their numbers, as words of 16 bits, lowest byte
// first: the number, and PageTable::characters; then, if one of these begins a pair, pairs.
struct PackedPages {
  std::span<const unsigned char> bytes;  // by zlib
  std::size_t length;                    // unpacked
};

PackedPages packed_pages();

}  // namespace scidfs::fs
