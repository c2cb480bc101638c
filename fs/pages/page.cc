#include "fs/pages/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; "
    "form-action 'none'";

void add_head(std::string_view title, Html& html) {
  const Html::Scope head = html.in("head");
  html.add_empty("meta", {{"charset", "utf-8"}});
  html.add_empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
  html.add_empty("meta", {{"name", "viewport"}, {"content", "width=device-width"}});
  html.add("title", title);
  html.add_empty("link", {{"rel", "stylesheet"}, Attribute::href(Link().name("style.css"))});
  html.add_empty("link", {{"rel", "icon"}, Attribute::href(Link().name("icon.svg"))});
  html.add("script", "", {Attribute::src(Link().name("board.js")), {"defer", ""}});
}

}  // namespace

Page::Page(std::string_view title, std::span<const Crumb> crumbs) {
  html_.begin_document();
  html_.begin("html", {{"lang", "en"}});
  add_head(title, html_);
  html_.begin("body");
  if (!crumbs.empty()) {
    const Html::Scope nav = html_.in("nav", {{"aria-label", "Directories above"}});
    for (const Crumb& crumb : crumbs) {
      html_.add_link(crumb.link, crumb.name);
      html_.add_text(" / ");
    }
    html_.add_text(title);
  }
  html_.begin("main");
  html_.add("h1", title);
}

void Page::add_columns(std::span<const std::string_view> names) {
  const Html::Scope head = html_.in("thead");
  const Html::Scope row = html_.in("tr");
  for (const std::string_view name : names) html_.add("th", name, {{"scope", "col"}});
}

void Page::add_bar(const Score& score) {
  const Html::Scope cell = html_.in("td");
  if (score.decided() == 0) return;
  constexpr std::uint64_t kWidth = 1000;
  constexpr std::array<std::pair<Outcome, std::string_view>, 3> kOutcomes = {
      {{Outcome::Win, "wins"}, {Outcome::Draw, "draws"}, {Outcome::Loss, "losses"}}};
  std::string words;
  for (const auto& [outcome, name] : kOutcomes) {
    words += fmt::format("{}{}% {}", words.empty() ? "" : ", ",
                         percent(score[outcome], score.decided()), name);
  }
  const Html::Scope svg = html_.in("svg", {{"class", "bar"},
                                           {"viewBox", "0 0 1000 60"},
                                           {"preserveAspectRatio", "none"},
                                           {"role", "img"},
                                           {"aria-label", words}});
  html_.add("title", words);
  std::uint64_t games = 0;
  for (const auto& [outcome, name] : kOutcomes) {
    const std::uint64_t begin = games * kWidth / score.decided();
    games += score[outcome];
    html_.add("rect", "",
              {{"class", name},
               {"x", begin},
               {"width", games * kWidth / score.decided() - begin},
               {"height", "60"}});
  }
}

void Page::add_score(std::uint64_t games, const Score& score) {
  html_.add("td", grouped(games));
  for (const Outcome outcome : {Outcome::Win, Outcome::Draw, Outcome::Loss}) {
    html_.add("td", grouped(score[outcome]));
  }
  html_.add("td", percent_of(score));
  add_bar(score);
}

void Page::add_files(std::span<const PageFile> files) {
  const Html::Scope list = html_.in("ul", {{"class", "files"}});
  for (const PageFile& file : files) {
    const Html::Scope item = html_.in("li");
    html_.add_link(Link().path(file.name), file.name);
    html_.add_text(" ");
    html_.add_text(file.words);
  }
}

std::string Page::finish() && {
  html_.end();  // main
  html_.end();  // body
  html_.end();  // html
  return std::move(html_).finish();
}

}  // namespace scidfs::fs
