// Splits and matches texts.
#pragma once

#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace scidfs::tests {

// The parts between separators; the last separator may be missing.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

// All matches of the first group of a pattern.
inline std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

}  // namespace scidfs::tests
