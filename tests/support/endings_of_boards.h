// The endings of games by the letters of their boards: nothing but the table of classes is shared
// with the search for them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// The name of the class of a board, the first field of a FEN; "" if it is of none.
std::string_view ending_of_board(std::string_view board);

// The classes of which two consecutive boards are, with the number of boards after the first of
// the first such two.
using Endings = std::map<std::string, std::uint32_t, std::less<>>;
Endings endings_of_boards(const std::vector<std::string>& boards);

}  // namespace scidfs::tests
