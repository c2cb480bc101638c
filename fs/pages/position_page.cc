#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/eco.h"
#include "codec/target_position.h"
#include "fs/pages/board_svg.h"
#include "fs/pages/set_page.h"
#include "fs/pages/set_page_parts.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

std::string known_number(std::uint64_t number) {
  return number == 0 ? std::string() : fmt::to_string(number);
}

// Returns the name of the opening of a position; empty if it has none.
std::string opening_of(const NamedPosition& named, const codec::Position& position) {
  const OpeningNumber number = named.find(position);
  if (number == kNoOpening) return {};
  return fmt::format("{} {}", codec::eco_to_string(named.names->code(number)),
                     named.names->name(number));
}

void add_position(const codec::Position& position, const NamedPosition& named, Html& html) {
  const Html::Scope figure = html.in("figure", {{"class", "side"}});
  html.add_empty("img", {Attribute::src(Link().name("board.svg")),
                         {"alt", pieces_in_words(position)},
                         {"class", "board"},
                         {"id", "picture"}});
  html.add("p", position.fen(), {{"class", "fen"}, {"id", "fen"}});
  if (!named.opening.empty()) html.add("p", named.opening);
  const Html::Scope more = html.in("p", {{"class", "controls"}});
  html.add("span", side_to_move(position));
  html.add("button", "copy FEN", {{"type", "button"}, {"data-copy", "FEN"}});
  html.add_link(Link().name("board-black.svg"), "seen from Black");
}

void add_moves(const codec::Position& position, const MoveTable& table, const NamedPosition& named,
               Page& page) {
  Html& html = page.html();
  const Html::Scope element = html.in("table", {{"class", "played"}});
  html.add("caption", "Moves");
  constexpr std::array<std::string_view, 11> kColumns = {
      "Move",    "Games", "White wins",  "Draws",     "Black wins", "White's score",
      "Results", "Share", "Average Elo", "Last year", "Opening"};
  page.add_columns(kColumns);
  const Html::Scope body = html.in("tbody");
  const std::uint32_t all = table.all().score.all();
  const codec::TargetPosition target{.position = position};
  for (const PlayedMove& move : table.moves()) {
    const Html::Scope row = html.in("tr");
    {
      const Html::Scope cell = html.in("th", {{"scope", "row"}});
      // A damaged record may have a move that is none.
      if (target.parse_move(move.san).has_value()) {
        html.add_link(Link().name(move.san).page(), move.san);
      } else {
        html.add_text(move.san);
      }
    }
    page.add_score(move.games.score.all(), move.games.score);
    html.add("td", percent(move.games.score.all(), all) + '%');
    html.add("td", known_number(move.games.elo.value()));
    html.add("td", known_number(move.games.last_year));
    codec::Position after = position;
    after.make(move.move);
    html.add("td", opening_of(named, after));
  }
}

std::vector<GameIndex> numbers_of(const std::vector<NotableGame>& games) {
  std::vector<GameIndex> numbers;
  numbers.reserve(games.size());
  for (const NotableGame& game : games) numbers.push_back(game.game.game);
  return numbers;
}

}  // namespace

std::string position_page(const PageHead& head, const DatabaseGames& set, const Identities& who,
                          const SetFindings& findings, const codec::Position& position,
                          const MoveTable& table, const NamedPosition& named,
                          const NotableGames& games) {
  Page page(head.title, head.crumbs);
  Html& html = page.html();
  add_conditions(head, html);
  html.add("p", counted(findings.games, "game"));
  {
    const Html::Scope columns = html.in("div", {{"class", "columns"}});
    add_position(position, named, html);
    const Html::Scope right = html.in("div");
    add_moves(position, table, named, page);
  }
  {
    const Html::Scope tables = html.in("div", {{"class", "tables"}});
    add_games(head, set, "Strongest games", numbers_of(games.strongest), page);
    add_games(head, set, "Newest games", numbers_of(games.newest), page);
    add_players(head, who, findings, page);
  }
  add_search_form(html, "search");
  html.add("h2", "Files");
  page.add_files(head.files);
  return std::move(page).finish();
}

}  // namespace scidfs::fs
