#include "fs/database/loaded_index.h"

#include <atomic>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/database/stored_index.h"

namespace scidfs::fs {

LoadedIndex::LoadedIndex(const DatabaseFiles& files, const DatabaseOptions& options)
    : files_(files),
      shows_deleted_(options.show_deleted),
      is_shown_player_(files.names()[codec::scid::NameKind::Player].size()),
      tsv_lines_(files.names(), options.reference->openings.get()) {}

absl::Status LoadedIndex::load(IndexFile& file, const std::function<bool()>& is_cancelled) {
  for (auto& bytes : tsv_bytes_) bytes.resize(file.blocks());
  const UnknownNames unknown(files_.names());
  const auto show_player = [&](std::uint32_t name) {
    const std::uint32_t id = unknown.counted(codec::scid::NameKind::Player, name);
    if (id >= is_shown_player_.size()) return;
    std::atomic_ref(is_shown_player_[id]).store(1, std::memory_order_relaxed);
  };
  // The findings for one segment of the index, which only one thread reads.
  struct Seen {
    std::vector<GameIndex> deleted;
    std::uint32_t shown_flags = 0;
    unsigned annotations = 0;
    DateRange dates;
    DatabaseFiles::Records records;
  };
  std::vector<Seen> segments(games() / PackedIndex::kSegment + 1);
  const auto visit = [&](const IndexBlock& games) {
    Seen& seen = segments[games.first / PackedIndex::kSegment];
    std::array<std::uint32_t, kParts> bytes{};
    for (std::size_t i = 0; i < games.entries.size(); ++i) {
      const codec::scid::IndexEntry& entry = games.entries[i];
      const auto game = static_cast<GameIndex>(games.first + i);
      for (const Part part : {Part::Shown, Part::Deleted}) {
        if (!holds(part, entry.flags)) continue;
        bytes[static_cast<std::size_t>(part)] +=
            static_cast<std::uint32_t>(tsv_lines_.length(game, entry, directory_of(part)));
      }
      if (!files_.has_all_of(entry)) seen.records.are_complete = false;
      seen.records.end = std::max(seen.records.end, entry.offset + entry.length);
      seen.records.bytes += entry.length;
      if (holds(Part::Deleted, entry.flags)) seen.deleted.push_back(game);
      if (!holds(Part::Shown, entry.flags)) continue;
      seen.shown_flags |= entry.flags;
      seen.annotations |= unsigned{entry.variation_code} | entry.comment_code | entry.nag_code;
      seen.dates.add(entry.date);
      show_player(entry.white);
      show_player(entry.black);
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      tsv_bytes_[part][games.first / IndexFile::kBlock] = bytes[part];
    }
  };
  ASSIGN_OR_RETURN(
      PackedIndex index,
      file.load(
          0, visit, [&is_cancelled] { return is_cancelled != nullptr && is_cancelled(); },
          [&unknown](codec::scid::GameEntry& game) { unknown.unite(game); }));
  packed_ = std::move(index);
  for (const Seen& seen : segments) {
    records_.are_complete &= seen.records.are_complete;
    records_.end = std::max(records_.end, seen.records.end);
    records_.bytes += seen.records.bytes;
    for (const GameIndex game : seen.deleted) deleted_.add(game);
    shown_flags_ |= seen.shown_flags;
    has_annotated_ |= seen.annotations != 0;
    for (const codec::Date date : {seen.dates.first, seen.dates.last}) shown_dates_.add(date);
  }
  return absl::OkStatus();
}

bool LoadedIndex::adopt(const StoredIndex& stored, IndexFile& file) {
  const StoredFacts& facts = stored.facts();
  const std::size_t blocks = file.blocks();
  const auto row_ends = stored.values<std::uint64_t>(
      StoredPart::RowEnds, (games() + PackedIndex::kSegment - 1) / PackedIndex::kSegment);
  std::optional<PackedIndex> packed =
      PackedIndex::of_stored(games(), stored.bytes(StoredPart::PackedBlocks),
                             stored.bytes(StoredPart::PackedRows), row_ends);
  const auto checksums = stored.values<std::uint64_t>(StoredPart::Checksums, blocks);
  const auto plies = stored.values<PlyRange>(StoredPart::Plies, blocks);
  const auto players =
      stored.values<std::uint8_t>(StoredPart::ShownPlayers, is_shown_player_.size());
  const std::array<std::span<const std::uint32_t>, kParts> lines = {
      stored.values<std::uint32_t>(StoredPart::ShownLines, blocks),
      stored.values<std::uint32_t>(StoredPart::DeletedLines, blocks)};
  if (!packed.has_value() || facts.games != games() || players.size() != is_shown_player_.size()) {
    return false;
  }
  for (const std::size_t count : {checksums.size(), plies.size(), lines[0].size(), lines[1].size()})
    if (count != blocks) return false;
  auto deleted = DeltaList::of_stored(stored.bytes(StoredPart::Deleted), facts.deleted, games());
  if (!deleted.has_value()) return false;
  stored_ = &stored;
  packed_ = *std::move(packed);
  file.adopt(checksums, plies);
  for (std::size_t part = 0; part < kParts; ++part) {
    tsv_bytes_[part].assign(lines[part].begin(), lines[part].end());
  }
  is_shown_player_.assign(players.begin(), players.end());
  deleted_ = *std::move(deleted);
  records_ = {.are_complete = facts.are_complete != 0,
              .end = facts.records_end,
              .bytes = facts.records_bytes};
  shown_flags_ = static_cast<std::uint32_t>(facts.shown_flags);
  has_annotated_ = facts.has_annotated != 0;
  shown_dates_ = {.first = codec::unpack_date(static_cast<std::uint32_t>(facts.first_date)),
                  .last = codec::unpack_date(static_cast<std::uint32_t>(facts.last_date))};
  return true;
}

void LoadedIndex::store(StoredParts& parts, StoredFacts& facts) const {
  PackedIndex::Stored packed = packed_.stored();
  parts.add(StoredPart::PackedBlocks, std::move(packed.blocks));
  parts.add(StoredPart::PackedRows, std::move(packed.rows));
  parts.keep(StoredPart::RowEnds, std::move(packed.row_ends));
  parts.add(StoredPart::Checksums, files_.index_file().block_checksums());
  parts.add(StoredPart::Plies, files_.index_file().block_plies());
  parts.add(StoredPart::ShownLines, tsv_bytes(Part::Shown));
  parts.add(StoredPart::DeletedLines, tsv_bytes(Part::Deleted));
  parts.add(StoredPart::Deleted, deleted_.bytes());
  parts.add(StoredPart::ShownPlayers, std::span<const std::uint8_t>(is_shown_player_));
  facts.games = games();
  facts.are_complete = records_.are_complete ? 1 : 0;
  facts.records_end = records_.end;
  facts.records_bytes = records_.bytes;
  facts.deleted = deleted_.size();
  facts.shown_flags = shown_flags_;
  facts.has_annotated = has_annotated_ ? 1 : 0;
  facts.first_date = codec::pack_date(shown_dates_.first);
  facts.last_date = codec::pack_date(shown_dates_.last);
}

std::size_t LoadedIndex::memory() const {
  std::size_t bytes = packed_.memory() + deleted_.bytes().size() + is_shown_player_.capacity() +
                      tsv_lines_.memory();
  for (const auto& lengths : tsv_bytes_) bytes += lengths.size() * sizeof(lengths[0]);
  return bytes;
}

}  // namespace scidfs::fs
