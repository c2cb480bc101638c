#include "fs/pgn/pgn_records.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/aside.h"
#include "fs/file/cache_folder.h"
#include "fs/file/file_maker.h"
#include "fs/file/fingerprint.h"
#include "fs/file/folder.h"
#include "fs/file/new_file.h"
#include "fs/file/source_file.h"
#include "fs/import/copy_games.h"
#include "fs/import/new_database.h"
#include "fs/pgn/read_games.h"
#include "fs/pgn/record_files.h"

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

// The records of one state of a PGN file: those that are there, or the names for new ones.
class PgnRecordStore::Entry {
 public:
  Entry(const PgnRecordStore& store, const PgnFile& file) : store_(store), file_(file) {
    const std::uint64_t reader = kReaderVersion << 16U | store.options_.pgn.code_page.number();
    const std::uint64_t path = cache::fingerprint(file.path.native(), reader);
    for (std::uint32_t i = 0; i < kNames; ++i) {
      const RecordName name{.path = path, .state = fingerprint_of(file.stamp, i)};
      places_.push_back({.name = name, .files = store.folder_->files(name)});
    }
  }

  // Returns whether the folder has records of any state of the file.
  bool is_known() const { return store_.folder_->has(places_.front().name.path); }

  // Returns the records. Errors: NotFound if there are none; DataLoss if they are not as they were
  // made, or cannot be read; ResourceExhausted and Cancelled, which say nothing about them.
  absl::StatusOr<ReadDatabase> load() const {
    absl::StatusOr<ReadDatabase> found = absl::NotFoundError("no records");
    for (const Place& place : places_) {
      found = load(place.files);
      if (!absl::IsNotFound(found.status()) || place.files.are_free()) break;
    }
    return found;
  }
  // Returns whether load() has found that the records are to be made.
  static bool are_missing(const absl::Status& status) {
    return absl::IsNotFound(status) || absl::IsDataLoss(status);
  }

  // Returns whether a file begins with this state; if there are no records of it, nothing.
  std::optional<bool> begins(const PgnFile& file) const {
    for (const Place& place : places_) {
      const absl::StatusOr<RecordsText> text = place.files.load();
      if (!text.ok()) continue;
      const absl::StatusOr<SourceFile> source = file.open([this] { return store_.is_cancelled(); });
      return source.ok() && begins_with(*source, text->front).value_or(false);
    }
    return std::nullopt;
  }

  // The same as PgnRecordStore::make(), if the folder may be used.
  absl::StatusOr<ReadDatabase> make(const WorkBudget& budget, Progress progress) const {
    absl::StatusOr<ReadDatabase> known = load();
    if (!are_missing(known.status())) return known;
    const std::uint64_t room = store_.folder_->room();
    if (file_.stamp.size / kLeastPart > room) return no_room_for_records(room);
    ReadOptions how{.page = store_.options_.pgn.code_page, .room = room};
    bool uses_earlier = true;
    while (true) {
      absl::StatusOr<ReadDatabase> made = read(how, uses_earlier, budget, progress);
      const bool is_changed = absl::IsFailedPrecondition(made.status());
      if (absl::IsUnavailable(made.status()) && uses_earlier) {
        uses_earlier = false;
      } else if (is_changed && !how.may_grow && stamp_of(file_.path).may_continue(file_.stamp)) {
        how.may_grow = true;
      } else {
        return made;
      }
    }
  }

 private:
  struct Place {
    RecordName name;
    RecordFiles files;
  };
  // Opens the database, and finds its checksum as it is now. Errors: those of Database::open() and
  // DatabaseFiles::checksum().
  absl::StatusOr<ReadDatabase> open(const RecordFiles& files, const RecordsText& text,
                                    std::uint64_t& checksum) const {
    DatabaseOptions options = store_.options_;
    if (text.is_cut) options.problem = "the file was cut: remarks.txt tells where";
    ASSIGN_OR_RETURN(std::shared_ptr<Database> database,
                     Database::open(files.index(), file_.path.filename().string(), options));
    ASSIGN_OR_RETURN(checksum,
                     database->files().checksum([this] { return store_.is_cancelled(); }));
    return ReadDatabase{
        .database = std::move(database), .remarks = text.remarks, .front = text.front};
  }

  absl::StatusOr<ReadDatabase> load(const RecordFiles& files) const {
    ASSIGN_OR_RETURN(const RecordsText text, files.load());
    std::uint64_t checksum = 0;
    absl::StatusOr<ReadDatabase> found = open(files, text, checksum);
    const bool is_whole = found.ok() && checksum == text.database_checksum;
    const absl::Status& status = found.status();
    if (is_whole || absl::IsResourceExhausted(status) || absl::IsCancelled(status)) return found;
    return absl::DataLossError(damaged_records(files, file_));
  }

  // Removes what there is of missing records. Returns the place for new ones: the first whose names
  // do not belong to the user. Errors: OutOfRange if all do. REQUIRES: the folder is locked, if it
  // can be.
  absl::StatusOr<const Place*> clear() const {
    for (const Place& place : places_) {
      RETURN_IF_ERROR(place.files.remove());
      if (place.files.are_free()) return &place;
    }
    return absl::OutOfRangeError(
        fmt::format("other files have the names {}.* that its games need in the cache folder",
                    places_.front().files.stem().string()));
  }

  absl::StatusOr<std::optional<FolderLock>> lock_folder(const WorkBudget& budget) const {
    return store_.folder_->lock([&] { return budget.is_cancelled() || store_.is_cancelled(); });
  }
  // Reads the file once. Errors: those of make(), also if it has grown, unless it may; Unavailable
  // if the earlier records that it uses were changed meanwhile.
  absl::StatusOr<ReadDatabase> read(const ReadOptions& how, bool uses_earlier,
                                    const WorkBudget& budget, Progress progress) const {
    ASSIGN_OR_RETURN(SourceFile source, file_.open([&budget] { return budget.is_cancelled(); }));
    if (!source.stamp().has_same_bytes(file_.stamp)) {
      if (!how.may_grow || !source.stamp().may_continue(file_.stamp))
        return has_changed(file_.path);
      source.cut_to(file_.stamp);
    }
    std::optional<EarlierGames> before;
    if (uses_earlier) {
      ASSIGN_OR_RETURN(before, earlier(source));
    }
    static const FileMaker kPrivateFiles(NewAccess::owner_only());
    const Place* place = nullptr;
    absl::StatusOr<std::unique_ptr<NewDatabase>> records;
    {
      ASSIGN_OR_RETURN(const std::optional<FolderLock> lock, lock_folder(budget));
      absl::StatusOr<ReadDatabase> known = load();
      if (!are_missing(known.status())) return known;
      ASSIGN_OR_RETURN(place, clear());
      records = NewDatabase::create(place->files.index(), NewFile::Existing::Keep, kPrivateFiles);
    }
    if (absl::IsResourceExhausted(records.status())) return records.status();
    if (!records.ok()) return absl::OutOfRangeError(records.status().message());
    ASSIGN_OR_RETURN(RecordsText text,
                     read_games(std::move(source), before.has_value() ? &*before : nullptr, how,
                                budget, progress, **records));
    return publish(*place, **records, std::move(text), how.room, budget);
  }

  // Returns the records of an earlier state that is the beginning of this one, unless they are
  // damaged. Errors: those of reading the file.
  absl::StatusOr<std::optional<EarlierGames>> earlier(const SourceFile& source) const {
    for (const RecordFiles& other : store_.folder_->of_path(places_.front().name.path)) {
      absl::StatusOr<RecordsText> text = other.load();
      if (!text.ok()) continue;
      ASSIGN_OR_RETURN(const bool is_continued, continues(source, *text));
      if (!is_continued) continue;
      absl::StatusOr<CopySource> games = CopySource::open(other.index());
      if (!games.ok()) continue;
      const absl::StatusOr<std::uint64_t> checksum =
          games->files().checksum([this] { return store_.is_cancelled(); });
      if (checksum.ok() && *checksum == text->database_checksum) {
        return EarlierGames{.games = *std::move(games), .text = *std::move(text)};
      }
      if (!absl::IsCancelled(checksum.status())) log_warning(damaged_records(other, file_));
    }
    return std::nullopt;
  }

  // Puts new records into their place, unless another process has made them meanwhile, and opens
  // them.
  absl::StatusOr<ReadDatabase> publish(const Place& place, NewDatabase& records, RecordsText text,
                                       std::uint64_t room, const WorkBudget& budget) const {
    ASSIGN_OR_RETURN(const std::optional<FolderLock> lock, lock_folder(budget));
    absl::StatusOr<ReadDatabase> made = load();
    if (!are_missing(made.status())) return made;
    RETURN_IF_ERROR(clear().status());
    RETURN_IF_ERROR(place.files.claim());
    made = complete(place.files, records, std::move(text));
    if (made.ok()) {
      store_.folder_->add(place.name, room);
    } else {
      place.files.remove().IgnoreError();
    }
    return made;
  }

  absl::StatusOr<ReadDatabase> complete(const RecordFiles& files, NewDatabase& records,
                                        RecordsText text) const {
    RETURN_IF_ERROR(records.commit(std::nullopt));
    ASSIGN_OR_RETURN(ReadDatabase made, open(files, text, text.database_checksum));
    // Without a lock another process may have removed a part.
    if (made.database->games() != records.games() || !made.database->files().is_consistent()) {
      return absl::FailedPreconditionError(
          fmt::format("another program has changed {}", files.index().string()));
    }
    RETURN_IF_ERROR(files.save(text));
    return made;
  }

  const PgnRecordStore& store_;
  const PgnFile& file_;
  std::vector<Place> places_;
};

PgnRecordStore::PgnRecordStore(DatabaseOptions options, std::shared_ptr<RecordFolder> folder)
    : options_(as_records(std::move(options))), folder_(std::move(folder)) {}

std::optional<ReadDatabase> PgnRecordStore::find(const PgnFile& file) const {
  if (folder_->path().empty()) return std::nullopt;
  const Entry entry(*this, file);
  if (!entry.is_known()) return std::nullopt;
  absl::StatusOr<ReadDatabase> found = entry.load();
  if (found.ok()) return *std::move(found);
  if (absl::IsDataLoss(found.status())) log_warning(std::string(found.status().message()));
  return std::nullopt;
}

bool PgnRecordStore::may_continue(const PgnFile& file, const PgnFile& before) const {
  if (file.stamp.size <= before.stamp.size) return false;
  if (before.stamp.size == 0 || folder_->path().empty()) return true;
  return Entry(*this, before).begins(file).value_or(true);
}

absl::StatusOr<ReadDatabase> PgnRecordStore::make(const PgnFile& file, const WorkBudget& budget,
                                                  Progress progress) const {
  RETURN_IF_ERROR(folder_->prepare());
  return Entry(*this, file).make(budget, progress);
}

void remove_abandoned_records(const stdfs::path& folder) {
  if (open_cache_folder(folder).ok()) remove_abandoned(folder, &RecordFiles::has_form);
}

}  // namespace scidfs::fs
