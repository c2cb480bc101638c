// The checksum of members: CRC-32 as in zlib.
#pragma once

#include <zlib.h>

#include <cstdint>

#include "codec/bytes.h"

namespace scidfs::codec::scv {

// Returns the checksum after `bytes`. `crc` is that of all bytes before these, 0 at first.
inline std::uint32_t add_to_crc32(std::uint32_t crc, Bytes bytes) {
  return static_cast<std::uint32_t>(::crc32_z(crc, bytes.data(), bytes.size()));
}

}  // namespace scidfs::codec::scv
