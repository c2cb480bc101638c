#include "fs/pgn/pgn_records.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/aside.h"
#include "fs/file/cache_folder.h"
#include "fs/file/file_maker.h"
#include "fs/file/fingerprint.h"
#include "fs/file/new_file.h"
#include "fs/import/copy_games.h"
#include "fs/import/new_database.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Increases with every change of what is read from a PGN file.
constexpr std::uint32_t kReaderVersion = 2;

// The records of games take about a quarter of their text; less than this part only if most of the
// text is nothing that a database keeps.
constexpr std::uint64_t kLeastPart = 12;

// Under how many names the records of a state may be: files of the user may have some of these.
constexpr std::uint32_t kNames = 3;

std::string damaged_records(const RecordFiles& files, const PgnFile& file) {
  return fmt::format("{} is damaged: the games of {} will be read again", files.index().string(),
                     file.path.string());
}

// Returns the options for the database of a PGN file, which lies in the cache folder.
DatabaseOptions as_records(DatabaseOptions options) {
  options.origin = {};
  options.format = "PGN";
  return options;
}

}  // namespace

PgnRecordStore::PgnRecordStore(DatabaseOptions options, std::shared_ptr<RecordFolder> folder)
    : options_(as_records(std::move(options))), folder_(std::move(folder)) {}

std::vector<RecordName> PgnRecordStore::names_of(const PgnFile& file) const {
  const std::uint64_t reader = kReaderVersion << 16U | options_.pgn.code_page.number();
  const std::uint64_t path = cache::fingerprint(file.path.native(), reader);
  std::vector<RecordName> names;
  for (std::uint32_t i = 0; i < kNames; ++i) {
    names.push_back({.path = path, .state = fingerprint_of(file.stamp, i)});
  }
  return names;
}

absl::StatusOr<PgnRecordStore::Summed> PgnRecordStore::open(const RecordFiles& files,
                                                            const PgnFile& file,
                                                            const RecordsText& text) const {
  DatabaseOptions options = options_;
  if (text.is_cut) options.problem = "the file was cut: remarks.txt tells where";
  ASSIGN_OR_RETURN(std::shared_ptr<Database> database,
                   Database::open(files.index(), file.path.filename().string(), options));
  ASSIGN_OR_RETURN(const std::uint64_t checksum,
                   database->files().checksum([this] { return is_cancelled(); }));
  return Summed{.database = std::move(database), .checksum = checksum};
}

absl::StatusOr<ReadDatabase> PgnRecordStore::load(const RecordFiles& files,
                                                  const PgnFile& file) const {
  ASSIGN_OR_RETURN(RecordsText text, files.load());
  absl::StatusOr<Summed> found = open(files, file, text);
  if (found.ok() && found->checksum == text.database_checksum) {
    return ReadDatabase{.database = std::move(found->database),
                        .remarks = std::move(text.remarks),
                        .front = text.front};
  }
  const absl::Status& status = found.status();
  if (absl::IsResourceExhausted(status) || absl::IsCancelled(status)) return status;
  return absl::DataLossError(damaged_records(files, file));
}

absl::StatusOr<ReadDatabase> PgnRecordStore::load(const PgnFile& file) const {
  absl::StatusOr<ReadDatabase> found = absl::NotFoundError("no records");
  for (const RecordName& name : names_of(file)) {
    const RecordFiles files = folder_->files(name);
    found = load(files, file);
    if (!absl::IsNotFound(found.status()) || files.are_free()) return found;
  }
  return found;
}

std::optional<ReadDatabase> PgnRecordStore::find(const PgnFile& file) const {
  if (folder_->path().empty() || !folder_->has(names_of(file).front().path)) return std::nullopt;
  absl::StatusOr<ReadDatabase> found = load(file);
  if (found.ok()) return *std::move(found);
  if (absl::IsDataLoss(found.status())) log_warning(std::string(found.status().message()));
  return std::nullopt;
}

bool PgnRecordStore::may_continue(const PgnFile& file, const PgnFile& before) const {
  if (file.stamp.size <= before.stamp.size) return false;
  if (before.stamp.size == 0 || folder_->path().empty()) return true;
  for (const RecordName& name : names_of(before)) {
    const absl::StatusOr<RecordsText> text = folder_->files(name).load();
    if (!text.ok()) continue;
    const absl::StatusOr<SourceFile> source = file.open([this] { return is_cancelled(); });
    return source.ok() && begins_with(*source, text->front).value_or(false);
  }
  return true;
}

absl::StatusOr<PgnRecordStore::Found> PgnRecordStore::load_or_clear(const PgnFile& file) const {
  absl::StatusOr<ReadDatabase> made = load(file);
  if (made.ok()) return Found{.made = *std::move(made)};
  if (!absl::IsNotFound(made.status()) && !absl::IsDataLoss(made.status())) return made.status();
  for (const RecordName& name : names_of(file)) {
    const RecordFiles files = folder_->files(name);
    RETURN_IF_ERROR(files.remove());
    if (files.are_free()) return Found{.free = name};
  }
  return absl::OutOfRangeError(
      fmt::format("other files have the names {}.* that its games need in the cache folder",
                  folder_->files(names_of(file).front()).stem().string()));
}

absl::StatusOr<ReadDatabase> PgnRecordStore::complete(const RecordFiles& files, const PgnFile& file,
                                                      std::uint64_t games, RecordsText text) const {
  absl::StatusOr<Summed> made = open(files, file, text);
  absl::Status status = made.status();
  // Without a lock another process may have removed a part.
  if (status.ok() &&
      (made->database->games() != games || !made->database->files().is_consistent())) {
    status = absl::FailedPreconditionError(
        fmt::format("another program has changed {}", files.index().string()));
  }
  if (status.ok()) {
    text.database_checksum = made->checksum;
    status = files.save(text);
  }
  if (!status.ok()) {
    files.remove().IgnoreError();
    return status;
  }
  return ReadDatabase{.database = std::move(made->database),
                      .remarks = std::move(text.remarks),
                      .front = text.front};
}

absl::StatusOr<std::optional<EarlierGames>> PgnRecordStore::earlier_of(
    const PgnFile& file, const SourceFile& source) const {
  for (const RecordFiles& other : folder_->of_path(names_of(file).front().path)) {
    absl::StatusOr<RecordsText> text = other.load();
    if (!text.ok()) continue;
    ASSIGN_OR_RETURN(const bool is_continued, continues(source, *text));
    if (!is_continued) continue;
    absl::StatusOr<CopySource> games = CopySource::open(other.index());
    if (!games.ok()) continue;
    const absl::StatusOr<std::uint64_t> checksum =
        games->files().checksum([this] { return is_cancelled(); });
    if (checksum.ok() && *checksum == text->database_checksum) {
      return EarlierGames{.games = *std::move(games), .text = *std::move(text)};
    }
    if (!absl::IsCancelled(checksum.status())) log_warning(damaged_records(other, file));
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<FolderLock>> PgnRecordStore::lock_folder(
    const WorkBudget& budget) const {
  return folder_->lock([&] { return budget.is_cancelled() || is_cancelled(); });
}

absl::StatusOr<ReadDatabase> PgnRecordStore::place(const RecordName& name, const PgnFile& file,
                                                   NewDatabase& records, RecordsText text,
                                                   std::uint64_t room,
                                                   const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const std::optional<FolderLock> lock, lock_folder(budget));
  ASSIGN_OR_RETURN(Found known, load_or_clear(file));
  if (known.made.has_value()) return *std::move(known.made);
  const RecordFiles files = folder_->files(name);
  absl::Status status = files.claim();
  if (status.ok() && !(status = records.commit(std::nullopt)).ok()) files.remove().IgnoreError();
  if (!status.ok()) return status;
  absl::StatusOr<ReadDatabase> made = complete(files, file, records.games(), std::move(text));
  if (made.ok()) folder_->add(name, room);
  return made;
}

absl::StatusOr<ReadDatabase> PgnRecordStore::make(const PgnFile& file, const WorkBudget& budget,
                                                  Progress progress) const {
  RETURN_IF_ERROR(folder_->prepare());
  absl::StatusOr<ReadDatabase> known = load(file);
  if (!absl::IsNotFound(known.status()) && !absl::IsDataLoss(known.status())) return known;
  const std::uint64_t room = folder_->room();
  if (file.stamp.size / kLeastPart > room) return no_room_for_records(room);
  ReadOptions how{.page = options_.pgn.code_page, .room = room};
  bool uses_earlier = true;
  while (true) {
    absl::StatusOr<ReadDatabase> made = read(file, how, uses_earlier, budget, progress);
    const bool has_changed = absl::IsFailedPrecondition(made.status());
    if (absl::IsUnavailable(made.status()) && uses_earlier) {
      uses_earlier = false;
    } else if (has_changed && !how.may_grow && stamp_of(file.path).may_continue(file.stamp)) {
      how.may_grow = true;
    } else {
      return made;
    }
  }
}

absl::StatusOr<ReadDatabase> PgnRecordStore::read(const PgnFile& file, const ReadOptions& how,
                                                  bool uses_earlier, const WorkBudget& budget,
                                                  Progress progress) const {
  ASSIGN_OR_RETURN(SourceFile source, file.open([&budget] { return budget.is_cancelled(); }));
  if (!source.stamp().has_same_bytes(file.stamp)) {
    if (!how.may_grow || !source.stamp().may_continue(file.stamp)) return has_changed(file.path);
    source.cut_to(file.stamp);
  }
  std::optional<EarlierGames> earlier;
  if (uses_earlier) {
    ASSIGN_OR_RETURN(earlier, earlier_of(file, source));
  }
  static const FileMaker kPrivateFiles(NewAccess::owner_only());
  RecordName name;
  absl::StatusOr<std::unique_ptr<NewDatabase>> records;
  {
    ASSIGN_OR_RETURN(const std::optional<FolderLock> lock, lock_folder(budget));
    ASSIGN_OR_RETURN(Found found, load_or_clear(file));
    if (found.made.has_value()) return *std::move(found.made);
    name = found.free;
    records =
        NewDatabase::create(folder_->files(name).index(), NewFile::Existing::Keep, kPrivateFiles);
  }
  if (absl::IsResourceExhausted(records.status())) return records.status();
  if (!records.ok()) return absl::OutOfRangeError(records.status().message());
  ASSIGN_OR_RETURN(RecordsText text,
                   read_games(std::move(source), earlier.has_value() ? &*earlier : nullptr, how,
                              budget, progress, **records));
  return place(name, file, **records, std::move(text), how.room, budget);
}

void remove_abandoned_records(const stdfs::path& folder) {
  if (open_cache_folder(folder).ok()) remove_abandoned(folder, &RecordFiles::has_form);
}

}  // namespace scidfs::fs
