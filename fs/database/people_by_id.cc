// Which names FIDE ids give to which people.
#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "fs/base/parallel.h"
#include "fs/database/people.h"

namespace scidfs::fs {
namespace {

using IndexColumn = PackedIndex::Column;

// A worker that goes through fewer blocks with ids costs more than it saves.
constexpr std::size_t kIdBlocksOfWorker = 256;

}  // namespace

// Returns whose ids are in games, deleted or not, of which names, unless that is their only person.
std::vector<People::PlaceAndPlayer> People::find_named_by_id(const LoadedIndex& index) const {
  if (place_of_id_.empty()) return {};
  static_assert(GameIds::kGames == PackedIndex::kBlock);
  const PackedIndex& packed = index.packed();
  const std::size_t blocks = (index.games() + PackedIndex::kBlock - 1) / PackedIndex::kBlock;
  const unsigned workers = thread_count(0, blocks / kIdBlocksOfWorker + 1);
  std::vector<absl::flat_hash_set<PlaceAndPlayer>> found(workers);
  run_parallel(workers, workers, [&](std::size_t worker) {
    PackedIndex::Values names, dates;
    const std::size_t end = blocks * (worker + 1) / workers;
    for (std::size_t block = blocks * worker / workers; block < end; ++block) {
      if (!ids_->has_any(block)) continue;
      const std::size_t first = block * PackedIndex::kBlock;
      const std::size_t count = std::min<std::size_t>(PackedIndex::kBlock, index.games() - first);
      packed.values(block, IndexColumn::Date, dates);
      for (const codec::Color color : {codec::Color::White, codec::Color::Black}) {
        packed.values(block, color == codec::Color::White ? IndexColumn::White : IndexColumn::Black,
                      names);
        for (std::size_t i = 0; i < count; ++i) {
          if (names[i] >= players()) continue;
          const std::uint32_t place = place_by_id({.player = names[i],
                                                   .date = dates[i],
                                                   .game = static_cast<GameIndex>(first + i),
                                                   .color = color});
          if (place == kNobody || place == place_of_[names[i]]) continue;
          found[worker].emplace(place, names[i]);
        }
      }
    }
  });
  std::vector<PlaceAndPlayer> pairs;
  for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  return pairs;
}

}  // namespace scidfs::fs
