// A database as it was at one moment: its files, its games, and what has been derived from them.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache/mutex.h"
#include "codec/pgn.h"
#include "codec/scid/format.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "fs/base/lazy.h"
#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_file.h"
#include "fs/database/game_list.h"
#include "fs/database/game_lists.h"
#include "fs/database/game_openings.h"
#include "fs/database/game_sizes.h"
#include "fs/database/index_file.h"
#include "fs/database/index_signatures.h"
#include "fs/database/index_tsv_line.h"
#include "fs/database/packed_index.h"
#include "fs/database/people.h"
#include "fs/database/tournaments.h"
#include "fs/file/source_file.h"
#include "fs/file/time.h"
#include "fs/reference/reference.h"

namespace scidfs::fs {

class GameReader;

// The two parts of a database: the games of games/ and those of deleted/. With show_deleted a
// deleted game is in both.
enum class Part : std::uint8_t { Shown, Deleted };
inline constexpr std::size_t kParts = 2;
constexpr std::string_view directory_of(Part part) {
  return part == Part::Shown ? "games" : "deleted";
}

// The first and the last of some dates. Dates without a year do not count.
struct DateRange {
  codec::Date first;
  codec::Date last;

  void add(codec::Date date) {
    if (date.year == 0) return;
    if (first.empty() || date < first) first = date;
    last = std::max(last, date);
  }
};

// The three files of a database, as they were at one moment.
struct DatabaseStamps {
  FileStamp index;
  FileStamp games;
  FileStamp names;

  friend bool operator==(const DatabaseStamps&, const DatabaseStamps&) = default;
};

// One version of a database: immutable and shared. Derived data (lists of players, sizes of texts,
// ...) are computed on first use. Thread-safe.
class Database {
 public:
  struct Options {
    codec::PgnOptions pgn;
    bool show_deleted = false;
    bool by_round = false;  // files of events have their games in the order of play
    FileOrigin origin{};    // of its files
    ReferencePtr reference = no_reference();
    std::filesystem::path cache_folder{};  // empty: nothing is saved for the next mount
    std::function<bool()> is_over{};       // ends open(), on any thread; empty: never
  };

  // Opens `index_path` (NAME.si4, ...) and the NAME.sg4 and NAME.sn4 beside it. `name` is the name
  // of the directory. Errors: those of IndexFile::open(), and for either of the others
  // PermissionDenied and ResourceExhausted; Cancelled. Every other problem becomes a line of
  // problems().
  static absl::StatusOr<std::shared_ptr<Database>> open(const std::filesystem::path& index_path,
                                                        std::string name, const Options& options);
  ~Database();

  const std::string& name() const { return name_; }
  const std::filesystem::path& index_path() const { return index_path_; }
  // Identifies the bytes of the three files, as far as they have been read, and everything that the
  // texts of games depend on.
  std::uint64_t fingerprint() const { return fingerprint_; }
  // Returns whether reads may take long, or never end (fs/file/locality.h).
  bool is_remote() const { return index_file_.is_remote() || game_file_.is_remote(); }
  // Returns the newest time of the three files.
  FileTime mtime() const { return mtime_; }
  // Returns the stamps of the files of this version; and of the files that have their names now.
  const DatabaseStamps& stamps() const { return stamps_; }
  static DatabaseStamps stamps_on_disk(const std::filesystem::path& index_path);
  // Returns whether the three files fit together: each game's names and record exist, and nothing
  // lies after the last record. A database that Scid is still writing is not consistent.
  bool is_consistent() const { return is_consistent_; }
  std::uint64_t source_bytes() const { return source_bytes_; }
  // Returns the maximum number of bytes of records for one file. More than a large database has,
  // and many times the size of the game file, is possible only if games share records, which no
  // program writes: a small database would take hours of work.
  std::uint64_t most_record_bytes() const {
    constexpr std::uint64_t kTimes = 64;
    constexpr std::uint64_t kLeast = std::uint64_t{256} << 20;
    return std::max(kLeast, kTimes * game_file_.size());
  }
  // Returns whether the records of all games exceed that.
  bool shares_records() const { return record_bytes_ > most_record_bytes(); }
  const Options& options() const { return options_; }
  const Reference& reference() const { return *options_.reference; }
  const codec::scid::DatabaseInfo& info() const {
    return names_.info.has_value() ? *names_.info : index_file_.header();
  }
  const codec::scid::Format& format() const { return index_file_.format(); }
  const codec::scid::Names& names() const { return names_; }
  // Returns the problems of the files as a whole, a line each.
  const std::vector<std::string>& problems() const { return problems_; }
  // Returns differences between what is shown and what is stored that are no damage, a line each.
  std::vector<std::string> notes() const;

  // Returns the number of games with an index entry.
  GameIndex games() const { return index_file_.games(); }
  // Returns the source of entry(), for code that reads columns block by block.
  const PackedIndex& index() const { return index_; }
  // REQUIRES: game < games().
  codec::scid::GameEntry entry(GameIndex game) const { return index_.entry(game); }
  // Returns whether a game with these flags belongs to a part.
  bool holds(Part part, std::uint32_t flags) const {
    const bool deleted = (flags >> codec::scid::kFlagDeleted & 1) != 0;
    return part == Part::Deleted ? deleted : !deleted || options_.show_deleted;
  }
  bool has(Part part, GameIndex game) const {
    return holds(part, index_.value(game, PackedIndex::Column::Flags));
  }
  GameList shown() const {
    return GameList::all_but(
        games(), options_.show_deleted ? std::span<const std::uint8_t>() : deleted_.bytes());
  }
  GameList deleted() const { return GameList::of(deleted_.bytes()); }
  std::size_t deleted_count() const { return deleted_.size(); }
  std::size_t shown_count() const {
    return games() - (options_.show_deleted ? 0 : deleted_.size());
  }
  // Returns whether any shown game has a flag. Builds no list.
  bool has_flag(codec::scid::Flag flag) const { return (shown_flags_ >> flag & 1) != 0; }
  // Returns whether any shown game has comments, variations or NAGs, by the counts of the index.
  bool has_annotated() const { return has_annotated_; }
  // Returns the dates of all shown games.
  const DateRange& shown_dates() const { return shown_dates_; }
  const GameLists& lists() const { return *lists_; }
  // Returns which people the players are, made on first use; null without a spelling file.
  const People* people() const;
  // Returns which events are one tournament; likewise.
  const Tournaments* tournaments() const;
  // Make these. Return Unavailable if that exceeds the budget.
  absl::Status prepare_people(const WorkBudget& budget) const;
  absl::Status prepare_tournaments(const WorkBudget& budget) const;

  // The sources of index.tsv: facts about the moves that entry() lacks, the writer of its lines,
  // and the bytes of all lines of a part for each block of the index.
  const IndexFile& index_file() const { return index_file_; }
  const IndexTsvLines& index_tsv_lines() const { return *index_tsv_lines_; }
  std::span<const std::uint32_t> index_tsv_bytes(Part part) const {
    return index_tsv_bytes_[static_cast<std::size_t>(part)];
  }

  const GameFile& game_file() const { return game_file_; }
  std::uint64_t game_file_size() const { return game_file_.size(); }
  // Reads the whole game file, unless `stop`, so that later writes to it are noticed.
  void sum_up(absl::FunctionRef<bool()> stop) const { game_file_.sum_up(stop); }

  // Returns the known sizes of texts; see also fs/database/measure.h.
  GameSizes& sizes() { return sizes_; }
  const GameSizes& sizes() const { return sizes_; }
  // Returns the size of a game's text, and computes it if it is not known yet. Returns DataLoss if
  // the game file cannot be read.
  absl::StatusOr<std::uint32_t> text_size(GameIndex game) const;
  // See measure_range().
  absl::Status compute_sizes(
      GameIndex first, GameIndex last, absl::FunctionRef<bool()> stop = [] { return false; }) const;

  // Returns the index signatures of all games. A search uses them to skip games that need no
  // replay. Errors: Unavailable, Cancelled.
  using SignaturesPtr = OnceValue<SignatureTable>::Ptr;
  absl::StatusOr<SignaturesPtr> marks(const WorkBudget& budget) const;
  // Returns null if they have not been made yet.
  SignaturesPtr made_signatures() const { return marks_.made(); }

  // Returns the opening of each game; openings_of() (fs/positions/game_openings.h) makes it.
  OnceValue<GameOpenings>& game_openings() const { return game_openings_; }

  // The data to save for the next mount: sizes of all games and checksums of the game file, in the
  // form that fs/library/saved_sizes.h describes.
  std::size_t kept_count() const { return games() + 2 * game_file_.summed_chunks(); }
  std::vector<std::uint32_t> copy_kept() const;
  // Restores saved data. Call this before the database is shared. REQUIRES: kept.size() ==
  // kept_count()
  void adopt_kept(std::vector<std::uint32_t> kept);

  // See fs/database/succession.h. Call inherit() before the database is shared.
  bool is_plausible_after(const Database& before) const;
  void inherit(const Database& before);

  // Returns the bytes of memory that keeping this costs, with all data derived so far.
  std::uint64_t memory() const;

  // Lends a reader to the calling thread; the destructor of the pointer returns it.
  struct ReturnReader {
    const Database* database;
    void operator()(GameReader* reader) const;
  };
  using ReaderPtr = std::unique_ptr<GameReader, ReturnReader>;
  ReaderPtr borrow_reader() const;

 private:
  Database();

  absl::Status load(const std::filesystem::path& index_path);
  absl::Status load_games_and_names(const std::filesystem::path& index_path);
  absl::Status load_entries();
  bool has_all_of(const codec::scid::GameEntry& entry) const;
  bool allows_spelling(codec::scid::NameKind kind, const WorkBudget& budget) const;

  std::string name_;
  std::filesystem::path index_path_;
  std::uint64_t fingerprint_ = 0;
  DatabaseStamps stamps_;
  FileTime mtime_;
  std::uint64_t names_checksum_ = 0;
  bool is_consistent_ = false;
  std::uint64_t source_bytes_ = 0;
  std::uint64_t record_bytes_ = 0;  // of all games together
  Options options_;
  codec::scid::Names names_;
  std::vector<std::string> problems_;
  IndexFile index_file_;
  PackedIndex index_;
  std::optional<IndexTsvLines> index_tsv_lines_;
  std::array<std::vector<std::uint32_t>, kParts> index_tsv_bytes_;
  DeltaList deleted_;
  std::uint32_t shown_flags_ = 0;  // of all shown games together
  bool has_annotated_ = false;
  DateRange shown_dates_;
  GameFile game_file_;
  GameSizes sizes_;
  std::optional<GameLists> lists_;
  Lazy<People> people_;
  Lazy<Tournaments> tournaments_;
  mutable OnceValue<SignatureTable> marks_;
  mutable OnceValue<GameOpenings> game_openings_;

  // Has capacity for all kept readers, so that returning one cannot fail.
  mutable cache::Mutex readers_mutex_;
  mutable std::vector<std::unique_ptr<GameReader>> readers_ ABSL_GUARDED_BY(readers_mutex_);
};

using DatabasePtr = std::shared_ptr<const Database>;

}  // namespace scidfs::fs
