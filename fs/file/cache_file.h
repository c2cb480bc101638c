// Files of the cache folder: 32-bit words that took long to compute, saved for the next mount.
//
// The bytes of a file, in the byte order of the machine. A machine of the other order reads another
// version, and makes words of its own:
//
//  offset  bytes  field
//       0      8  magic: "scidfsSZ"
//       8      4  version of this layout: 2
//      12      4  number of words
//      16      8  key: a fingerprint of everything that the words were computed from
//      24      8  checksum (XXH3) of the words
//      32      8  checksum of the 32 bytes before it
//      40         the words
//
// The words, by the code that saves them:
//
//  fs/library/saved_sizes.h        sizes of texts, checksums of a game file, FIDE ids
//  fs/reference/spelling.h         the index of a spelling file (fs/reference/spelling_index.h)
//  fs/positions/game_openings.cc   openings of a database's games, two in each word
//
// Magic and extension date from when the files held only sizes. They stay, and so do files of
// earlier versions. The checksums find damage, not forgery: load_words() looks at the owner.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fs/file/descriptor.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {

// The first bytes of a file.
struct CacheFileHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t count;
  std::uint64_t key;
  std::uint64_t words_checksum;
  std::uint64_t header_checksum;

  friend bool operator==(const CacheFileHeader&, const CacheFileHeader&) = default;
};
static_assert(sizeof(CacheFileHeader) == 40);

// Returns the header of a file with these words. REQUIRES: fewer than 2^32.
CacheFileHeader cache_file_header(std::uint64_t key, std::span<const std::uint32_t> words);

// Checks that a file of `file_size` bytes that starts with `header` (arbitrary where the file has
// fewer bytes) has `count` words for `key`. FailedPrecondition if it is for another key or layout,
// DataLoss if it is damaged in any way that shows here. Messages contain only the reason.
absl::Status check_cache_file_header(const CacheFileHeader& header, std::uint64_t key,
                                     std::size_t count, std::uint64_t file_size);

// Checks that `words` are those that a good header was written for; DataLoss if not.
absl::Status check_cache_file_words(const CacheFileHeader& header,
                                    std::span<const std::uint32_t> words);

// Opens a file of a cache folder for reading. The program uses such files without another look at
// the source, and their checksums are no secret: so the file must belong to the effective user, and
// neither the group nor others may write to it. Errors: NotFound; DataLoss if another user may have
// written it; those of open_cache_folder().
absl::StatusOr<Descriptor> open_cache_file(const std::filesystem::path& path);

// Creates a file that will replace such a file at `path`, in a folder that it makes if need be
// (mode 0700). Accessible only to its owner. Errors: AlreadyExists, which is also one of the
// cache_remarks(), if something else has the name and is not empty; those of open_cache_folder()
// and writing.
absl::StatusOr<std::unique_ptr<NewFile>> new_cache_file(const std::filesystem::path& path);

// Reads the words of the file at `path`, opened with open_cache_file().
//
// Returns the errors of that; FailedPrecondition if the file has another key or layout; DataLoss if
// it is damaged in any way (length, checksum, `count`). Never allocates more than `count` words;
// without a count, as many as the file has.
absl::StatusOr<std::vector<std::uint32_t>> load_words(const std::filesystem::path& path,
                                                      std::uint64_t key,
                                                      std::optional<std::size_t> count);

// Saves words in a file at `path`. A reader sees either the old file or the whole new one. Errors:
// those of new_cache_file().
absl::Status save_words(const std::filesystem::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> words);

// The file of a cache folder that saves one thing, such as the sizes of one database. Failures are
// no errors, but warnings in the log: the caller computes the words again. Immutable; any number of
// threads and processes may use one file.
class CacheFile {
 public:
  // `thing` tells this file from the others in the folder. Empty `folder`: nothing is saved.
  CacheFile(const std::filesystem::path& folder, std::string_view thing, std::uint64_t key);

  // Returns whether there is a folder.
  bool is_wanted() const { return !path_.empty(); }
  // Returns the words of load_words(); nothing on any error, of which only DataLoss is a warning.
  std::optional<std::vector<std::uint32_t>> load(std::optional<std::size_t> count) const;
  // Saves words. A warning ends with `consequence`: "sizes will be computed again next time".
  void save(std::span<const std::uint32_t> words, std::string_view consequence) const;

 private:
  std::filesystem::path path_;  // empty: none
  std::uint64_t key_;
};

// Removes the unfinished files of writers that were killed in save_words() from a cache folder.
void remove_abandoned_cache_files(const std::filesystem::path& folder);

}  // namespace scidfs::fs
