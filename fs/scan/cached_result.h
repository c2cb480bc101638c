// What a query or a table found about a set, kept in memory.
#pragma once

#include <cstddef>

namespace scidfs::fs {

class CachedResult {
 public:
  CachedResult() = default;
  CachedResult(const CachedResult&) = delete;
  CachedResult& operator=(const CachedResult&) = delete;
  virtual ~CachedResult() = default;

  // Returns the bytes of memory that keeping this costs.
  virtual std::size_t memory() const = 0;
};

}  // namespace scidfs::fs
