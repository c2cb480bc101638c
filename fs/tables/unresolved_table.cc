#include "fs/tables/unresolved_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using Found = Spelling::Found;

constexpr std::uint32_t kNamesAtOnce = 1U << 12;

using Reason = People::Reason;

struct Unresolved {
  std::uint32_t player = 0;
  Found::Kind kind = Found::Kind::Nobody;
  std::uint64_t games = 0;
  std::map<Reason, std::uint64_t> reasons{};  // games by why they are of no person
  std::set<std::uint32_t> near{};             // persons to whose ratings some are near

  Unresolved& operator+=(const Unresolved& other) {
    games += other.games;
    for (const auto& [reason, count] : other.reasons) reasons[reason] += count;
    near.insert(other.near.begin(), other.near.end());
    return *this;
  }
};

// Returns what the spelling file says of a name, or else the list.
Found find_known(const Spelling& spelling, std::string_view name) {
  Found found = spelling.find_player(name);
  if (found.kind != Found::Kind::Nobody) return found;
  found.candidates = spelling.find_listed(name);
  if (!found.candidates.empty()) found.kind = Found::Kind::Namesakes;
  if (found.candidates.size() > Spelling::kMostCandidates) {
    found.candidates.resize(Spelling::kMostCandidates);
  }
  return found;
}

// Counts a player's shown games that belong to no person.
void count_games_of_nobody(const Database& database, Unresolved& one) {
  const People& people = *database.people();
  std::vector<std::uint32_t> near;
  GameList::Cursor cursor = database.lists().player_games().games(one.player).begin();
  for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) {
    const auto count = [&](codec::Color color) {
      const PlayerOfGame in = player_of(database.index(), game, color);
      if (in.player != one.player || people.person_of(in) != People::kNobody) return false;
      ++one.games;
      ++one.reasons[people.reason(in)];
      near.clear();
      people.append_near(in, near);
      one.near.insert(near.begin(), near.end());
      return true;
    };
    // A game with the same name on both sides counts once.
    if (!count(codec::Color::White)) count(codec::Color::Black);
  }
}

// Returns why most of the games are of no person.
std::string why(const Unresolved& one) {
  using Of = Reason::Of;
  const Reason reason =
      std::ranges::max_element(one.reasons, {}, [](const auto& of) { return of.second; })->first;
  switch (reason.of) {
    case Of::Name:
      return one.kind == Found::Kind::Surname ? "surname" : "ambiguous";
    case Of::Namesakes:
      return "namesakes";
    case Of::Lifetime:
      return "lifetime";
    case Of::Age:
      return "age";
    case Of::Rating:
      return "rating";
    case Of::NoElo:
      return "no rating";
    case Of::Event:
      return "event";
    case Of::Candidates:
      break;
  }
  std::string text = fmt::format("ambiguous: {} fit", reason.near);
  if (reason.near < 2 && reason.unknown != 0) text += fmt::format(", {} unknown", reason.unknown);
  return text;
}

struct UnresolvedRow {
  const CommonPlayers& players;
  const Unresolved& one;
  std::string_view name;
  Found found;
};

// Appends those whom some game fits; all found by the name if it fits none.
void append_candidates(const UnresolvedRow& row, std::string& out) {
  std::vector<std::uint32_t> persons(row.one.near.begin(), row.one.near.end());
  if (persons.size() > Spelling::kMostCandidates) persons.resize(Spelling::kMostCandidates);
  std::string_view separator;
  for (const std::uint32_t person : persons.empty() ? row.found.candidates : persons) {
    out += separator;
    out += row.players.people()->spelling().person(person).name;
    separator = "; ";
  }
}

constexpr TsvColumns kUnresolvedColumns{
    TsvColumn{"name", [](const UnresolvedRow& row) { return row.name; }},
    TsvColumn{"games", [](const UnresolvedRow& row) { return row.one.games; }},
    TsvColumn{"why", [](const UnresolvedRow& row, std::string& out) { out += why(row.one); }},
    TsvColumn{"candidates", append_candidates},
    TsvColumn{"path",
              [](const UnresolvedRow& row, std::string& out) {
                append_player_path(row.players, row.one.player, out);
              }},
};

// Adds the players of a database, by their own ids.
absl::Status add_unresolved(const Database& database, const WorkBudget& budget,
                            std::vector<Unresolved>& all) {
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
          Unresolved one{.player = id, .kind = find_known(spelling, names.text(id)).kind};
          if (one.kind == Found::Kind::Nobody) continue;
          count_games_of_nobody(database, one);
          if (one.games != 0) found[task].push_back(one);
        }
        return absl::OkStatus();
      });
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  return status;
}

// Makes one of each player who is there several times.
void join_same_players(std::vector<Unresolved>& all) {
  std::ranges::sort(all, {}, &Unresolved::player);
  std::vector<Unresolved> joined;
  for (const Unresolved& one : all) {
    if (!joined.empty() && joined.back().player == one.player) {
      joined.back() += one;
    } else {
      joined.push_back(one);
    }
  }
  all = std::move(joined);
}

}  // namespace

absl::StatusOr<std::string> unresolved_table(const CommonPlayers& players,
                                             const WorkBudget& budget) {
  assert(std::ranges::all_of(players.databases(), [](const DatabasePtr& database) {
    return database->people() != nullptr;
  }));
  const CommonNames& names = players.names();
  std::vector<Unresolved> all;
  for (std::size_t part = 0; part < players.parts(); ++part) {
    const std::size_t before = all.size();
    RETURN_IF_ERROR(add_unresolved(*players.databases()[part], budget, all));
    for (Unresolved& one : std::span(all).subspan(before)) {
      one.player = names.id_of(part, one.player);
    }
  }
  join_same_players(all);
  std::ranges::sort(all, {}, [&names](const Unresolved& one) {
    return std::tuple(~one.games, names.text(one.player), one.player);
  });

  std::string text = kUnresolvedColumns.header();
  for (const Unresolved& one : all) {
    const std::string_view name = names.text(one.player);
    kUnresolvedColumns.append_row(
        UnresolvedRow{.players = players,
                      .one = one,
                      .name = name,
                      .found = find_known(players.people()->spelling(), name)},
        text);
  }
  return text;
}

}  // namespace scidfs::fs
