#include "fs/crosstable/crosstable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/date.h"
#include "fs/crosstable/crosstable_choice.h"
#include "fs/crosstable/crosstable_knockout.h"
#include "fs/crosstable/crosstable_layout.h"
#include "fs/crosstable/crosstable_standings.h"
#include "fs/crosstable/event_facts.h"

namespace scidfs::fs {
namespace {

std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// Returns "1993.02.23 - 1993.03.14"; empty if no date is known.
std::string date_text(std::span<const CrosstableGame> games) {
  const auto [first, last] = event_dates(games);
  if (first.empty()) return "";
  if (first == last) return codec::to_string(first);
  return fmt::format("{} - {}", codec::to_string(first), codec::to_string(last));
}

// Returns ", average rating 2676 (category 18)", or how many players have a rating; empty if none
// has.
std::string rating_text(const Standings& standings, CrosstableLayout layout) {
  const EventRatings ratings = event_ratings(standings, layout);
  if (ratings.rated == 0) return "";
  std::string text = fmt::format(", average rating {}", ratings.average);
  if (ratings.rated < standings.players.size()) {
    text += fmt::format(" ({} rated)", ratings.rated);
  } else if (ratings.fide_category != 0) {
    text += fmt::format(" (category {})", ratings.fide_category);
  }
  return text;
}

// Returns "Missing: 2 games of a double round robin"; empty if no game is missing.
std::string missing_text(const Standings& standings) {
  constexpr std::array<std::string_view, 4> kKinds = {"", "", "double ", "triple "};
  const auto [games, cycles] = missing_games(standings);
  if (games == 0) return "";
  std::string text = fmt::format("Missing: {} of a ", counted(games, "game"));
  if (cycles < kKinds.size()) return text + fmt::format("{}round robin\n", kKinds[cycles]);
  return text + fmt::format("round robin of {} games a pair\n", cycles);
}

std::string header(const CrosstableInfo& info, std::span<const CrosstableGame> games,
                   const Standings& standings, CrosstableLayout layout) {
  const auto or_unknown = [](std::string_view text) { return text.empty() ? "?" : text; };
  std::string out = fmt::format("{}\n{}", or_unknown(info.event), or_unknown(info.site));
  const std::string dates = date_text(games);
  if (!dates.empty()) out += ", " + dates;
  out += fmt::format("\n{}, {}", counted(standings.players.size(), "player"),
                     counted(standings.games.size(), "game"));
  const auto unfinished = static_cast<std::size_t>(
      std::ranges::count(standings.games, codec::Result::Unknown,
                         [](const RankedGame& game) { return game.game->result; }));
  if (unfinished != 0) out += fmt::format(" ({} without a result)", unfinished);
  out += rating_text(standings, layout) + '\n';
  if (standings.left_out != 0) {
    out += fmt::format("Left out: {} of a player against himself\n",
                       counted(standings.left_out, "game"));
  }
  if (standings.nameless != 0) {
    out += fmt::format("Left out: {} without players\n", counted(standings.nameless, "game"));
  }
  if (!standings.unpaired.empty()) {
    out += fmt::format("Without an opponent: {}, with points but no tie-break\n",
                       counted(standings.unpaired.size(), "game"));
  }
  if (layout == CrosstableLayout::RoundRobin) out += missing_text(standings);
  return out;
}

}  // namespace

CrosstableLayout crosstable_layout(std::span<const CrosstableGame> games) {
  return choose_layout(collect_standings(games));
}

std::string format_crosstable(const CrosstableInfo& info, std::span<const CrosstableGame> games) {
  const auto [standings, layout] = rank_event(games);
  std::string out = header(info, games, standings, layout);
  if (standings.players.empty()) return out;
  out += '\n';
  switch (layout) {
    case CrosstableLayout::Match:
      write_match(standings, out);
      break;
    case CrosstableLayout::RoundRobin:
      write_round_robin(standings, out);
      break;
    case CrosstableLayout::Knockout:
      write_knockout(standings, out);
      break;
    case CrosstableLayout::Swiss:
      write_swiss(standings, out);
      break;
    case CrosstableLayout::GameList:
      write_standings(standings, out);
      out += '\n';
      write_games(standings, out);
      break;
    case CrosstableLayout::StandingsOnly:
      write_standings(standings, out);
      break;
  }
  return out;
}

}  // namespace scidfs::fs
