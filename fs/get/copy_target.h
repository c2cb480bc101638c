// The folder that copies go to, and what went wrong on the way.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "fs/base/exit_code.h"
#include "fs/base/progress.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_file.h"
#include "fs/file/small_files.h"
#include "fs/file/time.h"

namespace scidfs::fs {

struct CopyOptions {
  bool is_recursive = false;  // directories with all that they list
  bool overwrites = false;    // files that are there; never anything else
  bool continues = false;     // passes over what an earlier copy has written
};

// Writes files below a folder, each under another name first, small ones while the program goes on.
// Each failure is an error in the log. Not thread-safe.
class CopyTarget {
 public:
  // The bytes of a file.
  class File {
   public:
    File(CopyTarget& target, const std::filesystem::path& path) : target_(target), path_(path) {}
    absl::Status append(std::string_view bytes);

   private:
    friend CopyTarget;
    absl::Status finish(FileTime time);

    CopyTarget& target_;
    const std::filesystem::path& path_;
    std::string small_;                 // the bytes of a small file
    std::unique_ptr<NewFile> large_{};  // null: it is small
  };

  // All outlive this. `progress` counts files. REQUIRES: `maker` has started below the folder.
  CopyTarget(const CopyOptions& options, const FileMaker& maker, const Progress& progress)
      : options_(options),
        maker_(maker),
        progress_(progress),
        small_files_(maker, [this](const absl::Status& error) { fail(error); }) {}

  // Makes a folder, unless it is there. Returns whether there is one now.
  bool make_folder(const std::filesystem::path& path);
  // Returns whether a file is there that need not be written again: one of the same size and time,
  // and for a live text (TreeReader::is_live()) any, unless it may be overwritten.
  bool has(const std::filesystem::path& path, bool is_live, std::uint64_t size,
           FileTime time) const;
  // Writes a file with the bytes that `fill` appends. Returns false if that has failed; a small
  // file may still fail later.
  bool write(const std::filesystem::path& path, FileTime time,
             absl::FunctionRef<absl::Status(File& file)> fill);

  void expect_file() { ++expected_; }
  void count_file() { progress_(++done_, expected_); }
  // Note that the copy of a path has failed, with an error that does not name it, or that says
  // enough; or that a game in it is damaged.
  void fail(std::string_view path, const absl::Status& error);
  void fail(const absl::Status& error);
  void note_damage() { is_damaged_ = true; }
  // Returns whether nothing more can be written, such as to a full disk.
  bool is_full() const { return is_full_; }
  // Waits for all files. Returns Failed if something did, Damaged if a game is, else Good.
  ExitCode finish();

 private:
  absl::Status try_to_write(const std::filesystem::path& path, FileTime time,
                            absl::FunctionRef<absl::Status(File& file)> fill);
  NewFile::Existing existing() const {
    return options_.overwrites ? NewFile::Existing::Replace : NewFile::Existing::Keep;
  }

  const CopyOptions& options_;
  const FileMaker& maker_;
  const Progress& progress_;
  std::uint64_t done_ = 0;
  std::uint64_t expected_ = 0;
  bool has_failed_ = false;
  bool is_damaged_ = false;
  bool is_full_ = false;
  SmallFiles small_files_;  // the last: its end reports failures
};

}  // namespace scidfs::fs
