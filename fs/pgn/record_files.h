// The files of the cache folder that hold the records of a PGN file: see pgn_records.h.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fs/import/pgn_games.h"

namespace scidfs::fs {

// What the text beside a database says.
struct RecordsText {
  std::string remarks{};  // a line each
  bool is_cut = false;    // whether the file was
  // Where the last game begins; no games if that is unknown.
  PgnPlace last{};
  std::uint64_t bytes = 0;              // of the file
  std::uint64_t checksum = 0;           // of these
  std::uint64_t database_checksum = 0;  // DatabaseFiles::checksum()
};

// A database of Scid 5, and the text beside it. Any number of threads may use one object.
class RecordFiles {
 public:
  // Returns the files to which a file of a cache folder belongs, if it is such a text.
  static std::optional<RecordFiles> of_text(const std::filesystem::path& file);
  // Returns whether a file has one of the endings.
  static bool has_ending(std::string_view name);

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
  // Writes the text, after the database.
  absl::Status save(const RecordsText& text) const;
  void remove() const;

 private:
  // Returns the beginning of a text that belongs to the database.
  std::string mark() const;
  // Returns a checksum that also depends on the names of the files.
  std::uint64_t checksum_of(std::string_view text) const;

  std::filesystem::path stem_;
};

}  // namespace scidfs::fs
