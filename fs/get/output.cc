#include "fs/get/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace scidfs::fs {

void Output::append(std::string_view bytes) {
  constexpr std::size_t kMuch = std::size_t{1} << 16;
  if (collected_.size() + bytes.size() < kMuch) {
    collected_ += bytes;
  } else if (flush().ok()) {
    write(bytes);
  }
}

const absl::Status& Output::flush() {
  write(collected_);
  collected_.clear();
  return status_;
}

void Output::write(std::string_view bytes) {
  while (status_.ok() && !bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      status_ = absl::CancelledError("no program reads the pipe");
    } else if (errno != EINTR) {
      status_ = absl::UnknownError("Cannot write standard output: " +
                                   std::generic_category().message(errno));
    }
  }
}

}  // namespace scidfs::fs
