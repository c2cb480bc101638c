#include "fs/pgn/pgn_records.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <system_error>
#include <utility>

#include "cache/hash.h"
#include "codec/ending.h"
#include "codec/number.h"
#include "fs/base/log.h"
#include "fs/file/cache_file.h"
#include "fs/file/fingerprint.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/new_file.h"
#include "fs/import/new_database.h"
#include "fs/import/pgn_games.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Increases with every change of what is read from a PGN file.
constexpr std::uint32_t kReaderVersion = 1;

// The files of a database, and the text beside them, which comes last.
constexpr std::array<std::string_view, 3> kDatabaseFiles = {".si5", ".sn5", ".sg5"};
constexpr std::string_view kRemarks = ".remarks";
// Two fingerprints and what is between them.
constexpr std::size_t kStemLength = 33;

constexpr std::uint64_t kUsualRoom = std::uint64_t{2} << 30;
// Moves and tags take about a quarter of their text; less than this only if most of it is nothing
// that a database keeps.
constexpr std::uint64_t kLeastShare = 12;

constexpr std::size_t kMostRemarks = std::size_t{1} << 20;  // bytes

std::uint64_t size_of_file(const stdfs::path& path) { return stamp_of(path).size; }

// Returns the first line of the remarks of these records.
std::string lengths_of(const stdfs::path& stem) {
  std::string line = "scidfs";
  for (const std::string_view ending : kDatabaseFiles) {
    line += fmt::format(" {}", size_of_file(stdfs::path(stem).concat(ending)));
  }
  return line + "\n";
}

void remove_records(const stdfs::path& stem) {
  std::error_code ignored;
  stdfs::remove(stdfs::path(stem).concat(kRemarks), ignored);
  for (const std::string_view ending : kDatabaseFiles) {
    stdfs::remove(stdfs::path(stem).concat(ending), ignored);
  }
}

// Collects remarks, a line each, up to a limit.
class Remarks {
 public:
  void add(std::string_view remark) {
    if (text_.size() + remark.size() < kMostRemarks) {
      text_.append(remark).append("\n");
    } else {
      ++more_;
    }
  }
  std::string take() {
    if (more_ > 0) text_ += fmt::format("and {} more remarks\n", more_);
    return std::move(text_);
  }

 private:
  std::string text_;
  std::uint64_t more_ = 0;
};

absl::Status no_room(std::uint64_t room) {
  return absl::OutOfRangeError(
      fmt::format("its games need more than the {} MiB that the cache folder may use for PGN files",
                  room >> 20U));
}

// Imports a file as long as its records take at most `room` bytes.
absl::Status import_into(NewDatabase& records, const PgnFile& file, const FileOrigin& origin,
                         std::uint64_t room, const WorkBudget& budget, Progress progress,
                         Remarks& remarks) {
  absl::StatusOr<SourceFile> source = SourceFile::open(file.path, origin);
  if (!source.ok()) return source.status();
  if (!source->stamp().has_same_bytes(file.stamp)) {
    return absl::FailedPreconditionError(fmt::format("{} has changed", file.path.string()));
  }
  std::atomic<bool> is_full = false;
  std::uint64_t done = 0;
  const absl::StatusOr<PgnImported> imported =
      PgnSource(*std::move(source))
          .import(
              records,
              {.threads = budget.threads(),
               .page = file.page,
               .is_cancelled = [&] { return is_full || budget.is_cancelled(); }},
              [&](std::uint64_t bytes) {
                progress(done += bytes, file.stamp.size);
                is_full = records.bytes() > room;
              },
              [&](std::string_view remark) { remarks.add(remark); });
  return is_full ? no_room(room) : imported.status();
}

}  // namespace

std::string PgnRecordStore::family_of(const PgnFile& file) const {
  return fmt::format("{:016x}-", cache::fingerprint(file.path.native()));
}

std::string PgnRecordStore::stem_of(const PgnFile& file) const {
  const std::uint64_t reader = kReaderVersion << 8U | static_cast<unsigned>(file.page);
  return fmt::format("{}{:016x}", family_of(file), fingerprint_of(file.stamp, reader));
}

std::optional<PgnRecords> PgnRecordStore::find(const PgnFile& file) const {
  if (folder_.empty()) return std::nullopt;
  const stdfs::path stem = folder_ / stem_of(file);
  const stdfs::path path = stdfs::path(stem).concat(kRemarks);
  const absl::StatusOr<Descriptor> opened = open_cache_file(path);
  if (!opened.ok()) return std::nullopt;
  std::string text(kMostRemarks + kMostRemarks / 2, '\0');
  const absl::StatusOr<std::size_t> length =
      read_up_to(opened->get(), 0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()},
                 path.native());
  if (!length.ok()) return std::nullopt;
  text.resize(*length);
  const std::string lengths = lengths_of(stem);
  if (!text.starts_with(lengths)) return std::nullopt;
  text.erase(0, lengths.size());
  return PgnRecords{.index = stdfs::path(stem).concat(kDatabaseFiles[0]),
                    .remarks = std::move(text)};
}

std::uint64_t PgnRecordStore::room() const {
  if (most_bytes_ != 0) return most_bytes_;
  struct statvfs space {};
  if (::statvfs(folder_.c_str(), &space) != 0) return kUsualRoom;
  return std::min(kUsualRoom, space.f_bavail * space.f_frsize / 10);
}

void PgnRecordStore::make_room(const PgnFile& file, std::uint64_t room) const {
  struct Kept {
    stdfs::file_time_type time{};
    stdfs::path stem;
    std::uint64_t bytes = 0;
  };
  std::vector<Kept> all;
  std::uint64_t bytes = 0;
  const std::string own = stem_of(file);
  const std::string family = family_of(file);
  std::error_code error;
  for (const auto& entry : stdfs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() != kStemLength + kRemarks.size() || !name.ends_with(kRemarks)) continue;
    Kept kept{.stem = folder_ / name.substr(0, kStemLength)};
    kept.time = entry.last_write_time(error);
    for (const std::string_view ending : kDatabaseFiles) {
      kept.bytes += size_of_file(stdfs::path(kept.stem).concat(ending));
    }
    if (name.starts_with(family) && !name.starts_with(own)) {
      remove_records(kept.stem);
    } else {
      bytes += kept.bytes;
      if (!name.starts_with(own)) all.push_back(std::move(kept));
    }
  }
  std::ranges::sort(all, {}, &Kept::time);
  for (const Kept& oldest : all) {
    if (bytes <= room) return;
    remove_records(oldest.stem);
    bytes -= oldest.bytes;
  }
}

absl::Status PgnRecordStore::write_remarks(const PgnFile& file, std::string_view remarks) const {
  const stdfs::path stem = folder_ / stem_of(file);
  absl::StatusOr<std::unique_ptr<NewFile>> text =
      NewFile::create(stdfs::path(stem).concat(kRemarks), NewFile::Access::OwnerOnly);
  if (!text.ok()) return text.status();
  absl::Status status = (*text)->append(lengths_of(stem));
  if (status.ok()) status = (*text)->append(remarks);
  if (status.ok()) status = (*text)->sync();
  if (status.ok()) status = (*text)->put_in_place(NewFile::Existing::Replace);
  return status;
}

absl::StatusOr<PgnRecords> PgnRecordStore::make(const PgnFile& file, const FileOrigin& origin,
                                                const WorkBudget& budget,
                                                Progress progress) const {
  if (folder_.empty()) return absl::OutOfRangeError("there is no cache folder for its games");
  if (absl::Status status = make_folders(folder_); !status.ok()) return status;
  const std::uint64_t room = this->room();
  if (file.stamp.size / kLeastShare > room) return no_room(room);
  const stdfs::path stem = folder_ / stem_of(file);
  remove_records(stem);
  absl::StatusOr<std::unique_ptr<NewDatabase>> records = NewDatabase::create(
      stdfs::path(stem).concat(kDatabaseFiles[0]), NewFile::Access::OwnerOnly);
  if (!records.ok()) return records.status();
  Remarks remarks;
  absl::Status status = import_into(**records, file, origin, room, budget, progress, remarks);
  if (status.ok()) status = (*records)->commit(std::nullopt);
  std::string text = remarks.take();
  if (status.ok()) status = write_remarks(file, text);
  if (!status.ok()) return status;
  make_room(file, room);
  return PgnRecords{.index = stdfs::path(stem).concat(kDatabaseFiles[0]),
                    .remarks = std::move(text)};
}

void remove_abandoned_records(const stdfs::path& folder) {
  remove_abandoned(folder, [](std::string_view name) {
    return name.ends_with(kRemarks) ||
           std::ranges::any_of(kDatabaseFiles,
                               [name](std::string_view ending) { return name.ends_with(ending); });
  });
}

}  // namespace scidfs::fs
