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

// What the page of players/ and the like shows: a form that finds members by a facet of the search
// beside the directory; the largest members; and what the directory lists, under its own title.
struct MembersPage {
  std::string_view facet;
  std::span<const PageEntry> largest;
  std::string_view groups;
  std::span<const PageEntry> entries;
};
std::string members_page(std::string_view title, std::span<const Crumb> crumbs,
                         const MembersPage& members);

// Returns the page of search/: a form.
std::string search_page(std::string_view title, std::span<const Crumb> crumbs);

// Returns the page of a directory of positions: a form, which leads to the name of the position
// with `ending`, and a link to the first position unless `first` is empty.
std::string positions_page(std::string_view title, std::span<const Crumb> crumbs,
                           std::string_view ending, const Link& first);

}  // namespace scidfs::fs
