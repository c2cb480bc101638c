#include "fs/mount/listed_files.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace scidfs::fs {
namespace {

// Larger files are read ahead by the kernel, and a request for them is worth its price.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 10;
// Where more than half of what was told up to the reader is asked for all the same, and more than
// this, it does not stay in the kernel: there is no memory, or whoever reads goes past its pages.
constexpr std::size_t kMostInVain = 32;

}  // namespace

std::optional<std::size_t> ListedFiles::Directory::find(Inode file) const {
  if (files.empty() || file < least || file > most) return std::nullopt;
  const auto found = is_sorted ? std::ranges::lower_bound(files, file, {}, &ListedFile::inode)
                               : std::ranges::find(files, file, &ListedFile::inode);
  if (found == files.end() || found->inode != file) return std::nullopt;
  return static_cast<std::size_t>(found - files.begin());
}

void ListedFiles::Directory::add(std::span<const ListedFile> more) {
  for (const ListedFile& file : more) {
    is_sorted = is_sorted && (files.empty() || file.inode > files.back().inode);
    least = files.empty() ? file.inode : std::min(least, file.inode);
    most = std::max(most, file.inode);
    files.push_back(file);
  }
  told.resize(files.size());
}

void ListedFiles::Directory::tell_few(std::size_t file) {
  is_all = false;
  // Who begins with the last goes down.
  is_upwards = !is_whole || file == 0 || file + 1 < files.size();
  at = is_upwards ? file + 1 : file - 1;
  left = kFirst;
}

// The next one is being asked for by the time that it could be told.
void ListedFiles::Directory::tell_all(std::size_t file, bool upwards) {
  constexpr std::size_t kAhead = 2;
  is_all = true;
  is_upwards = upwards;
  left = std::numeric_limits<std::size_t>::max();
  if (upwards) {
    at = file + kAhead;
  } else if (file >= kAhead) {
    at = file - kAhead;
  } else {
    left = 0;
  }
}

std::optional<ListedFile> ListedFiles::Directory::next() {
  while (left > 0) {
    if (at >= files.size()) {
      // More may be listed.
      if (is_whole || !is_all) left = 0;
      return std::nullopt;
    }
    const std::size_t file = at;
    --left;
    if (is_upwards) {
      ++at;
    } else if (at > 0) {
      --at;
    } else {
      left = 0;
    }
    if (told[file] || file == probe() || files[file].size == 0 || files[file].size > kMostBytes) {
      // The last so far may not be the last of all.
      if (file == probe() && is_upwards && !is_whole && is_all) {
        at = file;
        ++left;
        return std::nullopt;
      }
      continue;
    }
    told[file] = true;
    ++told_count;
    return files[file];
  }
  return std::nullopt;
}

ListedFiles::Directory* ListedFiles::find(Inode directory) {
  const auto found = std::ranges::find(kept_, directory, &Directory::inode);
  return found == kept_.end() ? nullptr : &*found;
}

bool ListedFiles::listed(Inode directory, bool is_start, std::span<const ListedFile> files) {
  const cache::MutexLock lock(mutex_);
  Directory* found = find(directory);
  if (is_start) {
    if (found == nullptr) found = &*std::ranges::min_element(kept_, {}, &Directory::used);
    *found = {};
    found->inode = directory;
    if (has_credit_) {
      found->is_all = true;
      found->left = std::numeric_limits<std::size_t>::max();
      has_credit_ = false;
    }
  }
  if (found == nullptr) return false;
  found->used = ++clock_;
  found->add(files);
  return found->is_all && found->has_work();
}

void ListedFiles::ended(Inode directory) {
  const cache::MutexLock lock(mutex_);
  if (Directory* const found = find(directory); found != nullptr) found->is_whole = true;
}

ListedFiles::Heard ListedFiles::read(Inode file) {
  const cache::MutexLock lock(mutex_);
  for (Directory& directory : kept_) {
    const std::optional<std::size_t> position = directory.find(file);
    if (!position) continue;
    directory.used = ++clock_;
    Heard heard{.was_foretold = directory.told[*position]};
    if (!directory.reader) directory.start = *position;
    const std::size_t passed =
        std::max(*position, directory.start) - std::min(*position, directory.start);
    if (heard.was_foretold && ++directory.in_vain > kMostInVain && directory.in_vain * 2 > passed) {
      directory.is_useless = true;
      directory.left = 0;
    }
    if (directory.is_useless) return heard;
    if (directory.is_whole && *position == directory.probe() &&
        directory.files.size() >= kTelling && directory.told_count * 2 > directory.files.size()) {
      has_credit_ = true;
      heard.read_whole = directory.files.size();
    }
    const std::optional<std::size_t> before = std::exchange(directory.reader, position);
    if (directory.is_all) {
      // Told all, and overtaken?
      const bool is_after =
          directory.is_upwards ? *position >= directory.at : *position <= directory.at;
      if (is_after) directory.tell_all(*position, directory.is_upwards);
    } else if (!before || *before + kNear < *position || *position + kNear < *before) {
      directory.tell_few(*position);
    } else if (*before != *position) {
      directory.tell_all(*position, *before < *position);
    }
    heard.has_work = directory.has_work();
    return heard;
  }
  return {};
}

std::optional<ListedFile> ListedFiles::next() {
  const cache::MutexLock lock(mutex_);
  for (std::size_t i = 0; i < kKept; ++i) {
    turn_ = (turn_ + 1) % kKept;
    if (std::optional<ListedFile> file = kept_[turn_].next()) return file;
  }
  return std::nullopt;
}

void ListedFiles::forget() {
  const cache::MutexLock lock(mutex_);
  for (Directory& directory : kept_) directory = {};
  has_credit_ = false;
}

}  // namespace scidfs::fs
