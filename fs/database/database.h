// A database as it was at one moment: its files, its games, and what has been derived from them.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cassert>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fs/database/database_files.h"
#include "fs/database/derived.h"
#include "fs/database/game_ids.h"
#include "fs/database/game_lists.h"
#include "fs/database/game_openings.h"
#include "fs/database/game_sizes.h"
#include "fs/database/index_signatures.h"
#include "fs/database/loaded_index.h"
#include "fs/database/people.h"
#include "fs/database/tournaments.h"

namespace scidfs::fs {

class CacheFile;
class ReaderPool;
class StoredIndex;
class StoredParts;
class StoredPositions;

// One version of a database, made of parts that each know one thing: its files, the loaded index,
// each value derived from it, the sizes of texts, and the readers. Thread-safe once it is shared.
//
// Logically constant: its games, their names and their texts never change, even if the files do;
// reads then fail. Three things fill in later, since they follow from the files alone: derived
// values, sizes of texts, and checksums of the game file. Known ones do not change; callers notice
// only that they are missing (sizes().known(), memory()).
class Database {
 public:
  // Opens `index_path` (NAME.si4, ...) and the NAME.sg4 and NAME.sn4 beside it. `name` is the name
  // of the directory. Errors: those of IndexFile::open(), and for either of the others
  // PermissionDenied and ResourceExhausted; Cancelled. Every other problem becomes a line of
  // files().problems().
  static absl::StatusOr<std::shared_ptr<Database>> open(const std::filesystem::path& index_path,
                                                        std::string name,
                                                        const DatabaseOptions& options);
  ~Database();

  const std::string& name() const { return name_; }
  const DatabaseOptions& options() const { return options_; }
  const Reference& reference() const { return *options_.reference; }

  const DatabaseFiles& files() const { return files_; }
  const std::filesystem::path& index_path() const { return files_.index_path(); }
  std::uint64_t fingerprint() const { return files_.fingerprint(); }
  const codec::scid::Names& names() const { return files_.names(); }

  const LoadedIndex& loaded() const { return loaded_; }
  GameIndex games() const { return loaded_.games(); }
  // Returns the source of entry(), for code that reads columns block by block.
  const PackedIndex& index() const { return loaded_.packed(); }
  // REQUIRES: game < games().
  codec::scid::GameEntry entry(GameIndex game) const {
    assert(game < games());
    return index().entry(game);
  }
  GameList shown() const { return loaded_.shown(); }

  const GameLists& lists() const { return lists_; }
  // Return which people the players are, and which events are one tournament; null without a
  // spelling file. The FIDE ids in the tags of games tell people, unless they are told as Scid
  // does: then games of unknown size are measured first. Errors: Unavailable, Cancelled; none
  // without a budget.
  absl::StatusOr<const People*> people(const WorkBudget& budget) const;
  absl::StatusOr<const Tournaments*> tournaments(const WorkBudget& budget) const;
  const People* people() const { return *people(WorkBudget::unlimited(nullptr)); }
  const Tournaments* tournaments() const { return *tournaments(WorkBudget::unlimited(nullptr)); }
  // Returns the index signatures of all games. A search uses them to skip games that need no
  // replay. Errors: Unavailable, Cancelled.
  absl::StatusOr<const SignatureTable*> signatures(const WorkBudget& budget) const;
  // Returns null if they have not been made yet.
  const SignatureTable* made_signatures() const { return signatures_.made(); }
  // Returns which games come to which boards; the positions file has it (stored_positions.h), and
  // the code that finds or makes one.
  const Derived<StoredPositions>& positions() const { return positions_; }
  // Returns the opening of each game; openings_of() (fs/positions/game_openings.h) makes it.
  const Derived<GameOpenings>& openings() const { return openings_; }

  const ReaderPool& readers() const { return *readers_; }

  // Returns the known sizes of texts; see also fs/database/measure.h.
  GameSizes& sizes() { return sizes_; }
  const GameSizes& sizes() const { return sizes_; }
  // Returns the FIDE ids in the games of known size.
  const FoundIds& found_ids() const { return found_ids_; }
  // Returns the size of a game's text, and computes it if it is not known yet. Returns DataLoss if
  // the game file cannot be read.
  absl::StatusOr<std::uint32_t> text_size(GameIndex game) const;
  // See measure_range().
  absl::Status compute_sizes(
      GameIndex first, GameIndex last, absl::FunctionRef<bool()> stop = [] { return false; }) const;

  // Returns whether index and sizes are mapped from an index file of the cache folder.
  bool is_stored() const { return stored_ != nullptr; }
  // Returns find_example_game(): from the index file, if there is one.
  GameIndex example_game() const;
  // Compares the checksums of such a file before answers need its bytes, until `is_over` returns
  // true. Reads all of it.
  void check_stored_ahead(absl::FunctionRef<bool()> is_over) const;
  // Returns whether there was one for this version that does not fit it.
  bool found_unfit() const { return found_unfit_; }
  // Returns the sections of such a file; those that are not in memory are read. Errors: Cancelled.
  // REQUIRES: all sizes are known.
  absl::StatusOr<StoredParts> store(const WorkBudget& budget) const;

  // Save data for the next mount, or restore it: sizes of all games, checksums of the game file,
  // and FIDE ids, in the form that fs/library/saved_sizes.h describes, in a file for one database
  // and one set of text options, so that mounts with other options have files of their own.
  // load_kept() returns whether there was such a file. Call it before the database is shared.
  bool load_kept();
  void save_kept() const;
  // The same in memory; adopt_kept() returns false, and takes nothing, if the words are not those
  // of such a database.
  std::vector<std::uint32_t> copy_kept() const;
  bool adopt_kept(std::vector<std::uint32_t> kept);

  // Adopts inherited_sizes() (fs/database/succession.h), and the ids in these games. Call this
  // before the database is shared.
  void inherit(const Database& before);

  // Returns the bytes of memory that keeping this costs, with all data derived so far.
  std::uint64_t memory() const;

 private:
  Database(std::string name, DatabaseOptions options, DatabaseFiles files);

  absl::Status load(const std::function<bool()>& is_cancelled);
  bool adopt(std::unique_ptr<const StoredIndex>& stored);
  std::shared_ptr<const GameIds> adoptable_ids(const StoredIndex& stored) const;
  CacheFile kept_file() const;
  // Returns the FIDE ids of all games, but of those that cannot be read; null: they do not count.
  absl::StatusOr<std::shared_ptr<const GameIds>> fide_ids(const WorkBudget& budget) const;
  bool allows_spelling(codec::scid::NameKind kind, const WorkBudget& budget) const;

  const std::string name_;
  DatabaseOptions options_;
  DatabaseFiles files_;
  // The bytes of parts; null: each has its own.
  std::unique_ptr<const StoredIndex> stored_;
  bool found_unfit_ = false;
  LoadedIndex loaded_;
  GameSizes sizes_;
  FoundIds found_ids_;
  const GameLists lists_;
  Derived<People> people_;
  Derived<Tournaments> tournaments_;
  Derived<SignatureTable> signatures_;
  Derived<StoredPositions> positions_;
  Derived<GameOpenings> openings_;
  const std::unique_ptr<const ReaderPool> readers_;
};

using DatabasePtr = std::shared_ptr<const Database>;

}  // namespace scidfs::fs
