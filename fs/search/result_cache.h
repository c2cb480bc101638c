// The cached results of a mount.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/single_flight_cache.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Results of any types that tell the bytes of memory that keeping them costs (`memory()`), with one
// limit for all of them. The type is a part of the key: one text may name a result of each type.
// Thread-safe.
class ResultCache {
 public:
  explicit ResultCache(std::size_t capacity) : results_(capacity) {}

  // Return a result as SingleFlightCache does. `text` consists of version, set and query.
  template <class Result>
  absl::StatusOr<std::shared_ptr<const Result>> get(
      std::string text, const WorkBudget& budget,
      absl::FunctionRef<absl::StatusOr<std::shared_ptr<const Result>>()> make) {
    ASSIGN_OR_RETURN(
        const auto kept,
        results_.get({typeid(Result), std::move(text)}, budget, [&]() -> absl::StatusOr<KeptPtr> {
          ASSIGN_OR_RETURN(const std::shared_ptr<const Result> made, make());
          return std::make_shared<const Kept>(Kept{.result = made, .bytes = made->memory()});
        }));
    return as<Result>(kept);
  }
  template <class Result>
  std::shared_ptr<const Result> find(std::string text) {
    const KeptPtr kept = results_.find({typeid(Result), std::move(text)});
    return kept == nullptr ? nullptr : as<Result>(kept);
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
  struct Kept {
    std::shared_ptr<const void> result;  // of the type in the key
    std::size_t bytes = 0;

    std::size_t memory() const { return bytes; }
  };
  using KeptPtr = std::shared_ptr<const Kept>;

  template <class Result>
  static std::shared_ptr<const Result> as(const KeptPtr& kept) {
    return std::static_pointer_cast<const Result>(kept->result);
  }

  SingleFlightCache<Key, Kept> results_;
};

}  // namespace scidfs::fs
