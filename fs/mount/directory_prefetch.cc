#include "fs/mount/directory_prefetch.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace scidfs::fs {
namespace {

// The kernel reads larger files ahead, and a request for them is worth its cost.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 10;
// If the kernel asks for more than half of the files that next() returned up to the reader's
// position, and for more than this, it does not keep them: memory is short, or the program reads
// past the page cache.
constexpr std::size_t kMostInVain = 32;
// A program that has come this near to the end of a directory (a fraction of it) has read nearly
// all.
constexpr std::size_t kPartsOfListing = 8;
// Most directories that are predicted when they are listed, after as many have been read: two
// programs, or two threads of one, may reach the end at the same time.
constexpr std::size_t kMostCredit = 2;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::size_t distance(std::size_t one, std::size_t other) {
  return std::max(one, other) - std::min(one, other);
}

}  // namespace

std::optional<std::size_t> DirectoryPrefetch::Directory::find(Inode file) const {
  if (files.empty() || file < least || file > most) return std::nullopt;
  const auto found = is_sorted ? std::ranges::lower_bound(files, file, {}, &ListedFile::inode)
                               : std::ranges::find(files, file, &ListedFile::inode);
  if (found == files.end() || found->inode != file) return std::nullopt;
  return static_cast<std::size_t>(found - files.begin());
}

void DirectoryPrefetch::Directory::add(std::span<const ListedFile> more) {
  for (const ListedFile& file : more) {
    is_sorted = is_sorted && (files.empty() || file.inode > files.back().inode);
    least = files.empty() ? file.inode : std::min(least, file.inode);
    most = std::max(most, file.inode);
    files.push_back(file);
  }
  told.resize(files.size());
  if (is_upwards) {
    probe = files.size() - 1;  // of the files so far
  } else if (is_all) {
    // The program reads first what was listed last, and does not wait for the rest of the listing.
    // On the same file, we would wait for each of its requests.
    at = files.size() - 1 - std::min(lead, files.size() - 1);
  }
}

void DirectoryPrefetch::Directory::end() {
  is_whole = true;
  choose_probe();
}

void DirectoryPrefetch::Directory::choose_probe() {
  if (files.empty() || !is_whole) return;
  const std::size_t last = files.size() - 1;
  const std::size_t part = last / kPartsOfListing;
  probe = is_upwards ? last - part : part;
  if (told[probe]) probe = is_upwards ? last : 0;
}

bool DirectoryPrefetch::Directory::shows_whole(std::size_t file) const {
  if (!is_whole || is_credited || told[file] || files.size() < kTelling) return false;
  const std::size_t last = files.size() - 1;
  const std::size_t read = is_upwards ? file : last - file;
  return read >= last - last / kPartsOfListing && told_count * 2 > files.size();
}

void DirectoryPrefetch::Directory::tell_few(std::size_t file) {
  // A program that begins with the last file reads downwards.
  is_upwards = !is_whole || file == 0 || file + 1 < files.size();
  at = is_upwards ? file + 1 : file - 1;
  left = kFirst;
  choose_probe();
}

void DirectoryPrefetch::Directory::tell_all(std::size_t from, bool upwards) {
  is_all = true;
  is_upwards = upwards;
  against = 0;
  at = from;
  left = kAll;
  choose_probe();
}

// Adjusts the predictions to a read of a file that was not prefetched.
void DirectoryPrefetch::Directory::follow(std::size_t file) {
  // Two threads of a program take turns, so one step says little.
  constexpr std::size_t kTurned = 2;
  const std::optional<std::size_t> before = std::exchange(reader, file);
  if (before == file) return;
  const bool is_near = before && distance(*before, file) <= kNear;
  if (!is_near) {
    if (!is_all) tell_few(file);
    return;
  }
  const bool upwards = *before < file;
  if (is_all && upwards != is_upwards && ++against < kTurned) return;
  if (upwards == is_upwards) against = 0;
  const bool is_overtaken = upwards ? file >= at : file <= at;
  if (is_all && upwards == is_upwards && !is_overtaken) return;
  if (is_all && upwards == is_upwards) lead = std::min(lead * 2, kMostLead);
  if (upwards) {
    tell_all(file + lead, true);
  } else if (file >= lead) {
    tell_all(file - lead, false);
  } else {
    left = 0;
  }
}

std::optional<ListedFile> DirectoryPrefetch::Directory::next() {
  while (left > 0) {
    // The last file so far may not be the last of all.
    const bool is_held = is_upwards && is_all && !is_whole && at >= probe;
    if (is_held) return std::nullopt;
    if (at >= files.size()) {
      left = 0;
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
    if (told[file] || file == probe || files[file].size == 0 || files[file].size > kMostBytes) {
      continue;
    }
    told[file] = true;
    ++told_count;
    return files[file];
  }
  return std::nullopt;
}

DirectoryPrefetch::Directory* DirectoryPrefetch::find(Inode directory) {
  const auto found = std::ranges::find(kept_, directory, &Directory::inode);
  return found == kept_.end() ? nullptr : &*found;
}

bool DirectoryPrefetch::listed(Inode directory, bool is_start, std::span<const ListedFile> files) {
  const cache::MutexLock lock(mutex_);
  Directory* found = find(directory);
  if (is_start) {
    if (found == nullptr) found = &*std::ranges::min_element(kept_, {}, &Directory::used);
    *found = {};
    found->inode = directory;
    if (credit_ > 0) {
      --credit_;
      found->tell_all(0, is_upwards_);
    }
  }
  if (found == nullptr) return false;
  found->used = ++clock_;
  found->add(files);
  return found->is_all && found->has_work();
}

void DirectoryPrefetch::ended(Inode directory) {
  const cache::MutexLock lock(mutex_);
  if (Directory* const found = find(directory); found != nullptr) found->end();
}

DirectoryPrefetch::Heard DirectoryPrefetch::read(Inode file) {
  const cache::MutexLock lock(mutex_);
  for (Directory& directory : kept_) {
    const std::optional<std::size_t> position = directory.find(file);
    if (!position) continue;
    directory.used = ++clock_;
    Heard heard{.was_foretold = directory.told[*position]};
    if (!directory.reader) directory.start = *position;
    const std::size_t passed = distance(*position, directory.start);
    if (heard.was_foretold && ++directory.in_vain > kMostInVain && directory.in_vain * 2 > passed) {
      directory.is_useless = true;
      directory.left = 0;
    }
    if (directory.is_useless) return heard;
    if (directory.shows_whole(*position)) {
      directory.is_credited = true;
      credit_ = std::min(credit_ + 1, kMostCredit);
      is_upwards_ = directory.is_upwards;
      heard.read_whole = directory.files.size();
    }
    directory.follow(*position);
    heard.has_work = directory.has_work();
    return heard;
  }
  return {};
}

std::optional<ListedFile> DirectoryPrefetch::next() {
  const cache::MutexLock lock(mutex_);
  for (std::size_t i = 0; i < kKept; ++i) {
    turn_ = (turn_ + 1) % kKept;
    if (std::optional<ListedFile> file = kept_[turn_].next()) return file;
  }
  return std::nullopt;
}

void DirectoryPrefetch::forget() {
  const cache::MutexLock lock(mutex_);
  for (Directory& directory : kept_) directory = {};
  credit_ = 0;
}

}  // namespace scidfs::fs
