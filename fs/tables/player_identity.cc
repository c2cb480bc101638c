#include "fs/tables/player_identity.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cache/hash.h"
#include "fs/base/glob.h"
#include "fs/base/status_macros.h"
#include "fs/content/sort.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameTable;

constexpr std::uint32_t kNamesOfTask = 1U << 12;
constexpr std::string_view kSigns = " .,-_*'";

// Replaces `out` by the part of a name that counts in comparisons; empty if the name is missing.
void fold_name(std::string_view name, std::string& out) {
  out = name;
  if (name == NameTable::kMissing) out.clear();
  fold_text_in_place(out);
  std::erase_if(out, [](char c) { return kSigns.find(c) != std::string_view::npos; });
}

struct Folded {
  std::uint64_t hash = 0;
  std::uint32_t id = 0;
};

// Returns the identities by common id, without a spelling file.
absl::StatusOr<std::vector<std::uint32_t>> identities_by_name(const CommonNames& players,
                                                              const WorkBudget& budget) {
  if (!budget.spend(players.size() / kFoldedNamesOfGame)) return WorkBudget::exceeded();
  std::vector<std::uint32_t> identities(players.size(), kNobody);
  std::vector<Folded> folded(players.size());
  const std::size_t tasks = (players.size() + kNamesOfTask - 1) / kNamesOfTask;
  RETURN_IF_ERROR(
      run_tasks(tasks, workers_for(budget, tasks), budget, [&](std::size_t, std::size_t task) {
        std::string room;
        const auto first = static_cast<std::uint32_t>(task * kNamesOfTask);
        const std::uint32_t end = std::min(first + kNamesOfTask, players.size());
        for (std::uint32_t id = first; id < end; ++id) {
          fold_name(players.text(id), room);
          folded[id] = {.hash = room.empty() ? 0 : cache::fingerprint(room), .id = id};
          if (!room.empty()) identities[id] = id;
        }
        return absl::OkStatus();
      }));
  RETURN_IF_ERROR(
      sort_while_wanted(std::span(folded), budget, [](const Folded& a, const Folded& b) {
        return std::pair(a.hash, a.id) < std::pair(b.hash, b.id);
      }));
  // Names with the same hash are nearly always the same name.
  std::string first, room;
  for (std::size_t begin = 0, i = 0; i < folded.size(); ++i) {
    if (i == begin || folded[i].hash != folded[begin].hash) {
      begin = i;
      continue;
    }
    const std::uint32_t id = folded[i].id;
    if (identities[id] == kNobody) continue;
    fold_name(players.text(folded[begin].id), first);
    fold_name(players.text(id), room);
    if (first == room) identities[id] = folded[begin].id;
  }
  return identities;
}

}  // namespace

absl::StatusOr<PlayerIdentities> PlayerIdentities::find(CommonPlayersPtr players,
                                                        const WorkBudget& budget) {
  ASSIGN_OR_RETURN(std::vector<std::uint32_t> by_name,
                   identities_by_name(players->names(), budget));
  return PlayerIdentities(Identities(std::move(players), Identities::Of::Persons),
                          std::move(by_name));
}

}  // namespace scidfs::fs
