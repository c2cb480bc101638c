// The files of the cache folder that hold the records of a PGN file: see pgn_records.h.
#pragma once

#include <absl/status/status.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fs/file/new_file.h"
#include "fs/import/pgn_games.h"
#include "fs/pgn/pgn_file.h"

namespace scidfs::fs {

// What the text beside a database says.
struct RecordsText {
  std::string remarks{};  // a line each
  bool is_cut = false;    // whether the file was
  // Where the last game begins; no games if that is unknown.
  PgnPlace last{};
  PgnFront front{};
  std::uint64_t database_checksum = 0;  // DatabaseFiles::checksum()
};

// The name of the records of one state of a PGN file, without endings.
struct RecordName {
  std::uint64_t path = 0;
  std::uint64_t state = 0;

  // Returns the name of the records that have this text; nothing if no records have.
  static std::optional<RecordName> of_text(std::string_view file);
  std::string stem() const;

  friend auto operator<=>(const RecordName&,
                          const RecordName&) = default;  // NOLINT(modernize-use-nullptr)
};

// A database of Scid 5, and the text beside it. Any number of threads may use one object.
class RecordFiles {
 public:
  // Returns whether records have a file of this name.
  static bool has_form(std::string_view name);

  // `stem`: their path without endings.
  explicit RecordFiles(std::filesystem::path stem) : stem_(std::move(stem)) {}

  const std::filesystem::path& stem() const { return stem_; }
  std::filesystem::path index() const;
  std::filesystem::path text() const;
  // Returns the bytes of the database.
  std::uint64_t bytes() const;

  // Returns the text. Whether the database is whole, its checksum tells. Errors: ResourceExhausted;
  // NotFound if there is none, it is not whole, the files of the database are not as long as it
  // says, or another user may have written it.
  absl::StatusOr<RecordsText> load() const;
  // Returns whether nothing has any of the names.
  bool are_free() const;
  // Writes a text that says no more than that the files are records, before the database: so that
  // remove() finds what a program that was killed has left. Errors: AlreadyExists.
  absl::Status claim() const;
  // Replaces it, after the database.
  absl::Status save(const RecordsText& text) const;
  // Removes the files if the text says that they are records, perhaps of an earlier version, or
  // damaged ones: other files with such names belong to the user. Errors: ResourceExhausted.
  absl::Status remove() const;

 private:
  absl::Status write(std::string_view text, NewFile::Existing existing) const;
  // Returns the beginning of a text that belongs to the database.
  std::string mark() const;
  // Returns a checksum that also depends on the names of the files.
  std::uint64_t checksum_of(std::string_view text) const;

  std::filesystem::path stem_;
};

}  // namespace scidfs::fs
