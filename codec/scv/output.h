// The output and the input of the unpackers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codec/scv/unpack.h"

namespace scidfs::codec::scv {

// An output that counts bytes and computes their checksum, and stops at a limit.
class Output {
 public:
  Output(std::uint64_t most, Sink sink) : most_(most), sink_(sink) {}

  // Returns None, UnpacksToMore or Refused.
  Fault write(Bytes bytes);
  std::uint64_t size() const { return size_; }
  std::uint32_t crc32() const { return crc32_; }

 private:
  const std::uint64_t most_;
  const Sink sink_;
  std::uint64_t size_ = 0;
  std::uint32_t crc32_ = 0;
};

// A section of the file, read piece by piece from its start.
class Input {
 public:
  static constexpr std::size_t kPiece = std::size_t{64} << 10;

  Input(std::uint64_t offset, std::uint64_t size, ReadAt read)
      : offset_(offset), remaining_(size), read_(read) {}

  std::uint64_t remaining() const { return remaining_; }
  // Returns the next `count` bytes, or the rest if fewer are left; they are valid until the next
  // call. Empty at the end, or if they cannot be read: is_readable() says which.
  Bytes next(std::size_t count = kPiece) {
    buffer_.resize(std::min<std::uint64_t>(count, remaining_));
    if (buffer_.empty()) return {};
    if (!read_(offset_, buffer_).ok()) {
      is_readable_ = false;
      remaining_ = 0;
      return {};
    }
    offset_ += buffer_.size();
    remaining_ -= buffer_.size();
    return buffer_;
  }
  bool is_readable() const { return is_readable_; }

 private:
  std::uint64_t offset_;
  std::uint64_t remaining_;
  const ReadAt read_;
  bool is_readable_ = true;
  std::vector<std::uint8_t> buffer_;
};

// Unpacks LZO in any of the three framings (section 5). Returns UnknownMethod if it is none of
// them, or if LZO is not built in.
Fault unpack_lzo(const Member& member, ReadAt read, Output& output);

}  // namespace scidfs::codec::scv
