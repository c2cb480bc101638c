// A page of tables whose rows are about positions or games.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "codec/types.h"
#include "fs/pages/page.h"

namespace scidfs::fs {

// A table as text with tabs, of which the first rows are shown.
struct PageTable {
  std::string_view caption{};
  std::string text{};
  std::size_t most = 100;
};

// What the page shows besides.
struct TablesPage {
  std::string_view title;
  std::span<const Crumb> crumbs;
  std::string text{};           // above the tables
  codec::Color seen_from{};     // the boards
  Link set;                     // the directory from which columns `path` lead
  Link database;                // that of the database, which has games/
  std::size_t most_boards = 6;  // of the first table with a column `path`
};

// Returns the page. A column `path` becomes a link to the page of the position, a column `number`
// to that of the game; the first rows of the first table with positions have pictures of the
// boards.
std::string tables_page(const TablesPage& page, std::span<const PageTable> tables);

}  // namespace scidfs::fs
