// The files that all pages load from the directory where they are.
#pragma once

#include <string_view>

namespace scidfs::fs {

// style.css and board.js. They depend on nothing, and load nothing.
extern const std::string_view kStyleSheet;
extern const std::string_view kBoardScript;

}  // namespace scidfs::fs
