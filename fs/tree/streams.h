// Detects sequential readers of files and chooses the blocks to make ahead for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cache/lru.h"
#include "fs/tree/content_cache.h"

namespace scidfs::fs {

// Size in bytes of the blocks in which files are read and cached; the last one may be shorter.
inline constexpr std::size_t kBlockSize = std::size_t{128} << 10;

// The streams of all readers. A stream is one reader's sequence through one file: a run of
// neighboring blocks of which most is read. Any other read begins a new stream in the place of the
// least recently used one. So a file may have several streams, and random reads never look like
// one. Not thread-safe.
//
// A stream looks ahead as far as it has already read, up to kDepth blocks: it never makes more
// unused blocks than it has read.
class Streams {
 public:
  // Twice the blocks of the kernel's largest request, so that a single request is not yet a stream.
  static constexpr std::uint64_t kShortest = 4;
  // Twice as many gained nothing. With four times as many, reused memory has left the processor's
  // caches.
  static constexpr std::uint64_t kDepth = 8;
  // The kernel has two requests of two blocks each in flight, which may overtake each other: blocks
  // up to this far before and after the position of a stream belong to it.
  static constexpr std::uint64_t kBack = 4;
  static constexpr std::uint64_t kSkip = 2;
  // Blocks of a stream that are in use at once.
  static constexpr std::uint64_t kSpan = kBack + kDepth;

  // A read of `bytes` bytes in a block of a file that has `blocks` blocks.
  struct Read {
    cache::BlockKey key;
    std::size_t bytes = 0;
    std::uint64_t blocks = 0;
  };
  // Blocks first .. last-1 of a file.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  // A block to be made ahead.
  struct Work {
    cache::BlockKey key;
    ContentPtr content;
  };

  // Follows up to `count` streams at once; 0: none.
  explicit Streams(std::size_t count) : streams_(count) {}

  // Notes a read. Returns the blocks that a stream has finished with because of it: the kernel has
  // their text now and will not ask again.
  Range note(const Read& read, const ContentPtr& content);

  // Returns whether next() has a block.
  bool has_work() const { return std::ranges::any_of(streams_, &Stream::has_work); }
  // Returns the most urgent of the blocks to be made ahead, each once; nothing if there is none.
  std::optional<Work> next();

 private:
  struct Stream {
    std::uint64_t file = 0;
    std::uint64_t used = 0;    // time by clock_; 0: never
    std::uint64_t first = 0;   // first block
    std::uint64_t next = 0;    // after the farthest block read
    std::uint64_t bytes = 0;   // read on the way from `first` to `next`
    std::uint64_t passed = 0;  // blocks up to here were returned as finished
    std::uint64_t ahead = 0;   // blocks up to here were handed out; at least `next`
    std::uint64_t target = 0;  // blocks up to here are to be handed out
    ContentPtr content{};      // while there are blocks to hand out

    bool has_work() const { return ahead < target; }
    bool is_steady() const {
      return next - first >= kShortest && bytes >= (next - first) * kBlockSize / 2;
    }
  };

  Stream* find(const cache::BlockKey& key);

  std::vector<Stream> streams_;
  std::uint64_t clock_ = 0;
};

}  // namespace scidfs::fs
