#include "fs/database/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "cache/hash.h"
#include "fs/database/game_reader.h"
#include "fs/database/measure.h"
#include "fs/database/succession.h"
#include "fs/file/companion.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kMaxIdleReaders = 16;

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Returns the path of the games or the names of an index.
std::filesystem::path beside(std::filesystem::path index_path, std::string_view suffix,
                             const FileOrigin& origin = {}) {
  if (origin.files() != nullptr) return index_path.replace_extension(suffix);
  return companion_of(index_path, suffix);
}

}  // namespace

Database::Database() { readers_.reserve(kMaxIdleReaders); }

Database::~Database() = default;

absl::StatusOr<std::shared_ptr<Database>> Database::open(const std::filesystem::path& index_path,
                                                         std::string name, const Options& options) {
  std::shared_ptr<Database> database(new Database);
  database->name_ = std::move(name);
  database->index_path_ = index_path;
  database->options_ = options;
  if (absl::Status status = database->load(index_path); !status.ok()) return status;
  database->options_.is_over = nullptr;  // its captures may be destroyed before the database
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

absl::Status Database::load(const std::filesystem::path& index_path) {
  absl::StatusOr<IndexFile> index =
      IndexFile::open(index_path, options_.origin, options_.pgn.code_page);
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
  if (options_.pgn.opening && reference().openings != nullptr) {
    const std::uint64_t openings = reference().openings->fingerprint();
    fingerprint_ = cache::fingerprint(bytes_of(openings), fingerprint_);
  }
  for (const FileStamp* const stamp : {&stamps_.index, &stamps_.games, &stamps_.names}) {
    FileStamp known = *stamp;
    // File systems such as sshfs assign new inode numbers at each mount.
    if (is_remote()) known.inode = 0;
    fingerprint_ = fingerprint_of(known, fingerprint_);
    source_bytes_ += stamp->size;
    mtime_ = std::max(mtime_, stamp->mtime());
  }
  return absl::OkStatus();
}

absl::Status Database::load_entries() {
  index_tsv_lines_.emplace(names_, reference().openings.get());
  for (auto& bytes : index_tsv_bytes_) bytes.resize(index_file_.blocks());
  std::vector<std::uint8_t> is_shown_player(names_[codec::scid::NameKind::Player].size());
  const auto show_player = [&is_shown_player](std::uint32_t id) {
    if (id >= is_shown_player.size()) return;
    std::atomic_ref(is_shown_player[id]).store(1, std::memory_order_relaxed);
  };
  // The findings for one segment of the index, which only one thread reads.
  struct Seen {
    std::vector<GameIndex> deleted;
    std::uint32_t shown_flags = 0;
    unsigned annotations = 0;
    DateRange dates;
    bool is_complete = true;  // all names and records exist
    std::uint64_t records_end = 0;
    std::uint64_t record_bytes = 0;
  };
  std::vector<Seen> segments(games() / PackedIndex::kSegment + 1);
  const auto visit = [&](const IndexBlock& games) {
    Seen& seen = segments[games.first / PackedIndex::kSegment];
    std::array<std::uint32_t, kParts> bytes{};
    for (std::size_t i = 0; i < games.entries.size(); ++i) {
      const codec::scid::IndexEntry& entry = games.entries[i];
      const auto game = static_cast<GameIndex>(games.first + i);
      for (const Part part : {Part::Shown, Part::Deleted}) {
        if (!holds(part, entry.flags)) continue;
        bytes[static_cast<std::size_t>(part)] +=
            static_cast<std::uint32_t>(index_tsv_lines_->length(game, entry, directory_of(part)));
      }
      if (!has_all_of(entry)) seen.is_complete = false;
      seen.records_end = std::max(seen.records_end, entry.offset + entry.length);
      seen.record_bytes += entry.length;
      if (holds(Part::Deleted, entry.flags)) seen.deleted.push_back(game);
      if (!holds(Part::Shown, entry.flags)) continue;
      seen.shown_flags |= entry.flags;
      seen.annotations |= unsigned{entry.variation_code} | entry.comment_code | entry.nag_code;
      seen.dates.add(entry.date);
      show_player(entry.white);
      show_player(entry.black);
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      index_tsv_bytes_[part][games.first / IndexFile::kBlock] = bytes[part];
    }
  };
  const auto is_over = [this] { return options_.is_over != nullptr && options_.is_over(); };
  absl::StatusOr<PackedIndex> index = index_file_.load(0, visit, is_over);
  if (!index.ok()) return index.status();
  index_ = *std::move(index);
  std::uint64_t records_end = 0;
  for (const Seen& seen : segments) {
    records_end = std::max(records_end, seen.records_end);
    record_bytes_ += seen.record_bytes;
    for (const GameIndex game : seen.deleted) deleted_.add(game);
    shown_flags_ |= seen.shown_flags;
    has_annotated_ |= seen.annotations != 0;
    if (!seen.is_complete) is_consistent_ = false;
    for (const codec::Date date : {seen.dates.first, seen.dates.last}) shown_dates_.add(date);
  }
  if (records_end != game_file_.size()) is_consistent_ = false;
  if (shares_records()) {
    problems_.push_back(fmt::format(
        "games share records: they are {} bytes long together, the game file has {}. Files for "
        "which more than {} of them have to be read are refused (EFBIG)",
        record_bytes_, game_file_.size(), most_record_bytes()));
  }
  game_file_.expect_records(records_end, record_bytes_);
  sizes_.adopt(std::vector<std::uint32_t>(games()));
  lists_.emplace(
      GameLists::Source{.index = index_,
                        .names = names_,
                        .games = games(),
                        .leaves_out_deleted = !options_.show_deleted && deleted_.size() != 0},
      std::move(is_shown_player));
  return absl::OkStatus();
}

std::vector<std::string> Database::notes() const {
  if (names_.cut == 0) return {};
  return {fmt::format("names longer than {} bytes, which are cut there: {}",
                      codec::scid::kMaxNameBytes, names_.cut)};
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
  // A file that cannot be opened for lack of resources is neither missing nor damaged, and a file
  // that this user may not read is not broken: half a database would mislead users.
  const auto problem = [this](const absl::Status& status) {
    if (absl::IsResourceExhausted(status) || absl::IsPermissionDenied(status)) return status;
    problems_.emplace_back(std::string(status.message()));
    is_consistent_ = false;
    return absl::OkStatus();
  };
  absl::StatusOr<GameFile> games =
      GameFile::open(beside(index_path, format().games_suffix, options_.origin), options_.origin);
  if (games.ok()) {
    game_file_ = *std::move(games);
    stamps_.games = game_file_.stamp();
  } else if (absl::Status status = problem(games.status()); !status.ok()) {
    return status;
  }

  const std::filesystem::path path = beside(index_path, format().names_suffix, options_.origin);
  const absl::StatusOr<SourceFile> name_file = SourceFile::open(path, options_.origin);
  if (!name_file.ok()) return problem(name_file.status());
  stamps_.names = name_file->stamp();
  auto bytes = name_file->read_front(codec::scid::kNamesHeaderSize);
  // A length without bytes costs nothing on disk: it must not cost memory.
  if (bytes.ok()) bytes = name_file->read_front(format().max_name_file_size(*bytes));
  if (!bytes.ok()) return problem(bytes.status());
  names_checksum_ = cache::fingerprint(*bytes);
  names_ = format().parse_names(*bytes, options_.pgn.code_page);
  const auto name_problem = [&](const std::string& what) {
    problems_.push_back(fmt::format("{}: {}", path.filename().string(), what));
    is_consistent_ = false;
  };
  if (!names_.status.ok()) name_problem(std::string(names_.status.message()));
  if (bytes->size() == codec::scid::kMaxNameFileSize && name_file->size() > bytes->size()) {
    name_problem(fmt::format("nothing after byte {} is read", bytes->size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::uint32_t> Database::text_size(GameIndex game) const {
  if (const std::optional<std::uint32_t> known = sizes_.size(game)) return *known;
  return measure_game(*this, game, *borrow_reader());
}

absl::Status Database::compute_sizes(GameIndex first, GameIndex last,
                                     absl::FunctionRef<bool()> stop) const {
  return measure_range(*this, first, last, stop);
}

absl::StatusOr<Database::SignaturesPtr> Database::marks(const WorkBudget& budget) const {
  return marks_.get(budget, [&] { return read_signatures(index_file_, sizes_, budget); });
}

std::vector<std::uint32_t> Database::copy_kept() const {
  std::vector<std::uint32_t> kept = sizes_.words();
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
  sizes_.adopt(std::move(kept));
}

bool Database::is_plausible_after(const Database& before) const {
  return fs::is_plausible_after(*this, before);
}

void Database::inherit(const Database& before) { sizes_.adopt(inherited_sizes(*this, before)); }

const People* Database::people() const {
  if (reference().spelling == nullptr) return nullptr;
  return &people_.get([this] {
    return People({.index = index_,
                   .players = names_[codec::scid::NameKind::Player],
                   .games = games(),
                   .leaves_out_deleted = !options_.show_deleted && deleted_.size() != 0},
                  reference().spelling->get());
  });
}

// Returns whether the budget allows a lookup of all names of a kind in the spelling file, and a
// look at all games.
bool Database::allows_spelling(codec::scid::NameKind kind, const WorkBudget& budget) const {
  // The numbers that take as long as the decoding of a game.
  constexpr std::size_t kGames = 1000;
  constexpr std::size_t kNames = 200;
  if (reference().spelling == nullptr || budget.is_unlimited()) return true;
  return reference().spelling->is_ready() &&
         budget.spend(games() / kGames + names_[kind].size() / kNames);
}

absl::Status Database::prepare_people(const WorkBudget& budget) const {
  if (people_.made() == nullptr && !allows_spelling(codec::scid::NameKind::Player, budget)) {
    return WorkBudget::exceeded();
  }
  people();
  return absl::OkStatus();
}

absl::Status Database::prepare_tournaments(const WorkBudget& budget) const {
  if (tournaments_.made() == nullptr && !allows_spelling(codec::scid::NameKind::Event, budget)) {
    return WorkBudget::exceeded();
  }
  tournaments();
  return absl::OkStatus();
}

const Tournaments* Database::tournaments() const {
  if (reference().spelling == nullptr) return nullptr;
  return &tournaments_.get(
      [this] { return Tournaments(lists(), names_, *reference().spelling->get()); });
}

std::uint64_t Database::memory() const {
  std::uint64_t bytes = sizeof *this + index_.memory() + index_file_.memory() +
                        index_tsv_lines_->memory() + deleted_.bytes().size() + game_file_.memory() +
                        sizes_.memory() + lists_->memory();
  if (const auto marks = marks_.made(); marks != nullptr) {
    bytes += marks->memory();
  }
  if (const People* const people = people_.made()) bytes += people->memory();
  if (const auto openings = game_openings_.made()) bytes += openings->memory();
  if (const Tournaments* const made = tournaments_.made()) bytes += made->memory();
  for (const codec::scid::NameTable& table : names_.tables) bytes += table.memory();
  for (const auto& lengths : index_tsv_bytes_) bytes += lengths.size() * sizeof(lengths[0]);
  return bytes;
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
  const GameSource source{.name = name_,
                          .index = index_,
                          .index_file = index_file_,
                          .names = names_,
                          .file = game_file_,
                          .pgn = options_.pgn,
                          .castling = format().castling,
                          .openings = options_.pgn.opening ? reference().openings.get() : nullptr};
  return {new GameReader(source), ReturnReader{this}};
}

void Database::ReturnReader::operator()(GameReader* reader) const {
  std::unique_ptr<GameReader> owned(reader);
  owned->rest();
  cache::MutexLock lock(database->readers_mutex_);
  if (database->readers_.size() < kMaxIdleReaders) database->readers_.push_back(std::move(owned));
}

}  // namespace scidfs::fs
