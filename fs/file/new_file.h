// Writes a file aside and gives it its name when it is whole: whoever opens the name gets what was
// there before or all of the new one, however the writer ends.
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
#include "fs/file/unfinished.h"

namespace scidfs::fs {

// A file that is being written, in the folder where it is to be, under a hidden name of its own:
// made in this moment, so that no link and no file of somebody else is ever written to, and at
// random, so that two writers of one file never meet. Locked with flock(2) as long as it is open,
// so that others see whether its writer lives. Goes away with the object unless it got its name,
// and with the process where a thread watches for the signals that end it (unfinished.h). Messages
// of all errors name the file by the name that it was to get. Not thread-safe.
class NewFile {
 public:
  enum class Access {
    Usual,      // whatever the umask leaves to a new file
    OwnerOnly,  // mode 0600
  };
  enum class Existing {
    Replace,
    Keep,
  };

  // AlreadyExists if the name has what is never replaced (check_replaceable()).
  static absl::StatusOr<std::unique_ptr<NewFile>> create(const std::filesystem::path& path,
                                                         Access access = Access::Usual);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  std::uint64_t size() const { return size_; }
  // Small pieces are collected; what they come to shows here, or in sync().
  absl::Status append(std::span<const std::uint8_t> bytes);
  absl::Status append(std::string_view bytes);
  // Overwrites bytes that are there.
  absl::Status patch(std::uint64_t offset, std::span<const std::uint8_t> bytes);
  absl::Status patch(std::uint64_t offset, std::string_view bytes);
  // Reads what was written.
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out);
  // Makes sure that everything is on the disk.
  absl::Status sync();
  // Gives it its name. AlreadyExists if something has it and is to be kept, or is never replaced.
  // REQUIRES: after sync().
  //
  // Where the file system can neither rename without replacing nor link, the name is taken by an
  // empty file first, which others may see for a moment.
  absl::Status put_in_place(Existing existing);
  // The same as a part of a longer step.
  absl::Status put_in_place(Existing existing, UnbrokenStep& step);

 private:
  NewFile() = default;
  absl::Status flush();

  Descriptor descriptor_;
  std::filesystem::path path_;
  std::string aside_;  // the name that it has now; empty: its own
  std::uint64_t size_ = 0;
  std::vector<std::uint8_t> buffer_;  // the last bytes of the file
};

// Whether a file may take this name: nothing has it, or a regular file. AlreadyExists says what
// else stands there: a device, a pipe, a socket or a folder is no result of ours, and of a symbolic
// link nobody knows which of the two is meant, the link or where it leads.
absl::Status check_replaceable(const std::filesystem::path& path);

// Removes from a folder what was left by writers that were killed, of files to whose names
// `is_ours` says yes, and nothing else. A writer that is still at work, in any process, loses
// nothing. Where the file system has no locks, all of it stays.
void remove_abandoned(const std::filesystem::path& folder,
                      absl::FunctionRef<bool(std::string_view name)> is_ours);

// Makes and locks an empty file beside `path` under a name that nobody else has, which is returned
// in `aside`. Not ok, with errno set, if that cannot be done.
Descriptor open_aside(const std::filesystem::path& path, mode_t mode, std::string& aside);

}  // namespace scidfs::fs
