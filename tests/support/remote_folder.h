// A folder on a remote server that hangs when a test requests it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/support/remote_control.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {

// Shows a folder through tests/support/remote_fs.cc, a separate program.
class RemoteFolder {
 public:
  // On a new mount point, or on an existing one.
  explicit RemoteFolder(const std::filesystem::path& target, std::filesystem::path mountpoint = {});
  // Unmounts; hanging requests fail.
  ~RemoteFolder();
  RemoteFolder(const RemoteFolder&) = delete;
  RemoteFolder& operator=(const RemoteFolder&) = delete;

  bool ok() const { return server_ > 0; }
  const std::filesystem::path& path() const { return mountpoint_; }
  std::filesystem::path operator/(std::string_view name) const { return mountpoint_ / name; }

  // Delays every READ.
  void delay_reads(unsigned milliseconds) { control_->delay = std::uint64_t{1000} * milliseconds; }
  // READs of files whose path ends in this name are not answered; or no request is.
  void hang_reads(std::string_view name);
  void hang() { control_->hang = RemoteControl::kEverything; }
  // Answers the hanging requests.
  void go_on() { control_->hang = RemoteControl::kNothing; }
  // The number of requests that hang.
  std::uint64_t hung() const { return control_->hung; }

  struct Counts {
    std::uint64_t reads = 0;
    std::uint64_t bytes = 0;
    std::uint64_t others = 0;
  };
  // Since it was made.
  Counts counts() const {
    return {.reads = control_->reads, .bytes = control_->bytes, .others = control_->others};
  }

 private:
  TemporaryFolder folder_;
  const std::filesystem::path mountpoint_;
  RemoteControl* control_ = nullptr;
  pid_t server_ = -1;
};

}  // namespace scidfs::tests
