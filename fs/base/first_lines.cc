#include "fs/base/first_lines.h"

#include <fmt/format.h>

namespace scidfs::fs {

void FirstLines::add(std::string_view line) {
  if (count_++ < kMost) first_ += fmt::format("{}: {}\n", key_, line);
}

std::string FirstLines::text() const {
  if (count_ <= kMost) return first_;
  return first_ + fmt::format("{}: {} more {}\n", key_, count_ - kMost, things_);
}

}  // namespace scidfs::fs
