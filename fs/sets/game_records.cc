#include "fs/sets/game_records.h"

#include <absl/status/statusor.h>

#include <optional>

namespace scidfs::fs {

using codec::Bytes;
using codec::scid::RecordHead;
using Column = PackedIndex::Column;

GameRecords::GameRecords(const Database& database, std::size_t games)
    : database_(database), reader_(database.borrow_reader()) {
  // With wider gaps a window of the game file costs more than what is read around each game.
  constexpr std::size_t kWidestGap = 64;
  reader_->expect(games * kWidestGap >= database.games() ? games : 1);
}

absl::Status GameRecords::for_each(std::span<const GameIndex> games, Visit visit) {
  constexpr unsigned kHighShift = 32;
  database_.index().values(games, Column::Offset, offset_);
  database_.index().values(games, Column::OffsetHigh, offset_high_);
  database_.index().values(games, Column::Length, length_);
  for (std::size_t i = 0; i < games.size(); ++i) {
    codec::scid::GameEntry entry;
    entry.offset = std::uint64_t{offset_high_[i]} << kHighShift | offset_[i];
    entry.length = length_[i];
    const absl::StatusOr<std::optional<Bytes>> record = reader_->record(entry);
    if (!record.ok()) return record.status();
    if (!record->has_value()) continue;
    tags_.clear();
    RecordHead head;
    if (parse_record_head(**record, tags_, head, database_.format().castling).has_value()) continue;
    visit(i, **record, head);
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
