// The bytes of one directory reply.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scidfs::fs {

// The reply to one request to list a directory: as many entries as fit. Used by one thread at a
// time. Independent of the request, which may be cancelled before the buffer is full.
class DirectoryBuffer {
 public:
  // `size`: bytes that the kernel accepts.
  explicit DirectoryBuffer(std::size_t size) : bytes_(size) {}

  // Appends a name with a type, or with all attributes; `next` is the position after it. Returns
  // false if it does not fit.
  bool add(const char* name, const struct stat& attributes, std::uint64_t next) {
    return advance(
        fuse_add_direntry(nullptr, end(), room(), name, &attributes, static_cast<off_t>(next)));
  }
  bool add(const char* name, const fuse_entry_param& entry, std::uint64_t next) {
    return advance(
        fuse_add_direntry_plus(nullptr, end(), room(), name, &entry, static_cast<off_t>(next)));
  }
  // Replies; the request is invalid afterwards.
  void reply(fuse_req_t request) const { fuse_reply_buf(request, bytes_.data(), size_); }
  bool is_empty() const { return size_ == 0; }

 private:
  char* end() { return bytes_.data() + size_; }
  std::size_t room() const { return bytes_.size() - size_; }
  bool advance(std::size_t needed) {
    if (needed > room()) return false;
    size_ += needed;
    return true;
  }

  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

}  // namespace scidfs::fs
