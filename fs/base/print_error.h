// Messages for a terminal that may be closed.
#pragma once

#include <string_view>

namespace scidfs::fs {

// Writes a text to stderr unchanged. If stderr is closed or full, the text is lost: a program does
// not fail because its messages cannot be written.
void print_error(std::string_view text);

}  // namespace scidfs::fs
