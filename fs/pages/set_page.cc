#include "fs/pages/set_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/eco.h"
#include "fs/pages/rating_curve.h"
#include "fs/pages/set_page_parts.h"
#include "fs/tables/chart.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kPageOpenings = 20;

void add_results(const PageHead& head, const SetFindings& findings, Page& page) {
  Html& html = page.html();
  const Html::Scope table = html.in("table");
  html.add("caption", head.has_subject ? "Results" : "Results of White");
  constexpr std::array<std::string_view, 7> kColumns = {"Side",   "Games", "Wins",   "Draws",
                                                        "Losses", "Score", "Results"};
  page.add_columns(kColumns);
  const Html::Scope body = html.in("tbody");
  const auto add = [&](std::string_view name, std::uint64_t games, const Score& score) {
    const Html::Scope row = html.in("tr");
    html.add("th", name, {{"scope", "row"}});
    page.add_score(games, score);
  };
  const ScoreByColor& score = findings.facts.score;
  add("all", score.games(), score.results());
  if (!head.has_subject) return;
  for (const codec::Color color : {codec::Color::White, codec::Color::Black}) {
    add(color == codec::Color::White ? "White" : "Black", score[color].all(), score[color]);
  }
}

// Returns the condition for the games of some years.
std::string condition_of(const YearSpan& span) {
  if (span.first == 0) return fmt::format("year=..{}", span.last);
  if (span.first == span.last) return fmt::format("year={}", span.last);
  return fmt::format("year={}..{}", span.first, span.last);
}

std::string years_of(const YearSpan& span) {
  if (span.first == 0) return fmt::format("to {}", span.last);
  if (span.first == span.last) return fmt::to_string(span.last);
  return fmt::format("{}–{}", span.first, span.last);
}

void add_years(const SetFindings& findings, Page& page) {
  const std::vector<YearSpan> spans = year_spans(findings.facts.years);
  if (spans.empty()) return;
  const std::uint64_t most = std::ranges::max_element(spans, {}, &YearSpan::games)->games;
  constexpr std::uint64_t kWidth = 1000;
  Html& html = page.html();
  const Html::Scope table = html.in("table");
  html.add("caption", "Years");
  constexpr std::array<std::string_view, 3> kColumns = {"Years", "Games", "Share of the most"};
  page.add_columns(kColumns);
  const Html::Scope body = html.in("tbody");
  for (const YearSpan& span : spans) {
    const Html::Scope row = html.in("tr");
    {
      const Html::Scope cell = html.in("th", {{"scope", "row"}});
      html.add_link(Link().name("search").name(condition_of(span)).page(), years_of(span));
    }
    html.add("td", grouped(span.games));
    const Html::Scope cell = html.in("td");
    const Html::Scope svg = html.in("svg", {{"class", "bar"},
                                            {"viewBox", "0 0 1000 60"},
                                            {"preserveAspectRatio", "none"},
                                            {"role", "img"},
                                            {"aria-label", counted(span.games, "game")}});
    html.add("rect", "",
             {{"class", "count"}, {"width", span.games * kWidth / most}, {"height", "60"}});
  }
}

void add_openings(const PageHead& head, const DatabaseGames& set, const SetFindings& findings,
                  Page& page) {
  Html& html = page.html();
  const Html::Scope table = html.in("table");
  html.add("caption", head.has_subject ? "Openings, own score" : "Openings, score of White");
  constexpr std::array<std::string_view, 8> kColumns = {"Code",  "Opening", "Games", "Wins",
                                                        "Draws", "Losses",  "Score", "Results"};
  page.add_columns(kColumns);
  const Html::Scope body = html.in("tbody");
  const std::size_t count = std::min(kPageOpenings, findings.openings.size());
  for (const OpeningScore& opening : std::span(findings.openings).first(count)) {
    const Html::Scope row = html.in("tr");
    {
      const Html::Scope cell = html.in("th", {{"scope", "row"}});
      const std::string code = codec::eco_base_to_string(opening.eco_base);
      if (code.empty()) {
        html.add_text("none");
      } else {
        html.add_link(Link().name("search").name("eco=" + code).page(), code);
      }
    }
    html.add("td", opening_name(set.database()->reference(), opening.eco_base));
    page.add_score(opening.score.games(), opening.score.results());
  }
}

std::vector<GameIndex> first_games(const DatabaseGames& set) {
  std::vector<GameIndex> games;
  GameList::Cursor cursor = set.begin();
  for (GameIndex game = cursor.next(); game != kNoGame && games.size() < kPageGames;
       game = cursor.next()) {
    games.push_back(game);
  }
  return games;
}

}  // namespace

std::string set_page(const PageHead& head, const DatabaseGames& set, const Identities& who,
                     const SetFindings& findings) {
  Page page(head.title, head.crumbs);
  Html& html = page.html();
  add_conditions(head, html);
  html.add("p", counted(findings.games, "game"));
  if (!head.text.empty()) html.add("pre", head.text);
  if (findings.games != 0) {
    const Html::Scope columns = html.in("div", {{"class", "tables"}});
    add_results(head, findings, page);
    add_rating_curve(findings.facts.elo_by_month, html);
    add_players(head, who, findings, page);
    add_openings(head, set, findings, page);
    add_years(findings, page);
    const std::vector<GameIndex> games = first_games(set);
    add_games(head, set, games.size() == findings.games ? "Games" : "The first games", games, page);
  }
  add_search_form(html, "search");
  html.add("h2", "Files");
  page.add_files(head.files);
  return std::move(page).finish();
}

}  // namespace scidfs::fs
