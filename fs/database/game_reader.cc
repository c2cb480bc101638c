#include "fs/database/game_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Damage;
using codec::scid::GameEntry;
using codec::scid::GamePlace;

// How much is read at once for many games, and how many games are many.
constexpr std::size_t kWindowChunks = 16;
constexpr std::size_t kManyGames = 8;

constexpr std::string_view kOutside = "its record does not lie in the game file";

}  // namespace

absl::Status GameReader::fill_window(const GameEntry& entry) {
  const GameFile& file = source_.files.game_file();
  const std::size_t first = entry.offset / GameFile::kChunk;
  const std::size_t end = (entry.offset + entry.length - 1) / GameFile::kChunk + 1;
  // Only a wrong index file of the cache folder (stored_index.h) says so.
  if (end > file.chunks()) return absl::DataLossError("its record lies behind the last one");
  std::size_t count = end - first;
  if (expected_ >= kManyGames) {
    count = std::min(std::max(count, kWindowChunks), file.chunks() - first);
  }
  window_offset_ = kNoWindow;  // while its content is unknown
  const bool is_alone = expected_ < kManyGames && check_ == GameFile::Check::Later;
  if (!is_alone && (first < bad_begin_ || first >= bad_end_)) {
    absl::Status status = file.read(first, count, window_, check_);
    if (status.ok()) window_offset_ = std::uint64_t{first} * GameFile::kChunk;
    if (!absl::IsDataLoss(status)) return status;
    bad_begin_ = first;
    bad_end_ = first + count;
  }
  absl::Status status = file.read_exactly(entry.offset, entry.length, window_, check_);
  if (status.ok()) window_offset_ = entry.offset;
  return status;
}

absl::StatusOr<std::optional<Bytes>> GameReader::record(const GameEntry& entry) {
  if (!lies_within(entry, source_.files.game_file().size())) return std::nullopt;
  const std::uint64_t end = entry.offset + entry.length;
  if (entry.offset < window_offset_ || end > window_offset_ + window_.size()) {
    RETURN_IF_ERROR(fill_window(entry));
  }
  return Bytes(window_).subspan(entry.offset - window_offset_, entry.length);
}

absl::StatusOr<std::optional<Bytes>> GameReader::record_of(GameIndex game, const GameEntry& entry) {
  absl::StatusOr<std::optional<Bytes>> bytes = record(entry);
  if (bytes.ok()) return bytes;
  return absl::Status(bytes.status().code(), fmt::format("{}: game {}: {}", source_.name, game + 1,
                                                         std::string(bytes.status().message())));
}

codec::GameTags GameReader::tags_of(const GameEntry& entry) const {
  codec::GameTags tags = codec::scid::make_tags(entry, source_.files.names());
  if (const auto* const names = source_.openings()) tags.opening = names->tag_value_of(entry.eco);
  return tags;
}

absl::StatusOr<std::optional<Damage>> GameReader::append(GameIndex game, codec::TextBuffer& out) {
  const GameEntry entry = source_.index.entry(game);
  ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, record_of(game, entry));
  const codec::GameTags tags = tags_of(entry);
  const GamePlace place{.number = game + 1, .offset = entry.offset};
  if (!bytes.has_value()) {
    text_.append_stub(tags, place, kOutside, out);
    return Damage{.offset = 0, .reason = kOutside};
  }
  return text_.append(tags, place, *bytes, out);
}

absl::StatusOr<std::optional<Damage>> GameReader::visit(GameIndex game,
                                                        codec::GameVisitor& visitor) {
  const GameEntry entry = source_.index.entry(game);
  ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, record_of(game, entry));
  codec::PgnOptions options = source_.options.pgn;
  options.quote_null_moves = false;
  codec::scid::GameText text(options, source_.files.format().castling);
  if (bytes.has_value()) return text.visit(tags_of(entry), *bytes, visitor);
  text.visit(tags_of(entry), {}, visitor);
  return Damage{.offset = 0, .reason = kOutside};
}

void GameReader::rest() {
  constexpr std::size_t kKeptText = std::size_t{1} << 20;
  expected_ = 1;
  check(GameFile::Check::Now);
  if (scratch_.capacity() > kKeptText) scratch_ = {};
}

absl::StatusOr<GameReader::Measure> GameReader::measure(GameIndex game) {
  const GameEntry entry = source_.index.entry(game);
  ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, record_of(game, entry));
  const codec::GameTags tags = tags_of(entry);
  const GamePlace place{.number = game + 1, .offset = entry.offset};
  if (!bytes.has_value()) {
    scratch_.clear();
    text_.append_stub(tags, place, kOutside, scratch_);
    return Measure{.length = scratch_.size(), .is_damaged = true};
  }
  const codec::scid::IndexEntry* const claimed = index_entry(game);
  const auto [length, damage, has_verified_signature] =
      text_.length(tags, place, *bytes, claimed == nullptr ? codec::scid::IndexEntry() : *claimed);
  return Measure{.length = length,
                 .is_damaged = damage.has_value(),
                 .has_verified_signature = has_verified_signature};
}

const codec::scid::IndexEntry* GameReader::index_entry(GameIndex game) {
  const std::size_t block = game / IndexFile::kBlock;
  if (block != entries_block_ && expected_ < kManyGames) {
    const absl::Status status = source_.files.index_file().read_entries(block, {&game, 1}, entry_);
    return status.ok() ? &entry_.front() : nullptr;
  }
  if (block != entries_block_) {
    entries_block_ = block;
    if (!source_.files.index_file().read_block(block, entries_).ok()) entries_.clear();
  }
  return entries_.empty() ? nullptr : &entries_[game % IndexFile::kBlock];
}

absl::StatusOr<bool> GameReader::has_comments(
    GameIndex game, absl::FunctionRef<bool(std::span<const Bytes>)> are_wanted) {
  const GameEntry entry = source_.index.entry(game);
  ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, record_of(game, entry));
  if (!bytes.has_value()) return are_wanted({});
  return text_.has_comments(*bytes, are_wanted);
}

absl::Status GameReader::append_positions(GameIndex game, codec::TextBuffer& out) {
  const GameEntry entry = source_.index.entry(game);
  ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, record_of(game, entry));
  if (!bytes.has_value()) return absl::OkStatus();
  positions_.append({.number = game + 1, .offset = entry.offset}, entry.result, *bytes, out);
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> GameReader::measure_positions(GameIndex game) {
  const GameEntry entry = source_.index.entry(game);
  ASSIGN_OR_RETURN(const std::optional<Bytes> bytes, record_of(game, entry));
  if (!bytes.has_value()) return 0;
  return positions_.length({.number = game + 1, .offset = entry.offset}, entry.result, *bytes);
}

ReaderPool::Loan ReaderPool::borrow() const {
  {
    const cache::MutexLock lock(mutex_);
    if (!idle_.empty()) {
      Loan reader(idle_.back().release(), Return{this});
      idle_.pop_back();
      return reader;
    }
  }
  return {new GameReader(source_), Return{this}};
}

void ReaderPool::Return::operator()(GameReader* reader) const {
  std::unique_ptr<GameReader> owned(reader);
  owned->rest();
  const cache::MutexLock lock(pool->mutex_);
  if (pool->idle_.size() < kMostIdle) pool->idle_.push_back(std::move(owned));
}

}  // namespace scidfs::fs
