#include "fs/pages/list_page.h"

#include <fmt/format.h>

#include <utility>

#include "fs/pages/set_page_parts.h"

namespace scidfs::fs {
namespace {

void add_entries(std::span<const PageEntry> entries, Html& html) {
  if (entries.empty()) return;
  const Html::Scope list = html.in("ul", {{"class", "entries"}});
  for (const PageEntry& entry : entries) {
    const Html::Scope item = html.in("li");
    html.add_link(entry.link, entry.name);
    if (entry.words.empty()) continue;
    html.add_text(" ");
    html.add_text(entry.words);
  }
}

}  // namespace

std::string list_page(std::string_view title, std::span<const Crumb> crumbs, std::string_view text,
                      std::span<const PageEntry> entries) {
  Page page(title, crumbs);
  Html& html = page.html();
  if (!text.empty()) html.add("pre", text);
  add_entries(entries, html);
  return std::move(page).finish();
}

std::string members_page(std::string_view title, std::span<const Crumb> crumbs,
                         const MembersPage& members) {
  Page page(title, crumbs);
  Html& html = page.html();
  add_find_form(html, "../search", members.facet);
  if (!members.largest.empty()) html.add("h2", "Most games");
  add_entries(members.largest, html);
  html.add("h2", members.groups);
  add_entries(members.entries, html);
  return std::move(page).finish();
}

std::string search_page(std::string_view title, std::span<const Crumb> crumbs) {
  Page page(title, crumbs);
  add_search_form(page.html(), ".");
  page.html().add_link(Link().name("README.txt"), "All conditions");
  return std::move(page).finish();
}

std::string positions_page(std::string_view title, std::span<const Crumb> crumbs,
                           std::string_view ending, const Link& first) {
  Page page(title, crumbs);
  Html& html = page.html();
  {
    const Html::Scope form = html.in("form", {{"data-position", ending}});
    {
      const Html::Scope label = html.in("label");
      html.add_text("Position (FEN) ");
      html.add_empty("input", {{"name", "fen"}, {"size", "60"}});
    }
    html.add("button", "Show");
    html.add("noscript",
             fmt::format("The form needs JavaScript. Without it, add a FEN with _ for blanks and - "
                         "for slashes, and {} to the address.",
                         ending));
  }
  if (!first.text().empty()) html.add_link(first, "The first position");
  return std::move(page).finish();
}

}  // namespace scidfs::fs
