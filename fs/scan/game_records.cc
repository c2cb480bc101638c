#include "fs/scan/game_records.h"

#include <absl/status/statusor.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "codec/scid/extra_tags.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::scid::ExtraTag;
using codec::scid::GameEntry;

// So many bytes of a record have all tags, and the FEN, of nearly any.
constexpr std::uint32_t kUsualTags = 2048;

constexpr std::string_view kVariant = "Variant";

}  // namespace

absl::Status GameRecords::for_each_entry(
    std::span<const GameIndex> games, std::uint32_t most,
    absl::FunctionRef<absl::Status(std::size_t i, const GameEntry& entry)> visit) {
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
    GameEntry entry;
    entry.offset = std::uint64_t{offset_high_[i]} << kHighShift | offset_[i];
    entry.length = length_[i];
    if (watch_.is_cancelled(std::min(entry.length, most))) return WorkBudget::cancelled();
    RETURN_IF_ERROR(visit(i, entry));
  }
  return absl::OkStatus();
}

absl::Status GameRecords::for_each(std::span<const GameIndex> games, Visit visit) {
  constexpr std::uint32_t kWhole = std::numeric_limits<std::uint32_t>::max();
  return for_each_entry(games, kWhole, [&](std::size_t i, const GameEntry& entry) {
    const absl::StatusOr<std::optional<codec::Bytes>> record = reader_->record(entry);
    if (record.ok() && record->has_value()) visit(i, **record);
    return record.status();
  });
}

absl::Status GameRecords::for_each_game(std::span<const GameIndex> games, VisitGame visit) {
  return for_each(games, [&](std::size_t i, codec::Bytes record) {
    tags_.clear();
    codec::scid::RecordHead head;
    if (parse_record_head(record, tags_, head, rule_).has_value()) return;
    visit(i, record, head);
  });
}

absl::Status GameRecords::read_beginning(
    const GameEntry& entry, absl::FunctionRef<std::optional<codec::Damage>(codec::Bytes)> parse) {
  tags_.clear();
  if (!lies_within(entry, file_size_)) return absl::OkStatus();
  GameEntry part = entry;
  part.length = std::min(part.length, kUsualTags);
  absl::StatusOr<std::optional<codec::Bytes>> record = reader_->record(part);
  if (!record.ok()) return record.status();
  if (!parse(**record).has_value() || part.length == entry.length) return absl::OkStatus();
  tags_.clear();
  record = reader_->record(entry);
  if (record.ok()) (void)parse(**record);
  return record.status();
}

absl::Status GameRecords::for_each_tags(std::span<const GameIndex> games, VisitTags visit) {
  index_.values(games, PackedIndex::Column::Flags, flags_);
  return for_each_entry(games, kUsualTags, [&](std::size_t i, const GameEntry& entry) {
    absl::Status status = read_beginning(
        entry, [this](codec::Bytes record) { return parse_record_tags(record, tags_); });
    if (!status.ok()) return status;
    if (!tags_.empty()) clean_extra_tags(tags_, tag_names_);
    const bool has_variant = std::ranges::count(tags_, kVariant, &ExtraTag::name) != 0;
    if ((flags_[i] & PackedIndex::kChess960) != 0 && !has_variant) {
      tags_.push_back({.name = kVariant, .value = codec::as_bytes("Chess960")});
    }
    std::erase_if(tags_,
                  [](const ExtraTag& tag) { return codec::scid::is_tag_of_index(tag.name); });
    visit(i, tags_);
    return status;
  });
}

absl::Status GameRecords::for_each_start(std::span<const GameIndex> games, VisitStart visit) {
  return for_each_entry(games, kUsualTags, [&](std::size_t i, const GameEntry& entry) {
    codec::scid::RecordHead head;
    absl::Status status = read_beginning(
        entry, [&](codec::Bytes record) { return parse_record_head(record, tags_, head, rule_); });
    if (status.ok() && head.fen.has_value()) visit(i, *head.fen);
    return status;
  });
}

}  // namespace scidfs::fs
