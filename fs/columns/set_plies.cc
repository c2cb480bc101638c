#include "fs/columns/set_plies.h"

#include <array>

#include "cache/hash.h"
#include "codec/bytes.h"
#include "codec/scid/game_arrays.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/run_tasks.h"
#include "fs/database/decoding.h"
#include "fs/scan/set_sections.h"

namespace scidfs::fs {

absl::StatusOr<std::shared_ptr<const SetPlies>> count_plies(const GameSet& games,
                                                            const WorkBudget& budget) {
  for (const DatabaseGames& part : games) {
    RETURN_IF_ERROR(begin_decoding(*part.database(), part.list(), budget));
  }
  ASSIGN_OR_RETURN(const SetSectionsPtr sections,
                   SetSections::over(games, kGamesOfArraySection, budget));
  auto counts = std::make_shared<SetPlies>();
  ASSIGN_OR_RETURN(counts->game_ends, sections->game_ends(budget));
  const std::size_t count = sections->count();
  MemoryClaim memory(budget);
  RETURN_IF_ERROR(
      memory.add(sizeof counts->plies[0] * (count == 0 ? 0 : counts->game_ends.back())));
  counts->plies.resize(count == 0 ? 0 : counts->game_ends.back());
  counts->ply_ends.resize(count);
  std::vector<std::uint64_t> sums(count);
  RETURN_IF_ERROR(
      run_tasks(count, workers_for(budget, count), budget, [&](std::size_t, std::size_t section) {
        const Database& database = *sections->part_of(section).database();
        codec::scid::GameArrays arrays(database.files().format().castling);
        std::size_t at = section == 0 ? 0 : counts->game_ends[section - 1];
        return visit_records(*sections, section, budget, [&](GameIndex game, codec::Bytes record) {
          const std::uint32_t plies = arrays.count_plies(record, database.sizes().is_whole(game));
          counts->plies[at++] = plies;
          counts->ply_ends[section] += plies;
          sums[section] = cache::fingerprint(record, sums[section]);
        });
      }));
  std::uint64_t plies = 0;
  cache::Fingerprint records;
  for (std::size_t section = 0; section < count; ++section) {
    plies += counts->ply_ends[section];
    counts->ply_ends[section] = plies;
    std::array<std::uint8_t, sizeof sums[section]> bytes;
    codec::store_little_word(sums[section], bytes.data());
    records.add(bytes);
  }
  counts->records = records.value();
  return counts;
}

}  // namespace scidfs::fs
