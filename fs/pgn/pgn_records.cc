#include "fs/pgn/pgn_records.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/file/aside.h"
#include "fs/file/file_maker.h"
#include "fs/file/fingerprint.h"
#include "fs/file/folder.h"
#include "fs/file/new_file.h"
#include "fs/import/copy_games.h"
#include "fs/import/new_database.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Increases with every change of what is read from a PGN file.
constexpr std::uint32_t kReaderVersion = 2;

constexpr std::uint64_t kUsualRoom = std::uint64_t{2} << 30;
// The records of games take about a quarter of their text; less than this part only if most of the
// text is nothing that a database keeps.
constexpr std::uint64_t kLeastPart = 12;

// By which part of the room the records may exceed it for a while.
constexpr std::uint64_t kOverdraft = 16;
// The bytes that this process has added to its cache folder since it looked at all records. Before
// the first look there may be any number.
std::atomic<std::uint64_t> g_unseen_bytes = std::uint64_t{1} << 62U;

// How often a thread that waits for other processes asks whether its work is cancelled.
constexpr std::chrono::milliseconds kPause(100);

// The digits of a fingerprint and the sign after them.
constexpr std::size_t kPathDigits = 17;

// Returns the records in a folder, in any order.
std::vector<RecordFiles> records_in(const stdfs::path& folder) {
  std::vector<RecordFiles> all;
  std::error_code error;
  for (stdfs::directory_iterator it(folder, error); !error && it != stdfs::directory_iterator();
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.')) continue;  // unfinished
    if (auto files = RecordFiles::of_text(it->path())) all.push_back(*std::move(files));
  }
  return all;
}

std::string damaged_records(const RecordFiles& files, const PgnFile& file) {
  return fmt::format("{} is damaged: the games of {} will be read again", files.index().string(),
                     file.path.string());
}

bool is_of_same_path(const RecordFiles& one, const RecordFiles& other) {
  return one.stem().filename().string().substr(0, kPathDigits) ==
         other.stem().filename().string().substr(0, kPathDigits);
}

// Returns the options for the database of a PGN file, which lies in the cache folder.
DatabaseOptions as_records(DatabaseOptions options) {
  options.origin = {};
  options.format = "PGN";
  return options;
}

}  // namespace

PgnRecordStore::PgnRecordStore(DatabaseOptions options, std::uint64_t most_bytes)
    : options_(as_records(std::move(options))), most_bytes_(most_bytes) {}

RecordFiles PgnRecordStore::files_of(const PgnFile& file) const {
  const std::uint64_t reader = kReaderVersion << 16U | options_.pgn.code_page.number();
  return RecordFiles(folder() / fmt::format("{:016x}-{:016x}",
                                            cache::fingerprint(file.path.native(), reader),
                                            fingerprint_of(file.stamp)));
}

absl::StatusOr<PgnRecordStore::Summed> PgnRecordStore::open(const PgnFile& file,
                                                            const RecordsText& text) const {
  DatabaseOptions options = options_;
  if (text.is_cut) options.problem = "the file was cut: remarks.txt tells where";
  absl::StatusOr<std::shared_ptr<Database>> database =
      Database::open(files_of(file).index(), file.path.filename().string(), options);
  if (!database.ok()) return database.status();
  const absl::StatusOr<std::uint64_t> checksum =
      (*database)->files().checksum([this] { return is_over(); });
  if (!checksum.ok()) return checksum.status();
  return Summed{.database = *std::move(database), .checksum = *checksum};
}

absl::StatusOr<ReadDatabase> PgnRecordStore::load(const PgnFile& file) const {
  absl::StatusOr<RecordsText> text = files_of(file).load();
  if (!text.ok()) return text.status();
  absl::StatusOr<Summed> found = open(file, *text);
  if (found.ok() && found->checksum == text->database_checksum) {
    return ReadDatabase{.database = std::move(found->database),
                        .remarks = std::move(text->remarks)};
  }
  const absl::Status& status = found.status();
  if (absl::IsResourceExhausted(status) || absl::IsCancelled(status)) return status;
  return absl::DataLossError(damaged_records(files_of(file), file));
}

std::optional<ReadDatabase> PgnRecordStore::find(const PgnFile& file) const {
  if (folder().empty()) return std::nullopt;
  absl::StatusOr<ReadDatabase> found = load(file);
  if (found.ok()) return *std::move(found);
  if (absl::IsDataLoss(found.status())) log_warning(std::string(found.status().message()));
  return std::nullopt;
}

absl::StatusOr<ReadDatabase> PgnRecordStore::load_or_remove(const PgnFile& file) const {
  absl::StatusOr<ReadDatabase> made = load(file);
  if (!absl::IsNotFound(made.status()) && !absl::IsDataLoss(made.status())) return made;
  files_of(file).remove();
  return absl::NotFoundError("no records");
}

absl::StatusOr<ReadDatabase> PgnRecordStore::complete(const PgnFile& file, std::uint64_t games,
                                                      RecordsText text) const {
  const RecordFiles files = files_of(file);
  absl::StatusOr<Summed> made = open(file, text);
  absl::Status status = made.status();
  // Without a lock, on some servers, another process may have removed a part.
  if (status.ok() &&
      (made->database->games() != games || !made->database->files().is_consistent())) {
    status = absl::OutOfRangeError(
        fmt::format("another program has changed {}", files.index().string()));
  }
  if (status.ok()) {
    text.database_checksum = made->checksum;
    status = files.save(text);
  }
  if (!status.ok()) {
    files.remove();
    return status;
  }
  return ReadDatabase{.database = std::move(made->database), .remarks = std::move(text.remarks)};
}

absl::StatusOr<std::optional<EarlierGames>> PgnRecordStore::earlier_of(
    const PgnFile& file, const SourceFile& source, const std::vector<RecordFiles>& kept) const {
  for (const RecordFiles& other : kept) {
    if (!is_of_same_path(other, files_of(file))) continue;
    absl::StatusOr<RecordsText> text = other.load();
    if (!text.ok()) continue;
    const absl::StatusOr<bool> is_continued = continues(source, *text);
    if (!is_continued.ok()) return is_continued.status();
    if (!*is_continued) continue;
    absl::StatusOr<CopySource> games = CopySource::open(other.index());
    if (!games.ok()) continue;
    const absl::StatusOr<std::uint64_t> checksum =
        games->files().checksum([this] { return is_over(); });
    if (checksum.ok() && *checksum == text->database_checksum) {
      return EarlierGames{.games = *std::move(games), .text = *std::move(text)};
    }
    if (!absl::IsCancelled(checksum.status())) log_warning(damaged_records(other, file));
  }
  return std::nullopt;
}

std::uint64_t PgnRecordStore::room() const {
  if (most_bytes_ != 0) return most_bytes_;
  struct statvfs space {};
  if (::statvfs(folder().c_str(), &space) != 0) return kUsualRoom;
  return std::min(kUsualRoom, std::uint64_t{space.f_bavail} * space.f_frsize / 10);
}

void PgnRecordStore::make_room(const PgnFile& file, const std::vector<RecordFiles>& kept,
                               std::uint64_t room) const {
  struct Kept {
    stdfs::file_time_type time{};
    RecordFiles files;
    std::uint64_t bytes = 0;
  };
  const RecordFiles own = files_of(file);
  std::vector<Kept> others;
  std::uint64_t bytes = own.bytes();
  // A look at all files of a large folder takes longer than many files to read.
  const bool is_worth_a_look = (g_unseen_bytes += bytes) > room / kOverdraft;
  for (const RecordFiles& files : kept) {
    if (files.stem() == own.stem()) continue;
    if (is_of_same_path(files, own)) {
      files.remove();
      continue;
    }
    if (!is_worth_a_look) continue;
    std::error_code ignored;
    others.push_back({.time = stdfs::last_write_time(files.text(), ignored),
                      .files = files,
                      .bytes = files.bytes()});
    bytes += others.back().bytes;
  }
  if (!is_worth_a_look) return;
  g_unseen_bytes = 0;
  std::ranges::sort(others, {}, &Kept::time);
  for (const Kept& oldest : others) {
    if (bytes <= room) return;
    oldest.files.remove();
    bytes -= oldest.bytes;
  }
}

absl::StatusOr<FolderLock> PgnRecordStore::lock_folder(const WorkBudget& budget) const {
  while (true) {
    absl::StatusOr<FolderLock> lock = FolderLock::take(folder(), kPause);
    if (lock.ok()) return lock;
    if (!absl::IsUnavailable(lock.status())) return absl::OutOfRangeError(lock.status().message());
    if (budget.is_cancelled() || is_over()) return WorkBudget::cancelled();
  }
}

absl::StatusOr<ReadDatabase> PgnRecordStore::place(const PgnFile& file, NewDatabase& records,
                                                   RecordsText text,
                                                   const std::vector<RecordFiles>& kept,
                                                   std::uint64_t room,
                                                   const WorkBudget& budget) const {
  const absl::StatusOr<FolderLock> lock = lock_folder(budget);
  if (!lock.ok()) return lock.status();
  absl::StatusOr<ReadDatabase> made = load_or_remove(file);
  if (!absl::IsNotFound(made.status())) return made;
  if (absl::Status status = records.commit(std::nullopt); !status.ok()) return status;
  made = complete(file, records.games(), std::move(text));
  if (made.ok()) make_room(file, kept, room);
  return made;
}

absl::StatusOr<ReadDatabase> PgnRecordStore::make(const PgnFile& file, const WorkBudget& budget,
                                                  Progress progress) const {
  if (folder().empty()) return absl::OutOfRangeError("there is no cache folder for its games");
  if (absl::Status status = make_folders(folder()); !status.ok()) {
    return absl::OutOfRangeError(status.message());
  }
  absl::StatusOr<ReadDatabase> known = load(file);
  if (!absl::IsNotFound(known.status()) && !absl::IsDataLoss(known.status())) return known;
  const std::uint64_t room = this->room();
  if (file.stamp.size / kLeastPart > room) return no_room_for_records(room);
  absl::StatusOr<SourceFile> source = file.open([&budget] { return budget.is_cancelled(); });
  if (!source.ok()) return source.status();
  if (!source->stamp().has_same_bytes(file.stamp)) {
    return absl::FailedPreconditionError(fmt::format("{} has changed", file.path.string()));
  }
  const std::vector<RecordFiles> kept = records_in(folder());
  const absl::StatusOr<std::optional<EarlierGames>> earlier = earlier_of(file, *source, kept);
  if (!earlier.ok()) return earlier.status();
  static const FileMaker private_files(NewAccess::owner_only());
  absl::StatusOr<std::unique_ptr<NewDatabase>> records;
  {
    const absl::StatusOr<FolderLock> lock = lock_folder(budget);
    if (!lock.ok()) return lock.status();
    known = load_or_remove(file);
    if (!absl::IsNotFound(known.status())) return known;
    records = NewDatabase::create(files_of(file).index(), NewFile::Existing::Keep, private_files);
  }
  if (absl::IsResourceExhausted(records.status())) return records.status();
  if (!records.ok()) return absl::OutOfRangeError(records.status().message());
  absl::StatusOr<RecordsText> text =
      read_games(*std::move(source), options_.pgn.code_page,
                 earlier->has_value() ? &**earlier : nullptr, room, budget, progress, **records);
  if (!text.ok()) return text.status();
  return place(file, **records, *std::move(text), kept, room, budget);
}

void remove_abandoned_records(const stdfs::path& folder) {
  remove_abandoned(folder, &RecordFiles::has_ending);
}

}  // namespace scidfs::fs
