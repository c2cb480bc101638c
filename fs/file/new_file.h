// Writes a file aside and gives it its name when it is complete: a program that opens the name gets
// the old file or all of the new one, however the writer ends.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file/descriptor.h"
#include "fs/file/time.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {

// A file that is being written, in its future folder, under a hidden name of its own. The file is
// new, so that no link and no other program's file is ever written to, and the name is random, so
// that two writers of one file never collide. (A name of more than 238 bytes loses its front there,
// and the file of a writer that was killed is not found again.) The file is locked with flock(2)
// while it is open, so that others see whether its writer lives. The file is removed with the
// object unless it got its name, and with the process where a thread watches for the signals that
// end it (unfinished.h). All error messages contain the name that the file was to get. Not
// thread-safe.
class NewFile {
 public:
  enum class Access {
    Usual,      // the mode that the umask leaves to a new file
    OwnerOnly,  // mode 0600
  };
  enum class Existing {
    Replace,
    Keep,
  };

  // Returns AlreadyExists if a thing that is never replaced has the name (check_replaceable()).
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::filesystem::path& path,
                                                         Access access = Access::Usual);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::uint64_t size() const { return size_; }
  // Returns the time of the last write.
  absl::StatusOr<FileTime> mtime();
  // Appends bytes. Collects small pieces, so their errors may appear in a later append() or in
  // sync().
  absl::Status append(std::span<const std::uint8_t> bytes);
  absl::Status append(std::string_view bytes);
  // Overwrites existing bytes.
  absl::Status patch(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  absl::Status patch(std::uint64_t offset, std::string_view bytes);
  // Reads bytes that were written.
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out);
  // Gives the file an extended attribute (io.h). Returns whether the file system keeps it.
  bool set_attribute(const char* name, std::string_view value);
  // Ensures that everything is on disk.
  absl::Status sync();
  // Gives the file its name. Returns AlreadyExists if something has the name and is to be kept, or
  // is never replaced. REQUIRES: after sync().
  //
  // Where the file system can neither rename without replacing nor link, an empty file takes the
  // name first, which others may see briefly.
  absl::Status put_in_place(Existing existing);
  // The same as a part of a longer step.
  absl::Status put_in_place(Existing existing, UnbrokenStep& step);

 private:
  NewFile() = default;
  absl::Status flush();

  Descriptor descriptor_;
  std::filesystem::path path_;
  std::string aside_;  // its current name; empty: the final one
  std::uint64_t size_ = 0;
  std::vector<std::uint8_t> buffer_;  // the last bytes of the file
};

// Checks whether a file may take this name: nothing has it, or a regular file. AlreadyExists tells
// what else has the name. Devices, pipes, sockets and folders are never results of these programs,
// and for a symbolic link it is unclear whether the user means the link or its target.
absl::Status check_replaceable(const std::filesystem::path& path);

// Removes the unfinished files of writers that were killed from a folder: only files for whose
// names `is_ours` returns true, which belong to the effective user and have no other name. A writer
// that still runs, in any process, loses nothing. Where the file system has no locks, all of them
// stay.
void remove_abandoned(const std::filesystem::path& folder,
                      absl::FunctionRef<bool(std::string_view name)> is_ours);

// Creates and locks an empty file beside `path` under a unique name, which it returns in `aside`.
// Not ok, with errno set, on failure.
Descriptor open_aside(const std::filesystem::path& path, mode_t mode, std::string& aside);

}  // namespace scidfs::fs
