// The bytes of an answer's body, while a client takes them.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fs/content/work_budget.h"
#include "fs/serve/http_request.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// Goes through the parts of a body: fill() gets bytes of the file, which may take long, and read()
// gives them away. Not thread-safe; several threads may use it one after the other.
class BodyReader {
 public:
  explicit BodyReader(FileBody body);
  ~BodyReader();
  BodyReader(const BodyReader&) = delete;
  BodyReader& operator=(const BodyReader&) = delete;

  Inode inode() const { return body_.inode; }
  bool is_compressed() const { return deflater_ != nullptr; }
  // Returns how many bytes read() will give; nothing if that is not known before.
  std::optional<std::uint64_t> size() const;
  // Writes the next bytes of the body, fewer if it ends or fill() is to be called. Returns how
  // many.
  std::size_t read(std::span<char> out);
  // Returns whether read() gives no more before fill().
  bool wants_more() const;
  bool has_ended() const;
  // Gets the next bytes, up to a mebibyte. Errors: those of Tree::read(); DataLoss if the file is
  // shorter than it was. Throws std::bad_alloc.
  absl::Status fill(Tree& tree, const WorkBudget& budget);

 private:
  struct Deflater;

  // Returns the text or bytes of the file that come next; none if there are no more, or they are
  // missing.
  std::string_view next() const;
  void skip(std::size_t bytes);
  bool is_at_end() const { return part_ == body_.parts.size() && next().empty(); }
  absl::Status get_piece(Tree& tree, const WorkBudget& budget);
  void compress();

  FileBody body_;
  std::size_t part_ = 0;       // in work; their number: the text after them
  std::size_t text_done_ = 0;  // of the text before the part
  std::uint64_t range_done_ = 0;
  Slice piece_;
  std::unique_ptr<Deflater> deflater_;  // null: the body is not compressed
  std::string packed_;                  // what it has made
  std::size_t packed_done_ = 0;
};

}  // namespace scidfs::fs
