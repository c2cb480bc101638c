#include "fs/pages/tables_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codec/number.h"
#include "fs/database/game_list.h"
#include "fs/database/game_set.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using Fields = std::vector<std::string_view>;

constexpr std::string_view kPath = "path";
constexpr std::string_view kNumber = "number";

// Takes the first line off a text. Returns its fields.
Fields take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  Fields fields;
  for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) {
    fields.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  fields.push_back(line);
  return fields;
}

void add_cell(const TablesPage& page, std::string_view column, std::string_view value, Html& html) {
  const Html::Scope cell = html.in("td");
  if (value.empty()) return;
  const auto number = codec::parse_number<GameIndex>(value);
  if (column == kPath) {
    html.add_link(page.set.path(value).page(), "board");
  } else if (column == kNumber && number.value_or(0) != 0) {
    html.add_link(page.database.path(game_page_path(Part::Shown, *number - 1)), value);
  } else {
    html.add_text(value);
  }
}

void add_board(const TablesPage& page, std::string_view path, std::string_view words, Html& html) {
  const Html::Scope figure = html.in("figure", {{"class", "side"}});
  const std::string_view picture =
      page.seen_from == codec::Color::White ? "board.svg" : "board-black.svg";
  html.add_empty(
      "img",
      {Attribute::src(page.set.path(path).name(picture)), {"alt", words}, {"class", "board"}});
  const Html::Scope text = html.in("p");
  html.add_link(page.set.path(path).page(), words);
}

// Adds pictures of the boards of the first rows.
void add_boards(const TablesPage& page, std::string_view text, Html& html) {
  const Fields columns = take_line(text);
  const auto at = [&columns](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
  };
  const std::size_t path = at(kPath), line = at("line"), move = at("move");
  if (path == columns.size() || line == columns.size() || text.empty()) return;
  const Html::Scope boards = html.in("div", {{"class", "columns"}});
  for (std::size_t i = 0; i < page.most_boards && !text.empty(); ++i) {
    const Fields row = take_line(text);
    const std::string last = move == columns.size() ? "" : fmt::format(" {}", row[move]);
    const std::string words = fmt::format("{}{}", row[line], last);
    add_board(page, row[path], words.empty() ? "the start" : words, html);
  }
}

void add_table(const TablesPage& page, const PageTable& table, Page& out) {
  std::string_view text = table.text;
  const Fields columns = take_line(text);
  if (text.empty()) return;
  Html& html = out.html();
  const Html::Scope element = html.in("table");
  html.add("caption", table.caption);
  out.add_columns(columns);
  const Html::Scope body = html.in("tbody");
  for (std::size_t i = 0; i < table.most && !text.empty(); ++i) {
    const Fields row = take_line(text);
    const Html::Scope element_of_row = html.in("tr");
    for (std::size_t column = 0; column < columns.size(); ++column) {
      add_cell(page, columns[column], row[column], html);
    }
  }
}

}  // namespace

std::string tables_page(const TablesPage& page, std::span<const PageTable> tables) {
  Page out(page.title, page.crumbs);
  if (!page.text.empty()) out.html().add("pre", page.text);
  const auto with_positions = std::ranges::find_if(tables, [](const PageTable& table) {
    return table.text.find("\tline\t") != std::string::npos;
  });
  if (with_positions != tables.end()) add_boards(page, with_positions->text, out.html());
  for (const PageTable& table : tables) add_table(page, table, out);
  return std::move(out).finish();
}

}  // namespace scidfs::fs
