#include "fs/get/copy_target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <memory>
#include <string>

#include "fs/base/log.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {

bool CopyTarget::make_folder(const std::filesystem::path& path) {
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
                       absl::FunctionRef<absl::Status(NewFile& file)> fill) {
  const absl::Status written = try_to_write(path, time, fill);
  if (!written.ok()) fail(written);
  return written.ok();
}

absl::Status CopyTarget::try_to_write(const std::filesystem::path& path, FileTime time,
                                      absl::FunctionRef<absl::Status(NewFile& file)> fill) const {
  // Before the work: put_in_place() looks again.
  struct stat there {};
  if (!options_.overwrites && ::lstat(path.c_str(), &there) == 0) {
    RETURN_IF_ERROR(check_replaceable(path));
    return absl::AlreadyExistsError(
        fmt::format("Cannot write {}: something has that name", path.native()));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<NewFile> file, NewFile::create(path, maker_));
  RETURN_IF_ERROR(fill(*file));
  // Without sync(), as cp(1): the next run with --continue finds what a power failure has cost.
  RETURN_IF_ERROR(file->set_mtime(time));
  return file->put_in_place(options_.overwrites ? NewFile::Existing::Replace
                                                : NewFile::Existing::Keep);
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

ExitCode CopyTarget::exit_code() const {
  if (has_failed_) return ExitCode::Failed;
  return is_damaged_ ? ExitCode::Damaged : ExitCode::Good;
}

}  // namespace scidfs::fs
