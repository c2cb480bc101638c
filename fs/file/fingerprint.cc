#include "fs/file/fingerprint.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include "cache/hash.h"
#include "fs/base/inode.h"

namespace scidfs::fs {
namespace {

// Increases with every change of the texts of games, and of what stands in a column of index.tsv,
// so that sizes and lengths saved by an older program are not used.
constexpr std::uint32_t kWriterVersion = 3;

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

std::uint64_t fingerprint_of(const FileStamp& stamp, std::uint64_t seed) {
  const std::array<std::uint64_t, 5> identity = {
      stamp.inode, stamp.size, static_cast<std::uint64_t>(stamp.mtime_seconds),
      stamp.mtime_nanoseconds, static_cast<std::uint64_t>(stamp.ctime)};
  return cache::fingerprint(bytes_of(identity), seed);
}

std::uint64_t fingerprint_of(const codec::PgnOptions& pgn) {
  const std::array<std::uint32_t, 5> identity = {kWriterVersion, pgn.comments, pgn.variations,
                                                 pgn.nags, pgn.width};
  std::uint64_t fingerprint = cache::fingerprint(bytes_of(identity));
  if (pgn.quote_null_moves) fingerprint = cache::fingerprint("null moves", fingerprint);
  if (pgn.opening) fingerprint = cache::fingerprint("opening", fingerprint);
  if (pgn.code_page != codec::CodePage::Windows1252) {
    fingerprint = cache::fingerprint(bytes_of(pgn.code_page.number()), fingerprint);
  }
  return pgn.all_tags ? fingerprint : cache::fingerprint("roster", fingerprint);
}

std::uint16_t choose_epoch(std::uint64_t fingerprint, std::span<const UsedEpoch> used,
                           std::uint64_t salt) {
  assert(used.size() < kMaxEpoch);
  const auto same = std::ranges::find(used, fingerprint, &UsedEpoch::fingerprint);
  if (same != used.end()) return same->epoch;
  auto epoch = static_cast<std::uint16_t>(1 + (fingerprint + salt) % kMaxEpoch);
  while (std::ranges::find(used, epoch, &UsedEpoch::epoch) != used.end()) {
    epoch = static_cast<std::uint16_t>(epoch % kMaxEpoch + 1);
  }
  return epoch;
}

}  // namespace scidfs::fs
