// Predicts which files a program will read next: those listed after the file that it reads.
//
// A program that reads all files of a directory (grep -r, cp -r) lists it and reads the files in
// the order of the listing. Each file costs the kernel a request and two context switches. A file
// that is given to the kernel before it asks costs a third of that. But a program that only lists
// must cost nothing, and one that opens a file or two as little as possible. So there is no
// prediction until a program reads a file. Then the next few files are predicted, and when it reads
// a second one near the first, the rest of the directory.
//
// The reads of predicted files are not seen, since the kernel does not ask. So one file near the
// end of a directory is never predicted: if the kernel asks for it, a program has read them all,
// and the files of the next listed directory are predicted at once, in the same direction.
// (Programs that put what they find on a stack, as ripgrep does, read from the end.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cache/mutex.h"
#include "fs/base/inode.h"

namespace scidfs::fs {

struct ListedFile {
  Inode inode = 0;
  std::uint64_t size = 0;  // bytes
};

// The last few directories that were listed. Thread-safe.
class DirectoryPrefetch {
 public:
  // kFirst: files predicted after the first one that is read. kNear: most files between two reads
  // of the same program.
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kNear = 64;
  // Smaller directories do not show whether a program reads everything.
  static constexpr std::size_t kTelling = 64;

  // How many files the prediction is ahead of the reader at first; it doubles each time that the
  // reader overtakes it. The very next file would come too late: the kernel is already asking for
  // it.
  static constexpr std::size_t kLead = 2;
  static constexpr std::size_t kMostLead = 32;

  // The conclusions from a READ of the beginning of a file.
  struct Heard {
    bool has_work = false;       // next() has a file
    bool was_foretold = false;   // the file was predicted, and the kernel asked nevertheless
    std::size_t read_whole = 0;  // files of the directory, if a program has read nearly all
  };

  // Notes that a part of a directory was listed, with the sizes of these files. `is_start`: its
  // first part. Returns whether next() has a file.
  bool listed(Inode directory, bool is_start, std::span<const ListedFile> files)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes that the listing of the directory has ended.
  void ended(Inode directory) ABSL_LOCKS_EXCLUDED(mutex_);

  Heard read(Inode file) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the most urgent of the predicted files, each once. Readers of several directories take
  // turns.
  std::optional<ListedFile> next() ABSL_LOCKS_EXCLUDED(mutex_);

  // Drops all predictions and everything that was listed.
  void forget() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Directory {
    Inode inode = 0;
    std::vector<ListedFile> files;
    std::vector<bool> told;  // for each file: next() has returned it
    std::size_t told_count = 0;
    std::size_t in_vain = 0;    // returned, but the kernel asked nevertheless
    Inode least = 0, most = 0;  // inode numbers
    bool is_sorted = true;      // by inode number
    bool is_whole = false;      // the listing has ended
    std::uint64_t used = 0;     // when a program last listed or read there
    // The files that were read first and last.
    std::size_t start = 0;
    std::optional<std::size_t> reader;
    std::size_t against = 0;  // consecutive steps of the reader in the other direction
    std::size_t lead = kLead;
    // To return next: `left` files from `at` on, upwards or downwards; with `is_all` all up to the
    // last, as far as they are listed.
    std::size_t at = 0, left = 0;
    bool is_upwards = true;
    bool is_all = false;
    bool is_useless = false;   // the kernel does not keep the returned files
    bool is_credited = false;  // a program has read nearly the whole directory
    std::size_t probe = 0;     // the file that next() never returns

    std::optional<std::size_t> find(Inode file) const;
    bool has_work() const { return left > 0; }
    void add(std::span<const ListedFile> more);
    void end();
    void choose_probe();
    bool shows_whole(std::size_t file) const;
    void follow(std::size_t file);
    void tell_few(std::size_t file);
    void tell_all(std::size_t from, bool upwards);
    std::optional<ListedFile> next();
  };

  static constexpr std::size_t kKept = 8;

  Directory* find(Inode directory) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  cache::Mutex mutex_;
  std::array<Directory, kKept> kept_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t clock_ ABSL_GUARDED_BY(mutex_) = 0;
  std::size_t turn_ ABSL_GUARDED_BY(mutex_) = 0;
  // How many directories are predicted when they are listed, and in which direction.
  std::size_t credit_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_upwards_ ABSL_GUARDED_BY(mutex_) = true;
};

}  // namespace scidfs::fs
