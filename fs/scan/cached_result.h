// What is worth keeping of what was found out about a set.
#pragma once

#include <cstddef>

namespace scidfs::fs {

class CachedResult {
 public:
  CachedResult() = default;
  CachedResult(const CachedResult&) = delete;
  CachedResult& operator=(const CachedResult&) = delete;
  virtual ~CachedResult() = default;

  // Bytes of memory that keeping it costs.
  virtual std::size_t memory() const = 0;
};

}  // namespace scidfs::fs
