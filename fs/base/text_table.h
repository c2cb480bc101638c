// Aligned columns of plain text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// Returns how many columns of a terminal valid UTF-8 takes: wide characters two, combining ones
// none.
std::size_t display_width(std::string_view utf8);

// Returns as much of `utf8` as fits `limit` columns. The last character is `…` if something is
// missing.
std::string clip(std::string_view utf8, std::size_t limit);

// Collects cells, then writes them as wide as their columns need. The caller adds all columns
// first, then the cells row by row.
class TextTable {
 public:
  enum class Align { Left, Right };

  // Adds a column. `gap` blanks go before it, unless it is the first.
  void add_column(std::string header, Align align, std::size_t gap = 2);
  void add(std::string cell) { cells_.push_back(std::move(cell)); }

  std::size_t columns() const { return columns_.size(); }
  // Makes columns first .. last-1 as wide as the widest of them.
  void level(std::size_t first, std::size_t last);

  // Appends the header and all complete rows, without blanks at the end of a line.
  void write(std::string& out) const;

 private:
  struct Column {
    std::string header;
    Align align = Align::Left;
    std::size_t gap = 0;
    std::size_t min_width = 0;
  };
  std::vector<std::size_t> widths() const;
  void write_cell(std::size_t column, std::size_t width, std::string_view cell,
                  std::string& out) const;

  std::vector<Column> columns_;
  std::vector<std::string> cells_;
};

}  // namespace scidfs::fs
