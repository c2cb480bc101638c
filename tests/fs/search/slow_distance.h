// Distances between texts as their definition has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "fs/search/misspelled_text.h"

namespace scidfs::tests {

// Returns the distance of a text to a whole other one, and the least one to a beginning of it, or
// to any part.
inline fs::MisspelledText::Distance slow_distance(const std::string& wanted,
                                                  const std::string& text, bool is_anywhere) {
  std::vector<std::size_t> row(text.size() + 1);
  if (!is_anywhere) std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> before, two_before;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    two_before = std::exchange(before, row);
    row[0] = k + 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
      row[i + 1] =
          std::min({before[i] + (text[i] == wanted[k] ? 0 : 1), before[i + 1] + 1, row[i] + 1});
      if (k > 0 && i > 0 && text[i] == wanted[k - 1] && text[i - 1] == wanted[k]) {
        row[i + 1] = std::min(row[i + 1], two_before[i - 1] + 1);
      }
    }
  }
  return {.of_part = *std::ranges::min_element(row), .of_whole = row.back()};
}

}  // namespace scidfs::tests
