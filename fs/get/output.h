// Writes to standard output.
#pragma once

#include <absl/status/status.h>

#include <string>
#include <string_view>

namespace scidfs::fs {

// A stream to an open file that collects small pieces. It keeps its first error, and writes nothing
// after that. Not thread-safe.
class Output {
 public:
  explicit Output(int file) : file_(file) {}

  void append(std::string_view bytes);
  // Returns the error: Cancelled if no program reads the pipe any more.
  const absl::Status& flush();
  const absl::Status& status() const { return status_; }

 private:
  void write(std::string_view bytes);

  const int file_;
  std::string collected_;
  absl::Status status_;
};

}  // namespace scidfs::fs
