#include "fs/database/game_marks.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "fs/base/parallel.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameMarks;
using codec::scid::IndexEntry;

// An entry is read in a small part of the time that it takes to decode a game.
constexpr std::size_t kEntriesPerGame = 20;
constexpr std::size_t kBlocksAtOnce = 128;

}  // namespace

absl::StatusOr<std::shared_ptr<const GameMarksTable>> read_marks(const IndexFile& file,
                                                                 const GameSizes& sizes,
                                                                 const Effort& effort) {
  if (!effort.spend(file.games() / kEntriesPerGame)) return Effort::too_little();
  const auto table = std::make_shared<GameMarksTable>(
      GameMarksTable{.games = std::vector<GameMarks>(file.games(), codec::scid::kNoMarks),
                     .are_sound = sizes.complete()});
  const std::size_t tasks = (file.blocks() + kBlocksAtOnce - 1) / kBlocksAtOnce;
  run_parallel(tasks, thread_count(effort.threads(), tasks), [&](std::size_t task) {
    std::vector<IndexEntry> room;
    const std::size_t end = std::min((task + 1) * kBlocksAtOnce, file.blocks());
    file.expect(task * kBlocksAtOnce, kBlocksAtOnce);
    for (std::size_t block = task * kBlocksAtOnce; block < end && !effort.is_over(); ++block) {
      const absl::StatusOr<IndexBlock> read = file.read_block(block, room);
      if (!read.ok()) continue;
      for (std::size_t i = 0; i < read->entries.size(); ++i) {
        const auto game = static_cast<GameIndex>(read->first + i);
        if (table->are_sound && !sizes.has_sound_marks(game)) continue;
        table->games[game] = codec::scid::marks_of(read->entries[i]);
      }
    }
  });
  if (effort.is_over()) return Effort::over();
  return table;
}

}  // namespace scidfs::fs
