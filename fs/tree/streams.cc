#include "fs/tree/streams.h"

#include <algorithm>
#include <utility>

namespace scidfs::fs {

Streams::Stream* Streams::find(const cache::BlockKey& key) {
  const auto found = std::ranges::find_if(streams_, [&key](const Stream& stream) {
    return stream.used != 0 && stream.file == key.file && key.block + kBack >= stream.next &&
           key.block <= stream.next + kSkip;
  });
  return found == streams_.end() ? nullptr : &*found;
}

Streams::Range Streams::note(const Read& read, const ContentPtr& content) {
  if (streams_.empty()) return {};
  const auto& [file, block] = read.key;
  Stream* stream = find(read.key);
  if (stream == nullptr) {
    stream = &*std::ranges::min_element(streams_, {}, &Stream::used);
    *stream = {.file = file, .first = block, .next = block, .passed = block};
  }
  stream->used = ++clock_;
  stream->bytes += read.bytes;
  if (block < stream->next) return {};

  static_assert(kBack <= kShortest);
  stream->next = block + 1;
  if (!stream->is_steady()) return {};
  const std::uint64_t depth = std::min(stream->next - stream->first, kDepth);
  stream->target = std::min(read.blocks, stream->next + depth);
  stream->ahead = std::max(stream->ahead, stream->next);
  stream->content = stream->has_work() ? content : nullptr;
  const std::uint64_t passed = std::max(stream->passed, stream->next - kBack);
  return {.first = std::exchange(stream->passed, passed), .last = passed};
}

std::optional<Streams::Work> Streams::next() {
  Stream* urgent = nullptr;
  for (Stream& stream : streams_) {
    if (!stream.has_work()) continue;
    if (urgent == nullptr || stream.ahead - stream.next < urgent->ahead - urgent->next) {
      urgent = &stream;
    }
  }
  if (urgent == nullptr) return std::nullopt;
  Work work{.key = {.file = urgent->file, .block = urgent->ahead++}, .content = urgent->content};
  if (!urgent->has_work()) urgent->content = nullptr;
  return work;
}

}  // namespace scidfs::fs
