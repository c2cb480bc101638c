// A writer of the files of a book: writes them beside the existing files, and moves them into place
// when they are complete.
// Source: codec/kvetka/FORMAT.md, sections 1 and 9.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "codec/kvetka/book.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {

// Returns whether a file in the folder of a book belongs to it, judged by its name.
bool is_file_of_book(const std::filesystem::path& prefix, std::string_view name);

// A book in the making. Not thread-safe.
class BookWriter {
 public:
  // Ignores the number of blocks in `header`. Removes files that killed writers of this book left.
  // AlreadyExists if one of the names belongs to something that is never replaced
  // (check_replaceable()); nothing has been changed then.
  // REQUIRES: `maker` outlives the writer.
  static absl::StatusOr<std::unique_ptr<BookWriter>> create(const std::filesystem::path& prefix,
                                                            codec::kvetka::BookHeader header,
                                                            const FileMaker& maker);

  // Adds an element. REQUIRES: the keys of elements are ascending.
  absl::Status add(const codec::kvetka::NewElement& element);
  // Returns NAME.ksf; the caller must fill it before commit().
  NewFile& sources() { return *sources_; }
  // Completes the book and moves all files into place: from then on NAME is the new book. Removes
  // surplus pieces of an older book. Other writers in this folder wait meanwhile, so that files of
  // two books never mix; the last book stays. Unavailable if the wait takes too long.
  absl::Status commit();

  std::uint64_t positions() const { return positions_; }
  std::uint64_t blocks() const { return blocks_; }
  std::size_t pieces() const { return pieces_.size(); }

 private:
  explicit BookWriter(const FileMaker& maker) : maker_(maker) {}
  absl::Status add_piece();
  absl::Status end_block();
  absl::Status put_in_place();

  const FileMaker& maker_;
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
