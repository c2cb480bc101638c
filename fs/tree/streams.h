// Who reads which file from front to back, and what to make ready for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cache/lru.h"
#include "fs/tree/content_cache.h"

namespace scidfs::fs {

// Files are read and kept in blocks of this many bytes; the last one may be shorter.
inline constexpr std::size_t kBlockSize = std::size_t{128} << 10;

// A stream is one reader's way through one file: a run of neighbouring blocks of which most is
// read. Any other read begins a stream of its own, in the place of the one not used for longest; so
// there may be several in a file, and reads here and there never look like one. Not thread-safe.
//
// As far as a stream has come, so far it is looked ahead, up to kDepth blocks: what is made for
// nothing is never more than what was read.
class Streams {
 public:
  // Twice what one request of the kernel asks for at most, so that one alone is not yet a stream.
  static constexpr std::uint64_t kShortest = 4;
  // Twice as many won nothing; with four times as many, memory that is used again is no longer in
  // the processor's caches.
  static constexpr std::uint64_t kDepth = 8;
  // The kernel has two requests of two blocks each on their way, which may overtake each other: a
  // stream goes on with blocks up to so many before and after where it is.
  static constexpr std::uint64_t kBack = 4;
  static constexpr std::uint64_t kSkip = 2;
  // So many blocks of a stream are of use at once.
  static constexpr std::uint64_t kSpan = kBack + kDepth;

  // `bytes` bytes of a block of a file that has `blocks` of them.
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

  // Follows `count` streams at once; 0: none.
  explicit Streams(std::size_t count) : streams_(count) {}

  // Somebody reads. Returns the blocks that a stream is done with by this: the kernel has
  // their text now and will not ask again.
  Range note(const Read& read, const ContentPtr& content);

  // Whether next() has something.
  bool has_work() const { return std::ranges::any_of(streams_, &Stream::has_work); }
  // The most urgent of the blocks that are to be made ahead, each once; nothing if there is none.
  std::optional<Work> next();

 private:
  struct Stream {
    std::uint64_t file = 0;
    std::uint64_t used = 0;    // when, by clock_; 0: never
    std::uint64_t first = 0;   // where it began
    std::uint64_t next = 0;    // after the farthest block read
    std::uint64_t bytes = 0;   // read on the way from `first` to `next`
    std::uint64_t passed = 0;  // said to be done with up to here
    std::uint64_t ahead = 0;   // handed out up to here, at least `next`
    std::uint64_t target = 0;  // to be handed out up to here
    ContentPtr content{};      // as long as there is something to hand out

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
