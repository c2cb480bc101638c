// Splits and matches texts.
#pragma once

#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// The parts between separators; the last separator may be missing.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

// The words between blanks.
inline std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The parts between separators: one more than there are separators.
inline std::vector<std::string> fields_of(std::string_view text, char separator = '\t') {
  std::vector<std::string> fields(1);
  for (const char c : text) {
    if (c == separator) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// The rows of a table of tab-separated values, without its head.
inline std::vector<std::vector<std::string>> rows_of(const std::string& table) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(table, '\n')) rows.push_back(fields_of(line));
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
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
