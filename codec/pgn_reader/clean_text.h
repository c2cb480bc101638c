// Texts of a PGN file as UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "codec/text.h"

namespace scidfs::codec::pgn_reader {

// Returns the text of a comment as clean UTF-8, without blanks at its ends. As in Scid a line end
// becomes a blank, or nothing beside one. Tabs stay, other control characters become blanks. Uses
// `room` if the text changes.
std::string_view clean_comment(std::string_view text, CodePage page, std::string& room);

// Returns the value of a tag as clean UTF-8 in which each control character is a blank. Uses `room`
// if the text changes.
std::string_view clean_value(std::string_view text, CodePage page, std::string& room);

}  // namespace scidfs::codec::pgn_reader
