#include "fs/database/index_signatures.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "fs/base/parallel.h"
#include "fs/content/work_cost.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;

constexpr std::size_t kBlocksAtOnce = 128;

}  // namespace

absl::StatusOr<std::shared_ptr<const SignatureTable>> read_signatures(const IndexFile& file,
                                                                      const GameSizes& sizes,
                                                                      const WorkBudget& budget) {
  if (!budget.spend(file.games() / kFileEntriesOfGame)) return WorkBudget::exceeded();
  SignatureTable::Signatures table(file.games(), codec::scid::kNoSignature);
  const bool are_verified = sizes.complete();
  const std::size_t tasks = (file.blocks() + kBlocksAtOnce - 1) / kBlocksAtOnce;
  run_parallel(tasks, thread_count(budget.threads(), tasks), [&](std::size_t task) {
    std::vector<IndexEntry> room;
    const std::size_t end = std::min((task + 1) * kBlocksAtOnce, file.blocks());
    file.expect(task * kBlocksAtOnce, kBlocksAtOnce);
    for (std::size_t block = task * kBlocksAtOnce; block < end && !budget.is_cancelled(); ++block) {
      const absl::StatusOr<IndexBlock> read = file.read_block(block, room);
      if (!read.ok()) continue;
      for (std::size_t i = 0; i < read->entries.size(); ++i) {
        const auto game = static_cast<GameIndex>(read->first + i);
        if (are_verified && !sizes.has_verified_signature(game)) continue;
        table[game] = codec::scid::signature_of(read->entries[i]);
      }
    }
  });
  if (budget.is_cancelled()) return WorkBudget::cancelled();
  return std::make_shared<const SignatureTable>(std::move(table), are_verified);
}

}  // namespace scidfs::fs
