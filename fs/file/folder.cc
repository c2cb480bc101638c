#include "fs/file/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <thread>

#include "fs/base/status_macros.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

absl::StatusOr<Descriptor> open_folder(const std::filesystem::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return file_error("open", folder.native(), errno);
  return opened;
}

// Creates the folders. Returns 0 or an errno.
int make_folders_or_errno(const std::filesystem::path& folder) {
  const auto make = [&folder] {
    constexpr mode_t kOwner = 0700;
    if (::mkdir(folder.c_str(), kOwner) == 0 || errno == EEXIST) return 0;
    return errno;
  };
  const int error = folder.empty() ? 0 : make();
  if (error != ENOENT || folder.parent_path() == folder) return error;
  const int error_above = make_folders_or_errno(folder.parent_path());
  return error_above != 0 ? error_above : make();
}

}  // namespace

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

bool is_at_or_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  assert(path.is_absolute() && (folder.empty() || folder.is_absolute()));
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

bool has_name(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

absl::Status make_folders(const std::filesystem::path& folder) {
  const int error = make_folders_or_errno(folder);
  return error == 0 ? absl::OkStatus() : file_error("make", folder.native(), error);
}

absl::Status sync_folder(const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const Descriptor opened, open_folder(folder));
  // Some file systems cannot sync a folder: they have nothing to lose.
  if (::fsync(opened.get()) == 0 || errno == EINVAL) return absl::OkStatus();
  return file_error("sync", folder.native(), errno);
}

absl::StatusOr<FolderLock> FolderLock::take(const std::filesystem::path& folder,
                                            std::chrono::milliseconds patience) {
  ASSIGN_OR_RETURN(Descriptor opened, open_folder(folder));
  return lock(std::move(opened), folder, patience);
}

absl::StatusOr<FolderLock> FolderLock::take_file(const std::filesystem::path& file,
                                                 std::chrono::milliseconds patience) {
  constexpr mode_t kOwner = 0600;
  Descriptor opened(::open(file.c_str(), kOpenToRead | O_CREAT, kOwner));
  if (!opened.ok()) return file_error("open", file.native(), errno);
  return lock(std::move(opened), folder_of(file), patience);
}

absl::StatusOr<FolderLock> FolderLock::lock(Descriptor opened, const std::filesystem::path& folder,
                                            std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause(10);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) break;  // the file system has no locks
    if (std::chrono::steady_clock::now() >= end) {
      return absl::UnavailableError(
          fmt::format("Cannot write into {}: another program has it locked", folder.native()));
    }
    std::this_thread::sleep_for(kPause);
  }
  return FolderLock(std::move(opened));
}

}  // namespace scidfs::fs
