// Lists of alternatives in the value of a facet: `B90,C42`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fs/search/facet_row.h"

namespace scidfs::fs {

// Returns the parts of a text between its commas, of which there may be none.
std::vector<std::string_view> split_list(std::string_view text);

// What FacetRow::combine does for different values.
//
// Sorts the alternatives by their canonical texts, and removes equal ones.
void sort_alternatives(std::vector<ParsedValue>& alternatives);
// Do the same for ranges of numbers, of ECO codes, by where they begin; ranges that overlap or
// follow one another become one. REQUIRES: `least` and `decimals` are those with which the ranges
// were parsed.
void merge_numbers(std::vector<ParsedValue>& alternatives, std::int64_t least,
                   std::size_t decimals = 0);
void merge_codes(std::vector<ParsedValue>& alternatives);

}  // namespace scidfs::fs
