// Writes archives in memory line by line, parses and unpacks them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "codec/scv/archive.h"
#include "codec/scv/unpack.h"

namespace scidfs::tests {

// The bytes of an archive. Reads beyond their end fail.
class ArchiveBytes {
 public:
  explicit ArchiveBytes(std::string bytes) : bytes_(std::move(bytes)) {}

  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return absl::OutOfRangeError("beyond the end");
    }
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return absl::OkStatus();
  }
  codec::scv::Archive parse() const {
    return codec::scv::parse_archive(
        bytes_.size(),
        [this](std::uint64_t offset, std::span<std::uint8_t> out) { return read(offset, out); });
  }

 private:
  std::string bytes_;
};

struct UnpackedText {
  codec::scv::Unpacked result;
  std::string bytes;
};
inline UnpackedText unpack_text(const codec::scv::Member& member, const ArchiveBytes& archive,
                                std::uint64_t most = std::uint64_t{1} << 30) {
  UnpackedText text;
  text.result = codec::scv::unpack(
      member,
      [&](std::uint64_t offset, std::span<std::uint8_t> out) { return archive.read(offset, out); },
      most,
      [&](codec::Bytes bytes) {
        text.bytes.append(bytes.begin(), bytes.end());
        return true;
      });
  return text;
}

// A zlib stream; with `gzip` a gzip file.
inline std::string deflated(std::string_view text, bool gzip = false) {
  z_stream stream{};
  ::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + (gzip ? 16 : 0), 8,
                 Z_DEFAULT_STRATEGY);
  std::string packed(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

inline constexpr std::string_view kArchiveStart =
    "iveArch\n<TotalSize> 0\n<Format> si4\n<Type> single\n";

// A member: header lines, each with its line end, and data.
inline std::string archive_member(std::string_view lines, std::string_view data,
                                  std::string_view delimiter = "<-- D A T A -->") {
  std::string text = "<-- H E A D -->\n";
  text.append(lines).append(delimiter).append("\n").append(data).append("\n");
  return text;
}
// A common member, packed by zlib.
inline std::string packed_member(std::string_view name, std::string_view text,
                                 std::string_view more_lines = "") {
  const std::string data = deflated(text);
  std::string lines = "<FileName> " + std::string(name) + "\n<FileSize> " +
                      std::to_string(text.size()) + "\n<Compression> zlib\n<Size> " +
                      std::to_string(data.size()) + "\n";
  return archive_member(lines.append(more_lines), data);
}

}  // namespace scidfs::tests
