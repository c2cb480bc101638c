// Which files somebody will read next: those that were listed after the one that he reads.
//
// A program that reads all files of a directory (grep -r, cp -r) lists it and reads the files in
// the order of the listing, and each costs the kernel a request and two changes of the processor.
// What is given to the kernel before it is asked for costs a third of that. But a program that only
// lists is to cost nothing, and one that opens a file or two as little as can be. So nothing is
// foretold until a file is read: then the next few, and when a second one near it is read, the rest
// of its directory.
//
// Who reads what was foretold is not seen, as the kernel does not ask. So one file near the end of
// a directory is never foretold: if it is asked for, somebody has read them all, and the directory
// that is listed next is foretold at once, in the same direction. (Programs that keep what they
// find on a stack, as ripgrep does, read from the end.)
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

// Thread-safe. Keeps the last few directories that were listed.
class DirectoryPrefetch {
 public:
  // How many files are foretold after the first that is read; and how many more there may be
  // between two that are read by the same program.
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kNear = 64;
  // Directories with fewer files tell nothing of whether somebody reads all there is.
  static constexpr std::size_t kTelling = 64;

  // By how much we go ahead of who reads at first, and twice that each time that he overtakes us.
  // The very next file is being asked for by the time that it could be told.
  static constexpr std::size_t kLead = 2;
  static constexpr std::size_t kMostLead = 32;

  // What a READ of the beginning of a file says.
  struct Heard {
    bool has_work = false;       // next() has something to tell
    bool was_foretold = false;   // and was asked for all the same
    std::size_t read_whole = 0;  // files of the directory, if nearly all of them were read
  };

  // A part of a directory was listed, with the sizes of these files. `is_start`: from its
  // beginning. Returns whether next() has something to tell.
  bool listed(Inode directory, bool is_start, std::span<const ListedFile> files)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The listing of the directory has come to its end.
  void ended(Inode directory) ABSL_LOCKS_EXCLUDED(mutex_);

  Heard read(Inode file) ABSL_LOCKS_EXCLUDED(mutex_);

  // The file that will be wanted first of those that were not told yet. Readers of several
  // directories take turns.
  std::optional<ListedFile> next() ABSL_LOCKS_EXCLUDED(mutex_);

  // Nothing of what was listed so far is told any more.
  void forget() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Directory {
    Inode inode = 0;
    std::vector<ListedFile> files;
    std::vector<bool> told;  // of each file
    std::size_t told_count = 0;
    std::size_t in_vain = 0;    // told, and asked for all the same
    Inode least = 0, most = 0;  // of their numbers
    bool is_sorted = true;      // by their numbers
    bool is_unlimited = false;  // the listing has ended
    std::uint64_t used = 0;     // when somebody listed or read there
    // The file that was read first, and last.
    std::size_t start = 0;
    std::optional<std::size_t> reader;
    std::size_t against = 0;  // how often in turn the reader went the other way
    std::size_t lead = kLead;
    // What is to be told: `left` files from `at` on, upwards or downwards; all up to the last, as
    // far as they are listed.
    std::size_t at = 0, left = 0;
    bool is_upwards = true;
    bool is_all = false;
    bool is_useless = false;   // what is told does not stay in the kernel
    bool is_credited = false;  // somebody has read it nearly whole
    std::size_t probe = 0;     // never told

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
  // So many directories are told when they are listed; and in which direction.
  std::size_t credit_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_upwards_ ABSL_GUARDED_BY(mutex_) = true;
};

}  // namespace scidfs::fs
