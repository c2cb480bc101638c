#include "fs/requests/failures.h"

#include <cerrno>
#include <string>

#include "fs/base/log.h"
#include "fs/file/io.h"

namespace scidfs::fs {

int to_errno(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 0;
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kInvalidArgument:
      return ENOENT;
    case absl::StatusCode::kFailedPrecondition:
      return ESTALE;
    case absl::StatusCode::kOutOfRange:
      return ENAMETOOLONG;
    case absl::StatusCode::kCancelled:
      return EINTR;
    case absl::StatusCode::kAborted:  // of lost_answer(), whose reason has been logged
      return EIO;
    case absl::StatusCode::kUnimplemented:
      return EFBIG;
    case absl::StatusCode::kPermissionDenied:
      log_error(std::string(status.message()));
      return EACCES;
    case absl::StatusCode::kResourceExhausted:
      log_error(std::string(status.message()));
      return errno_of(status) != 0 ? errno_of(status) : ENOMEM;
    default:
      log_error(std::string(status.message()));
      return EIO;
  }
}

absl::Status lost_answer() { return absl::AbortedError("a mapped file was lost"); }

}  // namespace scidfs::fs
