#include "fs/pages/game_page.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/eco.h"
#include "codec/scid/main_line.h"
#include "codec/text_buffer.h"
#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/database/game_reader.h"
#include "fs/database/group_names.h"
#include "fs/pages/board_svg.h"
#include "fs/pages/game_moves.h"
#include "fs/scan/game_records.h"
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

// Returns the directory of a code; where a copy of the mount has only listed pages, the one above.
std::string opening_page(const Database& database, Part part, unsigned eco_base) {
  std::string path = opening_path(database, part, eco_base);
  if (database.options().pages == PagesMode::Listed) path.resize(path.rfind('/') + 1);
  if (path.ends_with('/')) path.pop_back();
  return path;
}

// Returns the page that a tag leads to, relative to the directory of the database; empty if none.
std::string path_of(const Tag& tag, const Database& database, const GameEntry& entry, Part part) {
  std::string path;
  if (tag.name == "White") append_player_path(database, entry.white, path);
  if (tag.name == "Black") append_player_path(database, entry.black, path);
  if (tag.name == "Event") append_event_path(database, entry, path);
  if (tag.name == "ECO") path = opening_page(database, part, codec::eco_base(entry.eco));
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

// Links to the game itself and to its neighbors, by the names that directories list.
void add_links(const Database& database, GameIndex game, Part part, const Link& above, Html& html) {
  const Html::Scope paragraph = html.in("p");
  const auto add = [&](const Link& link, std::string_view text) {
    html.add_link(link, text);
    html.add_text(" ");
  };
  const auto add_neighbor = [&](GameIndex step, std::string_view text) {
    constexpr GameIndex kMostPassed = 1000;
    GameIndex of = game + step;
    for (GameIndex i = 0; i < kMostPassed && of < database.games(); ++i, of += step) {
      if (database.loaded().has(part, of)) return add(above.path(game_page_path(part, of)), text);
    }
  };
  // A step back from the first game leads to a number that no game has.
  add_neighbor(~GameIndex{0}, "← game before");
  add_neighbor(1, "next game →");
  const Link directory = above.path(game_directory(part, game));
  add(directory.name(game_file_name(database, game, kGameSuffix)), "PGN");
  add(directory.name(fmt::format("{}.svg", game + 1)), "last position");
}

void add_controls(Html& html) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kButtons = {
      {{"first", "|◀"}, {"back", "◀"}, {"forward", "▶"}, {"last", "▶|"}, {"turn", "turn"}}};
  const Html::Scope row = html.in("p", {{"class", "controls"}});
  for (const auto& [name, sign] : kButtons) {
    html.add("button", sign,
             {{"type", "button"}, {"data-go", name}, {"title", name}, {"aria-label", name}});
  }
}

// Says whose move it is after the last one, and offers to copy the FEN and the game.
void add_state(const codec::Position& last, Html& html) {
  const Html::Scope row = html.in("p", {{"class", "controls"}});
  html.add("span", side_to_move(last), {{"id", "to-move"}, {"aria-live", "polite"}});
  for (const std::string_view text : {"FEN", "PGN"}) {
    html.add("button", fmt::format("copy {}", text), {{"type", "button"}, {"data-copy", text}});
  }
}

// Adds the text of the game, as its file has it.
absl::Status add_pgn(const Database& database, GameIndex game, Html& html) {
  codec::TextBuffer text;
  RETURN_IF_ERROR(database.readers().borrow()->append(game, text).status());
  const Html::Scope details = html.in("details");
  html.add("summary", "PGN");
  html.add("pre", text.view(), {{"id", "pgn"}, {"tabindex", "0"}});
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> game_page(const Database& database, GameIndex game, Part part,
                                      std::span<const Crumb> crumbs, std::size_t levels) {
  const Link above = Link().up(levels);
  GameMoves moves(above.name("positions"));
  ASSIGN_OR_RETURN(const std::optional<codec::Damage> damage,
                   database.readers().borrow()->visit(game, moves));
  const std::vector<Tag> tags = parse_tags(moves.tag_lines());
  const std::string result = value_of(tags, "Result");
  Page page(fmt::format("{} – {}, {}", value_of(tags, "White"), value_of(tags, "Black"), result),
            crumbs);
  Html& html = page.html();
  add_links(database, game, part, above, html);
  {
    const Html::Scope columns = html.in("div", {{"class", "columns"}});
    {
      const Html::Scope left =
          html.in("div", {{"class", "side"}, {"data-fen", moves.first().fen()}, {"id", "m0"}});
      add_board(moves.last(), html);
      add_state(moves.last(), html);
      add_controls(html);
    }
    const Html::Scope right = html.in("div");
    {
      const Html::Scope text = html.in("p", {{"class", "moves"}});
      html.add(std::move(moves).moves());
      html.add_text(" ");
      html.add("span", result, {{"class", "result"}});
    }
    add_tags(tags, database, game, part, above, html);
    RETURN_IF_ERROR(add_pgn(database, game, html));
  }
  if (damage.has_value()) {
    const codec::scid::GamePlace place{.number = game + 1, .offset = database.entry(game).offset};
    html.add("p", codec::scid::damage_remark(place, *damage), {{"class", "damage"}});
  }
  return std::move(page).finish();
}

absl::StatusOr<std::string> game_picture(const Database& database, GameIndex game,
                                         const WorkBudget& budget) {
  codec::scid::Walker walker;
  codec::Position last;
  GameRecords records(database, GameFile::Check::Now, budget);
  RETURN_IF_ERROR(records.for_each_game(
      std::span(&game, 1),
      [&](std::size_t, codec::Bytes record, const codec::scid::RecordHead& head) {
        walk_positions(walker, record, record, head,
                       [&](std::uint32_t, const codec::Position& position) { last = position; });
      }));
  return board_svg(last, codec::Color::White);
}

}  // namespace scidfs::fs
