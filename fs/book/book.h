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

// The file of a book's piece, and what belongs to it: `prefix` is the path up to NAME.
std::filesystem::path book_piece_path(const std::filesystem::path& prefix, unsigned piece);
std::filesystem::path book_index_path(const std::filesystem::path& prefix);
std::filesystem::path book_sources_path(const std::filesystem::path& prefix);
// The path up to NAME of a path that names a book, its first piece or its index, in whatever
// capitals their endings are; else the path.
std::filesystem::path book_prefix(const std::filesystem::path& path);

// The files of a book that is there. Their endings have the letters of the first piece's where such
// a file lies there (see with_ending()).
struct BookFiles {
  std::filesystem::path prefix;
  std::string ending;  // of the first piece

  std::filesystem::path piece(unsigned number) const;
  std::filesystem::path index() const;
  std::filesystem::path sources() const;
};
// Of a path that names a book, its first piece or its index, or is the path up to NAME.
BookFiles find_book(const std::filesystem::path& path);

using BookBlock = std::array<std::uint8_t, codec::kvetka::kBlockSize>;

// What a book says of a position. The views of the element lie in the block.
struct BookPosition {
  BookBlock block;
  codec::kvetka::Element element;
  // Where it lies: which element of which block.
  std::uint64_t block_number = 0;
  std::size_t index = 0;
};

// What is wrong at one place of a book.
struct BookDamage {
  std::uint64_t block = 0;
  std::size_t offset = 0;  // in the block
  std::string reason;
};

// Immutable. Blocks are read when they are wanted, never mapped. Thread-safe.
class Book {
 public:
  // Opens the book that find_book() finds. Errors: the first piece cannot be read or is no book.
  // Everything else that is wrong becomes a line of problems().
  static absl::StatusOr<std::unique_ptr<Book>> open(const std::filesystem::path& path,
                                                    const std::filesystem::path& boundary = {});

  const codec::kvetka::BookHeader& header() const { return header_; }
  codec::kvetka::ByteOrder byte_order() const { return byte_order_; }
  std::string caption() const { return text(header_.caption_units()); }
  // A Unicode string of the book.
  std::string text(codec::Bytes units) const {
    return codec::kvetka::decode_units(units, byte_order_);
  }
  // The whole blocks that are there and that the header knows of.
  std::uint64_t blocks() const { return blocks_; }
  std::size_t pieces() const { return pieces_.size(); }
  std::uint64_t bytes() const;
  // What is wrong with the files as a whole, a line each.
  const std::vector<std::string>& problems() const { return problems_; }
  // The files that it was opened from, by number.
  std::vector<FileStamp> stamps() const;

  // REQUIRES: number < blocks(). DataLoss if it cannot be read any more, FailedPrecondition if the
  // file has changed since it was opened; so for all that read blocks.
  absl::Status read_block(std::uint64_t number, BookBlock& block) const;

  // Reads a block and visits its elements in order. Damage is told of if somebody wants to know.
  absl::Status visit_block(
      std::uint64_t number, BookBlock& block,
      absl::FunctionRef<void(const codec::kvetka::Element&)> visit,
      absl::FunctionRef<void(BookDamage)> damage = [](const BookDamage&) {}) const;

  // Reads the position with a place. Whether there is one. DataLoss as for read_block().
  absl::StatusOr<bool> read_position(std::uint64_t block, std::size_t index,
                                     BookPosition& found) const;

  // Finds a position. Whether it is there. DataLoss if a block cannot be read.
  absl::StatusOr<bool> find(const codec::kvetka::Key& key, BookPosition& found) const
      ABSL_LOCKS_EXCLUDED(index_mutex_);

 private:
  struct Piece {
    SourceFile file;
    std::uint64_t begin = 0;  // in the book
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
