// Pages of directories that are no sets: they list or ask.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/pages/page.h"

namespace scidfs::fs {

// An entry of a directory.
struct PageEntry {
  std::string name;
  Link link;
  std::string words;  // empty: none
};

// Returns a page that lists entries below some lines of text.
std::string list_page(std::string_view title, std::span<const Crumb> crumbs, std::string_view text,
                      std::span<const PageEntry> entries);

// Return the pages of search/ and of positions/: a form.
std::string search_page(std::string_view title, std::span<const Crumb> crumbs);
std::string positions_page(std::string_view title, std::span<const Crumb> crumbs);

}  // namespace scidfs::fs
