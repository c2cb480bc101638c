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

absl::Status GameReader::fill_window(std::size_t first, std::size_t count) {
  window_offset_ = std::uint64_t{first} * GameFile::kChunk;
  absl::Status status = database_.game_file_.read(first, count, window_);
  if (!status.ok()) window_.clear();
  return status;
}

absl::StatusOr<std::optional<Bytes>> GameReader::record(const GameEntry& entry) {
  const std::uint64_t file_size = database_.game_file_.size();
  if (!lies_within(entry, file_size)) return std::nullopt;
  const std::uint64_t end = entry.offset + entry.length;
  if (entry.offset < window_offset_ || end > window_offset_ + window_.size()) {
    const bool is_bad = entry.offset >= bad_begin_ && entry.offset < bad_end_;
    const std::size_t first = entry.offset / GameFile::kChunk;
    const std::size_t needed = (end - 1) / GameFile::kChunk + 1 - first;
    std::size_t count = needed;
    if (expected_ >= kManyGames && !is_bad) {
      count = std::min(std::max(needed, kWindowChunks), database_.game_file_.chunks() - first);
    }
    absl::Status status = fill_window(first, count);
    if (absl::IsDataLoss(status) && count > needed) {
      bad_begin_ = std::uint64_t{first} * GameFile::kChunk;
      bad_end_ = bad_begin_ + count * GameFile::kChunk;
      status = fill_window(first, needed);
    }
    if (absl::IsDataLoss(status)) {
      // The bad place may lie beside the record.
      window_offset_ = entry.offset;
      status = database_.game_file_.read_exactly(entry.offset, entry.length, window_);
      if (!status.ok()) window_.clear();
    }
    if (!status.ok()) return status;
  }
  return Bytes(window_).subspan(entry.offset - window_offset_, entry.length);
}

absl::StatusOr<std::optional<Bytes>> GameReader::record_of(GameIndex game, const GameEntry& entry) {
  absl::StatusOr<std::optional<Bytes>> bytes = record(entry);
  if (bytes.ok()) return bytes;
  return absl::Status(bytes.status().code(),
                      fmt::format("{}: game {}: {}", database_.name(), game + 1,
                                  std::string(bytes.status().message())));
}

absl::StatusOr<std::optional<Damage>> GameReader::append(GameIndex game, codec::TextBuffer& out) {
  const GameEntry entry = database_.entry(game);
  const absl::StatusOr<std::optional<Bytes>> bytes = record_of(game, entry);
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

void GameReader::rest() {
  constexpr std::size_t kKeptText = std::size_t{1} << 20;
  expected_ = 1;
  if (scratch_.capacity() > kKeptText) scratch_ = {};
}

absl::Status GameReader::measure(GameIndex game) {
  const GameEntry entry = database_.entry(game);
  const absl::StatusOr<std::optional<Bytes>> bytes = record_of(game, entry);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) {
    scratch_.clear();
    return append_checked(game, scratch_);
  }
  const auto [length, damage] = text_.length(codec::scid::make_tags(entry, database_.names()),
                                             {.number = game + 1, .offset = entry.offset}, **bytes);
  return database_.record_size(game, length, damage.has_value());
}

absl::Status GameReader::append_positions(GameIndex game, codec::TextBuffer& out) {
  const GameEntry entry = database_.entry(game);
  const absl::StatusOr<std::optional<Bytes>> bytes = record_of(game, entry);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return absl::OkStatus();
  positions_.append({.number = game + 1, .offset = entry.offset}, entry.result, **bytes, out);
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> GameReader::measure_positions(GameIndex game) {
  const GameEntry entry = database_.entry(game);
  const absl::StatusOr<std::optional<Bytes>> bytes = record_of(game, entry);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return 0;
  return positions_.length({.number = game + 1, .offset = entry.offset}, entry.result, **bytes);
}

}  // namespace scidfs::fs
