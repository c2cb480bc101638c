// The maker of new files for a program that gives up the right to choose their owner and mode.
//
// No filter of system calls can tell a file that was made a moment ago from any other that the
// program reads, so it may change owner, mode and attributes of none. Another process, which reads
// no database, makes the files of the result, and hands over their descriptors, or writes small
// files itself (small_files.h).
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "fs/file/descriptor.h"
#include "fs/file/new_access.h"
#include "fs/file/socket_message.h"
#include "fs/file/time.h"

namespace scidfs::fs {

// Not thread-safe.
class FileMaker {
 public:
  explicit FileMaker(NewAccess access = {}) : access_(std::move(access)) {}
  // Returns one whose files, if they replace none, are as open as the umask lets them be.
  static const FileMaker& usual();
  // Returns whether its files are for their owner alone.
  bool is_for_owner_only() const { return access_.is_fixed; }

  // Starts the process, which makes files from then on, in this folder and with names for which
  // `is_of_result` returns true. It ends when this object or this process does. REQUIRES: no other
  // thread is running.
  absl::Status start(const std::filesystem::path& folder,
                     absl::FunctionRef<bool(std::string_view name)> is_of_result);
  // Does the same for files with any name, in this folder and those below it. On the way from the
  // folder to a file it follows no link. A new file replaces what a writer of the same one has left
  // that was killed.
  absl::Status start_below(const std::filesystem::path& folder);

  // The same as make_aside(), and set_attribute() for a file that this has made. Names of
  // attributes begin with "user.scidfs.".
  absl::StatusOr<AsideFile> make(const std::filesystem::path& path) const;
  bool set_attribute(const AsideFile& file, const char* name, std::string_view value) const;
  // Makes a folder, unless it is there. REQUIRES: after start_below().
  absl::Status make_folder(const std::filesystem::path& path) const;
  // Sets the time of the last change of the file that this has made last. REQUIRES: the same.
  absl::Status set_time(const std::filesystem::path& path, FileTime time) const;

  // Of SmallFiles: the first byte of its messages, the socket, the rest of a path below the folder,
  // and the error where the process has ended. REQUIRES: the same.
  static constexpr char kWrite = 'W';
  int socket() const { return process_.get(); }
  std::string_view below(const std::filesystem::path& path) const;
  static absl::Status no_process(const std::filesystem::path& path);

 private:
  absl::Status start(const std::filesystem::path& folder, bool is_below,
                     absl::FunctionRef<bool(std::string_view name)> is_of_result);
  // Returns the reply to a request about a file or a folder of the result.
  absl::StatusOr<SocketMessage> ask(char what, const std::filesystem::path& path,
                                    std::string_view more = {}) const;

  NewAccess access_;
  std::filesystem::path below_;  // of start_below(); empty: none
  Descriptor process_;           // a socket; none: this process makes the files
};

}  // namespace scidfs::fs
