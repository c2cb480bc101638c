// Locates the files of the tests.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "tests/support/configuration.h"

namespace scidfs::tests {

// A file of tests/data, e.g. "scid4/fen.si4".
inline std::string test_data(std::string_view name) { return source_path("tests/data") / name; }

// The folder of large data beside the sources. It may not exist: tests that need it then call
// GTEST_SKIP with a reason.
inline std::string shared_folder() { return source_path("../shared"); }

// The bytes of a file; ends the program if it cannot be read.
inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::abort();
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The view is valid as long as the text.
inline codec::Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Names without extension, sorted, of the files in a folder of tests/data that have `extension`.
inline std::vector<std::string> stems_in(std::string_view folder, std::string_view extension) {
  std::vector<std::string> stems;
  for (const auto& entry : std::filesystem::directory_iterator(test_data(folder))) {
    if (entry.path().extension() == extension) stems.push_back(entry.path().stem());
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

}  // namespace scidfs::tests
