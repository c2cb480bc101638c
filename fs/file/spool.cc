#include "fs/file/spool.h"

#include <sys/mman.h>

#include <cerrno>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/file/io.h"
#include "fs/file/nameless_file.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 20;
constexpr std::string_view kSpoolName = "a temporary file";

}  // namespace

absl::StatusOr<Spool> Spool::make(const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(Descriptor file, open_nameless(folder));
  return Spool(std::move(file));
}

Spool::Spool(Spool&& other) noexcept
    : file_(std::move(other.file_)),
      written_(std::exchange(other.written_, 0)),
      room_(std::move(other.room_)),
      mapped_(std::exchange(other.mapped_, nullptr)) {}

Spool::~Spool() {
  if (mapped_ != nullptr) ::munmap(mapped_, written_);
}

absl::Status Spool::append(codec::Bytes bytes) {
  room_.insert(room_.end(), bytes.begin(), bytes.end());
  return room_.size() < kRoom ? absl::OkStatus() : flush();
}

absl::Status Spool::flush() {
  RETURN_IF_ERROR(write_fully(file_.get(), written_, room_, kSpoolName));
  written_ += room_.size();
  room_.clear();
  return absl::OkStatus();
}

absl::StatusOr<codec::Bytes> Spool::map() {
  RETURN_IF_ERROR(flush());
  if (written_ == 0) return codec::Bytes();
  void* const mapped = ::mmap(nullptr, written_, PROT_READ, MAP_SHARED, file_.get(), 0);
  if (mapped == MAP_FAILED) return file_error("map", kSpoolName, errno);
  mapped_ = mapped;
  return codec::Bytes(static_cast<const std::uint8_t*>(mapped), written_);
}

}  // namespace scidfs::fs
