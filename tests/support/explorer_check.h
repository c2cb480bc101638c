// What the tests ask of any explorer.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// What is wrong with the form of an explorer.json, a line each: keys and their order, types,
// ranges, numbers that contradict each other, games in another order.
std::vector<std::string> explorer_faults(std::string_view text);

// The text as JSON. Without faults it is an object; a text that cannot be parsed is discarded.
nlohmann::ordered_json parse_explorer(std::string_view text);

}  // namespace scidfs::tests
