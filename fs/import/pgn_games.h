// Imports the games of PGN texts into a new database.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "fs/file/descriptor.h"
#include "fs/import/new_database.h"

namespace scidfs::fs {

// A PGN file, or standard input. For one thread.
class PgnSource {
 public:
  static constexpr std::string_view kStandardInput = "-";

  // Opens a file, or kStandardInput. Errors: it cannot be opened.
  static absl::StatusOr<PgnSource> open(const std::filesystem::path& path);

  // Returns the bytes of the file; 0 if they are unknown.
  std::uint64_t size() const { return size_; }

  // Appends all games, in their order. Several threads parse them (0: one for each processor), each
  // a piece of whole games at a time; so memory is bounded by the threads and the longest game. One
  // thread at a time calls `advance`, with the number of bytes that were parsed since the last
  // call, and `remark`. Errors: those of reading and of NewDatabase::add().
  absl::Status import(NewDatabase& target, unsigned threads,
                      absl::FunctionRef<void(std::uint64_t)> advance,
                      absl::FunctionRef<void(std::string_view)> remark) const;

 private:
  PgnSource() = default;

  std::string name_;  // for messages
  Descriptor own_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace scidfs::fs
