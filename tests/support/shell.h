// What a shell makes of texts.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace scidfs::tests {

// Returns a word of a command line as a program gets it.
inline std::string read_by_shell(const std::string& word) {
  std::FILE* const pipe = ::popen(("printf %s " + word).c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 4096> piece{};
  for (std::size_t count = 0; (count = std::fread(piece.data(), 1, piece.size(), pipe)) != 0;) {
    text.append(piece.data(), count);
  }
  ::pclose(pipe);
  return text;
}

}  // namespace scidfs::tests
