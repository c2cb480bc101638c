#include "fs/game_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Damage;
using codec::scid::GameEntry;
using codec::scid::GamePlace;

// How much is read at once when many games are wanted, and when that is the case.
constexpr std::size_t kWindowChunks = 16;
constexpr std::size_t kManyGames = 8;

constexpr std::string_view kOutside = "its record does not lie in the game file";

}  // namespace

absl::StatusOr<std::optional<Bytes>> GameReader::record(const GameEntry& entry) {
  const std::uint64_t file_size = database_.game_file_.size();
  if (entry.length == 0 || entry.offset > file_size || entry.length > file_size - entry.offset) {
    return std::nullopt;
  }
  const std::uint64_t end = entry.offset + entry.length;
  if (entry.offset < window_offset_ || end > window_offset_ + window_.size()) {
    const GameFile& file = database_.game_file_;
    const std::size_t first = entry.offset / GameFile::kChunk;
    std::size_t count = (end - 1) / GameFile::kChunk + 1 - first;
    if (expected_ >= kManyGames) {
      count = std::min(std::max(count, kWindowChunks), file.chunks() - first);
    }
    window_offset_ = std::uint64_t{first} * GameFile::kChunk;
    if (absl::Status status = file.read(first, count, window_); !status.ok()) {
      window_.clear();
      return status;
    }
  }
  return Bytes(window_).subspan(entry.offset - window_offset_, entry.length);
}

absl::StatusOr<std::optional<Damage>> GameReader::append(GameIndex game, codec::TextBuffer& out) {
  const GameEntry entry = database_.entry(game);
  const absl::StatusOr<std::optional<Bytes>> bytes = record(entry);
  if (!bytes.ok()) return bytes.status();
  const codec::GameTags tags = codec::scid::make_tags(entry, database_.names());
  const GamePlace place{.number = game + 1, .offset = entry.offset};
  if (!bytes->has_value()) {
    text_.append_stub(tags, place, kOutside, out);
    return Damage{.offset = 0, .reason = kOutside};
  }
  return text_.append(tags, place, **bytes, out);
}

absl::Status GameReader::append_checked(GameIndex game, codec::TextBuffer& out) {
  const std::size_t before = out.size();
  const absl::StatusOr<std::optional<Damage>> damage = append(game, out);
  if (!damage.ok()) return damage.status();
  return database_.record_size(game, out.size() - before, damage->has_value());
}

absl::Status GameReader::measure(GameIndex game) {
  scratch_.clear();
  return append_checked(game, scratch_);
}

}  // namespace scidfs::fs
