// The index file of a database (.si4, ...): packed into memory once, and read again for other data.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/format.h"
#include "codec/scid/index.h"
#include "fs/database/game_list.h"
#include "fs/database/packed_index.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// Returns whether a file is, by its name, the index of a database that can be opened.
bool is_index_file(const std::filesystem::path& path);

// The range of the plies of some games. Games without plies do not count; 0 if there are no others.
struct PlyRange {
  std::uint16_t least = 0;
  std::uint16_t most = 0;
};

// The entries of some adjacent games, with all their fields.
struct IndexBlock {
  GameIndex first = 0;
  std::span<const codec::scid::IndexEntry> entries;
};

// An index file. The data that PackedIndex leaves out (facts about the moves) stay in the file.
// Each block of entries has a checksum from its first read, so that no reader ever sees half an old
// and half a new version. Immutable once loaded; any number of threads may read.
class IndexFile {
 public:
  static constexpr std::size_t kBlock = PackedIndex::kBlock;

  IndexFile() = default;
  // Opens the file (as SourceFile does) and reads its header. Errors (with the path): it cannot be
  // read, is no index of a known format and version, or has more than kMaxGames games.
  static absl::StatusOr<IndexFile> open(const std::filesystem::path& path,
                                        const FileOrigin& origin = {},
                                        codec::CodePage page = codec::CodePage::Windows1252);

  const codec::scid::IndexHeader& header() const { return header_; }
  // REQUIRES: the file has been opened.
  const codec::scid::Format& format() const {
    assert(format_ != nullptr);
    return *format_;
  }
  const FileStamp& stamp() const { return file_.stamp(); }
  bool is_remote() const { return file_.is_remote(); }
  // Returns the number of games that have an entry.
  GameIndex games() const { return games_; }
  std::size_t blocks() const { return (games_ + kBlock - 1) / kBlock; }
  // Returns what is wrong with the length of the file; empty if nothing is.
  const std::string& problem() const { return problem_; }

  // Reads all entries on `threads` threads (0: one for each processor) and packs them, as `change`
  // leaves them. Any of these threads calls `visit`, once for each block, and `change` for each of
  // its games. Call this once, before anything below. Returns DataLoss if the file cannot be read;
  // Cancelled when `is_cancelled`, which these threads call about every millisecond.
  absl::StatusOr<PackedIndex> load(
      unsigned threads, absl::FunctionRef<void(const IndexBlock&)> visit,
      absl::FunctionRef<bool()> is_cancelled = [] { return false; },
      absl::FunctionRef<void(codec::scid::GameEntry&)> change = [](codec::scid::GameEntry&) {});

  // Sets what load() finds, from an index file of the cache folder: then it need not be called.
  void adopt(std::span<const std::uint64_t> checksums, std::span<const PlyRange> plies) {
    checksums_.assign(checksums.begin(), checksums.end());
    plies_.assign(plies.begin(), plies.end());
  }
  std::span<const std::uint64_t> block_checksums() const { return checksums_; }
  std::span<const PlyRange> block_plies() const { return plies_; }

  std::uint64_t header_checksum() const { return header_checksum_; }
  // Returns the checksum of header and entries, as they were when they were loaded.
  std::uint64_t checksum() const;
  // Returns whether a block of another version has the same bytes.
  bool has_same_block(const IndexFile& other, std::size_t block) const {
    return block < checksums_.size() && block < other.checksums_.size() &&
           checksums_[block] == other.checksums_[block] && games_in(block) == other.games_in(block);
  }

  // Returns the entries of a block as they were when they were loaded, in the caller's `room`.
  // Returns DataLoss if they cannot be read, FailedPrecondition if they have changed or the file
  // has changed so that they no longer exist.
  absl::StatusOr<IndexBlock> read_block(std::size_t block,
                                        std::vector<codec::scid::IndexEntry>& room) const;
  // Reads the entries of only some games of a block, in their order, which costs less if they are
  // few. REQUIRES: the games lie in the block. Errors: as read_block().
  absl::Status read_entries(std::size_t block, std::span<const GameIndex> games,
                            std::vector<codec::scid::IndexEntry>& entries) const;

  // Says that the entries of some blocks will be read soon: see SourceFile::expect().
  void expect(std::size_t first_block, std::size_t blocks) const;

  // Returns the plies of a block, without reading it: most blocks need not be read for their
  // longest game.
  PlyRange plies(std::size_t block) const { return plies_[block]; }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const {
    return checksums_.capacity() * sizeof(checksums_[0]) + plies_.capacity() * sizeof(plies_[0]);
  }

 private:
  absl::Status load_segment(std::size_t number, PackedIndex::Segment& segment,
                            absl::FunctionRef<void(const IndexBlock&)> visit,
                            absl::FunctionRef<bool()> is_cancelled,
                            absl::FunctionRef<void(codec::scid::GameEntry&)> change);
  std::size_t games_in(std::size_t block) const;
  std::uint64_t offset_of(std::size_t block) const;
  // As many bytes as the longest entries of a block have.
  using RawBlock = std::array<std::uint8_t, kBlock * codec::scid::kMaxIndexEntrySize>;
  // Returns the bytes of a block, in the caller's `room`. Errors: as read_block().
  absl::StatusOr<codec::Bytes> read_raw(std::size_t block, RawBlock& room) const;
  void parse_entries(codec::Bytes raw, std::vector<codec::scid::IndexEntry>& entries) const;

  SourceFile file_;
  const codec::scid::Format* format_ = nullptr;
  codec::scid::IndexHeader header_;
  GameIndex games_ = 0;
  std::string problem_;
  std::uint64_t header_checksum_ = 0;
  // By block, for its entries.
  std::vector<std::uint64_t> checksums_;
  std::vector<PlyRange> plies_;
};

}  // namespace scidfs::fs
