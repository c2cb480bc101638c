// A growing buffer for text whose length is bounded before it is written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace scidfs::codec {

// A buffer that, unlike std::string, does not initialize the room it makes. Not thread-safe.
class TextBuffer {
 public:
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  std::string_view view() const { return {data_.get(), size_}; }
  void clear() { size_ = 0; }

  // Returns room for `count` more bytes after the text. Pointers into the buffer are valid until
  // the next call.
  char* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return data_.get() + size_;
  }
  // Ends the text at `end`, which lies in the room made last.
  void commit(const char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }

  void append(std::string_view text) {
    char* const out = room(text.size());
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    commit(out + text.size());
  }

 private:
  void grow(std::size_t count) {
    const std::size_t capacity = std::max(capacity_ * 2, size_ + count);
    std::unique_ptr<char[]> data(new char[capacity]);
    if (size_ != 0) std::memcpy(data.get(), data_.get(), size_);
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace scidfs::codec
