// A database as it was at one moment: index, names and the open game file.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache/mutex.h"
#include "cache/sizes.h"
#include "codec/pgn.h"
#include "codec/scid/format.h"
#include "codec/scid/game_text.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "fs/database/game_file.h"
#include "fs/database/game_list.h"
#include "fs/database/index_file.h"
#include "fs/database/index_tsv_line.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/postings.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {

class GameReader;

// The games of an event: what is played at one site under one name in one year.
struct EventKey {
  std::uint32_t event = 0;
  std::uint32_t site = 0;
  std::uint16_t year = 0;  // 0: unknown

  friend bool operator==(const EventKey&, const EventKey&) = default;
  template <class Hash>
  friend Hash AbslHashValue(Hash hash, const EventKey& key) {
    return Hash::combine(std::move(hash), key.event, key.site, key.year);
  }
};

// The two parts of a database: what stands in games/ and what stands in deleted/. With show_deleted
// a deleted game is in both.
enum class Part : std::uint8_t { Shown, Deleted };
inline constexpr std::size_t kParts = 2;
constexpr std::string_view directory_of(Part part) {
  return part == Part::Shown ? "games" : "deleted";
}

// The first and the last of some dates; those without a year do not count.
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

// A snapshot: immutable and shared. What is derived from the index (lists of players, ...) is built
// when it is first wanted. Thread-safe.
class Database {
 public:
  struct Options {
    codec::PgnOptions pgn;
    bool show_deleted = false;
    FileOrigin origin{};  // of its files
  };

  // Opens `index_path` (NAME.si4, ...) and the NAME.sg4 and NAME.sn4 beside it. `name` is what the
  // directory is called; `slot` its place in the library. Errors: those of IndexFile::open(), and
  // PermissionDenied for either of the others. Everything else that is wrong becomes a line of
  // problems().
  // Among the snapshots of a slot, each epoch stands for one fingerprint.
  // REQUIRES: used.size() < kMaxEpoch.
  static absl::StatusOr<std::shared_ptr<Database>> open(const std::filesystem::path& index_path,
                                                        std::string name, std::uint16_t slot,
                                                        const Options& options,
                                                        std::span<const UsedEpoch> used = {});
  ~Database();

  const std::string& name() const { return name_; }
  const std::filesystem::path& index_path() const { return index_path_; }
  std::uint16_t slot() const { return slot_; }
  std::uint16_t epoch() const { return epoch_; }
  std::uint64_t game_file_size() const { return game_file_.size(); }
  // Identifies the bytes of the three files, as far as they have been read, and everything the
  // texts depend on.
  std::uint64_t fingerprint() const { return fingerprint_; }
  // What the directory says of its last change: the newest time of the three files, or later.
  std::int64_t mtime_seconds() const { return mtime_seconds_; }
  std::uint32_t mtime_nanoseconds() const { return mtime_nanoseconds_; }
  // The files that this is a snapshot of, and those that have their names now.
  const DatabaseStamps& stamps() const { return stamps_; }
  static DatabaseStamps stamps_on_disk(const std::filesystem::path& index_path);
  // Whether the three files fit together: each game's names and record are there, and nothing lies
  // behind the last record. What Scid is in the middle of writing does not.
  bool is_consistent() const { return is_consistent_; }
  // Whether these files look like a whole version that somebody made of another one: either all
  // three are other files, or what has been written is what Scid writes: flags, and games whose
  // records lie behind the old ones. When somebody writes over the files, as cp does,
  // nothing can tell whether there is more to come.
  bool is_plausible_after(const Database& before) const;
  // The first version that a mount shows is 1.
  unsigned version() const { return version_; }
  // When it was opened, in seconds.
  std::int64_t opened() const { return opened_; }
  // Takes over what the version before knows of games that have not changed, and gives the
  // directory a later time than that one's. To be called before the database is shared.
  void succeed(const Database& before);
  // Reads the whole game file, so that whatever is written to it later is noticed, unless `stop`.
  void sum_up(absl::FunctionRef<bool()> stop) const { game_file_.sum_up(stop); }
  std::uint64_t source_bytes() const { return source_bytes_; }
  const Options& options() const { return options_; }
  const codec::scid::DatabaseInfo& info() const {
    return names_.info.has_value() ? *names_.info : index_file_.header();
  }
  const codec::scid::Format& format() const { return index_file_.format(); }
  const codec::scid::Names& names() const { return names_; }
  // What is wrong with the files as a whole, a line each.
  const std::vector<std::string>& problems() const { return problems_; }

  // The number of games with an index entry.
  GameIndex games() const { return index_file_.games(); }
  // REQUIRES: game < games().
  codec::scid::GameEntry entry(GameIndex game) const { return index_.entry(game); }
  // Whether a game with these flags belongs to a part.
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
  // Whether any shown game carries a flag; no list is built for the answer.
  bool has_flag(codec::scid::Flag flag) const { return (shown_flags_ >> flag & 1) != 0; }

  // Of all shown games.
  const DateRange& shown_dates() const { return shown_dates_; }

  // What index.tsv is made of: facts about the moves that no entry() has, the writer of its lines,
  // and the bytes of all lines of a part for each block of the index.
  const IndexFile& index_file() const { return index_file_; }
  const IndexLines& index_lines() const { return *index_lines_; }
  std::span<const std::uint32_t> index_line_bytes(Part part) const {
    return index_line_bytes_[static_cast<std::size_t>(part)];
  }

  // The lists of games by key; only shown games are in them. The first call makes them.
  const Postings& player_games() const;  // by player id, tagged by colour
  const Postings& event_games() const;   // by index into events()
  const Postings& month_games() const;   // by year * 16 + month
  const Postings& eco_games() const;     // by ECO base; the last list is of those without
  const Postings& flag_games(codec::scid::Flag flag) const;  // one list, under key 0
  const std::vector<EventKey>& events() const;
  // Players by shard, events by year.
  const NamedSet& player_set() const;
  const NamedSet& event_set() const;

  static constexpr unsigned kWhiteTag = 0;
  static constexpr unsigned kBlackTag = 1;

  // Makes what most visitors want first: the lists and directories of players and events.
  void warm_up() const;

  // The size of a game's text; computed if it is not known yet. DataLoss if the game file cannot be
  // read.
  absl::StatusOr<std::uint32_t> text_size(GameIndex game) const;
  // The same with a reader that the caller has borrowed.
  absl::StatusOr<std::uint32_t> text_size(GameIndex game, GameReader& reader) const;
  // Whether the text of a game tells of damage. REQUIRES: its size is known.
  bool is_damaged(GameIndex game) const;
  // What is worth keeping until the next mount: sizes of all games and checksums of the game file,
  // as load_sizes() and save_sizes() want them.
  std::size_t kept_count() const { return games() + 2 * game_file_.summed_chunks(); }
  std::vector<std::uint32_t> copy_kept() const;
  // REQUIRES: kept.size() == kept_count()
  void adopt_kept(std::vector<std::uint32_t> kept);
  std::size_t sizes_known() const { return sizes_->known(); }
  bool all_sizes_known() const { return sizes_->complete(); }
  // Computes the sizes of the games first .. last-1 that are not known yet, as far as they can be
  // read. Returns the first failure.
  absl::Status compute_sizes(GameIndex first, GameIndex last) const;

  // Lends a reader to the calling thread; it comes back when the pointer goes.
  struct ReturnReader {
    const Database* database;
    void operator()(GameReader* reader) const;
  };
  using ReaderPtr = std::unique_ptr<GameReader, ReturnReader>;
  ReaderPtr borrow_reader() const;

 private:
  friend class GameReader;
  Database() = default;

  absl::Status load(const std::filesystem::path& index_path, std::span<const UsedEpoch> used);
  bool continues(const Database& before) const;
  void inherit_sizes(const Database& before);
  absl::Status load_games_and_names(const std::filesystem::path& index_path);
  bool has_all_of(const codec::scid::GameEntry& entry) const;
  absl::Status load_entries();
  // Records a size, and whether the text tells of damage. DataLoss if it was another one before.
  absl::Status record_size(GameIndex game, std::size_t size, bool damaged) const;

  // A value that is made once, by whoever wants it first.
  template <class T>
  struct Lazy {
    mutable std::once_flag once;
    mutable T value;
  };
  struct Events {
    std::vector<EventKey> keys;
    Postings games;
  };
  const Events& events_and_games() const;
  Events make_events() const;
  // Calls visit(game, values) for each shown game with its values of some columns.
  template <std::size_t kCount, class Visit>
  void for_each_shown(const std::array<PackedIndex::Column, kCount>& columns,
                      const Visit& visit) const;
  template <class KeyOf>
  Postings lists_by(PackedIndex::Column column, std::uint32_t keys, const KeyOf& key_of) const;

  std::string name_;
  std::filesystem::path index_path_;
  std::uint16_t slot_ = 0;
  std::uint16_t epoch_ = 0;
  std::uint64_t fingerprint_ = 0;
  DatabaseStamps stamps_;
  std::int64_t mtime_seconds_ = 0;
  std::uint32_t mtime_nanoseconds_ = 0;
  std::uint64_t names_checksum_ = 0;
  bool is_consistent_ = false;
  unsigned version_ = 1;
  std::int64_t opened_ = 0;
  std::uint64_t source_bytes_ = 0;
  Options options_;
  codec::scid::Names names_;
  std::vector<std::string> problems_;
  IndexFile index_file_;
  PackedIndex index_;
  std::optional<IndexLines> index_lines_;
  std::array<std::vector<std::uint32_t>, kParts> index_line_bytes_;
  GameDeltas deleted_;
  std::vector<std::uint8_t> is_shown_player_;  // by id: whether a shown game has the player
  std::uint32_t shown_flags_ = 0;              // of all shown games together
  DateRange shown_dates_;
  GameFile game_file_;
  // Sizes with kDamagedBit.
  std::unique_ptr<cache::SizeTable> sizes_;

  Lazy<Postings> player_games_, month_games_, eco_games_;
  Lazy<Events> events_;
  std::array<Lazy<Postings>, codec::scid::kFlagCount> flag_games_;
  Lazy<NamedSet> player_set_, event_set_;

  mutable cache::Mutex readers_mutex_;
  mutable std::vector<std::unique_ptr<GameReader>> readers_ ABSL_GUARDED_BY(readers_mutex_);
};

using DatabasePtr = std::shared_ptr<const Database>;

}  // namespace scidfs::fs
