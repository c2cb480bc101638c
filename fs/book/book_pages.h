// Pages about a book: its index.html, and fen/FEN.html.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/book/book_texts.h"
#include "fs/pages/list_page.h"
#include "fs/pages/page.h"

namespace scidfs::fs {

// Where the directory of a book is.
struct BookDirectory {
  std::string name;  // clean UTF-8
  bool is_mount_point = false;
};

// Returns links to the directories above one that lies so many levels below the book's.
std::vector<Crumb> book_crumbs(const BookDirectory& book, std::size_t levels);

// Returns the page of a book: its info.txt, and links to its other files and to its first position,
// whose name in fen/ is `first`; empty: the book lacks it.
std::string book_page(const BookDirectory& book, std::string_view info,
                      std::span<const std::string_view> files, std::string_view first);

// Returns the page of a position of a book: the board, and a table of its moves with a link to the
// position after each.
std::string book_position_page(const BookDirectory& book, const BookPositionFacts& facts);

}  // namespace scidfs::fs
