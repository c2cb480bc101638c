// Lines of a file that is read piece by piece.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/scv/archive.h"

namespace scidfs::codec::scv {

// A reader of lines. Not thread-safe. Memory: two pieces of 64 KiB.
class LineReader {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 10;

  // `read` outlives the reader.
  LineReader(std::uint64_t size, ReadAt read) : size_(size), read_(read) {}

  std::uint64_t position() const { return position_; }
  std::uint64_t remaining() const { return size_ - position_; }
  bool at_end() const { return position_ == size_; }
  // REQUIRES: bytes <= remaining().
  void skip(std::uint64_t bytes) {
    assert(bytes <= remaining());
    position_ += bytes;
  }
  // Skips bytes 10 and 13.
  void skip_line_ends();

  // Returns the next line without its end, which is only LF; the text is valid until the next call.
  // Returns nothing if the line has no end, is too long, or cannot be read: fault() says which.
  std::optional<std::string_view> next();
  Fault fault() const { return fault_; }

 private:
  // Makes the buffer hold the bytes at the position, as many as fit. Returns false if Unreadable.
  bool fill();
  std::string_view buffered() const;

  const std::uint64_t size_;
  const ReadAt read_;
  std::uint64_t position_ = 0;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t buffer_start_ = 0;
  Fault fault_ = Fault::None;
};

}  // namespace scidfs::codec::scv
