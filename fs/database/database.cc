#include "fs/database/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>

#include "cache/sizes_file.h"
#include "fs/base/inode.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {
namespace {

// A size on record is below 2^31: a record of 128 KiB becomes a few megabytes at most.
constexpr std::uint32_t kDamagedBit = std::uint32_t{1} << 31;

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

bool is_later(std::int64_t seconds, std::uint32_t nanoseconds, const Database& database) {
  return std::pair(seconds, nanoseconds) >
         std::pair(database.mtime_seconds(), database.mtime_nanoseconds());
}

std::filesystem::path beside(std::filesystem::path index_path, std::string_view suffix) {
  return index_path.replace_extension(suffix);
}

}  // namespace

Database::~Database() = default;

absl::StatusOr<std::shared_ptr<Database>> Database::open(const std::filesystem::path& index_path,
                                                         std::string name, std::uint16_t slot,
                                                         const Options& options,
                                                         std::span<const UsedEpoch> used) {
  std::shared_ptr<Database> database(new Database);
  database->name_ = std::move(name);
  database->index_path_ = index_path;
  database->slot_ = slot;
  database->options_ = options;
  database->opened_ = std::time(nullptr);
  if (absl::Status status = database->load(index_path, used); !status.ok()) return status;
  return database;
}

DatabaseStamps Database::stamps_on_disk(const std::filesystem::path& index_path) {
  const codec::scid::Format* const format =
      codec::scid::format_of_index(index_path.extension().string());
  if (format == nullptr) return {};
  return {.index = stamp_of(index_path),
          .games = stamp_of(beside(index_path, format->games_suffix)),
          .names = stamp_of(beside(index_path, format->names_suffix))};
}

absl::Status Database::load(const std::filesystem::path& index_path,
                            std::span<const UsedEpoch> used) {
  absl::StatusOr<IndexFile> index = IndexFile::open(index_path, options_.origin);
  if (!index.ok()) return index.status();
  index_file_ = *std::move(index);
  stamps_.index = index_file_.stamp();
  if (!index_file_.problem().empty()) problems_.push_back(index_file_.problem());
  is_consistent_ = problems_.empty();
  if (absl::Status status = load_games_and_names(index_path); !status.ok()) return status;
  if (absl::Status status = load_entries(); !status.ok()) {
    return absl::Status(status.code(), fmt::format("Cannot open {}: {}", index_path.string(),
                                                   std::string(status.message())));
  }

  fingerprint_ = fingerprint_of(options_.pgn);
  for (const std::uint64_t checksum : {index_file_.checksum(), names_checksum_}) {
    fingerprint_ = cache::fingerprint(bytes_of(checksum), fingerprint_);
  }
  for (const FileStamp* const stamp : {&stamps_.index, &stamps_.games, &stamps_.names}) {
    fingerprint_ = fingerprint_of(*stamp, fingerprint_);
    source_bytes_ += stamp->size;
    if (is_later(stamp->mtime_seconds, stamp->mtime_nanoseconds, *this)) {
      mtime_seconds_ = stamp->mtime_seconds;
      mtime_nanoseconds_ = stamp->mtime_nanoseconds;
    }
  }
  epoch_ = choose_epoch(fingerprint_, used, options_.show_deleted ? 1 : 0);
  sizes_ = std::make_unique<cache::SizeTable>(games());
  return absl::OkStatus();
}

absl::Status Database::load_entries() {
  index_lines_.emplace(names_);
  for (auto& bytes : index_line_bytes_) bytes.resize(index_file_.blocks());
  is_shown_player_.resize(names_[codec::scid::NameKind::Player].size());
  const auto show_player = [this](std::uint32_t id) {
    if (id >= is_shown_player_.size()) return;
    std::atomic_ref(is_shown_player_[id]).store(1, std::memory_order_relaxed);
  };
  // One for each segment of the index, since each of these is seen by one thread.
  struct Seen {
    std::vector<GameIndex> deleted;
    std::uint32_t shown_flags = 0;
    DateRange dates;
    bool is_complete = true;  // all names and records are there
    std::uint64_t records_end = 0;
    std::uint64_t record_bytes = 0;
  };
  std::vector<Seen> segments(games() / PackedIndex::kSegment + 1);
  absl::StatusOr<PackedIndex> index = index_file_.load(0, [&](const IndexBlock& games) {
    Seen& seen = segments[games.first / PackedIndex::kSegment];
    std::array<std::uint32_t, kParts> bytes{};
    for (std::size_t i = 0; i < games.entries.size(); ++i) {
      const codec::scid::IndexEntry& entry = games.entries[i];
      const auto game = static_cast<GameIndex>(games.first + i);
      for (const Part part : {Part::Shown, Part::Deleted}) {
        if (!holds(part, entry.flags)) continue;
        bytes[static_cast<std::size_t>(part)] +=
            static_cast<std::uint32_t>(index_lines_->length(game, entry, directory_of(part)));
      }
      if (!has_all_of(entry)) seen.is_complete = false;
      seen.records_end = std::max(seen.records_end, entry.offset + entry.length);
      seen.record_bytes += entry.length;
      if (holds(Part::Deleted, entry.flags)) seen.deleted.push_back(game);
      if (!holds(Part::Shown, entry.flags)) continue;
      seen.shown_flags |= entry.flags;
      seen.dates.add(entry.date);
      show_player(entry.white);
      show_player(entry.black);
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      index_line_bytes_[part][games.first / IndexFile::kBlock] = bytes[part];
    }
  });
  if (!index.ok()) return index.status();
  index_ = *std::move(index);
  std::uint64_t records_end = 0;
  std::uint64_t record_bytes = 0;
  for (const Seen& seen : segments) {
    records_end = std::max(records_end, seen.records_end);
    record_bytes += seen.record_bytes;
    for (const GameIndex game : seen.deleted) deleted_.add(game);
    shown_flags_ |= seen.shown_flags;
    if (!seen.is_complete) is_consistent_ = false;
    for (const codec::Date date : {seen.dates.first, seen.dates.last}) shown_dates_.add(date);
  }
  if (records_end != game_file_.size()) is_consistent_ = false;
  game_file_.expect_records(records_end, record_bytes);
  return absl::OkStatus();
}

bool Database::has_all_of(const codec::scid::GameEntry& entry) const {
  using codec::scid::NameKind;
  return entry.white < names_[NameKind::Player].size() &&
         entry.black < names_[NameKind::Player].size() &&
         entry.event < names_[NameKind::Event].size() &&
         entry.site < names_[NameKind::Site].size() &&
         entry.round < names_[NameKind::Round].size() &&
         entry.offset + entry.length <= game_file_.size();
}

absl::Status Database::load_games_and_names(const std::filesystem::path& index_path) {
  const auto problem = [this](const absl::Status& status) {
    problems_.emplace_back(std::string(status.message()));
    is_consistent_ = false;
  };
  // Nothing is wrong with a file that this user may not read: to show half a database would
  // mislead.
  absl::StatusOr<GameFile> games =
      GameFile::open(beside(index_path, format().games_suffix), options_.origin);
  if (games.ok()) {
    game_file_ = *std::move(games);
    stamps_.games = game_file_.stamp();
  } else if (absl::IsPermissionDenied(games.status())) {
    return games.status();
  } else {
    problem(games.status());
  }

  const std::filesystem::path path = beside(index_path, format().names_suffix);
  const absl::StatusOr<SourceFile> name_file = SourceFile::open(path, options_.origin);
  if (absl::IsPermissionDenied(name_file.status())) return name_file.status();
  if (!name_file.ok()) {
    problem(name_file.status());
    return absl::OkStatus();
  }
  stamps_.names = name_file->stamp();
  auto bytes = name_file->read_front(codec::scid::kNamesHeaderSize);
  // A length that nothing stands behind costs nothing on disk: it must not cost memory.
  if (bytes.ok()) bytes = name_file->read_front(format().max_name_file_size(*bytes));
  if (!bytes.ok()) {
    problem(bytes.status());
    return absl::OkStatus();
  }
  names_checksum_ =
      cache::fingerprint({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  names_ = format().parse_names(*bytes);
  if (!names_.status.ok()) {
    problem(absl::DataLossError(
        fmt::format("{}: {}", path.filename().string(), std::string(names_.status.message()))));
  }
  if (bytes->size() == codec::scid::kMaxNameFileSize && name_file->size() > bytes->size()) {
    problem(absl::DataLossError(fmt::format("{}: nothing behind byte {} is read",
                                            path.filename().string(), bytes->size())));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> Database::text_size(GameIndex game) const {
  const std::uint32_t size = sizes_->get(game);
  return size != 0 ? absl::StatusOr<std::uint32_t>(size & ~kDamagedBit)
                   : text_size(game, *borrow_reader());
}

absl::StatusOr<std::uint32_t> Database::text_size(GameIndex game, GameReader& reader) const {
  if (sizes_->get(game) == 0) {
    if (absl::Status status = reader.measure(game); !status.ok()) return status;
  }
  return sizes_->get(game) & ~kDamagedBit;
}

bool Database::is_damaged(GameIndex game) const { return (sizes_->get(game) & kDamagedBit) != 0; }

std::vector<std::uint32_t> Database::copy_kept() const {
  std::vector<std::uint32_t> kept = sizes_->copy();
  for (const std::uint64_t sum : game_file_.copy_sums()) {
    kept.push_back(static_cast<std::uint32_t>(sum));
    kept.push_back(static_cast<std::uint32_t>(sum >> 32));
  }
  return kept;
}

void Database::adopt_kept(std::vector<std::uint32_t> kept) {
  std::vector<std::uint64_t> sums(game_file_.summed_chunks());
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
    const std::size_t at = games() + 2 * chunk;
    sums[chunk] = kept[at] | std::uint64_t{kept[at + 1]} << 32;
  }
  game_file_.adopt_sums(std::move(sums));
  kept.resize(games());
  sizes_ = std::make_unique<cache::SizeTable>(std::move(kept));
}

absl::Status Database::compute_sizes(GameIndex first, GameIndex last) const {
  const ReaderPtr reader = borrow_reader();
  absl::Status result;
  for (GameIndex game = first; game < last; ++game) {
    if (sizes_->get(game) != 0) continue;
    reader->expect(last - game);
    absl::Status status = reader->measure(game);
    // One game that cannot be read does not keep the others waiting.
    if (result.ok()) result = std::move(status);
  }
  return result;
}

absl::Status Database::record_size(GameIndex game, std::size_t size, bool damaged) const {
  const auto value = static_cast<std::uint32_t>(size) | (damaged ? kDamagedBit : 0);
  if (sizes_->set(game, value)) return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("{}: game {} has {} bytes of text where {} are on record: the file has changed",
                  name_, game + 1, size, sizes_->get(game) & ~kDamagedBit));
}

Database::ReaderPtr Database::borrow_reader() const {
  {
    cache::MutexLock lock(readers_mutex_);
    if (!readers_.empty()) {
      ReaderPtr reader(readers_.back().release(), ReturnReader{this});
      readers_.pop_back();
      return reader;
    }
  }
  return {new GameReader(*this), ReturnReader{this}};
}

void Database::ReturnReader::operator()(GameReader* reader) const {
  constexpr std::size_t kMaxIdleReaders = 16;
  std::unique_ptr<GameReader> owned(reader);
  owned->rest();
  cache::MutexLock lock(database->readers_mutex_);
  if (database->readers_.size() < kMaxIdleReaders) database->readers_.push_back(std::move(owned));
}

}  // namespace scidfs::fs
