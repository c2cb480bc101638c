// Finds what a user may have meant by a name that nothing has.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// A name that may be misspelled, or a beginning of one. Case, accents and the difference between
// `_` and a blank do not count. It may have wildcards (fs/base/wildcards.h): with a `*` in front,
// it may stand anywhere in a name; one within is more than this can find. Immutable.
class MisspelledName {
 public:
  // Of a longer text, these bytes count.
  static constexpr std::size_t kMostBytes = 64;

  explicit MisspelledName(std::string_view text);

  // The number of letters that were left out, added, changed or swapped with the next.
  struct Distance {
    std::size_t of_part = 0;  // of a name: its beginning, or any with `*` in front
    std::size_t of_name = 0;

    auto operator<=>(const Distance&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // Returns how far it is from a name, of any bytes; nothing if `of_part` were more than `most`.
  // `room` keeps its memory between calls.
  std::optional<Distance> distance(std::string_view name, std::size_t most,
                                   std::string& room) const;
  // Returns the greatest distance at which a name may be meant: one letter in four may be wrong.
  std::size_t most_wrong() const { return size_ / kOneWrongIn; }

 private:
  static constexpr std::size_t kOneWrongIn = 4;

  // REQUIRES: the text is folded, or ASCII.
  Distance measure(std::string_view text) const;

  std::size_t size_ = 0;  // 0: no name is near
  bool is_anywhere_ = false;
  std::uint64_t letters_ = 0;                      // a bit for each kind of letter
  std::array<std::uint64_t, 256> places_of_ = {};  // by byte: a bit for each place that has it
};

// The names nearest to a misspelled one, at most five. Not thread-safe.
class NearestNames {
 public:
  static constexpr std::size_t kMost = 5;

  // `wanted` outlives this.
  explicit NearestNames(const MisspelledName& wanted) : wanted_(wanted) {}

  struct Near {
    MisspelledName::Distance distance;
    std::string name;
    std::uint32_t id = 0;

    auto operator<=>(const Near&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // Looks at a name.
  void add(std::string_view name);
  // Returns its distance if it is one of the nearest so far.
  std::optional<MisspelledName::Distance> distance(std::string_view name);
  // Add a name of that distance; and all that another object has found. Equal names count once.
  void add(Near near);
  void add(const NearestNames& others);
  // Returns them, the nearest first, equally near ones by name.
  const std::vector<Near>& all() const { return near_; }

 private:
  const MisspelledName& wanted_;
  std::vector<Near> near_;
  std::string room_;
};

// Looks at the names of a dictionary for which `is_meant` returns true, on all processors if the
// budget is unlimited. Errors: Unavailable if that exceeds the budget; Cancelled.
absl::StatusOr<NearestNames> nearest_names(const codec::scid::NameTable& names,
                                           const MisspelledName& wanted, const WorkBudget& budget,
                                           absl::FunctionRef<bool(std::uint32_t id)> is_meant);

}  // namespace scidfs::fs
