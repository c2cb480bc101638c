// The files that a directory with a page has (kPageFiles).
#pragma once

#include <cassert>
#include <cstddef>
#include <string_view>

#include "fs/base/filename.h"
#include "fs/database/database_options.h"

namespace scidfs::fs {

// Returns whether the directory lists the file with this number in kPageFiles, or a further file of
// its page.
constexpr bool lists_page_file(std::size_t number, PagesMode pages, bool is_mount_point) {
  return pages == PagesMode::Listed ||
         (pages == PagesMode::Unlisted && is_mount_point && number == 0);
}

// style.css, board.js and icon.svg. They depend on nothing, and load nothing. Without an icon of
// their own, pages would have browsers ask the server for /favicon.ico.
extern const std::string_view kStyleSheet;
extern const std::string_view kBoardScript;
extern const std::string_view kIcon;
// Returns the text of the file with this number in kPageFiles. REQUIRES: it is not the page.
inline std::string_view page_file_text(std::size_t number) {
  assert(number >= 1 && number < kPageFiles.size());
  return number == 1 ? kStyleSheet : number == 2 ? kBoardScript : kIcon;
}

}  // namespace scidfs::fs
