#include "fs/base/text_table.h"

#include <algorithm>
#include <utility>

#include "codec/text.h"
#include "codec/unicode.h"

namespace scidfs::fs {
namespace {

void end_line(std::string& out) {
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  while (!utf8.empty()) width += codec::columns_of(codec::take_code_point(utf8));
  return width;
}

std::string clip(std::string_view utf8, std::size_t limit) {
  if (display_width(utf8) <= limit) return std::string(utf8);
  std::string_view rest = utf8;
  std::size_t size = 0;
  for (std::size_t width = 0; !rest.empty(); size = utf8.size() - rest.size()) {
    width += codec::columns_of(codec::take_code_point(rest));
    if (width + 1 > limit) break;
  }
  return std::string(utf8.substr(0, size)) + "…";
}

void TextTable::add_column(std::string header, Align align, std::size_t gap) {
  columns_.push_back({.header = std::move(header),
                      .align = align,
                      .gap = columns_.empty() ? 0 : gap,
                      .min_width = 0});
}

void TextTable::level(std::size_t first, std::size_t last) {
  const std::vector<std::size_t> all = widths();
  std::size_t widest = 0;
  for (std::size_t i = first; i < last; ++i) widest = std::max(widest, all[i]);
  for (std::size_t i = first; i < last; ++i) columns_[i].min_width = widest;
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    widths.push_back(std::max(column.min_width, display_width(column.header)));
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    std::size_t& width = widths[i % columns_.size()];
    width = std::max(width, display_width(cells_[i]));
  }
  return widths;
}

void TextTable::write_cell(std::size_t column, std::size_t width, std::string_view cell,
                           std::string& out) const {
  const std::size_t padding = width - display_width(cell);
  const bool right = columns_[column].align == Align::Right;
  out.append(columns_[column].gap + (right ? padding : 0), ' ');
  out.append(cell);
  out.append(right ? 0 : padding, ' ');
}

void TextTable::write(std::string& out) const {
  if (columns_.empty()) return;
  const std::vector<std::size_t> width = widths();
  for (std::size_t i = 0; i < columns_.size(); ++i)
    write_cell(i, width[i], columns_[i].header, out);
  end_line(out);
  for (std::size_t row = 0; row + columns_.size() <= cells_.size(); row += columns_.size()) {
    for (std::size_t i = 0; i < columns_.size(); ++i) write_cell(i, width[i], cells_[row + i], out);
    end_line(out);
  }
}

}  // namespace scidfs::fs
