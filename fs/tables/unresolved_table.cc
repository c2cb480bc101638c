#include "fs/tables/unresolved_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fs/scan/set_walk.h"
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

// The shown games of a player that are no person's.
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

}  // namespace

absl::StatusOr<std::string> unresolved_table(const Database& database, const Effort& effort) {
  const codec::scid::NameTable& names = database.names()[codec::scid::NameKind::Player];
  const Spelling& spelling = database.people()->spelling();
  if (!effort.spend(names.size() / kNamesOfGame)) return Effort::too_little();
  if (!effort.spend(database.games() / kPlayerEntriesOfGame)) return Effort::too_little();
  const std::size_t tasks = (names.size() + kNamesAtOnce - 1) / kNamesAtOnce;
  std::vector<std::vector<Unresolved>> found(tasks);
  absl::Status status =
      run_tasks(tasks, workers_for(effort, tasks), effort, [&](std::size_t, std::size_t task) {
        const auto first = static_cast<std::uint32_t>(task * kNamesAtOnce);
        for (std::uint32_t id = first; id < std::min(first + kNamesAtOnce, names.size()); ++id) {
          if (!names.contains(id) || !database.lists().is_shown_player(id)) continue;
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

  std::string text = "name\tgames\twhy\tcandidates\tpath\n";
  for (const Unresolved& one : all) {
    const Found who = spelling.find_player(names.text(one.player));
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t", names.text(one.player), one.games,
                   why(who.kind));
    for (std::size_t i = 0; i < who.candidates.size(); ++i) {
      if (i != 0) text += "; ";
      text += spelling.person(who.candidates[i]).name;
    }
    text += '\t';
    append_player_path(database, one.player, text);
    text += '\n';
  }
  return text;
}

}  // namespace scidfs::fs
