#include "fs/positions/save_positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "cache/mutex.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/content/run_tasks.h"
#include "fs/database/index_folder.h"
#include "fs/database/stored_index.h"
#include "fs/database/stored_positions.h"
#include "fs/file/cache_folder.h"
#include "fs/file/folder.h"
#include "fs/file/locality.h"
#include "fs/file/spool.h"
#include "fs/positions/board_lists.h"
#include "fs/positions/board_pass.h"
#include "fs/positions/early_boards.h"
#include "fs/positions/frequent_tables.h"
#include "fs/positions/opening_order.h"
#include "fs/positions/position_games.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::scid::BoardKey;

// Locked by the process that makes a positions file.
constexpr std::string_view kPositionsLock = "scidfs.positions.lock";
constexpr unsigned kKeyBits = 64;

codec::Bytes bytes_of_values(const auto& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()),
          values.size() * sizeof(values.data()[0])};
}

// Where the positions file of a database is to be. It makes no room for itself at the cost of the
// index file, by which each mount begins.
IndexFolderFile file_of(const Database& database) {
  return {.path = StoredPositions::path_of(database.files(), database.options()),
          .name = fmt::format("the positions file of {} beside its index file",
                              database.index_path().string()),
          .companion = stored_index_path(database.files(), database.options())};
}

// A positions file in the making.
class PositionsMaker {
 public:
  PositionsMaker(const Database& database, const WorkBudget& budget)
      : database_(database), budget_(budget) {}

  // Errors: Unimplemented if games come to the same boards without end, or are too many;
  // FailedPrecondition if the game file has changed meanwhile; Cancelled; those of
  // GameFile::read() and of writing.
  absl::Status make_and_save() {
    if (database_.games() > kMostInRun) return absl::UnimplementedError("it has too many games");
    ASSIGN_OR_RETURN(order_, order_by_opening(database_, GameFile::Check::Later, budget_));
    RETURN_IF_ERROR(open_spools());
    RETURN_IF_ERROR(spool_runs());
    for (std::size_t part = 0; part < parts_.size(); ++part) RETURN_IF_ERROR(add_part(part));
    RETURN_IF_ERROR(add_tables());
    return save();
  }

 private:
  // The runs of some boards, whose keys have the same upper bits. They are sorted in pieces.
  static constexpr std::uint64_t kRunsOfPart = std::uint64_t{2} << 20;
  static constexpr unsigned kPieceBits = 6;
  static constexpr std::size_t kPieces = std::size_t{1} << kPieceBits;
  struct Part {
    explicit Part(Spool spool) : runs(std::move(spool)) {}

    cache::Mutex mutex;
    Spool runs ABSL_GUARDED_BY(mutex);
  };
  // The runs that a thread has found and not yet written.
  class RunBuffers;

  // Returns an upper bound of the different boards, and of the runs that are not late.
  std::uint64_t most_runs() const {
    return order_.nodes + (order_.games.size() - order_.common.size()) * (kStoredPlies + 1);
  }
  unsigned bucket_bits() const {
    constexpr std::uint64_t kBoardsOfBucket = 16;
    constexpr int kMost = 28;
    const auto bits = static_cast<int>(std::bit_width(most_runs() / kBoardsOfBucket));
    return static_cast<unsigned>(std::clamp(bits, 1, kMost));
  }

  absl::Status open_spools();
  absl::Status spool_runs();
  absl::Status add_part(std::size_t part);
  absl::Status add_lists(const BoardLists& lists);
  absl::Status add_bucket_ends(std::uint64_t bucket);
  absl::Status add_tables();
  absl::Status save();

  const Database& database_;
  const WorkBudget& budget_;
  OpeningOrder order_;
  unsigned part_bits_ = 0;  // of a key: its part
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<BoardPlaceInGame> frequent_;  // of boards with many games
  struct Spools {
    Spool buckets, marks, values, lists;
  };
  std::unique_ptr<Spools> spools_;
  std::vector<std::uint64_t> table_hashes_;
  std::vector<std::uint32_t> table_ends_;
  std::vector<std::uint8_t> tables_;
  std::uint64_t boards_ = 0;
  std::uint64_t bucket_ = 0;  // the first that has no beginning yet
};

absl::Status PositionsMaker::open_spools() {
  const std::filesystem::path& folder = database_.options().cache_folder;
  ASSIGN_OR_RETURN(Spool buckets, Spool::make(folder));
  ASSIGN_OR_RETURN(Spool marks, Spool::make(folder));
  ASSIGN_OR_RETURN(Spool values, Spool::make(folder));
  ASSIGN_OR_RETURN(Spool lists, Spool::make(folder));
  spools_ = std::make_unique<Spools>(Spools{.buckets = std::move(buckets),
                                            .marks = std::move(marks),
                                            .values = std::move(values),
                                            .lists = std::move(lists)});
  const std::uint64_t parts = std::bit_ceil(most_runs() / kRunsOfPart + 1);
  part_bits_ = static_cast<unsigned>(std::countr_zero(parts));
  for (std::uint64_t part = 0; part < parts; ++part) {
    ASSIGN_OR_RETURN(Spool runs, Spool::make(folder));
    parts_.push_back(std::make_unique<Part>(std::move(runs)));
  }
  return absl::OkStatus();
}

class PositionsMaker::RunBuffers {
 public:
  explicit RunBuffers(const PositionsMaker& maker) : maker_(maker), runs_(maker.parts_.size()) {}

  void add(const BoardRun& run) {
    const std::size_t part = maker_.part_bits_ == 0 ? 0 : run.key >> (kKeyBits - maker_.part_bits_);
    std::vector<BoardRun>& runs = runs_[part];
    runs.push_back(run);
    if (runs.size() == kRuns) write(part);
  }
  // Writes what is left. Errors: the first of all writing.
  absl::Status flush() {
    for (std::size_t part = 0; part < runs_.size(); ++part) write(part);
    return status_;
  }

 private:
  static constexpr std::size_t kRuns = 2048;

  // After an error keeps nothing: a spool that cannot write holds in memory what it is given.
  void write(std::size_t part) {
    if (status_.ok()) {
      Part& to = *maker_.parts_[part];
      const cache::MutexLock lock(to.mutex);
      status_ = to.runs.append(bytes_of_values(runs_[part]));
    }
    runs_[part].clear();
  }

  const PositionsMaker& maker_;
  std::vector<std::vector<BoardRun>> runs_;  // by part
  absl::Status status_;
};

// Finds the games that come to each board by kStoredPlies, and those that come to one of these
// boards late: after that, and not before.
absl::Status PositionsMaker::spool_runs() {
  struct Worker {
    explicit Worker(const PositionsMaker& maker) : buffers(maker) {}

    RunBuffers buffers;
    std::vector<BoardKey> late;  // of a game
  };
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t i = 0; i < scan_workers(budget_); ++i) {
    workers.push_back(std::make_unique<Worker>(*this));
  }
  EarlyBoards early(most_runs());
  RETURN_IF_ERROR(visit_boards(
      database_, order_, PassPlies::First, GameFile::Check::Later, budget_,
      [&](std::size_t worker, std::uint32_t rank, std::uint32_t ply, BoardKey key,
          BoardMarks marks) {
        early.add(key, marks);
        const std::uint32_t alike = order_.is_in_order(rank) ? order_.count_alike(rank, ply) : 1;
        workers[worker]->buffers.add({.key = key,
                                      .rank = rank,
                                      .count = alike & kMostInRun,
                                      .ply = ply & kMostPly,
                                      .is_late = 0});
        return true;
      },
      [](std::size_t, std::uint32_t) {}));
  early.close();
  // No list of games that were played has nearly as many.
  const std::uint64_t most = std::uint64_t{database_.games()} * 4 + (1U << 20);
  std::atomic<std::uint64_t> found = 0;
  RETURN_IF_ERROR(visit_boards(
      database_, order_, PassPlies::All, GameFile::Check::Later, budget_,
      [&](std::size_t worker, std::uint32_t, std::uint32_t ply, BoardKey key, BoardMarks marks) {
        if (ply <= kStoredPlies) return true;
        if (early.may_have(key, marks)) workers[worker]->late.push_back(key);
        return early.may_come(marks);
      },
      [&](std::size_t worker, std::uint32_t rank) {
        std::vector<BoardKey>& keys = workers[worker]->late;
        if (keys.empty()) return;
        std::ranges::sort(keys);
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        if (found.fetch_add(keys.size(), std::memory_order_relaxed) < most) {
          for (const BoardKey key : keys) {
            workers[worker]->buffers.add({.key = key, .rank = rank, .count = 1, .is_late = 1});
          }
        }
        keys.clear();
      }));
  if (found >= most) {
    return absl::UnimplementedError("games come to the same positions again and again");
  }
  for (const std::unique_ptr<Worker>& worker : workers) RETURN_IF_ERROR(worker->buffers.flush());
  return absl::OkStatus();
}

// Adds the boards of a part.
absl::Status PositionsMaker::add_part(std::size_t part) {
  const std::unique_ptr<Part> of_part = std::move(parts_[part]);
  const cache::MutexLock lock(of_part->mutex);
  ASSIGN_OR_RETURN(const codec::Bytes bytes, of_part->runs.map());
  const std::span runs(reinterpret_cast<const BoardRun*>(bytes.data()),
                       bytes.size() / sizeof(BoardRun));
  std::array<std::vector<BoardRun>, kPieces> pieces;
  const unsigned piece_shift = kKeyBits - part_bits_ - kPieceBits;
  for (const BoardRun& run : runs) pieces[run.key >> piece_shift & (kPieces - 1)].push_back(run);
  std::array<BoardLists, kPieces> lists;
  RETURN_IF_ERROR(
      run_tasks(kPieces, scan_workers(budget_), budget_, [&](std::size_t, std::size_t piece) {
        lists[piece] = make_board_lists(pieces[piece], kFrequentGames);
        pieces[piece] = {};
        return absl::OkStatus();
      }));
  for (const BoardLists& of_piece : lists) RETURN_IF_ERROR(add_lists(of_piece));
  return absl::OkStatus();
}

absl::Status PositionsMaker::add_lists(const BoardLists& lists) {
  const std::uint64_t lists_before = spools_->lists.size();
  frequent_.insert(frequent_.end(), lists.frequent.begin(), lists.frequent.end());
  if (lists_before + lists.lists.size() >= kListedBit) {
    return absl::UnimplementedError("the lists of its positions are too long");
  }
  const unsigned bits = bucket_bits();
  std::vector<std::uint16_t> marks;
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < lists.keys.size(); ++i) {
    const BoardPlace place = board_place(lists.keys[i], bits);
    RETURN_IF_ERROR(add_bucket_ends(place.bucket));
    ++boards_;
    marks.push_back(place.mark);
    const bool is_list = (lists.values[i] & kListedBit) != 0;
    values.push_back(lists.values[i] + (is_list ? static_cast<std::uint32_t>(lists_before) : 0U));
  }
  RETURN_IF_ERROR(spools_->marks.append(bytes_of_values(marks)));
  RETURN_IF_ERROR(spools_->values.append(bytes_of_values(values)));
  return spools_->lists.append(lists.lists);
}

// Lets all buckets up to this one begin with the next board, as far as they have no beginning.
absl::Status PositionsMaker::add_bucket_ends(std::uint64_t bucket) {
  if (boards_ > ~std::uint32_t{0}) return absl::UnimplementedError("it has too many positions");
  const std::array<std::uint32_t, 1> begin = {static_cast<std::uint32_t>(boards_)};
  for (; bucket_ <= bucket; ++bucket_) {
    RETURN_IF_ERROR(spools_->buckets.append(bytes_of_values(begin)));
  }
  return absl::OkStatus();
}

// All tables together have some megabytes.
absl::Status PositionsMaker::add_tables() {
  struct Table {
    std::uint64_t hash = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Table> tables;
  RETURN_IF_ERROR(count_frequent(
      database_, order_, frequent_, budget_, [&](std::string_view name, const BoardTally& tally) {
        Table& table = tables.emplace_back(Table{.hash = cache::fingerprint(name), .bytes = {}});
        table.bytes.push_back(static_cast<std::uint8_t>(name.size()));
        table.bytes.insert(table.bytes.end(), name.begin(), name.end());
        tally.write(table.bytes);
        return absl::OkStatus();
      }));
  std::ranges::sort(tables, {}, &Table::hash);
  const auto has_same_hash = [](const Table& a, const Table& b) { return a.hash == b.hash; };
  tables.erase(std::unique(tables.begin(), tables.end(), has_same_hash), tables.end());
  for (const Table& table : tables) {
    table_hashes_.push_back(table.hash);
    table_ends_.push_back(static_cast<std::uint32_t>(tables_.size()));
    tables_.insert(tables_.end(), table.bytes.begin(), table.bytes.end());
  }
  table_ends_.push_back(static_cast<std::uint32_t>(tables_.size()));
  return absl::OkStatus();
}

absl::Status PositionsMaker::save() {
  if (!database_.files().game_file().is_as_opened()) {
    return absl::FailedPreconditionError("the game file has changed");
  }
  RETURN_IF_ERROR(add_bucket_ends(std::uint64_t{1} << bucket_bits()));
  const std::array<PositionFacts, 1> facts = {
      PositionFacts{.games = database_.games(), .boards = boards_, .bucket_bits = bucket_bits()}};
  const DatabaseOptions& options = database_.options();
  ASSIGN_OR_RETURN(const codec::Bytes buckets, spools_->buckets.map());
  ASSIGN_OR_RETURN(const codec::Bytes marks, spools_->marks.map());
  ASSIGN_OR_RETURN(const codec::Bytes values, spools_->values.map());
  ASSIGN_OR_RETURN(const codec::Bytes lists, spools_->lists.map());
  const auto section = [](PositionPart part, codec::Bytes bytes) {
    return Section{.number = static_cast<std::uint64_t>(part), .pieces = {bytes}};
  };
  const SectionImage image(
      StoredPositions::key_of(database_.files(), options),
      {section(PositionPart::Facts, bytes_of_values(facts)),
       section(PositionPart::Buckets, buckets), section(PositionPart::Marks, marks),
       section(PositionPart::Values, values), section(PositionPart::Lists, lists),
       section(PositionPart::Games, bytes_of_values(order_.games)),
       section(PositionPart::TableHashes, bytes_of_values(table_hashes_)),
       section(PositionPart::TableEnds, bytes_of_values(table_ends_)),
       section(PositionPart::Tables, tables_)});
  return save_in_room(file_of(database_), image, options, [this] { return budget_.has_left(); });
}

// Returns whether the file of a database would have no room beside the index file, which is clear
// before it is made.
bool is_hopeless(const IndexFolderFile& file, const Database& database) {
  constexpr std::uint64_t kFewestBytes = 30;  // for each game, by experience
  std::error_code error;
  const std::uintmax_t index = std::filesystem::file_size(file.companion, error);
  return !may_take(kFewestBytes * database.games() + (error ? 0 : index), database.options());
}

// Waits until no other thread or process makes a positions file: two at once would take twice the
// memory and the room on the disk. Errors: Cancelled; those of FolderLock::take_file().
absl::StatusOr<FolderLock> take_turn(const std::filesystem::path& folder,
                                     const WorkBudget& budget) {
  constexpr std::chrono::milliseconds kPause(200);
  while (true) {
    absl::StatusOr<FolderLock> lock =
        FolderLock::take_file(folder / kPositionsLock, std::chrono::milliseconds(0));
    if (!absl::IsUnavailable(lock.status())) return lock;
    if (budget.has_left()) return WorkBudget::cancelled();
    std::this_thread::sleep_for(kPause);
  }
}

absl::Status make_positions(const Database& database, const WorkBudget& budget) try {
  const std::filesystem::path& folder = database.options().cache_folder;
  RETURN_IF_ERROR(make_folders(folder));
  ASSIGN_OR_RETURN(const Descriptor usable, open_cache_folder(folder));
  if (is_remote(usable.get(), Locality::Auto)) return absl::OkStatus();
  // The games are read several times: those of a server once, and while no thread waits for it.
  ASSIGN_OR_RETURN(const GameFile::LocalCopy copy,
                   database.files().game_file().copy_to(folder, [&] { return budget.has_left(); }));
  ASSIGN_OR_RETURN(const FolderLock lock, take_turn(folder, budget));
  if (stored_positions_of(database) != nullptr) return absl::OkStatus();
  return PositionsMaker(database, budget).make_and_save();
} catch (const std::bad_alloc&) {
  return absl::ResourceExhaustedError("out of memory");
}

}  // namespace

void keep_positions(const Database& database, const WorkBudget& budget) {
  const DatabaseFiles& files = database.files();
  const DatabaseOptions& options = database.options();
  if (files.shares_records() || !is_worth_storing(files, options)) return;
  if (stored_positions_of(database) != nullptr) return;
  if (const IndexFolderFile file = file_of(database); is_hopeless(file, database)) {
    return note_no_room(file);
  }
  const absl::Status status = make_positions(database, budget);
  if (!status.ok() && !absl::IsUnimplemented(status) && !absl::IsCancelled(status)) {
    log_warning(fmt::format("Cannot keep the positions of {}: {}", database.index_path().string(),
                            std::string(status.message())));
  }
  stored_positions_of(database);
}

}  // namespace scidfs::fs
