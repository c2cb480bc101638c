#include "fs/database.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "cache/sizes_file.h"
#include "fs/filename.h"
#include "fs/game_reader.h"
#include "fs/group_names.h"
#include "fs/inode.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using codec::scid::NameKind;

// Counted up with every change of the text that games are shown as, so that sizes kept by an older
// program are not believed.
constexpr std::uint32_t kWriterVersion = 1;

// A size on record is below 2^31: a record of 128 KiB becomes a few megabytes at most.
constexpr std::uint32_t kDamagedBit = std::uint32_t{1} << 31;

constexpr std::uint32_t kMonthsPerYear = 16;  // as many as the date field can say
constexpr std::uint32_t kYears = 2048;

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

std::uint16_t event_year(const IndexEntry& entry) {
  return entry.event_date.year != 0 ? entry.event_date.year : entry.date.year;
}

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
  const absl::StatusOr<SourceFile> index = SourceFile::open(index_path);
  if (!index.ok()) return index.status();
  if (absl::Status status = load_index(*index); !status.ok()) {
    return absl::Status(status.code(), fmt::format("Cannot open {}: {}", index_path.string(),
                                                   std::string(status.message())));
  }
  newest_ = index->stamp();
  fingerprint_ = fingerprint_of(index->stamp(), fingerprint_of(options_.pgn));
  source_bytes_ = index->size();
  std::filesystem::path stem = index_path;
  load_games_and_names(stem.replace_extension());
  epoch_ = static_cast<std::uint16_t>(1 + (fingerprint_ + options_.show_deleted) % kMaxEpoch);
  sizes_ = std::make_unique<cache::SizeTable>(games_);
  return absl::OkStatus();
}

absl::Status Database::load_index(const SourceFile& file) {
  absl::StatusOr<std::vector<std::uint8_t>> bytes = file.read_all();
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<codec::scid::IndexHeader> header = codec::scid::parse_index_header(*bytes);
  if (!header.ok()) return header.status();
  header_ = *std::move(header);
  const std::size_t room = (bytes->size() - kIndexHeaderSize) / kIndexEntrySize;
  games_ = static_cast<GameIndex>(std::min<std::size_t>(header_.games, room));
  const std::size_t used = kIndexHeaderSize + std::size_t{games_} * kIndexEntrySize;
  if (games_ < header_.games) {
    problems_.push_back(fmt::format("the index declares {} games but ends after {} (byte {})",
                                    header_.games, games_, used));
  } else if (used != bytes->size()) {
    problems_.push_back(
        fmt::format("the index has {} bytes behind its last declared game (byte {})",
                    bytes->size() - used, used));
  }
  index_ = *std::move(bytes);
  for (GameIndex game = 0; game < games_; ++game) {
    if (is_deleted(game)) deleted_.push_back(game);
    if (is_shown(game)) shown_flags_ |= entry(game).flags;
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

  absl::StatusOr<SourceFile> games = SourceFile::open(beside(".sg4"));
  if (games.ok()) {
    game_file_ = *std::move(games);
  } else {
    problem(games.status());
  }
  note(game_file_.stamp());

  SourceFile name_file;
  if (absl::StatusOr<SourceFile> opened = SourceFile::open(beside(".sn4")); opened.ok()) {
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

IndexEntry Database::entry(GameIndex game) const {
  return codec::scid::parse_index_entry(
      Bytes(index_).subspan(kIndexHeaderSize + std::size_t{game} * kIndexEntrySize));
}

bool Database::is_deleted(GameIndex game) const {
  constexpr std::size_t kFlagsLowByte = 8;
  const std::size_t at = kIndexHeaderSize + std::size_t{game} * kIndexEntrySize + kFlagsLowByte;
  return (index_[at] >> codec::scid::kFlagDeleted & 1) != 0;
}

const Postings& Database::white_games() const {
  std::call_once(white_games_.once, [this] {
    white_games_.value = Postings(games_, names_[NameKind::Player].size(), [this](GameIndex game) {
      return is_shown(game) ? entry(game).white : Postings::kNone;
    });
  });
  return white_games_.value;
}

const Postings& Database::black_games() const {
  std::call_once(black_games_.once, [this] {
    black_games_.value = Postings(games_, names_[NameKind::Player].size(), [this](GameIndex game) {
      return is_shown(game) ? entry(game).black : Postings::kNone;
    });
  });
  return black_games_.value;
}

const Postings& Database::month_games() const {
  std::call_once(month_games_.once, [this] {
    month_games_.value = Postings(games_, kYears * kMonthsPerYear, [this](GameIndex game) {
      const codec::Date date = entry(game).date;
      return is_shown(game) ? date.year * kMonthsPerYear + date.month : Postings::kNone;
    });
  });
  return month_games_.value;
}

const Postings& Database::eco_games() const {
  std::call_once(eco_games_.once, [this] {
    eco_games_.value = Postings(games_, codec::kEcoBases + 1, [this](GameIndex game) {
      return is_shown(game) ? codec::eco_base(entry(game).eco) : Postings::kNone;
    });
  });
  return eco_games_.value;
}

const Postings& Database::flag_games(codec::scid::Flag flag) const {
  const Lazy<Postings>& lazy = flag_games_[flag];
  std::call_once(lazy.once, [this, &lazy, flag] {
    lazy.value = Postings(games_, 1, [this, flag](GameIndex game) {
      return is_shown(game) && entry(game).has(flag) ? 0 : Postings::kNone;
    });
  });
  return lazy.value;
}

const Database::Events& Database::events_and_games() const {
  std::call_once(events_.once, [this] {
    Events& events = events_.value;
    absl::flat_hash_map<std::uint64_t, std::uint32_t> index_of;
    // Neighbouring games are mostly of one event.
    EventKey last;
    std::uint32_t last_index = Postings::kNone;
    const auto key_of = [&](GameIndex game) {
      if (!is_shown(game)) return Postings::kNone;
      const IndexEntry e = entry(game);
      const EventKey key{.event = e.event, .site = e.site, .year = event_year(e)};
      if (last_index != Postings::kNone && key == last) return last_index;
      const std::uint64_t packed = (std::uint64_t{key.event} << 32 | key.site) << 11 | key.year;
      const auto [found, is_new] =
          index_of.try_emplace(packed, static_cast<std::uint32_t>(events.keys.size()));
      if (is_new) events.keys.push_back(key);
      last = key;
      last_index = found->second;
      return last_index;
    };
    for (GameIndex game = 0; game < games_; ++game) key_of(game);
    events.games = Postings(games_, static_cast<std::uint32_t>(events.keys.size()), key_of);
  });
  return events_.value;
}

const Postings& Database::event_games() const { return events_and_games().games; }
const std::vector<EventKey>& Database::events() const { return events_and_games().keys; }

const NamedSet& Database::player_set() const {
  std::call_once(player_set_.once, [this] {
    const auto name_of = [this](std::uint32_t id) {
      return escape_name(names_[NameKind::Player].text(id));
    };
    std::vector<NamedSet::Item> items;
    for (std::uint32_t id = 0; id < white_games().keys(); ++id) {
      if (white_games().games(id).empty() && black_games().games(id).empty()) continue;
      items.push_back({.id = id, .group = shard_key(shard_of(name_of(id)))});
    }
    player_set_.value = NamedSet(items, name_of);
  });
  return player_set_.value;
}

const NamedSet& Database::event_set() const {
  std::call_once(event_set_.once, [this] {
    const auto name_of = [this](std::uint32_t id) {
      const EventKey& key = events()[id];
      return event_directory_name(names_[NameKind::Event].text(key.event),
                                  names_[NameKind::Site].text(key.site));
    };
    std::vector<NamedSet::Item> items;
    for (std::uint32_t id = 0; id < events().size(); ++id) {
      items.push_back({.id = id, .group = events()[id].year});
    }
    event_set_.value = NamedSet(items, name_of);
  });
  return event_set_.value;
}

absl::StatusOr<std::uint32_t> Database::text_size(GameIndex game) const {
  std::uint32_t size = sizes_->get(game);
  if (size == 0) {
    if (absl::Status status = borrow_reader()->measure(game); !status.ok()) return status;
    size = sizes_->get(game);
  }
  return size & ~kDamagedBit;
}

bool Database::is_damaged(GameIndex game) const { return (sizes_->get(game) & kDamagedBit) != 0; }

void Database::adopt_sizes(std::vector<std::uint32_t> sizes) {
  if (sizes.size() == games_) sizes_ = std::make_unique<cache::SizeTable>(std::move(sizes));
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
