// Values that are one of some words.
#pragma once

#include <optional>
#include <string_view>

#include "codec/types.h"
#include "fs/search/facet_row.h"

namespace scidfs::fs {

// Parse the value of the key with this name. Return nothing if it is none of the words.
std::optional<ParsedValue> parse_result(std::string_view value);
std::optional<ParsedValue> parse_annotation(std::string_view value);
std::optional<ParsedValue> parse_start(std::string_view value);
std::optional<ParsedValue> parse_bishops(std::string_view value);
std::optional<ParsedValue> parse_white_castled(std::string_view value);
std::optional<ParsedValue> parse_black_castled(std::string_view value);
std::optional<ParsedValue> parse_castled(std::string_view value);
std::optional<ParsedValue> parse_mate(std::string_view value);

}  // namespace scidfs::fs
