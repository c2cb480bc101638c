#include "fs/tables/unresolved_table.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fs/base/tsv.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using Found = Spelling::Found;
using Column = PackedIndex::Column;

constexpr std::uint32_t kNamesAtOnce = 1U << 12;

struct Unresolved {
  std::uint32_t player = 0;
  std::uint64_t games = 0;
};

// Returns the number of a player's shown games that belong to no person.
std::uint64_t games_of_nobody(const Database& database, std::uint32_t player) {
  const People& people = *database.people();
  std::uint64_t count = 0;
  GameList::Cursor cursor = database.lists().player_games().games(player).begin();
  for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) {
    if (people.person_of(player, database.index().value(game, Column::Date)) == People::kNobody) {
      ++count;
    }
  }
  return count;
}

std::string_view why(Found::Kind kind) {
  switch (kind) {
    case Found::Kind::Ambiguous:
      return "ambiguous";
    case Found::Kind::Namesakes:
      return "namesakes";
    case Found::Kind::Surname:
      return "surname";
    default:
      return "lifetime";
  }
}

struct UnresolvedRow {
  const Database& database;
  const Unresolved& one;
  std::string_view name;
  Found found;
};

void append_candidates(const UnresolvedRow& row, std::string& out) {
  std::string_view separator;
  for (const std::uint32_t person : row.found.candidates) {
    out += separator;
    out += row.database.people()->spelling().person(person).name;
    separator = "; ";
  }
}

constexpr TsvColumns kUnresolvedColumns{
    TsvColumn{"name", [](const UnresolvedRow& row) { return row.name; }},
    TsvColumn{"games", [](const UnresolvedRow& row) { return row.one.games; }},
    TsvColumn{"why", [](const UnresolvedRow& row) { return why(row.found.kind); }},
    TsvColumn{"candidates", append_candidates},
    TsvColumn{"path",
              [](const UnresolvedRow& row, std::string& out) {
                append_player_path(row.database, row.one.player, out);
              }},
};

}  // namespace

absl::StatusOr<std::string> unresolved_table(const Database& database, const WorkBudget& budget) {
  const codec::scid::NameTable& names = database.names()[codec::scid::NameKind::Player];
  const Spelling& spelling = database.people()->spelling();
  if (!budget.spend(names.size() / kNamesOfGame)) return WorkBudget::exceeded();
  if (!budget.spend(database.games() / kPlayerEntriesOfGame)) return WorkBudget::exceeded();
  const std::size_t tasks = (names.size() + kNamesAtOnce - 1) / kNamesAtOnce;
  std::vector<std::vector<Unresolved>> found(tasks);
  absl::Status status =
      run_tasks(tasks, workers_for(budget, tasks), budget, [&](std::size_t, std::size_t task) {
        const auto first = static_cast<std::uint32_t>(task * kNamesAtOnce);
        for (std::uint32_t id = first; id < std::min(first + kNamesAtOnce, names.size()); ++id) {
          if (!names.contains(id) || !database.loaded().is_shown_player(id)) continue;
          if (spelling.find_player(names.text(id)).kind == Found::Kind::Nobody) continue;
          const std::uint64_t games = games_of_nobody(database, id);
          if (games != 0) found[task].push_back({.player = id, .games = games});
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  std::vector<Unresolved> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all, {}, [&names](const Unresolved& one) {
    return std::tuple(~one.games, names.text(one.player), one.player);
  });

  std::string text = kUnresolvedColumns.header();
  for (const Unresolved& one : all) {
    kUnresolvedColumns.append_row(
        UnresolvedRow{.database = database,
                      .one = one,
                      .name = names.text(one.player),
                      .found = spelling.find_player(names.text(one.player))},
        text);
  }
  return text;
}

}  // namespace scidfs::fs
