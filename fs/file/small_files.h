// Small files that the process of a FileMaker writes, many for one message.
//
// The program neither waits for each file nor makes system calls for it, and the two processes work
// at the same time. The process reads nothing of the bytes.
#pragma once

#include <absl/functional/any_invocable.h>
#include <absl/status/status.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fs/file/file_maker.h"
#include "fs/file/new_file.h"
#include "fs/file/time.h"

namespace scidfs::fs {

// A whole file in a message.
struct SmallFile {
  std::string_view path;  // below the folder of the result
  FileTime time{};
  NewFile::Existing existing = NewFile::Existing::Keep;
  std::string_view bytes;
};

// Takes the first file from the rest of a message; nothing if there is none, or only a part.
std::optional<SmallFile> take_small_file(std::string_view& message);

// The program's end. Not thread-safe.
class SmallFiles {
 public:
  // The most bytes of a small file and its path.
  static constexpr std::size_t kMost = std::size_t{1} << 15;

  // `maker` has started below a folder, and outlives this. `fail` takes the reason for each file
  // that is not there, during a later call.
  SmallFiles(const FileMaker& maker, absl::AnyInvocable<void(const absl::Status&)> fail)
      : maker_(maker), fail_(std::move(fail)) {}
  ~SmallFiles() { settle(); }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

  // Has a file written soon, as by a NewFile that gets its time and is put in place, but none after
  // one that fails with ResourceExhausted, such as on a full disk. If a signal ends this process,
  // no half of a file stays (unfinished.h); if it is killed, no more files appear than the one that
  // is being written. REQUIRES: path and bytes are kMost bytes at most.
  void write(const std::filesystem::path& path, FileTime time, NewFile::Existing existing,
             std::string_view bytes);
  // Waits until all are there or have failed. The maker takes no other request before.
  void settle();

 private:
  using Clock = std::chrono::steady_clock;

  void send();
  void receive();

  const FileMaker& maker_;
  absl::AnyInvocable<void(const absl::Status&)> fail_;
  std::string message_;            // the files that were not sent yet
  std::filesystem::path last_;     // the path of the last of them
  std::size_t most_of_reply_ = 0;  // bytes that the reasons take if all of them fail
  std::size_t awaited_ = 0;        // replies
  Clock::time_point sent_at_ = Clock::now();
};

}  // namespace scidfs::fs
