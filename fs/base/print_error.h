// What is written to the terminal while others read it or have gone.
#pragma once

#include <string_view>

namespace scidfs::fs {

// Writes a piece of text to stderr as it stands. Where that is closed, or full, it is lost: nothing
// fails because nobody reads what it says of itself.
void print_error(std::string_view text);

}  // namespace scidfs::fs
