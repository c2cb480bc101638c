#include "fs/scan/game_records.h"

#include <absl/status/statusor.h>

#include <optional>

namespace scidfs::fs {

absl::Status GameRecords::for_each(std::span<const GameIndex> games, Visit visit) {
  if (games.empty()) return absl::OkStatus();
  // For fewer games of a block, a window of the game file costs more than separate reads.
  constexpr std::size_t kFewest = 3;
  constexpr std::size_t kMany = 1000;
  reader_->expect(games.size() < kFewest ? 1 : kMany);
  constexpr unsigned kHighShift = 32;
  index_.values(games, PackedIndex::Column::Offset, offset_);
  index_.values(games, PackedIndex::Column::OffsetHigh, offset_high_);
  index_.values(games, PackedIndex::Column::Length, length_);
  for (std::size_t i = 0; i < games.size(); ++i) {
    codec::scid::GameEntry entry;
    entry.offset = std::uint64_t{offset_high_[i]} << kHighShift | offset_[i];
    entry.length = length_[i];
    if (watch_.is_over(entry.length)) return WorkBudget::cancelled();
    const absl::StatusOr<std::optional<codec::Bytes>> record = reader_->record(entry);
    if (!record.ok()) return record.status();
    if (record->has_value()) visit(i, **record);
  }
  return absl::OkStatus();
}

absl::Status GameRecords::for_each_game(std::span<const GameIndex> games, VisitGame visit) {
  return for_each(games, [&](std::size_t i, codec::Bytes record) {
    tags_.clear();
    codec::scid::RecordHead head;
    if (parse_record_head(record, tags_, head, rule_).has_value()) return;
    visit(i, record, head);
  });
}

}  // namespace scidfs::fs
