// What is worth keeping of what was found out about a set.
#pragma once

#include <cstddef>

namespace scidfs::fs {

class Answer {
 public:
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  virtual ~Answer() = default;

  // Bytes of memory that keeping it costs.
  virtual std::size_t memory() const = 0;
};

}  // namespace scidfs::fs
