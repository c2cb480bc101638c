#include "fs/book/book_pages.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

#include "codec/kvetka/key.h"
#include "codec/text.h"
#include "fs/scan/score.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

// Returns numbers in the proportion of these, for a bar.
Score proportion_of(BookScore score) {
  constexpr unsigned kBits = 30;  // three of these fit into 32 bits together
  while ((score.wins | score.draws | score.losses) >> kBits != 0) {
    score = {score.wins / 2, score.draws / 2, score.losses / 2};
  }
  return {{static_cast<std::uint32_t>(score.wins), static_cast<std::uint32_t>(score.draws),
           static_cast<std::uint32_t>(score.losses), 0}};
}

void add_position(const codec::Position& position, Html& html) {
  const std::string name = name_of_position(position);
  const std::string fen = codec::kvetka::short_fen(position);
  const Html::Scope figure = html.in("figure", {{"class", "side"}});
  html.add_empty("img",
                 {Attribute::src(Link().name(name + ".svg")), {"alt", fen}, {"class", "board"}});
  html.add("p", fen, {{"class", "fen"}, {"id", "fen"}});
  const Html::Scope text = html.in("p", {{"class", "controls"}});
  html.add("button", "copy FEN", {{"type", "button"}, {"data-copy", "FEN"}});
  html.add_link(Link().name(name + ".txt"), "as text");
}

void add_moves(const BookPositionFacts& facts, Page& page) {
  Html& html = page.html();
  const Html::Scope table = html.in("table");
  html.add("caption", "Moves");
  constexpr std::array<std::string_view, 9> kMoveColumns = {
      "Move", "Games", "Wins", "Draws", "Losses", "Score", "Results", "Listed", "Opening"};
  page.add_columns(kMoveColumns);
  const Html::Scope body = html.in("tbody");
  for (const BookMove& move : facts.moves) {
    const Html::Scope row = html.in("tr");
    {
      const Html::Scope cell = html.in("th", {{"scope", "row"}});
      if (move.is_found && place_of(move.block, move.index).has_value()) {
        codec::Position after = facts.position;
        after.make(move.move);
        html.add_link(Link().name(name_of_position(after) + ".html"), move.san);
      } else {
        html.add_text(move.san);
      }
    }
    for (const std::uint64_t number :
         {move.score.games(), move.score.wins, move.score.draws, move.score.losses}) {
      html.add("td", grouped(number));
    }
    html.add("td", score_text(move.score));
    page.add_bar(proportion_of(move.score));
    html.add("td", move.is_listed ? "yes" : "no");
    html.add("td", codec::clean_line(comment_text(move.comment)));
  }
}

}  // namespace

std::vector<Crumb> book_crumbs(const BookDirectory& book, std::size_t levels) {
  std::vector<Crumb> crumbs;
  if (!book.is_mount_point) {
    crumbs.push_back(Crumb::folder_above(levels + 1));
  }
  if (levels != 0) crumbs.push_back({.name = book.name, .link = Link().up(levels).page()});
  return crumbs;
}

std::string book_page(const BookDirectory& book, std::string_view info,
                      std::span<const std::string_view> files, std::string_view first) {
  std::vector<PageEntry> entries;
  entries.reserve(files.size() + 2);
  for (const std::string_view file : files) {
    entries.push_back({.name = std::string(file), .link = Link().name(file), .words = {}});
  }
  const Link positions = Link().name("fen");
  entries.push_back({.name = "fen", .link = positions.page(), .words = "any position"});
  if (!first.empty()) {
    entries.push_back({.name = "the first position", .link = positions.name(first), .words = {}});
  }
  return list_page(book.name, book_crumbs(book, 0), info, entries);
}

std::string book_position_page(const BookDirectory& book, const BookPositionFacts& facts) {
  const std::string comment = codec::clean_line(comment_text(facts.comment));
  std::vector<Crumb> crumbs = book_crumbs(book, 1);
  crumbs.push_back({.name = "fen", .link = Link().page()});
  Page page(comment.empty() ? codec::kvetka::short_fen(facts.position) : comment, crumbs);
  Html& html = page.html();
  const bool is_white = facts.position.side_to_move() == codec::Color::White;
  html.add("p", fmt::format("{}. {} to move: {} wins, {} draws, {} losses, score {}. {} here.",
                            counted(facts.score.games(), "game"), is_white ? "White" : "Black",
                            grouped(facts.score.wins), grouped(facts.score.draws),
                            grouped(facts.score.losses), score_text(facts.score),
                            facts.ends == 1 ? "1 game ends" : grouped(facts.ends) + " games end"));
  {
    const Html::Scope columns = html.in("div", {{"class", "columns"}});
    add_position(facts.position, html);
    const Html::Scope right = html.in("div");
    add_moves(facts, page);
  }
  return std::move(page).finish();
}

}  // namespace scidfs::fs
