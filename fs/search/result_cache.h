// The cached results of a mount.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

#include "fs/content/single_flight_cache.h"
#include "fs/content/work_budget.h"
#include "fs/scan/cached_result.h"

namespace scidfs::fs {

// Results of several types, each derived from CachedResult, with one limit in bytes of memory for
// all of them. The type is a part of the key: one text may name a result of each type. Thread-safe.
class ResultCache {
 public:
  explicit ResultCache(std::size_t capacity) : results_(capacity) {}

  // Return a result as SingleFlightCache does. `text` consists of version, set and query.
  template <class Result>
  absl::StatusOr<std::shared_ptr<const Result>> get(
      std::string text, const WorkBudget& budget,
      absl::FunctionRef<absl::StatusOr<std::shared_ptr<const Result>>()> make) {
    const absl::StatusOr<Cached> result =
        results_.get(key_of<Result>(std::move(text)), budget, make);
    if (!result.ok()) return result.status();
    return as<Result>(*result);
  }
  template <class Result>
  std::shared_ptr<const Result> find(std::string text) {
    return as<Result>(results_.find(key_of<Result>(std::move(text))));
  }

  auto counters() const { return results_.counters(); }

 private:
  struct Key {
    std::type_index type;
    std::string text;

    std::size_t size() const { return text.size(); }
    friend bool operator==(const Key&, const Key&) = default;
    template <class Hash>
    friend Hash AbslHashValue(Hash hash, const Key& key) {
      return Hash::combine(std::move(hash), key.type.hash_code(), key.text);
    }
  };
  using Cached = std::shared_ptr<const CachedResult>;

  template <class Result>
  static Key key_of(std::string text) {
    return {.type = typeid(Result), .text = std::move(text)};
  }
  // Only get() stores results, and under a key with their type.
  template <class Result>
  static std::shared_ptr<const Result> as(const Cached& result) {
    return std::static_pointer_cast<const Result>(result);
  }

  SingleFlightCache<Key, CachedResult> results_;
};

}  // namespace scidfs::fs
