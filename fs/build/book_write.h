// Writes the files of a book beside those that are there, and puts them in their places when they
// are whole.
// Source: codec/kvetka/FORMAT.md, sections 1 and 9.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "codec/kvetka/book.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {

// Not thread-safe.
class BookWriter {
 public:
  // The number of blocks in `header` is not looked at. What writers of this book left that were
  // killed is removed. AlreadyExists if one of the names has what is never replaced
  // (check_replaceable()); nothing has been changed then.
  static absl::StatusOr<std::unique_ptr<BookWriter>> create(const std::filesystem::path& prefix,
                                                            codec::kvetka::BookHeader header);

  // Elements come in ascending order of their keys.
  absl::Status add(const codec::kvetka::NewElement& element);
  // NAME.ksf; for the caller to fill before commit().
  NewFile& sources() { return *sources_; }
  // Ends the book and puts all files in their places: from here on NAME is the new book. Files of
  // an older one that had more pieces are removed. Others who do the same in this folder wait, so
  // that files of two books never mix; the last one stays. Unavailable if that takes too long.
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
