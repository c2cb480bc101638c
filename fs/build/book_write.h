// Writes the files of a book beside those that are there, and puts them in their places when they
// are whole.
// Source: specification kvetka-book, section 9, "Blocks", "Pieces" and "Safety".
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/kvetka/book.h"

namespace scidfs::fs {

// A file under a temporary name, which is removed again unless it gets its own. Not thread-safe.
class NewFile {
 public:
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::filesystem::path& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::uint64_t size() const { return size_; }
  absl::Status append(std::span<const std::uint8_t> bytes);
  // Overwrites bytes that are there.
  absl::Status patch(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  // Makes sure that everything is on the disk.
  absl::Status sync();
  // Gives it its name, in the place of a file that has it. REQUIRES: after sync().
  absl::Status rename();

 private:
  NewFile() = default;
  absl::Status flush();
  absl::Status write(std::uint64_t offset, std::span<const std::uint8_t> bytes);

  int descriptor_ = -1;
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool is_renamed_ = false;
  std::uint64_t size_ = 0;
  std::vector<std::uint8_t> buffer_;  // the last bytes of the file
};

// Not thread-safe.
class BookWriter {
 public:
  // The number of blocks in `header` is not looked at.
  static absl::StatusOr<std::unique_ptr<BookWriter>> create(const std::filesystem::path& prefix,
                                                            codec::kvetka::BookHeader header);

  // Elements come in ascending order of their keys.
  absl::Status add(const codec::kvetka::NewElement& element);
  // NAME.ksf; for the caller to fill before commit().
  NewFile& sources() { return *sources_; }
  // Ends the book and puts all files in their places: from here on NAME is the new book. Files of
  // an older one that had more pieces are removed.
  absl::Status commit();

  std::uint64_t positions() const { return positions_; }
  std::uint64_t blocks() const { return blocks_; }
  std::size_t pieces() const { return pieces_.size(); }

 private:
  BookWriter() = default;
  absl::Status add_piece();
  absl::Status end_block();
  absl::Status put_in_place();

  std::filesystem::path prefix_;
  codec::kvetka::BookHeader header_;
  std::vector<std::unique_ptr<NewFile>> pieces_;
  std::unique_ptr<NewFile> index_;
  std::unique_ptr<NewFile> sources_;
  std::vector<std::uint8_t> block_;    // its elements
  std::vector<std::uint8_t> element_;  // the last one
  std::uint64_t blocks_ = 0;
  std::uint64_t positions_ = 0;
};

}  // namespace scidfs::fs
