#include "cache/kept_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "cache/hash.h"

namespace scidfs::cache {
namespace {

constexpr std::string_view kMagic = "scidfsSZ";
constexpr std::uint32_t kVersion = 2;

// Where the fields of the header are.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kCountAt = 12;
constexpr std::size_t kKeyAt = 16;
constexpr std::size_t kSizesChecksumAt = 24;
constexpr std::size_t kHeaderChecksumAt = 32;  // of all bytes before it

void put_little(std::uint8_t* to, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) to[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

std::uint64_t get_little(std::span<const std::uint8_t> header, std::size_t at, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) value = value << 8 | header[at + i];
  return value;
}

std::uint64_t checksum_of(std::span<const std::uint32_t> sizes) {
  return fingerprint({reinterpret_cast<const std::uint8_t*>(sizes.data()), sizes.size_bytes()});
}

absl::Status damaged(const std::string& what) { return absl::DataLossError(what); }

}  // namespace

void swap_kept_sizes([[maybe_unused]] std::span<std::uint32_t> sizes) {
  if constexpr (std::endian::native == std::endian::big) {
    for (std::uint32_t& size : sizes) {
      const std::uint32_t value = size;
      put_little(reinterpret_cast<std::uint8_t*>(&size), value, sizeof size);
    }
  }
}

KeptSizesHeader kept_sizes_header(std::uint64_t key, std::span<const std::uint32_t> sizes) {
  KeptSizesHeader header{};
  std::ranges::copy(kMagic, header.begin());
  put_little(&header[kVersionAt], kVersion, 4);
  put_little(&header[kCountAt], sizes.size(), 4);
  put_little(&header[kKeyAt], key, 8);
  put_little(&header[kSizesChecksumAt], checksum_of(sizes), 8);
  put_little(&header[kHeaderChecksumAt], fingerprint(std::span(header).first(kHeaderChecksumAt)),
             8);
  return header;
}

// Checks the layout version before the header's checksum: another layout may have it elsewhere.
absl::Status check_kept_sizes_header(std::span<const std::uint8_t> header, std::uint64_t key,
                                     std::size_t count, std::uint64_t file_size) {
  if (header.size() < kKeptSizesHeaderSize) return damaged("the header is cut short");
  if (!std::ranges::equal(kMagic, header.first(kMagic.size()))) {
    return damaged("not a file of game sizes");
  }
  const std::uint64_t version = get_little(header, kVersionAt, 4);
  if (version != kVersion) {
    return absl::FailedPreconditionError(fmt::format("layout {}, expected {}", version, kVersion));
  }
  if (get_little(header, kHeaderChecksumAt, 8) != fingerprint(header.first(kHeaderChecksumAt))) {
    return damaged("the checksum of the header is wrong");
  }
  if (get_little(header, kKeyAt, 8) != key) {
    return absl::FailedPreconditionError("made for another state of the database");
  }
  const std::uint64_t found = get_little(header, kCountAt, 4);
  if (found != count) return damaged(fmt::format("{} sizes, expected {}", found, count));
  const std::uint64_t expected = kKeptSizesHeaderSize + found * sizeof(std::uint32_t);
  if (file_size != expected) {
    return damaged(fmt::format("{} bytes, expected {}", file_size, expected));
  }
  return absl::OkStatus();
}

absl::Status check_kept_sizes(const KeptSizesHeader& header, std::span<const std::uint32_t> sizes) {
  if (checksum_of(sizes) == get_little(header, kSizesChecksumAt, 8)) return absl::OkStatus();
  return damaged("the checksum of the sizes is wrong");
}

}  // namespace scidfs::cache
