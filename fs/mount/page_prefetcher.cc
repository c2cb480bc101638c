#include "fs/mount/page_prefetcher.h"

#include <cassert>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>

#include "fs/base/inode.h"
#include "fs/base/thread.h"
#include "fs/file/mapped_file.h"

namespace scidfs::fs {
namespace {

// The kernel may not have processed the last listing yet.
constexpr int kMostTries = 20;
constexpr std::chrono::microseconds kRetryPause{20};
// After this many consecutive unknown files, the kernel has forgotten the listing.
constexpr int kMostUnknown = 8;

// Returns whether the mount is gone, or the kernel does not support the message.
bool is_end(int result) {
  return result == -ENODEV || result == -ENOTCONN || result == -ENOSYS || result == -EINVAL ||
         result == -EBADF;
}

}  // namespace

void PagePrefetcher::start() {
  const cache::MutexLock lock(end_mutex_);
  assert(!thread_.joinable());
  if (is_stopped_) return;
  is_over_ = false;
  try {
    thread_ = start_thread("pages", [this] { work(); });
  } catch (const std::system_error&) {
    // The kernel will ask for the files.
    is_over_ = true;
  }
}

void PagePrefetcher::listed(Inode directory, bool is_start, std::span<const ListedFile> files) {
  if (!is_over_ && files_.listed(directory, is_start, files)) wake();
}

std::size_t PagePrefetcher::read(Inode file) {
  if (is_over_) return 0;
  const DirectoryPrefetch::Heard heard = files_.read(file);
  if (heard.was_foretold) counters_.count(Request::PushedInVain);
  if (heard.has_work) wake();
  return heard.read_whole;
}

void PagePrefetcher::wake() {
  {
    const cache::MutexLock lock(mutex_);
    if (has_work_) return;
    has_work_ = true;
  }
  something_to_do_.notify_one();
}

void PagePrefetcher::stop() {
  const cache::MutexLock lock(end_mutex_);
  is_stopped_ = true;
  {
    const cache::MutexLock work_lock(mutex_);
    is_over_ = true;
  }
  something_to_do_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void PagePrefetcher::work() {
  while (!is_over_) {
    {
      const cache::MutexLock lock(mutex_);
      while (!has_work_ && !is_over_) something_to_do_.wait(mutex_);
      has_work_ = false;
    }
    while (!is_over_) {
      const std::optional<ListedFile> file = files_.next();
      if (!file) break;
      if (!memory_.has_room()) {
        files_.forget();
        break;
      }
      push(*file);
    }
  }
}

void PagePrefetcher::push(const ListedFile& file) {
  text_.clear();
  // The reader of a bad file gets the error.
  if (!tree_.append(file.inode, text_).ok() || text_.size() != file.size) return;
  if (!MappedFile::may_show()) return;
  for (int tries = 0; tries < kMostTries && !is_over_; ++tries) {
    fuse_bufvec buffers{};
    buffers.count = 1;
    buffers.buf[0].size = text_.size();
    buffers.buf[0].mem = text_.data();
    buffers.buf[0].fd = -1;
    const int result = fuse_lowlevel_notify_store(session_, kernel_number(file.inode), 0, &buffers,
                                                  static_cast<fuse_buf_copy_flags>(0));
    if (result == 0) {
      unknown_ = 0;
      return counters_.count(Request::Pushed);
    }
    if (is_end(result)) {
      is_over_ = true;
      return;
    }
    // Out of memory, or a signal: the kernel will ask for this file.
    if (result != -ENOENT) return;
    std::this_thread::sleep_for(kRetryPause);
  }
  if (++unknown_ >= kMostUnknown) {
    unknown_ = 0;
    files_.forget();
  }
}

}  // namespace scidfs::fs
