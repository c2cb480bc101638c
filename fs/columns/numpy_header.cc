#include "fs/columns/numpy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>

#include "codec/bytes.h"

namespace scidfs::fs {

std::string shape_text(std::span<const std::uint64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string numpy_header(std::string_view type, std::span<const std::uint64_t> shape) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t kLength = 2;  // bytes
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type,
                                 shape_text(shape));
  const std::size_t before = kMagic.size() + kLength;
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  codec::append_little(text.size(), kLength, header);
  return header + text;
}

}  // namespace scidfs::fs
