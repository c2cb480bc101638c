#include "fs/get/copy_target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "fs/base/log.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {

bool CopyTarget::make_folder(const std::filesystem::path& path) {
  small_files_.settle();
  const absl::Status made = maker_.make_folder(path);
  if (!made.ok()) fail(made);
  return made.ok();
}

bool CopyTarget::has(const std::filesystem::path& path, bool is_live, std::uint64_t size,
                     FileTime time) const {
  struct stat there {};
  if (!options_.continues || ::lstat(path.c_str(), &there) != 0) return false;
  if (!S_ISREG(there.st_mode)) return false;
  if (is_live) return !options_.overwrites;
  return static_cast<std::uint64_t>(there.st_size) == size &&
         there.st_mtim.tv_sec == time.seconds &&
         there.st_mtim.tv_nsec == static_cast<long>(time.nanoseconds);
}

bool CopyTarget::write(const std::filesystem::path& path, FileTime time,
                       absl::FunctionRef<absl::Status(File& file)> fill) {
  const absl::Status written = try_to_write(path, time, fill);
  if (!written.ok()) fail(written);
  return written.ok();
}

absl::Status CopyTarget::try_to_write(const std::filesystem::path& path, FileTime time,
                                      absl::FunctionRef<absl::Status(File& file)> fill) {
  // Before the work: put_in_place() looks again.
  struct stat there {};
  if (!options_.overwrites && ::lstat(path.c_str(), &there) == 0) {
    RETURN_IF_ERROR(check_replaceable(path));
    return absl::AlreadyExistsError(
        fmt::format("Cannot write {}: something has that name", path.native()));
  }
  File file(*this, path);
  RETURN_IF_ERROR(fill(file));
  return file.finish(time);
}

absl::Status CopyTarget::File::append(std::string_view bytes) {
  const bool is_small = path_.native().size() + small_.size() + bytes.size() <= SmallFiles::kMost;
  if (large_ == nullptr && is_small) {
    small_ += bytes;
    return absl::OkStatus();
  }
  if (large_ == nullptr) {
    target_.small_files_.settle();
    ASSIGN_OR_RETURN(large_, NewFile::create(path_, target_.maker_));
    RETURN_IF_ERROR(large_->append(small_));
  }
  return large_->append(bytes);
}

absl::Status CopyTarget::File::finish(FileTime time) {
  if (large_ == nullptr) {
    target_.small_files_.write(path_, time, target_.existing(), small_);
    return absl::OkStatus();
  }
  // Without sync(), as cp(1): the next run with --continue finds what a power failure has cost.
  RETURN_IF_ERROR(large_->set_mtime(time));
  return large_->put_in_place(target_.existing());
}

void CopyTarget::fail(std::string_view path, const absl::Status& error) {
  log_error(fmt::format("{}: {}", printable(path), std::string(error.message())));
  has_failed_ = true;
}

void CopyTarget::fail(const absl::Status& error) {
  log_error(std::string(error.message()));
  has_failed_ = true;
  if (absl::IsResourceExhausted(error)) is_full_ = true;
}

ExitCode CopyTarget::finish() {
  small_files_.settle();
  if (has_failed_) return ExitCode::Failed;
  return is_damaged_ ? ExitCode::Damaged : ExitCode::Good;
}

}  // namespace scidfs::fs
