// A Kvetka opening book as it was when it was opened: the pieces NAME_0.kob, NAME_1.kob, ... and
// its index.
// Source: codec/kvetka/FORMAT.md, sections 1, 3, 6 and 8.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/mutex.h"
#include "codec/kvetka/book.h"
#include "codec/kvetka/element.h"
#include "codec/kvetka/strings.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

inline constexpr std::string_view kBookExtension = ".kob";
inline constexpr std::string_view kFirstPieceEnding = "_0.kob";
inline constexpr std::string_view kBookIndexExtension = ".kin";
inline constexpr std::string_view kBookSourcesExtension = ".ksf";

// Return the file of a book's piece, and of its index; `prefix` is the path up to NAME.
std::filesystem::path book_piece_path(const std::filesystem::path& prefix, unsigned piece);
std::filesystem::path book_index_path(const std::filesystem::path& prefix);
std::filesystem::path book_sources_path(const std::filesystem::path& prefix);
// Returns the path up to NAME of a path that names a book, its first piece or its index, with
// endings in upper or lower case; of any other path the path itself.
std::filesystem::path book_prefix(const std::filesystem::path& path);

// The files of a book that exists. Endings have the case of the first piece's ending if such a file
// exists (see with_ending()).
struct BookFiles {
  std::filesystem::path prefix;
  std::string ending;  // of the first piece

  std::filesystem::path piece(unsigned number) const;
  std::filesystem::path index() const;
  std::filesystem::path sources() const;
};
// Returns the files of a book. The path names the book, its first piece or its index, or is the
// path up to NAME.
BookFiles find_book(const std::filesystem::path& path);

using BookBlock = std::array<std::uint8_t, codec::kvetka::kBlockSize>;

// The data of a book about a position. The views of the element point into the block.
struct BookPosition {
  BookBlock block;
  codec::kvetka::Element element;
  // Its place: which element of which block.
  std::uint64_t block_number = 0;
  std::size_t index = 0;
};

// A problem at one place of a book.
struct BookDamage {
  std::uint64_t block = 0;
  std::size_t offset = 0;  // in the block
  std::string reason;
};

// An open book. Immutable. Reads blocks when they are needed, never maps them. Thread-safe.
class Book {
 public:
  // Opens the book that find_book() finds. Errors: the first piece cannot be read or is no book.
  // Any other problem becomes a line of problems().
  static absl::StatusOr<std::unique_ptr<Book>> open(const std::filesystem::path& path,
                                                    const std::filesystem::path& boundary = {});

  const codec::kvetka::BookHeader& header() const { return header_; }
  codec::kvetka::ByteOrder byte_order() const { return byte_order_; }
  std::string caption() const { return text(header_.caption_units()); }
  // Decodes a Unicode string of the book.
  std::string text(codec::Bytes units) const {
    return codec::kvetka::decode_units(units, byte_order_);
  }
  // Returns the number of complete blocks that exist and that the header counts.
  std::uint64_t blocks() const { return blocks_; }
  std::size_t pieces() const { return pieces_.size(); }
  std::uint64_t bytes() const;
  // Returns the problems of the files as a whole, one per line.
  const std::vector<std::string>& problems() const { return problems_; }
  // Returns the stamps of the files that were opened, by number.
  std::vector<FileStamp> stamps() const;

  // Reads a block. REQUIRES: number < blocks(). Errors, also of all functions that read blocks:
  // DataLoss if it can no longer be read, FailedPrecondition if the file has changed since it was
  // opened.
  absl::Status read_block(std::uint64_t number, BookBlock& block) const;

  // Reads a block and visits its elements in order. Reports damage if the caller passes a function
  // for it.
  absl::Status visit_block(
      std::uint64_t number, BookBlock& block,
      absl::FunctionRef<void(const codec::kvetka::Element&)> visit,
      absl::FunctionRef<void(BookDamage)> damage = [](const BookDamage&) {}) const;

  // Reads the position at a place. Returns whether there is one. DataLoss as for read_block().
  absl::StatusOr<bool> read_position(std::uint64_t block, std::size_t index,
                                     BookPosition& found) const;

  // Finds a position. Returns whether it exists. DataLoss if a block cannot be read.
  absl::StatusOr<bool> find(const codec::kvetka::Key& key, BookPosition& found) const
      ABSL_LOCKS_EXCLUDED(index_mutex_);

 private:
  struct Piece {
    SourceFile file;
    std::uint64_t begin = 0;  // of the piece in the book
  };
  // The least key of a block.
  struct IndexEntry {
    codec::kvetka::Key key;
    std::uint32_t block = 0;
  };
  using Index = std::vector<IndexEntry>;  // by key
  using IndexPtr = std::shared_ptr<const Index>;

  Book() = default;
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out) const;
  void open_pieces(const BookFiles& files, const std::filesystem::path& boundary);
  void count_blocks();
  void find_byte_order();
  void load_index(const BookFiles& files, const std::filesystem::path& boundary);
  std::optional<codec::kvetka::Key> least_key(std::uint64_t number, BookBlock& block) const;
  IndexPtr index() const ABSL_LOCKS_EXCLUDED(index_mutex_);
  IndexPtr rebuild_index() const ABSL_LOCKS_EXCLUDED(index_mutex_);

  std::vector<Piece> pieces_;
  codec::kvetka::BookHeader header_;
  codec::kvetka::ByteOrder byte_order_ = codec::kvetka::ByteOrder::Little;
  std::uint64_t blocks_ = 0;
  std::vector<std::string> problems_;

  mutable cache::Mutex index_mutex_;
  mutable IndexPtr index_ ABSL_GUARDED_BY(index_mutex_);
  mutable bool index_is_rebuilt_ ABSL_GUARDED_BY(index_mutex_) = false;
};

}  // namespace scidfs::fs
