// The folder that copies go to, and what went wrong on the way.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "fs/base/exit_code.h"
#include "fs/base/progress.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_file.h"
#include "fs/file/time.h"

namespace scidfs::fs {

struct CopyOptions {
  bool is_recursive = false;  // directories with all that they list
  bool overwrites = false;    // files that are there; never anything else
  bool continues = false;     // passes over what an earlier copy has written
};

// Writes files below a folder, each under another name first. Each failure is an error in the log.
// Not thread-safe.
class CopyTarget {
 public:
  // All outlive this. `progress` counts files. REQUIRES: `maker` has started below the folder.
  CopyTarget(const CopyOptions& options, const FileMaker& maker, const Progress& progress)
      : options_(options), maker_(maker), progress_(progress) {}

  // Makes a folder, unless it is there. Returns whether there is one now.
  bool make_folder(const std::filesystem::path& path);
  // Returns whether a file is there that need not be written again: one of the same size and time,
  // and for a live text (TreeReader::is_live()) any, unless it may be overwritten.
  bool has(const std::filesystem::path& path, bool is_live, std::uint64_t size,
           FileTime time) const;
  // Writes a file with the bytes that `fill` appends. Returns whether it is there now.
  bool write(const std::filesystem::path& path, FileTime time,
             absl::FunctionRef<absl::Status(NewFile& file)> fill);

  void expect_file() { ++expected_; }
  void count_file() { progress_(++done_, expected_); }
  // Note that the copy of a path has failed, with an error that does not name it, or that says
  // enough; or that a game in it is damaged.
  void fail(std::string_view path, const absl::Status& error);
  void fail(const absl::Status& error);
  void note_damage() { is_damaged_ = true; }
  // Returns whether nothing more can be written, such as to a full disk.
  bool is_full() const { return is_full_; }
  // Returns Failed if something did, Damaged if a game is, else Good.
  ExitCode exit_code() const;

 private:
  absl::Status try_to_write(const std::filesystem::path& path, FileTime time,
                            absl::FunctionRef<absl::Status(NewFile& file)> fill) const;

  const CopyOptions& options_;
  const FileMaker& maker_;
  const Progress& progress_;
  std::uint64_t done_ = 0;
  std::uint64_t expected_ = 0;
  bool has_failed_ = false;
  bool is_damaged_ = false;
  bool is_full_ = false;
};

}  // namespace scidfs::fs
