#include "fs/tree/block_reader.h"

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

// Streams use at most half of the cache. In a cache that is too small for that, blocks made ahead
// would evict each other before they are read.
constexpr std::size_t kMostStreams = 16;
std::size_t stream_count(std::size_t cache_bytes) {
  const std::uint64_t most = cache_bytes / (2 * Streams::kSpan * kBlockSize);
  return static_cast<std::size_t>(std::min<std::uint64_t>(kMostStreams, most));
}

std::size_t block_length(const Content& content, std::uint64_t block) {
  const std::uint64_t left = content.size() - block * kBlockSize;
  return static_cast<std::size_t>(std::min<std::uint64_t>(kBlockSize, left));
}

// Returns the function that fills an empty string with a block.
auto maker_of(const Content& content, std::uint64_t block) {
  return [&content, block](std::string& out) {
    const std::size_t length = block_length(content, block);
    out.reserve(length);
    return content.read(block * kBlockSize, length, out);
  };
}

}  // namespace

BlockReader::BlockReader(const Options& options)
    : blocks_({.capacity = options.cache_bytes}),
      streams_(stream_count(options.cache_bytes)),
      remote_streams_(kMostStreams) {
  if (stream_count(options.cache_bytes) == 0) return;
  const unsigned wanted =
      options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  start(std::clamp(wanted, 1U, kMostThreads));
}

BlockReader::~BlockReader() {
  {
    cache::MutexLock lock(mutex_);
    is_over_ = true;
  }
  something_to_do_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void BlockReader::start(unsigned threads) {
  threads_.reserve(threads);
  try {
    while (threads_.size() < threads) threads_.push_back(start_thread("ahead", [this] { work(); }));
  } catch (const std::system_error&) {
    // Fewer must do. Without any, blocks are made when they are read.
  }
}

absl::StatusOr<Slice> BlockReader::read(Inode file, const ContentPtr& content, bool is_remote,
                                        std::uint64_t offset, std::size_t size,
                                        const WorkBudget& budget) {
  if (offset >= content->size()) return Slice{};
  const cache::BlockKey key{.file = file, .block = offset / kBlockSize};
  const std::size_t begin = offset % kBlockSize;
  const std::size_t length = std::min(size, block_length(*content, key.block) - begin);
  if (content->size() > kBlockSize) {
    const std::uint64_t blocks = (content->size() + kBlockSize - 1) / kBlockSize;
    const Streams::Read read{.key = key, .bytes = length, .blocks = blocks};
    if (is_remote) {
      expect_ahead(read, content);
    } else {
      look_ahead(read, content);
    }
  }
  if (!budget.is_unlimited() && !blocks_.contains(key) &&
      !budget.spend(content->cost(key.block * kBlockSize, block_length(*content, key.block)))) {
    return WorkBudget::exceeded();
  }
  ASSIGN_OR_RETURN(cache::Block text, blocks_.get(key, maker_of(*content, key.block)));
  const std::string_view bytes = std::string_view(*text).substr(begin, length);
  return Slice{.block = std::move(text), .bytes = bytes};
}

void BlockReader::look_ahead(const Streams::Read& read, const ContentPtr& content) {
  Streams::Range passed;
  bool has_work = false;
  {
    cache::MutexLock lock(mutex_);
    passed = streams_.note(read, content);
    has_work = streams_.has_work();
  }
  if (has_work) something_to_do_.notify_all();
  for (std::uint64_t block = passed.first; block < passed.last; ++block) {
    blocks_.drop({.file = read.key.file, .block = block});
  }
}

void BlockReader::expect_ahead(const Streams::Read& read, const ContentPtr& content) {
  std::vector<Streams::Work> expected;
  {
    cache::MutexLock lock(mutex_);
    remote_streams_.note(read, content);
    while (auto next = remote_streams_.next()) expected.push_back(*std::move(next));
  }
  for (const Streams::Work& work : expected) {
    work.content->expect(work.key.block * kBlockSize, block_length(*work.content, work.key.block));
  }
}

void BlockReader::work() {
  for (;;) {
    std::optional<Streams::Work> next;
    {
      cache::MutexLock lock(mutex_);
      while (!is_over_ && !(next = streams_.next())) something_to_do_.wait(mutex_);
      if (is_over_) return;
    }
    try {
      blocks_.make_ahead(next->key, maker_of(*next->content, next->key.block));
    } catch (const std::bad_alloc&) {
      // The reader of the block will make it, or get the error.
    }
  }
}

}  // namespace scidfs::fs
