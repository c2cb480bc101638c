#include "fs/build/book_write.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "codec/number.h"
#include "fs/base/status_macros.h"
#include "fs/book/book.h"
#include "fs/file/aside.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {
namespace {

using codec::kvetka::kBlockHeadSize;
using codec::kvetka::kBlockSize;

// Leaves a quarter of a block free, so that positions added later rarely split it.
constexpr std::size_t kFillUpTo = kBlockSize * 3 / 4;
// How long to wait for another process that moves its files into place.
constexpr std::chrono::minutes kPatience(1);

// Checks that all files with the names of a book of `pieces` pieces, or more, may be replaced.
absl::Status check_all_replaceable(const std::filesystem::path& prefix, std::size_t pieces) {
  absl::Status status = check_replaceable(book_index_path(prefix));
  status.Update(check_replaceable(book_sources_path(prefix)));
  for (unsigned number = 0; status.ok(); ++number) {
    const std::filesystem::path piece = book_piece_path(prefix, number);
    if (number >= pieces && !has_name(piece)) break;
    status = check_replaceable(piece);
  }
  return status;
}

}  // namespace

bool is_file_of_book(const std::filesystem::path& prefix, std::string_view name) {
  if (name == book_index_path(prefix).filename().native() ||
      name == book_sources_path(prefix).filename().native()) {
    return true;
  }
  // A piece is named "NAME_", its number, ".kob".
  const std::string piece = book_piece_path(prefix, 0).filename();
  const std::size_t number_at = piece.rfind('0');
  const std::string_view end = std::string_view(piece).substr(number_at + 1);
  return name.starts_with(std::string_view(piece).substr(0, number_at)) && name.ends_with(end) &&
         name.size() >= piece.size() &&
         codec::parse_number<unsigned>(name.substr(number_at, name.size() - number_at - end.size()))
             .has_value();
}

absl::StatusOr<std::unique_ptr<BookWriter>> BookWriter::create(const std::filesystem::path& prefix,
                                                               codec::kvetka::BookHeader header,
                                                               const FileMaker& maker) {
  std::unique_ptr<BookWriter> writer(new BookWriter(maker));
  writer->prefix_ = prefix;
  writer->header_ = std::move(header);
  RETURN_IF_ERROR(check_all_replaceable(prefix, 1));
  remove_abandoned(folder_of(prefix),
                   [&prefix](std::string_view name) { return is_file_of_book(prefix, name); });
  RETURN_IF_ERROR(writer->add_piece());
  const std::vector<std::uint8_t> head = book_header_bytes(writer->header_);
  RETURN_IF_ERROR(writer->pieces_[0]->append(head));
  for (const auto& [file, path] : {std::pair(&writer->index_, book_index_path(prefix)),
                                   std::pair(&writer->sources_, book_sources_path(prefix))}) {
    ASSIGN_OR_RETURN(std::unique_ptr<NewFile> created, NewFile::create(path, maker));
    *file = std::move(created);
  }
  return writer;
}

absl::Status BookWriter::add_piece() {
  ASSIGN_OR_RETURN(
      std::unique_ptr<NewFile> piece,
      NewFile::create(book_piece_path(prefix_, static_cast<unsigned>(pieces_.size())), maker_));
  pieces_.push_back(std::move(piece));
  return absl::OkStatus();
}

absl::Status BookWriter::add(const codec::kvetka::NewElement& element) {
  element_.clear();
  codec::kvetka::append_element(element, header_.has_links(), element_);
  if (!block_.empty() && kBlockHeadSize + block_.size() + element_.size() > kFillUpTo) {
    RETURN_IF_ERROR(end_block());
  }
  if (block_.empty()) {
    RETURN_IF_ERROR(index_->append(element.key));
  }
  block_.insert(block_.end(), element_.begin(), element_.end());
  ++positions_;
  return absl::OkStatus();
}

absl::Status BookWriter::end_block() {
  if (pieces_.back()->size() + kBlockSize > codec::kvetka::kMaxPieceSize) {
    RETURN_IF_ERROR(add_piece());
  }
  const std::size_t used = kBlockHeadSize + block_.size();
  std::array<std::uint8_t, kBlockSize> bytes{};
  bytes[0] = static_cast<std::uint8_t>(used >> 8);
  bytes[1] = static_cast<std::uint8_t>(used);
  std::ranges::copy(block_, bytes.begin() + kBlockHeadSize);
  block_.clear();
  ++blocks_;
  return pieces_.back()->append(bytes);
}

absl::Status BookWriter::commit() {
  if (!block_.empty()) {
    RETURN_IF_ERROR(end_block());
  }
  header_.blocks = static_cast<std::uint32_t>(blocks_);
  const std::vector<std::uint8_t> head = book_header_bytes(header_);
  RETURN_IF_ERROR(pieces_[0]->patch(0, head));
  for (const auto& piece : pieces_) {
    RETURN_IF_ERROR(piece->sync());
  }
  for (NewFile* const file : {sources_.get(), index_.get()}) {
    RETURN_IF_ERROR(file->sync());
  }
  return put_in_place();
}

// At no moment may there be an index that does not match the blocks: this removes the old index
// first and adds the new one last. A signal that ends the process takes effect afterwards.
absl::Status BookWriter::put_in_place() {
  constexpr auto kReplace = NewFile::Existing::Replace;
  const std::filesystem::path folder = folder_of(prefix_);
  ASSIGN_OR_RETURN(const FolderLock lock, FolderLock::take(folder, kPatience));
  absl::Status replaceable = check_all_replaceable(prefix_, pieces_.size());
  for (const auto& piece : pieces_) replaceable.Update(piece->check_place());
  for (const NewFile* const file : {sources_.get(), index_.get()}) {
    replaceable.Update(file->check_place());
  }
  if (!replaceable.ok()) return replaceable;
  UnbrokenStep step;
  const auto remove = [](const std::filesystem::path& path) -> absl::StatusOr<bool> {
    std::error_code error;
    const bool was_there = std::filesystem::remove(path, error);
    if (error) return file_error("remove", path.native(), error.value());
    return was_there;
  };
  if (const auto removed = remove(book_index_path(prefix_)); !removed.ok()) return removed.status();
  RETURN_IF_ERROR(sync_folder(folder));
  for (const auto& piece : pieces_) {
    RETURN_IF_ERROR(piece->put_in_place(kReplace, step));
  }
  for (auto number = static_cast<unsigned>(pieces_.size());; ++number) {
    ASSIGN_OR_RETURN(const bool removed, remove(book_piece_path(prefix_, number)));
    if (!removed) break;
  }
  RETURN_IF_ERROR(sources_->put_in_place(kReplace, step));
  RETURN_IF_ERROR(sync_folder(folder));
  RETURN_IF_ERROR(index_->put_in_place(kReplace, step));
  return sync_folder(folder);
}

}  // namespace scidfs::fs
