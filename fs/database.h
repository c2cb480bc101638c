// A database as it was at one moment: index, names and the open game file.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cache/mutex.h"
#include "cache/sizes.h"
#include "codec/pgn.h"
#include "codec/scid/game_text.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "fs/game_list.h"
#include "fs/named_set.h"
#include "fs/postings.h"
#include "fs/source_file.h"

namespace scidfs::fs {

class GameReader;

// The games of an event: what is played at one site under one name in one year.
struct EventKey {
  std::uint32_t event = 0;
  std::uint32_t site = 0;
  std::uint16_t year = 0;  // 0: unknown

  friend bool operator==(const EventKey&, const EventKey&) = default;
};

// A snapshot: immutable and shared. What is derived from the index (lists of players, ...) is built
// when it is first wanted. Thread-safe.
class Database {
 public:
  struct Options {
    codec::PgnOptions pgn;
    bool show_deleted = false;
  };

  // Opens `index_path` (NAME.si4) and the NAME.sg4 and NAME.sn4 beside it. `name` is what the
  // directory is called; `slot` its place in the library. Errors: the index cannot be read or is no
  // Scid 4 index. Everything else that is wrong becomes a line of problems().
  static absl::StatusOr<std::shared_ptr<Database>> open(const std::filesystem::path& index_path,
                                                        std::string name, std::uint16_t slot,
                                                        const Options& options);
  ~Database();

  const std::string& name() const { return name_; }
  std::uint16_t slot() const { return slot_; }
  std::uint16_t epoch() const { return epoch_; }
  // Identifies the bytes of the three files and everything the texts depend on.
  std::uint64_t fingerprint() const { return fingerprint_; }
  // The newest modification time of the three files.
  const FileStamp& newest() const { return newest_; }
  std::uint64_t source_bytes() const { return source_bytes_; }
  const Options& options() const { return options_; }
  const codec::scid::IndexHeader& header() const { return header_; }
  const codec::scid::Names& names() const { return names_; }
  // What is wrong with the files as a whole, a line each.
  const std::vector<std::string>& problems() const { return problems_; }

  // The number of games with an index entry.
  GameIndex games() const { return games_; }
  // REQUIRES: game < games().
  codec::scid::IndexEntry entry(GameIndex game) const;
  bool is_deleted(GameIndex game) const;
  // Whether the game appears outside deleted/.
  bool is_shown(GameIndex game) const { return options_.show_deleted || !is_deleted(game); }
  GameList shown() const {
    return GameList::all_but(
        games_, options_.show_deleted ? std::span<const GameIndex>() : std::span(deleted_));
  }
  // Whether any shown game carries a flag; no list is built for the answer.
  bool has_flag(codec::scid::Flag flag) const { return (shown_flags_ >> flag & 1) != 0; }
  GameList deleted() const { return GameList::of(deleted_); }

  // The lists of games by key; only shown games are in them.
  const Postings& white_games() const;  // by player id
  const Postings& black_games() const;  // by player id
  const Postings& event_games() const;  // by index into events()
  const Postings& month_games() const;  // by year * 16 + month
  const Postings& eco_games() const;    // by ECO base; the last list is of those without
  const Postings& flag_games(codec::scid::Flag flag) const;  // one list, under key 0
  const std::vector<EventKey>& events() const;
  // Players by shard, events by year.
  const NamedSet& player_set() const;
  const NamedSet& event_set() const;

  // The size of a game's text; computed if it is not known yet. DataLoss if the game file cannot be
  // read.
  absl::StatusOr<std::uint32_t> text_size(GameIndex game) const;
  // Whether the text of a game tells of damage. REQUIRES: its size is known.
  bool is_damaged(GameIndex game) const;
  // Sizes of all games, as load_sizes() and save_sizes() want them.
  std::vector<std::uint32_t> copy_sizes() const { return sizes_->copy(); }
  void adopt_sizes(std::vector<std::uint32_t> sizes);
  std::size_t sizes_known() const { return sizes_->known(); }
  bool all_sizes_known() const { return sizes_->complete(); }
  // Computes the sizes of the games first .. last-1 that are not known yet.
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

  absl::Status load(const std::filesystem::path& index_path);
  absl::Status load_index(const SourceFile& file);
  void load_games_and_names(const std::filesystem::path& stem);
  void identify(const SourceFile& index, const FileStamp& names);
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

  std::string name_;
  std::uint16_t slot_ = 0;
  std::uint16_t epoch_ = 0;
  std::uint64_t fingerprint_ = 0;
  FileStamp newest_;
  std::uint64_t source_bytes_ = 0;
  Options options_;
  codec::scid::IndexHeader header_;
  codec::scid::Names names_;
  std::vector<std::string> problems_;
  GameIndex games_ = 0;
  std::vector<std::uint8_t> index_;  // the entries as they are in the file
  std::vector<GameIndex> deleted_;
  std::uint32_t shown_flags_ = 0;  // of all shown games together
  SourceFile game_file_;
  // Sizes with kDamagedBit.
  std::unique_ptr<cache::SizeTable> sizes_;

  Lazy<Postings> white_games_, black_games_, month_games_, eco_games_;
  Lazy<Events> events_;
  std::array<Lazy<Postings>, codec::scid::kFlagCount> flag_games_;
  Lazy<NamedSet> player_set_, event_set_;

  mutable cache::Mutex readers_mutex_;
  mutable std::vector<std::unique_ptr<GameReader>> readers_ ABSL_GUARDED_BY(readers_mutex_);
};

// The year under which the games of an event stand: its own date's, or else the game's.
std::uint16_t event_year(const codec::scid::IndexEntry& entry);

}  // namespace scidfs::fs
