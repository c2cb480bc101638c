// The frame of all pages: head, the way up, main part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/pages/html.h"
#include "fs/scan/score.h"

namespace scidfs::fs {

// A directory above a page.
struct Crumb {
  std::string name;
  Link link;

  // Returns that of the folder above the mounted thing, so many levels above the page.
  static Crumb folder_above(std::size_t levels) {
    return {.name = "folder above", .link = Link().up(levels).page()};
  }
};

// A file to link from a page, with the words that describe it.
struct PageFile {
  std::string name;
  std::string_view words{};
};

// A page about something. Its address is the directory that contains it: links are relative to
// that. The page loads no other files than style.css, board.js, icon.svg and pictures beside it or
// elsewhere in the mount, and its Content-Security-Policy allows no others.
class Page {
 public:
  // Begins a page. `crumbs` lead to the directories above, the uppermost first.
  Page(std::string_view title, std::span<const Crumb> crumbs);

  Html& html() { return html_; }
  // Writes a table's head.
  void add_columns(std::span<const std::string_view> names);
  // Writes a cell with a bar of the shares of wins, draws and losses; empty without a known result.
  void add_bar(const Score& score);
  // Writes cells with a number of games, the numbers of their score, and the share of points.
  void add_score(std::uint64_t games, const Score& score);
  // Writes a list of links to files in the directory, or below it.
  void add_files(std::span<const PageFile> files);

  // Ends the page and returns it.
  std::string finish() &&;

 private:
  Html html_;
};

}  // namespace scidfs::fs
