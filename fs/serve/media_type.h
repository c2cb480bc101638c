// What HTTP says of a file besides its bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace scidfs::fs {

// Returns the value of Content-Type for a file of this name, by its ending, in upper or lower case:
// "application/vnd.chess-pgn; charset=utf-8". All texts that the tree makes are UTF-8. Of endings
// that none of these has: "application/octet-stream".
std::string_view media_type(std::string_view name);

// Returns whether a file is text of some length, so that gzip saves more than it costs.
bool is_worth_compressing(std::string_view media_type, std::uint64_t size);

// Returns whether browsers run scripts in a file that they show.
bool may_have_scripts(std::string_view media_type);

}  // namespace scidfs::fs
