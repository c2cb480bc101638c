#include "fs/file/io.h"

#include <absl/strings/cord.h>
#include <absl/types/optional.h>
#include <fmt/format.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "codec/number.h"
#include "fs/base/status_macros.h"
#include "fs/file/descriptor.h"

namespace scidfs::fs {
namespace {

constexpr char kErrno[] = "scidfs/errno";  // the name of a payload

absl::StatusCode code_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::StatusCode::kNotFound;
    case EEXIST:
      return absl::StatusCode::kAlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ESTALE:
      return absl::StatusCode::kFailedPrecondition;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::StatusCode::kResourceExhausted;
    default:
      return absl::StatusCode::kDataLoss;
  }
}

// Returns a hint for an error that may come from a limit of this process rather than of the disk or
// the system.
std::string_view limit_of(int error) {
  if (error == EMFILE || error == ENFILE) return " (see ulimit -n)";
  return error == EFBIG ? " (see ulimit -f)" : "";
}

std::string read_action(std::size_t bytes, std::uint64_t offset) {
  return fmt::format("read {} bytes at {} of", bytes, offset);
}

}  // namespace

absl::Status file_error(std::string_view action, std::string_view name, int error) {
  absl::Status status(code_of(error),
                      fmt::format("Cannot {} {}: {}{}", action, name,
                                  std::generic_category().message(error), limit_of(error)));
  // The code says it for the others.
  if (absl::IsResourceExhausted(status)) {
    status.SetPayload(kErrno, absl::Cord(std::to_string(error)));
  }
  return status;
}

int errno_of(const absl::Status& status) {
  const absl::optional<absl::Cord> error = status.GetPayload(kErrno);
  if (!error.has_value()) return 0;
  return codec::parse_number<int>(std::string(*error)).value_or(0);
}

absl::StatusOr<std::size_t> read_up_to(int descriptor, std::uint64_t offset,
                                       std::span<std::uint8_t> out, std::string_view name) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(descriptor, out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count == 0) break;
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (const int error = errno; error != EINTR) {
      return file_error(read_action(out.size(), offset), name, error);
    }
  }
  return done;
}

absl::Status read_fully(int descriptor, std::uint64_t offset, std::span<std::uint8_t> out,
                        std::string_view name) {
  ASSIGN_OR_RETURN(const std::size_t count, read_up_to(descriptor, offset, out, name));
  if (count == out.size()) return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("Cannot {} {}: the file ends before", read_action(out.size(), offset), name));
}

absl::Status write_fully(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                         std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    // A write of 0 bytes without an error would repeat endlessly.
    if (count <= 0) return file_error("write", name, count < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return absl::OkStatus();
}

std::optional<std::string> read_attribute(const std::filesystem::path& path, const char* name) {
  constexpr std::size_t kMost = 4096;
  const Descriptor file(::open(path.c_str(), kOpenToRead));
  std::string value(kMost, '\0');
  const ssize_t size =
      file.ok() ? ::fgetxattr(file.get(), name, value.data(), value.size()) : ssize_t{-1};
  if (size < 0) return std::nullopt;
  value.resize(static_cast<std::size_t>(size));
  return value;
}

}  // namespace scidfs::fs
