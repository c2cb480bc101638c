// Lines of info.txt: the first of a kind are written, the others only counted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scidfs::fs {

// The lines "key: line" of one kind. Used by one thread.
class FirstLines {
 public:
  static constexpr std::size_t kMost = 100;

  // `things`: how the other lines are counted, as in "17 more members". Both are literals.
  FirstLines(std::string_view key, std::string_view things) : key_(key), things_(things) {}

  void add(std::string_view line);
  // Returns the lines, and one that counts the others, if there are any.
  std::string text() const;

 private:
  std::string_view key_;
  std::string_view things_;
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace scidfs::fs
