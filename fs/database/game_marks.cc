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

absl::StatusOr<std::shared_ptr<const std::vector<GameMarks>>> read_marks(const IndexFile& file,
                                                                         const Effort& effort) {
  if (!effort.is_whole() && file.games() / kEntriesPerGame > effort.games()) {
    return Effort::too_little();
  }
  auto marks = std::make_shared<std::vector<GameMarks>>(file.games(), codec::scid::kNoMarks);
  const std::size_t tasks = (file.blocks() + kBlocksAtOnce - 1) / kBlocksAtOnce;
  run_parallel(tasks, effort.is_whole() ? thread_count(0, tasks) : 1, [&](std::size_t task) {
    std::vector<IndexEntry> room;
    const std::size_t end = std::min((task + 1) * kBlocksAtOnce, file.blocks());
    for (std::size_t block = task * kBlocksAtOnce; block < end && !effort.is_over(); ++block) {
      const absl::StatusOr<IndexBlock> read = file.read_block(block, room);
      if (!read.ok()) continue;
      std::ranges::transform(read->entries, marks->begin() + read->first, codec::scid::marks_of);
    }
  });
  if (effort.is_over()) return Effort::over();
  return marks;
}

}  // namespace scidfs::fs
