// Writes a file aside and gives it its name when it is complete: a program that opens the name gets
// the old file or all of the new one, however the writer ends.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file/file_maker.h"
#include "fs/file/new_access.h"
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
  enum class Existing {
    Replace,
    Keep,
  };

  // Returns AlreadyExists if a thing that is never replaced has the name (check_replaceable());
  // other errors: those of make_aside().
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::filesystem::path& path,
                                                         const NewAccess& access = {});
  // The same for a file that messages name `shown`.
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::filesystem::path& path,
                                                         const NewAccess& access,
                                                         std::string shown);
  // The same for a program in the sandbox. REQUIRES: `maker` outlives the file.
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::filesystem::path& path,
                                                         const FileMaker& maker);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::uint64_t size() const { return size_; }
  // Returns the time of the last write.
  absl::StatusOr<FileTime> mtime();
  // Sets the time of the last write, after the last write. REQUIRES: a FileMaker that makes the
  // file has started with start_below().
  absl::Status set_mtime(FileTime time);
  // Appends bytes. Collects small pieces, so their errors may appear in a later append() or in
  // sync().
  absl::Status append(std::span<const std::uint8_t> bytes);
  absl::Status append(std::string_view bytes);
  // Overwrites existing bytes.
  absl::Status patch(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  absl::Status patch(std::uint64_t offset, std::string_view bytes);
  // Reads bytes that were written.
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out);
  // Gives the file an extended attribute (io.h) whose name begins with "user.scidfs.". Returns
  // whether the file system keeps it.
  bool set_attribute(const char* name, std::string_view value);
  // Checks whether the file may take its name: check_replaceable(), and Unavailable if owner or
  // mode of the file that it replaces were changed meanwhile, which this file does not follow.
  absl::Status check_place() const;
  // Ensures that everything is on disk.
  absl::Status sync();
  // Gives the file its name. Returns AlreadyExists if something has the name and is to be kept, and
  // what check_place() returns. REQUIRES: after sync(), or after set_mtime() if the file may be
  // lost when the power fails.
  //
  // Where the file system can neither rename without replacing nor link, an empty file takes the
  // name first, which others may see briefly.
  absl::Status put_in_place(Existing existing);
  // The same as a part of a longer step.
  absl::Status put_in_place(Existing existing, UnbrokenStep& step);
  // Leaves the file under its hidden name when it is destroyed.
  void leave(UnbrokenStep& step);

 private:
  NewFile() = default;
  static absl::StatusOr<std::unique_ptr<NewFile>> create(
      const std::filesystem::path& path, std::string shown,
      absl::FunctionRef<absl::StatusOr<AsideFile>()> make);
  absl::Status flush();

  AsideFile made_;  // without a name aside, it has the final one
  const FileMaker* maker_ = nullptr;
  std::filesystem::path path_;
  std::string shown_;
  std::string replaced_;  // owner, group and mode of the file that it replaces; empty: none
  std::uint64_t size_ = 0;
  std::vector<std::uint8_t> buffer_;  // the last bytes of the file
};

// Checks whether a file may take this name: nothing has it, or a regular file. AlreadyExists tells
// what else has the name. Devices, pipes, sockets and folders are never results of these programs,
// and for a symbolic link it is unclear whether the user means the link or its target.
absl::Status check_replaceable(const std::filesystem::path& path);

}  // namespace scidfs::fs
