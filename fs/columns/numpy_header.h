// The beginning of a file of NumPy (.npy, version 1.0).
// Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scidfs::fs {

// Returns the bytes before those of an array, a multiple of 64. `type` is NumPy's name of it:
// "<u2", "|i1". The array is in C order: its last index changes fastest.
std::string numpy_header(std::string_view type, std::span<const std::uint64_t> shape);
// Returns a shape as Python writes a tuple: "(5,)", "(5, 8, 8)".
std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace scidfs::fs
