#include "fs/import/copy_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codec/scid/names.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;
using codec::scid::NameKind;

absl::Status changed(const std::filesystem::path& path) {
  return absl::UnavailableError(
      fmt::format("Cannot read {}: another program is writing to it", path.string()));
}

}  // namespace

absl::StatusOr<CopySource> CopySource::open(const std::filesystem::path& index_path) {
  ASSIGN_OR_RETURN(std::shared_ptr<Database> database,
                   Database::open(index_path, index_path.filename().string(), {}));
  CopySource source;
  source.database_ = std::move(database);
  absl::StatusOr<codec::scid::StoredNames> names = source.database_->files().stored_names({});
  // A database without names has a problem, which copy() tells.
  if (names.ok()) source.names_ = *std::move(names);
  return source;
}

std::string_view CopySource::name(NameKind kind, std::uint32_t id) const {
  const std::vector<std::string>& names = names_[static_cast<std::size_t>(kind)];
  return id < names.size() ? std::string_view(names[id]) : codec::scid::NameTable::kMissing;
}

absl::Status CopySource::copy_block(std::size_t block, std::uint64_t most_games, GameReader& reader,
                                    NewDatabase& target,
                                    absl::FunctionRef<void(std::string_view)> remark) const {
  const DatabaseFiles& files = database_->files();
  std::vector<IndexEntry> room;
  ASSIGN_OR_RETURN(const IndexBlock games, files.index_file().read_block(block, room));
  const std::size_t count = std::min<std::uint64_t>(
      games.entries.size(), most_games - std::min<std::uint64_t>(games.first, most_games));
  for (std::size_t i = 0; i < count; ++i) {
    const IndexEntry& entry = games.entries[i];
    const auto tell = [&](std::string_view what) {
      remark(fmt::format("{}: game {}: {}", database_->index_path().string(), games.first + i + 1,
                         what));
    };
    ASSIGN_OR_RETURN(const std::optional<codec::Bytes> record, reader.record(entry));
    if (!record.has_value()) tell("its record does not lie in the game file");
    if (!files.has_all_of(entry) && record.has_value()) tell("it has names that do not exist");
    ASSIGN_OR_RETURN(const Loss loss, target.add({.entry = entry,
                                                  .event = name(NameKind::Event, entry.event),
                                                  .site = name(NameKind::Site, entry.site),
                                                  .round = name(NameKind::Round, entry.round),
                                                  .white = name(NameKind::Player, entry.white),
                                                  .black = name(NameKind::Player, entry.black),
                                                  .record = record.value_or(codec::Bytes())}));
    if (loss != Loss::None) tell(loss_text(loss));
  }
  return absl::OkStatus();
}

bool CopySource::is_as_opened() const {
  return DatabaseFiles::stamps_on_disk(database_->index_path()) == database_->files().stamps();
}

bool CopySource::is_removed() const {
  return DatabaseFiles::stamps_on_disk(database_->index_path()) == DatabaseStamps{};
}

absl::Status CopySource::copy(NewDatabase& target, absl::FunctionRef<void(std::uint64_t)> advance,
                              absl::FunctionRef<void(std::string_view)> remark,
                              const std::function<bool()>& is_cancelled,
                              std::uint64_t most_games) const {
  const DatabaseFiles& files = database_->files();
  const std::filesystem::path& path = database_->index_path();
  for (const std::string& problem : files.problems()) {
    remark(fmt::format("{}: {}", path.string(), problem));
  }
  const ReaderPool::Loan reader = database_->readers().borrow();
  reader->expect(database_->games());
  const std::size_t blocks = files.index_file().blocks();
  for (std::size_t block = 0; block < blocks; ++block) {
    if (is_cancelled && is_cancelled()) return absl::CancelledError();
    absl::Status status = copy_block(block, most_games, *reader, target, remark);
    if (absl::IsFailedPrecondition(status)) return changed(path);
    if (!status.ok()) return status;
    // Records may share bytes, or leave some out.
    advance(size() * (block + 1) / blocks - size() * block / blocks);
  }
  return is_as_opened() || is_removed() ? absl::OkStatus() : changed(path);
}

}  // namespace scidfs::fs
