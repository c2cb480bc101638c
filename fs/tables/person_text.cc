#include "fs/tables/person_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "fs/base/status_macros.h"
#include "fs/base/text_table.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kPersonWidth = 80;
constexpr std::string_view kPersonIndent = "  ";
constexpr std::size_t kMostNotes = 20;
constexpr std::size_t kMostSpellings = 20;

// Returns whether a note is a catalog number or is shown elsewhere in the text.
bool is_told(std::string_view note) {
  constexpr std::array<std::string_view, 3> kIds = {"FIDEID ", "VIAF ", "PND "};
  return std::ranges::any_of(kIds, [note](std::string_view id) { return note.starts_with(id); });
}

void add_line(std::string_view line, std::string& out) { out += clip(line, kPersonWidth) + '\n'; }

// Returns the rating of FIDE's list, if there is any: "rating 2830 in 2024.07".
std::string listed_rating(const MonthRating& rating) {
  constexpr unsigned kMonths = 12;
  if (rating.elo == 0) return {};
  if (rating.month == 0) return fmt::format("rating {}", rating.elo);
  return fmt::format("rating {} in {}.{:02}", rating.elo, rating.month / kMonths,
                     rating.month % kMonths + 1);
}

void write_facts(const SpellingIndex::Person& person, std::string& out) {
  std::string line = codec::scid::titles_to_string(person.titles);
  const auto add = [&line](std::string_view more) {
    if (more.empty()) return;
    if (!line.empty()) line += ", ";
    line += more;
  };
  add(person.countries);
  const std::string born = known_date(person.born);
  const std::string died = known_date(person.died);
  if (!born.empty()) add("born " + born);
  if (!died.empty()) add("died " + died);
  if (!line.empty()) add_line(line, out);
  line.clear();
  if (person.fide_id != 0) add(fmt::format("FIDE id {}", person.fide_id));
  if (person.best != 0) {
    add(fmt::format("highest rating {}{}", person.best,
                    person.is_estimated && person.best == person.highest ? " (estimated)" : ""));
  }
  add(listed_rating(person.listed));
  if (person.is_inactive) add("inactive");
  if (!line.empty()) add_line(line, out);
}

void write_notes(const std::vector<std::string>& notes, std::string& out) {
  std::size_t written = 0;
  for (const std::string& note : notes) {
    if (note.empty() || is_told(note) || written++ == kMostNotes) continue;
    add_line(note, out);
  }
}

// Counts the games of a person in a database by spelling, which has a common id.
void count_spellings(const Database& database, const PlayersOfPart& players, std::uint32_t person,
                     std::map<std::uint32_t, std::uint64_t>& games) {
  const People& people = players.all.people()->part(players.part);
  for (const auto& [tag, column] : {std::pair(GameLists::kWhiteTag, PackedIndex::Column::White),
                                    std::pair(GameLists::kBlackTag, PackedIndex::Column::Black)}) {
    GameList::Cursor cursor = people.games(person, tag).begin();
    for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) {
      const std::uint32_t player = database.index().value(game, column);
      // A game with the same name on both sides counts once for the name.
      const bool is_counted = tag == GameLists::kBlackTag &&
                              database.index().value(game, PackedIndex::Column::White) == player;
      if (!is_counted) ++games[players.all.names().id_of(players.part, player)];
    }
  }
}

void write_spellings(std::span<const DatabasePtr> databases, const CommonPlayers& players,
                     std::uint32_t person, std::string& out) {
  std::map<std::uint32_t, std::uint64_t> games;
  for (std::size_t part = 0; part < databases.size(); ++part) {
    count_spellings(*databases[part], {.all = players, .part = part}, person, games);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;
  rows.reserve(games.size());
  for (const auto& [player, count] : games) rows.emplace_back(~count, player);
  std::ranges::sort(rows);
  TextTable table;
  table.add_column("Spellings", TextTable::Align::Left);
  table.add_column("games", TextTable::Align::Right);
  constexpr std::size_t kNameWidth = 60;
  for (const auto& [count, player] : std::span(rows).first(std::min(rows.size(), kMostSpellings))) {
    table.add(std::string(kPersonIndent).append(clip(players.names().text(player), kNameWidth)));
    table.add(grouped(~count));
  }
  out += '\n';
  table.write(out);
}

void write_ratings(const std::vector<codec::scid::YearRating>& ratings, std::string& out) {
  constexpr std::size_t kMostYears = 70;
  constexpr std::size_t kHeight = 6;
  std::map<std::uint16_t, std::uint16_t> highest;
  for (const auto& [year, elo] : ratings) {
    if (elo != 0) highest[year] = std::max(highest[year], elo);
  }
  if (highest.empty()) return;
  const std::size_t last = highest.rbegin()->first;
  const std::size_t first =
      std::max<std::size_t>(highest.begin()->first, last - std::min(last, kMostYears - 1));
  std::vector<std::uint32_t> years(last - first + 1);
  for (const auto& [year, elo] : highest) {
    if (year >= first) years[year - first] = elo;
  }
  const std::string title =
      first == last ? fmt::format("Rating by the spelling file, {}", first)
                    : fmt::format("Ratings by the spelling file, {} to {}", first, last);
  out += '\n' + title + '\n';
  for (const std::string& line : column_chart(years, kHeight)) {
    out += std::string(kPersonIndent) + line + '\n';
  }
}

}  // namespace

std::string known_date(codec::Date date) {
  if (date.year == 0) return {};
  const std::string text = codec::to_string(date);
  return text.substr(0, text.find(".?"));
}

absl::StatusOr<std::string> person_text(std::span<const DatabasePtr> databases,
                                        const CommonPlayers& players, std::uint32_t person) {
  assert(std::ranges::equal(databases, players.databases()));
  assert(players.people() != nullptr);
  const Spelling& spelling = players.people()->spelling();
  ASSIGN_OR_RETURN(const Spelling::Details details, spelling.details(person));
  std::string text;
  write_facts(spelling.person(person), text);
  write_notes(details.notes, text);
  write_spellings(databases, players, person, text);
  write_ratings(details.ratings, text);
  return text;
}

}  // namespace scidfs::fs
