#include "fs/pages/set_page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "codec/date.h"
#include "codec/eco.h"
#include "fs/tables/chart.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

std::string_view or_unknown(std::string_view name) { return name.empty() ? "?" : name; }

// A field of the form: the key of a facet, its label, and an example.
struct Field {
  std::string_view key, label, example;
};
constexpr Field kPerson = {"person", "Person", "Carlsen*"};
constexpr std::array<Field, 7> kFields = {{
    {"player", "Player", "Carlsen*"},
    {"opponent", "Opponent", "Anand*"},
    {"event", "Event", "*Candidates*"},
    {"year", "Year", "2010..2015"},
    {"eco", "ECO", "B90"},
    {"elo", "Elo of both", "2600.."},
    {"result", "Result", "1-0"},
}};

void add_field(const Field& field, Html& html) {
  const Html::Scope label = html.in("label");
  html.add_text(field.label);
  html.add_text(" ");
  html.add_empty("input", {{"name", field.key}, {"placeholder", field.example}});
}

}  // namespace

void add_conditions(const PageHead& head, Html& html) {
  if (head.conditions.empty()) return;
  const Html::Scope list = html.in("ul", {{"class", "conditions"}});
  for (const PageCondition& condition : head.conditions) {
    const Html::Scope item = html.in("li");
    html.add("code", condition.text);
    html.add_text(" ");
    html.add_link(condition.without, "without");
  }
}

// The script composes a path of the fields; without it, the form can lead nowhere.
void add_search_form(Html& html, std::string_view directory) {
  html.add("h2", "Search");
  const Html::Scope form = html.in("form", {{"data-search", directory}});
  for (const Field& field : kFields) add_field(field, html);
  html.add("button", "Search");
  html.add("noscript",
           "The form needs JavaScript. Without it, add search/, conditions such as eco=B90/, and "
           "index.html to the address.");
}

void add_find_form(Html& html, std::string_view directory, std::string_view facet) {
  const auto* const found = std::ranges::find(kFields, facet, &Field::key);
  const Html::Scope form = html.in("form", {{"data-search", directory}});
  add_field(found == kFields.end() ? kPerson : *found, html);
  html.add("button", "Find");
  html.add(
      "noscript",
      fmt::format("The form needs JavaScript. Without it, take the last names from the address "
                  "and add search/, a condition such as {}=Carlsen*/, and index.html.",
                  facet));
}

void add_players(const PageHead& head, const Identities& who, const SetFindings& findings,
                 Page& page) {
  if (findings.players.empty()) return;
  Html& html = page.html();
  const Html::Scope table = html.in("table");
  html.add("caption", head.has_subject ? "Opponents" : "Players");
  constexpr std::array<std::string_view, 7> kColumns = {"Name",   "Games", "Wins",   "Draws",
                                                        "Losses", "Score", "Results"};
  page.add_columns(kColumns);
  const Html::Scope body = html.in("tbody");
  for (const PlayerScore& player : findings.players) {
    const Html::Scope row = html.in("tr");
    {
      const Html::Scope cell = html.in("th", {{"scope", "row"}});
      std::string path;
      who.append_path(player.player, path);
      const std::string_view name = or_unknown(who.name(player.player));
      if (path.empty()) {
        html.add_text(name);
      } else {
        html.add_link(Link().up(head.levels).path(path).page(), name);
      }
    }
    page.add_score(player.score.games(), player.score.results());
  }
}

void add_games(const PageHead& head, const DatabaseGames& set, std::string_view caption,
               std::span<const GameIndex> games, Page& page) {
  if (games.empty()) return;
  const Database& database = *set.database();
  const codec::scid::NameTable& players = database.names()[codec::scid::NameKind::Player];
  const codec::scid::NameTable& events = database.names()[codec::scid::NameKind::Event];
  const Link above = Link().up(head.levels);
  Html& html = page.html();
  const Html::Scope table = html.in("table");
  html.add("caption", caption);
  constexpr std::array<std::string_view, 9> kColumns = {"Game",   "White", "Elo", "Black", "Elo",
                                                        "Result", "Date",  "ECO", "Event"};
  page.add_columns(kColumns);
  const Html::Scope body = html.in("tbody");
  const auto elo = [](codec::Rating rating) {
    return rating.elo() == 0 ? std::string() : fmt::to_string(rating.elo());
  };
  for (const GameIndex game : games) {
    const codec::scid::GameEntry entry = database.entry(game);
    const Html::Scope row = html.in("tr");
    {
      const Html::Scope cell = html.in("th", {{"scope", "row"}});
      html.add_link(above.path(game_page_path(set.part(), game)), fmt::to_string(game + 1));
    }
    html.add("td", or_unknown(players.text(entry.white)));
    html.add("td", elo(entry.white_rating));
    html.add("td", or_unknown(players.text(entry.black)));
    html.add("td", elo(entry.black_rating));
    html.add("td", codec::result_token(entry.result));
    html.add("td", codec::to_string(entry.date));
    html.add("td", codec::eco_base_to_string(codec::eco_base(entry.eco)));
    html.add("td", or_unknown(events.text(entry.event)));
  }
}

}  // namespace scidfs::fs
