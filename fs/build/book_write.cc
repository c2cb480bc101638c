#include "fs/build/book_write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "fs/book/book.h"

namespace scidfs::fs {
namespace {

using codec::kvetka::kBlockHeadSize;
using codec::kvetka::kBlockSize;

// A quarter of a block stays free, so that positions that are added later rarely split it.
constexpr std::size_t kFillUpTo = kBlockSize * 3 / 4;
constexpr std::size_t kBuffer = std::size_t{1} << 20;

absl::Status failure(std::string_view action, const std::filesystem::path& path, int error) {
  return absl::DataLossError(fmt::format("Cannot {} {}: {}", action, path.string(),
                                         std::generic_category().message(error)));
}

absl::Status sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return failure("open", folder, errno);
  const int result = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  // Some file systems cannot sync a folder: they have nothing to lose.
  return result == 0 || error == EINVAL ? absl::OkStatus() : failure("sync", folder, error);
}

}  // namespace

absl::StatusOr<std::unique_ptr<NewFile>> NewFile::create(const std::filesystem::path& path) {
  std::unique_ptr<NewFile> file(new NewFile());
  file->path_ = path;
  file->temporary_ = path.string() + ".new";
  file->descriptor_ =
      ::open(file->temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file->descriptor_ < 0) return failure("make", file->temporary_, errno);
  return file;
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!is_renamed_) ::unlink(temporary_.c_str());
}

absl::Status NewFile::append(std::span<const std::uint8_t> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  size_ += bytes.size();
  return buffer_.size() < kBuffer ? absl::OkStatus() : flush();
}

absl::Status NewFile::flush() {
  absl::Status status = write(size_ - buffer_.size(), buffer_);
  buffer_.clear();
  return status;
}

absl::Status NewFile::write(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure("write", temporary_, errno);
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status NewFile::patch(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  if (absl::Status status = flush(); !status.ok()) return status;
  return write(offset, bytes);
}

absl::Status NewFile::sync() {
  if (absl::Status status = flush(); !status.ok()) return status;
  return ::fsync(descriptor_) == 0 ? absl::OkStatus() : failure("sync", temporary_, errno);
}

absl::Status NewFile::rename() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failure("make", path_, errno);
  is_renamed_ = true;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<BookWriter>> BookWriter::create(const std::filesystem::path& prefix,
                                                               codec::kvetka::BookHeader header) {
  std::unique_ptr<BookWriter> writer(new BookWriter());
  writer->prefix_ = prefix;
  writer->header_ = std::move(header);
  if (absl::Status status = writer->add_piece(); !status.ok()) return status;
  const std::vector<std::uint8_t> head = book_header_bytes(writer->header_);
  if (absl::Status status = writer->pieces_[0]->append(head); !status.ok()) return status;
  for (const auto& [file, path] : {std::pair(&writer->index_, book_index_path(prefix)),
                                   std::pair(&writer->sources_, book_sources_path(prefix))}) {
    absl::StatusOr<std::unique_ptr<NewFile>> created = NewFile::create(path);
    if (!created.ok()) return created.status();
    *file = *std::move(created);
  }
  return writer;
}

absl::Status BookWriter::add_piece() {
  absl::StatusOr<std::unique_ptr<NewFile>> piece =
      NewFile::create(book_piece_path(prefix_, static_cast<unsigned>(pieces_.size())));
  if (!piece.ok()) return piece.status();
  pieces_.push_back(*std::move(piece));
  return absl::OkStatus();
}

absl::Status BookWriter::add(const codec::kvetka::NewElement& element) {
  element_.clear();
  codec::kvetka::append_element(element, header_.has_links(), element_);
  if (!block_.empty() && kBlockHeadSize + block_.size() + element_.size() > kFillUpTo) {
    if (absl::Status status = end_block(); !status.ok()) return status;
  }
  if (block_.empty()) {
    if (absl::Status status = index_->append(element.key); !status.ok()) return status;
  }
  block_.insert(block_.end(), element_.begin(), element_.end());
  ++positions_;
  return absl::OkStatus();
}

absl::Status BookWriter::end_block() {
  if (pieces_.back()->size() + kBlockSize > codec::kvetka::kMaxPieceSize) {
    if (absl::Status status = add_piece(); !status.ok()) return status;
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
    if (absl::Status status = end_block(); !status.ok()) return status;
  }
  header_.blocks = static_cast<std::uint32_t>(blocks_);
  const std::vector<std::uint8_t> head = book_header_bytes(header_);
  if (absl::Status status = pieces_[0]->patch(0, head); !status.ok()) return status;
  for (const auto& piece : pieces_) {
    if (absl::Status status = piece->sync(); !status.ok()) return status;
  }
  for (NewFile* const file : {sources_.get(), index_.get()}) {
    if (absl::Status status = file->sync(); !status.ok()) return status;
  }
  return put_in_place();
}

// An index that does not fit its blocks must not be there at any moment: it goes first and comes
// last.
absl::Status BookWriter::put_in_place() {
  const std::filesystem::path folder =
      prefix_.has_parent_path() ? prefix_.parent_path() : std::filesystem::path(".");
  const auto remove = [](const std::filesystem::path& path) -> absl::StatusOr<bool> {
    std::error_code error;
    const bool was_there = std::filesystem::remove(path, error);
    if (error) return failure("remove", path, error.value());
    return was_there;
  };
  if (const auto removed = remove(book_index_path(prefix_)); !removed.ok()) return removed.status();
  if (absl::Status status = sync_folder(folder); !status.ok()) return status;
  for (const auto& piece : pieces_) {
    if (absl::Status status = piece->rename(); !status.ok()) return status;
  }
  for (auto number = static_cast<unsigned>(pieces_.size());; ++number) {
    const absl::StatusOr<bool> removed = remove(book_piece_path(prefix_, number));
    if (!removed.ok()) return removed.status();
    if (!*removed) break;
  }
  if (absl::Status status = sources_->rename(); !status.ok()) return status;
  if (absl::Status status = sync_folder(folder); !status.ok()) return status;
  if (absl::Status status = index_->rename(); !status.ok()) return status;
  return sync_folder(folder);
}

}  // namespace scidfs::fs
