// The loops that read and write files, and what becomes of an errno. Whatever opens, reads or
// writes a file does it through these. Any number of threads may use a descriptor at once.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace scidfs::fs {

// "Cannot `action` `name`: ..." of an errno. By what a caller can do about it:
//   NotFound            ENOENT, ENOTDIR
//   AlreadyExists       EEXIST
//   PermissionDenied    EACCES, EPERM, EROFS
//   FailedPrecondition  ESTALE: a server has another file now
//   ResourceExhausted   EMFILE, ENFILE (see `ulimit -n`), EFBIG (see `ulimit -f`), ENOMEM, ENOSPC,
//                       EDQUOT: it says nothing about the file, and may go well later
//   DataLoss            whatever else
absl::Status file_error(std::string_view action, std::string_view name, int error);

// How a file of somebody else is opened: a named pipe or a terminal in its place must neither stop
// the program nor get it a new terminal, and a link is not followed (ELOOP).
inline constexpr int kOpenToRead = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;

// Reads from `offset` on until `out` is full or the file ends. Returns the number of bytes.
// `name` is for the message, as in all of these.
absl::StatusOr<std::size_t> read_up_to(int descriptor, std::uint64_t offset,
                                       std::span<std::uint8_t> out, std::string_view name);

// Fills `out` from `offset` on. DataLoss if the file ends before.
absl::Status read_fully(int descriptor, std::uint64_t offset, std::span<std::uint8_t> out,
                        std::string_view name);

// Writes all of `bytes` from `offset` on.
absl::Status write_fully(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                         std::string_view name);

}  // namespace scidfs::fs
