// The bytes of an answer's body, while a client takes them.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "fs/serve/http_request.h"

struct z_stream_s;

namespace scidfs::fs {

// Goes through the parts of a body. The bytes of the file come from outside, piece by piece: when
// missing() returns where they begin, give() takes them.
class BodyReader {
 public:
  // Bytes of the file that are wanted next.
  struct Missing {
    std::uint64_t offset = 0;
    std::size_t size = 0;
  };

  explicit BodyReader(FileBody body);
  ~BodyReader();
  BodyReader(const BodyReader&) = delete;
  BodyReader& operator=(const BodyReader&) = delete;

  Inode inode() const { return body_.inode; }
  // Returns how many bytes read() will give; nothing if that is not known before.
  std::optional<std::uint64_t> size() const;
  // Writes the next bytes of the body, fewer if it ends or bytes of the file are missing. Returns
  // how many. Throws std::bad_alloc.
  std::size_t read(std::span<char> out);
  // Returns what read() needs to go on; nothing if it needs nothing, or the body has ended.
  std::optional<Missing> missing() const;
  bool has_ended() const;
  // REQUIRES: the bytes begin at missing()->offset; there is at least one.
  void give(const Slice& bytes) { piece_ = bytes; }

 private:
  struct Deflater;

  // Returns the text or bytes of the file that come next; none if there are no more, or they are
  // missing.
  std::string_view next() const;
  void skip(std::size_t bytes);
  std::size_t compress(std::span<char> out);

  FileBody body_;
  std::size_t part_ = 0;       // in work; their number: the text after them
  std::size_t text_done_ = 0;  // of the text before the part
  std::uint64_t range_done_ = 0;
  Slice piece_;
  std::unique_ptr<Deflater> deflater_;  // null: the body is not compressed
};

}  // namespace scidfs::fs
