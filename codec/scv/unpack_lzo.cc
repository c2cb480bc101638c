// LZO: documented once, but never written by Scidb; it has no framing of its own.
#include <lzo/lzo1x.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "codec/scv/output.h"

namespace scidfs::codec::scv {
namespace {

// The most bytes that are unpacked in one piece.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{256} << 20;
// One packed byte stands for at most so many bytes.
constexpr std::uint64_t kMaxLzoRatio = 256;
constexpr std::size_t kChunk = 32'768;

constexpr std::array<std::uint8_t, 9> kLzopMagic = {0x89, 0x4C, 0x5A, 0x4F, 0x00,
                                                    0x0D, 0x0A, 0x1A, 0x0A};

// Unpacks one block of LZO1X that becomes exactly `size` bytes and uses up all of `packed`.
bool unpack_block(Bytes packed, std::size_t size, std::vector<std::uint8_t>& out) {
  if (packed.empty() || size > kMostAtOnce || size / kMaxLzoRatio > packed.size()) return false;
  out.resize(size);
  lzo_uint made = size;
  const int result =
      ::lzo1x_decompress_safe(packed.data(), packed.size(), out.data(), &made, nullptr);
  return result == LZO_E_OK && made == size;
}

std::uint32_t adler32_of(Bytes bytes) {
  return static_cast<std::uint32_t>(::adler32_z(1, bytes.data(), bytes.size()));
}
std::uint32_t crc32_of(Bytes bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, bytes.data(), bytes.size()));
}

// A file in the format of the program lzop.
class Lzop {
 public:
  Lzop(Input input, Output& output) : input_(std::move(input)), output_(output) {}

  Fault unpack();

 private:
  enum Flag : std::uint32_t {
    kAdlerOfUnpacked = 0x1,
    kAdlerOfPacked = 0x2,
    kExtraField = 0x40,
    kCrcOfUnpacked = 0x100,
    kCrcOfPacked = 0x200,
    kFilter = 0x800,
    kHeaderCrc = 0x1000,
  };

  // Reads a big-endian number; at the end returns 0 and sets is_short_. Copies the bytes of the
  // header to header_.
  std::uint32_t number(std::size_t width) {
    std::uint32_t value = 0;
    const Bytes bytes = input_.next(width);
    if (bytes.size() != width) is_short_ = true;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    header_.insert(header_.end(), bytes.begin(), bytes.end());
    return value;
  }
  Fault fail(Fault fault) const { return input_.is_readable() ? fault : Fault::Unreadable; }
  std::optional<std::uint32_t> number_if(Flag flag) {
    if ((flags_ & flag) == 0) return std::nullopt;
    return number(4);
  }

  Fault read_header();
  Fault read_block(std::uint32_t unpacked_size);

  Input input_;
  Output& output_;
  std::uint32_t flags_ = 0;
  bool is_short_ = false;
  std::vector<std::uint8_t> header_;
  std::vector<std::uint8_t> room_;
};

Fault Lzop::read_header() {
  input_.next(kLzopMagic.size());
  constexpr std::uint32_t kWithLevel = 0x0940;
  const std::uint32_t version = number(2);
  number(2);                             // of the library
  if (version >= kWithLevel) number(2);  // needed
  number(1);                             // method
  if (version >= kWithLevel) number(1);  // level
  flags_ = number(4);
  number_if(kFilter);
  number(4);  // mode
  number(4);  // time
  if (version >= kWithLevel) number(4);
  for (std::uint32_t length = number(1); length > 0 && !is_short_; --length) number(1);
  const std::uint32_t sum = (flags_ & kHeaderCrc) != 0 ? crc32_of(header_) : adler32_of(header_);
  if (number(4) != sum || is_short_) return fail(Fault::BadData);
  if ((flags_ & kExtraField) != 0) {
    for (std::uint32_t length = number(4); length > 0 && !is_short_;) {
      length -= static_cast<std::uint32_t>(
          input_.next(std::min<std::size_t>(length, Input::kPiece)).size());
      if (input_.remaining() == 0) break;
    }
    number(4);
  }
  // A filter has changed the data; only lzop can undo that.
  if ((flags_ & kFilter) != 0) return Fault::UnknownMethod;
  return is_short_ ? fail(Fault::BadData) : Fault::None;
}

Fault Lzop::read_block(std::uint32_t unpacked_size) {
  const std::uint32_t packed_size = number(4);
  const auto adler = number_if(kAdlerOfUnpacked);
  const auto crc = number_if(kCrcOfUnpacked);
  const bool is_packed = packed_size < unpacked_size;
  const auto packed_adler = is_packed ? number_if(kAdlerOfPacked) : std::nullopt;
  const auto packed_crc = is_packed ? number_if(kCrcOfPacked) : std::nullopt;
  if (is_short_ || packed_size > input_.remaining()) return fail(Fault::Incomplete);
  if (packed_size > unpacked_size || unpacked_size > kMostAtOnce) return Fault::BadData;
  const Bytes packed = input_.next(packed_size);
  if (packed.size() != packed_size) return fail(Fault::Incomplete);
  if ((packed_adler && *packed_adler != adler32_of(packed)) ||
      (packed_crc && *packed_crc != crc32_of(packed))) {
    return Fault::BadData;
  }
  if (is_packed && !unpack_block(packed, unpacked_size, room_)) return Fault::BadData;
  const Bytes unpacked = is_packed ? Bytes(room_) : packed;
  if ((adler && *adler != adler32_of(unpacked)) || (crc && *crc != crc32_of(unpacked))) {
    return Fault::BadData;
  }
  return output_.write(unpacked);
}

Fault Lzop::unpack() {
  if (const Fault fault = read_header(); fault != Fault::None) return fault;
  while (true) {
    header_.clear();
    const std::uint32_t unpacked_size = number(4);
    if (is_short_) return fail(Fault::Incomplete);
    if (unpacked_size == 0) break;
    if (const Fault fault = read_block(unpacked_size); fault != Fault::None) return fault;
  }
  return input_.remaining() == 0 ? Fault::None : Fault::TrailingBytes;
}

// Unpacks the framing of Scidb's old .sci files: a big-endian length of two bytes before each
// chunk.
Fault unpack_chunks(Input input, std::uint64_t size, Output& output) {
  std::vector<std::uint8_t> room;
  while (size > 0) {
    const std::size_t chunk = std::min<std::uint64_t>(size, kChunk);
    const Bytes head = input.next(2);
    if (head.size() != 2) return Fault::UnknownMethod;
    const std::size_t length = static_cast<std::size_t>(head[0]) << 8 | head[1];
    const Bytes packed = input.next(length);
    const bool is_stored = length == chunk;
    if (packed.size() != length || (!is_stored && !unpack_block(packed, chunk, room))) {
      return input.is_readable() ? Fault::UnknownMethod : Fault::Unreadable;
    }
    const Fault fault = output.write(is_stored ? packed : Bytes(room));
    if (fault != Fault::None) return fault;
    size -= chunk;
  }
  return input.remaining() == 0 ? Fault::None : Fault::TrailingBytes;
}

}  // namespace

bool has_lzo() { return true; }

Fault unpack_lzo(const Member& member, ReadAt read, Output& output) {
  if (!member.file_size) return Fault::UnknownMethod;
  const std::uint64_t size = *member.file_size;
  const Input input(member.offset, member.size, read);
  {
    Input front = input;
    if (std::ranges::equal(front.next(kLzopMagic.size()), kLzopMagic)) {
      return Lzop(input, output).unpack();
    }
    if (!front.is_readable()) return Fault::Unreadable;
  }
  if (member.size <= kMostAtOnce && size <= kMostAtOnce) {
    Input whole = input;
    std::vector<std::uint8_t> out;
    if (unpack_block(whole.next(member.size), size, out)) return output.write(out);
    if (!whole.is_readable()) return Fault::Unreadable;
  }
  return unpack_chunks(input, size, output);
}

}  // namespace scidfs::codec::scv
