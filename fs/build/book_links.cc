#include "fs/build/book_links.h"

#include <algorithm>

#include "cache/hash.h"
#include "codec/kvetka/moves.h"
#include "fs/base/parallel.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kTask = 256;

}  // namespace

std::uint64_t BookLinks::hash(const codec::kvetka::Key& key) { return cache::fingerprint(key); }

void BookLinks::complete(Tally& tally) const {
  const std::optional<codec::Position> position = codec::kvetka::position_of(tally.key);
  if (!position.has_value()) return;
  for (const codec::Move& move : codec::legal_moves(*position)) {
    const auto code = codec::kvetka::encode_move(*position, {}, move);
    if (!code.has_value()) continue;
    const auto at = std::ranges::lower_bound(tally.moves, *code, {}, &Tally::Played::code);
    if (at != tally.moves.end() && at->code == *code) continue;
    codec::Position after = *position;
    after.make(move);
    const auto key = codec::kvetka::key_of(after);
    if (key.has_value() && keys_.contains(hash(*key))) tally.moves.insert(at, {*code, 0});
  }
}

void BookLinks::complete(std::span<Tally> tallies, unsigned threads) const {
  const std::size_t tasks = (tallies.size() + kTask - 1) / kTask;
  run_parallel(tasks, thread_count(threads, tasks), [&](std::size_t task) {
    const std::size_t first = task * kTask;
    for (Tally& tally : tallies.subspan(first, std::min(kTask, tallies.size() - first))) {
      complete(tally);
    }
  });
}

}  // namespace scidfs::fs
