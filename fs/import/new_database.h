// A new Scid database: three files that appear together when they are complete, or not at all.
// Source: codec/scid/FORMAT.md, section 14.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/format.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/scid/names_writer.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {

// A game for a new database.
struct NewGame {
  codec::scid::IndexEntry entry;  // but for the ids of names, and the place of the record
  std::string_view event, site, round, white, black;
  codec::Bytes record;
};

// What a new database could not store of a game as it is.
enum class Loss : std::uint8_t {
  None,
  Name,       // a name was cut
  EventDate,  // was left out
  Variant,    // programs will not see that the game is Chess960
};
// Returns whether a database with this index has a file of this name.
bool is_file_of_database(const std::filesystem::path& index_path, std::string_view name);
// Returns what to tell users of a loss; empty for None.
std::string_view loss_text(Loss loss);

// A database in the making: its format follows from the name of its index. Its files lie under
// hidden names in the folder of the database, and are removed with the object unless commit() has
// given them their names. Texts are stored as they are given. What Scid 4 has no field for becomes
// a tag of the record: an event date far from the date of the game, and that a game is Chess960.
// Not thread-safe.
class NewDatabase {
 public:
  // With Replace, the files take the places of those of another database, whose games, names and
  // ids this one must begin with. Errors: InvalidArgument if the path is no index of Scid 4 or 5;
  // AlreadyExists if one of the files is there and is to be kept; those of NewFile::create().
  // REQUIRES: `maker` outlives the database.
  static absl::StatusOr<std::unique_ptr<NewDatabase>> create(
      const std::filesystem::path& index_path, NewFile::Existing existing = NewFile::Existing::Keep,
      const FileMaker& maker = FileMaker::usual());

  // Adds a game after the others. Returns what is lost of it. Errors: OutOfRange if the format has
  // no room for more games, names or bytes; those of NewFile::append().
  absl::StatusOr<Loss> add(const NewGame& game);
  // Completes the files and gives them their names. Without properties, they are those that Scid
  // gives to a new database. `is_signed`: with a signature (signature.h). Errors: AlreadyExists if
  // one of the names has been taken meanwhile, and those of NewFile; then nothing of the database
  // is there, or the database that was to be replaced.
  absl::Status commit(const std::optional<codec::scid::DatabaseInfo>& info, bool is_signed = false);

  std::uint64_t games() const { return games_; }
  // Returns the bytes of its files so far; of Scid 4 without the names, which are written last.
  std::uint64_t bytes() const { return index_->size() + games_file_->size() + names_file_->size(); }

 private:
  // The names of a kind, in the order of their ids.
  struct Dictionary {
    std::deque<std::string> texts;
    std::vector<codec::scid::NameUses> names;  // views of texts
    absl::flat_hash_map<std::string_view, std::uint32_t> ids;
    std::uint32_t last_id = 0;  // games of an event come together
  };
  // The limits of a format.
  struct Limits {
    std::uint64_t games;
    std::uint64_t game_file;  // bytes
    std::array<std::uint32_t, codec::scid::kNameKinds> names;
    std::size_t name;  // bytes
  };

  NewDatabase() = default;
  bool is_scid4() const { return limits_ == &kLimits4; }
  // Returns the id of a name for one more use. Sets `loss` if the name is cut.
  absl::StatusOr<std::uint32_t> use_name(codec::scid::NameKind kind, std::string_view name,
                                         Loss& loss);
  // Adds a name that is used once, and returns its id.
  absl::StatusOr<std::uint32_t> add_name(codec::scid::NameKind kind, std::string_view name);
  absl::Status use_names(const NewGame& game, codec::scid::IndexEntry& entry, Loss& loss);
  // Puts tags into front_ for what an index of Scid 4 has no field for.
  Loss find_front(const NewGame& game);
  // Appends front_ and a record to the game file, and sets its place.
  absl::Status add_record(codec::Bytes record, codec::scid::IndexEntry& entry);
  absl::Status write_rest(const std::optional<codec::scid::DatabaseInfo>& info);
  absl::Status put_in_place();
  // Removes what writers of this database that were killed have left, perhaps but for their
  // indexes.
  void remove_unfinished(bool keeps_index) const;

  static const Limits kLimits4;
  static const Limits kLimits5;

  const Limits* limits_ = nullptr;
  NewFile::Existing existing_ = NewFile::Existing::Keep;
  // A mount does that once for its whole cache folder, whose listing takes longer than a small
  // file.
  bool cleans_up_ = true;
  std::unique_ptr<NewFile> index_, games_file_, names_file_;
  std::filesystem::path index_path_, games_path_, names_path_;
  std::array<Dictionary, codec::scid::kNameKinds> dictionaries_;
  std::uint64_t games_ = 0;
  std::vector<std::uint8_t> bytes_;  // of one entry, or of the names
  std::vector<std::uint8_t> front_;  // tags before those of a record
};

}  // namespace scidfs::fs
