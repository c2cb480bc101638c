// The index file of a database: what reading all entries of its index finds, and the sizes of its
// texts, in a file of the cache folder that the next mount maps instead (fs/file/section_file.h).
// All processes that show the same version share its memory.
//
// The sections, for G games in B = (G + 127) / 128 blocks (packed_index.h) and P names of players:
//
//  number  values            what
//       1  12 of 8 bytes     StoredFacts
//       2  B of 96 bytes     blocks of the packed index
//       3  bytes             rows of the packed index
//       4  of 8 bytes        where the rows of each segment end
//       5  B of 8 bytes      checksums of the entries in the source
//       6  B of 4 bytes      least and most plies
//       7  B of 4 bytes      bytes of the lines of index.tsv: of games/
//       8  B of 4 bytes      the same of deleted/
//       9  bytes             the deleted games (DeltaList)
//      10  P of 1 byte       1: the player has a shown game
//      11  G of 4 bytes      sizes of texts (game_sizes.h), all known
//      12  of 8 bytes        checksums of the game file (game_file.h)
//      13  P of 4 bytes      where the games of each player end (Postings)
//      14  bytes             the games of all players
//      15  of 4 bytes        where the games of each event end, in the order of GameLists::events()
//      16  bytes             the games of all events
//      17  2 of 8 bytes      for each event: its name in the lower half, its site above; its year
//   18-21  of 8 bytes        names of players, events, sites and rounds: where the text of each is
//                            (NameTable::Slot)
//   22-25  bytes             the texts of these names
//      26  lines             what else the name file says (stored_names.h)
//      27  G of 16 bytes     index signatures (index_signatures.h): of a game whose moves do not
//                            agree with its own, one that tells nothing
//      28  bytes             the games whose texts report damage (DeltaList)
//   29-32  as NamedSet       GameLists::player_set(): NamedSet::Arrays, in their order
//   33-36  the same          GameLists::event_set()
//   37-39  as GameIds        GameIds::Arrays, in their order
//
// A reader skips sections that it does not know. The key of the file is made of that of
// DatabaseFiles::source_key(), by which a version is found without reading its index or its names,
// and of the header line of index.tsv.
//
// A file of this user whose checksums and key are right is trusted to be true, since only reading
// everything again would tell: a wrong value gives a wrong answer, or EIO where the source is read
// as well. It is not trusted to be sound, since an error of another version of the program must not
// reach further. One that does not fit is left out as a whole, and replaced:
//
//  checked at the mount   sizes of all sections; where blocks, rows and lists begin and end; values
//                         of the columns of blocks; each deleted or damaged game; which games have
//                         FIDE ids
//  checked in use         lists of games (GameList); where records lie (GameReader); sets of names
//                         (NamedSet, at their first use: made again if they are not sound); where
//                         names lie (NameTable); the length of each text and of lines of index.tsv
//  any value is harmless  sizes (a game with one of 0 cannot be read), checksums, plies, dates,
//                         ids of names, flags, index signatures, FIDE ids and their numbers
//  trusted                that a text reports no damage, as in other files of the cache folder
//                         (cache_file.h): moves of such a game are counted without a look at
//                         whether they fit the board; that names are UTF-8 without control
//                         characters
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fs/database/database_files.h"
#include "fs/database/game_ids.h"
#include "fs/database/index_signatures.h"
#include "fs/file/section_file.h"

namespace scidfs::fs {

class Database;

enum class StoredPart : std::uint64_t {
  Facts = 1,
  PackedBlocks,
  PackedRows,
  RowEnds,
  Checksums,
  Plies,
  ShownLines,
  DeletedLines,
  Deleted,
  ShownPlayers,
  Sizes,
  GameSums,
  PlayerEnds,
  PlayerGames,
  EventEnds,
  EventGames,
  EventKeys,
  NameSlots,  // and the three after it
  NameTexts = NameSlots + codec::scid::kNameKinds,
  NamesInfo = NameTexts + codec::scid::kNameKinds,
  Signatures,
  Damaged,
  PlayerSet,  // and the three after it
  EventSet = PlayerSet + 4,
  IdBlocks = EventSet + 4,
  IdNumbers,
  Ids,
};
// Returns the part that comes after another one.
constexpr StoredPart part_after(StoredPart part, std::size_t count) {
  return static_cast<StoredPart>(static_cast<std::size_t>(part) + count);
}

struct StoredFacts {
  std::uint64_t games = 0;
  // DatabaseFiles::Records.
  std::uint64_t are_complete = 0;
  std::uint64_t records_end = 0;
  std::uint64_t records_bytes = 0;
  // LoadedIndex.
  std::uint64_t deleted = 0;
  std::uint64_t shown_flags = 0;
  std::uint64_t has_annotated = 0;
  std::uint64_t first_date = 0;  // codec::pack_date()
  std::uint64_t last_date = 0;
  std::uint64_t damaged = 0;         // GameSizes
  std::uint64_t names_checksum = 0;  // DatabaseFiles
  std::uint64_t example = 0;         // find_example_game()
};

// The sections of a file that is to be written. The values that are added outlive this.
class StoredParts {
 public:
  void add(StoredPart part, std::vector<codec::Bytes> pieces) {
    sections_.push_back({.number = static_cast<std::uint64_t>(part), .pieces = std::move(pieces)});
  }
  template <class Value>
  void add(StoredPart part, std::span<const Value> values) {
    add(part, {{reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()}});
  }
  // Do the same with values that this keeps.
  void keep(StoredPart part, std::vector<std::uint64_t> values) {
    add(part, std::span<const std::uint64_t>(kept_.emplace_back(std::move(values))));
  }
  void keep(StoredPart part, std::string text) {
    add(part, std::span<const char>(kept_texts_.emplace_back(std::move(text))));
  }
  void keep(std::shared_ptr<const SignatureTable> signatures) {
    add(StoredPart::Signatures, signatures->games());
    kept_signatures_ = std::move(signatures);
  }
  void keep(std::shared_ptr<const GameIds> ids) {
    add(StoredPart::IdBlocks, ids->arrays().blocks);
    add(StoredPart::IdNumbers, ids->arrays().numbers);
    add(StoredPart::Ids, ids->arrays().ids);
    kept_ids_ = std::move(ids);
  }
  const std::vector<Section>& sections() const { return sections_; }

 private:
  std::vector<Section> sections_;
  std::deque<std::vector<std::uint64_t>> kept_;
  std::deque<std::string> kept_texts_;
  std::shared_ptr<const SignatureTable> kept_signatures_;
  std::shared_ptr<const GameIds> kept_ids_;
};

// An index file that fits the files of a database. Immutable; any number of threads may read it.
class StoredIndex {
 public:
  // Returns null if there is none for this version, or none that is whole; a damaged one is a
  // warning in the log.
  static std::unique_ptr<const StoredIndex> find(const DatabaseFiles& files,
                                                 const DatabaseOptions& options);

  // Says in a warning of the log that the sections do not fit the database.
  void tell_unfit() const;

  const StoredFacts& facts() const { return facts_; }
  codec::Bytes bytes(StoredPart part) const {
    return file_->section(static_cast<std::uint64_t>(part));
  }
  // Does what SectionFile::check_ahead() does.
  void check_ahead(absl::FunctionRef<bool()> is_over) const { file_->check_ahead(is_over); }
  // Returns all values of a part.
  template <class Value>
  std::span<const Value> all(StoredPart part) const {
    return values<Value>(part, bytes(part).size() / sizeof(Value));
  }
  // Returns the values of a part; none if there are not exactly so many.
  template <class Value>
  std::span<const Value> values(StoredPart part, std::size_t count) const {
    return file_->values<Value>(static_cast<std::uint64_t>(part), count);
  }

 private:
  StoredIndex(std::filesystem::path path, std::unique_ptr<const SectionFile> file,
              const StoredFacts& facts)
      : path_(std::move(path)), file_(std::move(file)), facts_(facts) {}

  const std::filesystem::path path_;
  const std::unique_ptr<const SectionFile> file_;
  const StoredFacts facts_;
};

// Returns whether a database is to have an index file: it has a folder for that, and games enough.
bool is_worth_storing(const DatabaseFiles& files, const DatabaseOptions& options);

// Returns where the index file of a database is, or would be.
std::filesystem::path stored_index_path(const DatabaseFiles& files, const DatabaseOptions& options);

// Saves the index file of a database whose sizes are all known, unless there is one that fits,
// another process is saving one, or all index files together would take more than
// DatabaseOptions::index_bytes: the least recently used ones are removed first. Reads the index of
// the source again: its stamps must be those of what was loaded. Failures are warnings in the log.
// REQUIRES: any later change of the source will show in its stamps.
void save_stored_index(const Database& database, absl::FunctionRef<bool()> is_cancelled);

}  // namespace scidfs::fs
