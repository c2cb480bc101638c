#include "fs/pages/game_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "codec/eco.h"
#include "codec/text.h"
#include "fs/database/game_reader.h"
#include "fs/database/group_names.h"
#include "fs/pages/board_svg.h"
#include "fs/pages/game_moves.h"
#include "fs/pages/page.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;

// A tag pair of PGN.
struct Tag {
  std::string name, value;
};

// Parses lines of the form `[Name "value"]`, in whose values `\` stands before `"` and `\`.
std::vector<Tag> parse_tags(std::string_view lines) {
  std::vector<Tag> tags;
  while (lines.starts_with('[')) {
    const std::size_t quote = lines.find('"');
    Tag& tag = tags.emplace_back();
    tag.name = lines.substr(1, quote - 2);
    std::size_t at = quote + 1;
    for (; lines[at] != '"'; ++at) {
      if (lines[at] == '\\') ++at;
      tag.value += lines[at];
    }
    lines.remove_prefix(lines.find('\n', at) + 1);
  }
  return tags;
}

std::string value_of(const std::vector<Tag>& tags, std::string_view name) {
  for (const Tag& tag : tags) {
    if (tag.name == name) return tag.value;
  }
  return "?";
}

// Returns the page that a tag leads to, relative to the directory of the database; empty if none.
std::string path_of(const Tag& tag, const Database& database, const GameEntry& entry, Part part) {
  std::string path;
  if (tag.name == "White") append_player_path(database, entry.white, path);
  if (tag.name == "Black") append_player_path(database, entry.black, path);
  if (tag.name == "ECO") path = opening_path(database, part, codec::eco_base(entry.eco));
  if (tag.name == "Date" && entry.date.year != 0) path = "years/" + year_name(entry.date.year);
  return part == Part::Shown ? path : std::string();
}

void add_tags(const std::vector<Tag>& tags, const Database& database, GameIndex game, Part part,
              const Link& above, Html& html) {
  const GameEntry entry = database.entry(game);
  const Html::Scope table = html.in("table", {{"class", "tags"}});
  const Html::Scope body = html.in("tbody");
  for (const Tag& tag : tags) {
    const Html::Scope row = html.in("tr");
    html.add("th", tag.name, {{"scope", "row"}});
    const Html::Scope cell = html.in("td");
    const std::string path = path_of(tag, database, entry, part);
    const Link site = Link::to_site(tag.value);
    if (!path.empty()) {
      html.add_link(above.path(path).page(), tag.value);
    } else if (!site.text().empty()) {
      html.add("a", tag.value, {Attribute::href(site), {"rel", "noopener noreferrer nofollow"}});
    } else {
      html.add_text(tag.value);
    }
  }
}

// Links to the game itself and to its neighbors.
void add_links(const Database& database, GameIndex game, Part part, Html& html) {
  const Html::Scope paragraph = html.in("p");
  const auto add = [&](GameIndex of, std::string_view suffix, std::string_view text) {
    html.add_link(Link().name(fmt::format("{}{}", of + 1, suffix)), text);
    html.add_text(" ");
  };
  constexpr GameIndex kMostPassed = 1000;
  for (GameIndex step = 1; step <= std::min(game, kMostPassed); ++step) {
    if (!database.loaded().has(part, game - step)) continue;
    add(game - step, ".html", "← game before");
    break;
  }
  for (GameIndex step = 1; step <= std::min(database.games() - game - 1, kMostPassed); ++step) {
    if (!database.loaded().has(part, game + step)) continue;
    add(game + step, ".html", "next game →");
    break;
  }
  add(game, ".pgn", "PGN");
  add(game, ".svg", "last position");
}

void add_controls(Html& html) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kButtons = {
      {{"first", "⏮"}, {"back", "◀"}, {"forward", "▶"}, {"last", "⏭"}, {"turn", "turn"}}};
  const Html::Scope row = html.in("p", {{"class", "controls"}});
  for (const auto& [name, sign] : kButtons) {
    html.add("button", sign, {{"type", "button"}, {"data-go", name}, {"title", name}});
  }
}

absl::StatusOr<std::optional<codec::Damage>> visit(const Database& database, GameIndex game,
                                                   GameMoves& moves) {
  return database.readers().borrow()->visit(game, moves);
}

}  // namespace

absl::StatusOr<std::string> game_page(const Database& database, GameIndex game, Part part,
                                      std::size_t levels) {
  const Link above = Link().up(levels);
  GameMoves moves(above.name("positions"));
  const absl::StatusOr<std::optional<codec::Damage>> damage = visit(database, game, moves);
  if (!damage.ok()) return damage.status();
  const std::vector<Tag> tags = parse_tags(moves.tag_lines());
  const std::string result = value_of(tags, "Result");
  const std::vector<Crumb> crumbs = {
      {.name = codec::clean_line(database.name()), .link = above.page()},
      {.name = std::string(directory_of(part)), .link = above.path(directory_of(part)).page()}};
  Page page(fmt::format("{} – {}, {}", value_of(tags, "White"), value_of(tags, "Black"), result),
            crumbs);
  Html& html = page.html();
  add_links(database, game, part, html);
  {
    const Html::Scope columns = html.in("div", {{"class", "columns"}});
    {
      const Html::Scope left = html.in(
          "div", {{"class", "side"}, {"data-board", placement_of(moves.first())}, {"id", "m0"}});
      add_board(moves.last(), html);
      add_controls(html);
    }
    const Html::Scope right = html.in("div");
    add_tags(tags, database, game, part, above, html);
    const Html::Scope text = html.in("p", {{"class", "moves"}});
    html.add(std::move(moves).moves());
    html.add("span", result, {{"class", "result"}});
  }
  if (damage->has_value()) {
    const codec::scid::GamePlace place{.number = game + 1, .offset = database.entry(game).offset};
    html.add("p", codec::scid::damage_remark(place, **damage), {{"class", "damage"}});
  }
  return std::move(page).finish();
}

absl::StatusOr<std::string> game_picture(const Database& database, GameIndex game) {
  GameMoves moves{Link()};
  const absl::StatusOr<std::optional<codec::Damage>> damage = visit(database, game, moves);
  if (!damage.ok()) return damage.status();
  return board_svg(moves.last(), codec::Color::White);
}

}  // namespace scidfs::fs
