// Names in texts that users copy into a shell.
#pragma once

#include <string>
#include <string_view>

namespace scidfs::fs {

// Returns a word that POSIX shells read as `text`: the same if they take each of its characters as
// it stands, else one in single quotes.
std::string shell_word(std::string_view text);

// Returns a name as a message has it: between backticks, but a shell_word() if those or the name's
// own characters would make a shell do something else than match names.
std::string in_quotes(std::string_view name);

}  // namespace scidfs::fs
