// The loops that read and write files, and the Status of an errno. All code that opens, reads or
// writes a file uses these. Any number of threads may use a descriptor at once.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scidfs::fs {

// Returns "Cannot `action` `name`: ..." for an errno. The status codes tell what a caller can do:
//  NotFound            ENOENT, ENOTDIR
//  AlreadyExists       EEXIST
//  PermissionDenied    EACCES, EPERM, EROFS
//  FailedPrecondition  ESTALE: a server has another file now
//  ResourceExhausted   EMFILE, ENFILE (see `ulimit -n`), EFBIG (see `ulimit -f`), ENOMEM, ENOSPC,
//                      EDQUOT: it says nothing about the file, and may succeed later
//  DataLoss            any other
absl::Status file_error(std::string_view action, std::string_view name, int error);
// Returns the errno of such a status; 0 for any other.
int errno_of(const absl::Status& status);

// The flags for opening a file that another program made. A named pipe or a terminal in its place
// must neither block the program nor become its controlling terminal. A link is not followed
// (ELOOP).
inline constexpr int kOpenToRead = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;

// Reads from `offset` on until `out` is full or the file ends. Returns the number of bytes. Error
// messages of all these functions contain `name`.
absl::StatusOr<std::size_t> read_up_to(int descriptor, std::uint64_t offset,
                                       std::span<std::uint8_t> out, std::string_view name);

// Fills `out` from `offset` on. Returns DataLoss if the file ends before.
absl::Status read_fully(int descriptor, std::uint64_t offset, std::span<std::uint8_t> out,
                        std::string_view name);

// Writes all of `bytes` from `offset` on.
absl::Status write_fully(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                         std::string_view name);

// Returns an extended attribute of a file (a link is not followed), of up to 4 KiB; nothing if the
// file has none of that name, or cannot be opened. Such names begin with "user.".
std::optional<std::string> read_attribute(const std::filesystem::path& path, const char* name);

}  // namespace scidfs::fs
