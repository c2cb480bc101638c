#include "fs/database.h"

#include <fmt/format.h>

#include <atomic>

#include "cache/sizes_file.h"
#include "fs/game_reader.h"
#include "fs/inode.h"

namespace scidfs::fs {
namespace {

// Counted up with every change of the text that games are shown as, so that sizes kept by an older
// program are not believed.
constexpr std::uint32_t kWriterVersion = 1;

// A size on record is below 2^31: a record of 128 KiB becomes a few megabytes at most.
constexpr std::uint32_t kDamagedBit = std::uint32_t{1} << 31;

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::uint64_t fingerprint_of(const FileStamp& stamp, std::uint64_t seed) {
  const std::array<std::uint64_t, 4> identity = {stamp.inode, stamp.size,
                                                 static_cast<std::uint64_t>(stamp.mtime_seconds),
                                                 stamp.mtime_nanoseconds};
  return cache::fingerprint(bytes_of(identity), seed);
}

std::uint64_t fingerprint_of(const codec::PgnOptions& pgn) {
  const std::array<std::uint32_t, 5> identity = {kWriterVersion, pgn.comments, pgn.variations,
                                                 pgn.nags, pgn.width};
  return cache::fingerprint(bytes_of(identity));
}

bool is_later(const FileStamp& a, const FileStamp& b) {
  return std::tie(a.mtime_seconds, a.mtime_nanoseconds) >
         std::tie(b.mtime_seconds, b.mtime_nanoseconds);
}

}  // namespace

Database::~Database() = default;

absl::StatusOr<std::shared_ptr<Database>> Database::open(const std::filesystem::path& index_path,
                                                         std::string name, std::uint16_t slot,
                                                         const Options& options) {
  std::shared_ptr<Database> database(new Database);
  database->name_ = std::move(name);
  database->slot_ = slot;
  database->options_ = options;
  if (absl::Status status = database->load(index_path); !status.ok()) return status;
  return database;
}

absl::Status Database::load(const std::filesystem::path& index_path) {
  const auto cannot_open = [&index_path](const absl::Status& status) {
    return absl::Status(status.code(), fmt::format("Cannot open {}: {}", index_path.string(),
                                                   std::string(status.message())));
  };
  absl::StatusOr<IndexFile> index = IndexFile::open(index_path, options_.link_boundary);
  if (!index.ok()) return cannot_open(index.status());
  index_file_ = *std::move(index);
  if (!index_file_.problem().empty()) problems_.push_back(index_file_.problem());
  newest_ = index_file_.stamp();
  fingerprint_ = fingerprint_of(index_file_.stamp(), fingerprint_of(options_.pgn));
  source_bytes_ = index_file_.stamp().size;
  std::filesystem::path stem = index_path;
  load_games_and_names(stem.replace_extension());
  if (absl::Status status = load_entries(); !status.ok()) return cannot_open(status);
  epoch_ = static_cast<std::uint16_t>(1 + (fingerprint_ + options_.show_deleted) % kMaxEpoch);
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
  for (const Seen& seen : segments) {
    for (const GameIndex game : seen.deleted) deleted_.add(game);
    shown_flags_ |= seen.shown_flags;
    for (const codec::Date date : {seen.dates.first, seen.dates.last}) shown_dates_.add(date);
  }
  return absl::OkStatus();
}

void Database::load_games_and_names(const std::filesystem::path& stem) {
  const auto beside = [&stem](const char* extension) {
    std::filesystem::path path = stem;
    return path.replace_extension(extension);
  };
  const auto note = [this](const FileStamp& stamp) {
    if (is_later(stamp, newest_)) newest_ = stamp;
    fingerprint_ = fingerprint_of(stamp, fingerprint_);
    source_bytes_ += stamp.size;
  };
  const auto problem = [this](const absl::Status& status) {
    problems_.emplace_back(std::string(status.message()));
  };

  absl::StatusOr<SourceFile> games = SourceFile::open(beside(".sg4"), options_.link_boundary);
  if (games.ok()) {
    game_file_ = *std::move(games);
  } else {
    problem(games.status());
  }
  note(game_file_.stamp());

  SourceFile name_file;
  if (absl::StatusOr<SourceFile> opened = SourceFile::open(beside(".sn4"), options_.link_boundary);
      opened.ok()) {
    name_file = *std::move(opened);
    if (const auto bytes = name_file.read_all(); bytes.ok()) {
      names_ = codec::scid::parse_names(*bytes);
      if (!names_.status.ok()) {
        problems_.push_back(fmt::format("{}: {}", beside(".sn4").filename().string(),
                                        std::string(names_.status.message())));
      }
    } else {
      problem(bytes.status());
    }
  } else {
    problem(opened.status());
  }
  note(name_file.stamp());
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

void Database::adopt_sizes(std::vector<std::uint32_t> sizes) {
  if (sizes.size() == games()) sizes_ = std::make_unique<cache::SizeTable>(std::move(sizes));
}

absl::Status Database::compute_sizes(GameIndex first, GameIndex last) const {
  const ReaderPtr reader = borrow_reader();
  for (GameIndex game = first; game < last; ++game) {
    if (sizes_->get(game) != 0) continue;
    reader->expect(last - game);
    if (absl::Status status = reader->measure(game); !status.ok()) return status;
  }
  return absl::OkStatus();
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
  owned->expect(1);
  cache::MutexLock lock(database->readers_mutex_);
  if (database->readers_.size() < kMaxIdleReaders) database->readers_.push_back(std::move(owned));
}

}  // namespace scidfs::fs
