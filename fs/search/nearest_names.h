// Finds what a user may have meant by a name that nothing has.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "fs/content/work_budget.h"
#include "fs/search/misspelled_text.h"

namespace scidfs::fs {

// How near a name is to the one that was asked for; less is nearer.
struct Nearness {
  // Words that were asked for and that the name lacks.
  std::size_t missing = 0;
  // Letters that are wrong, in all or in those words that are there; a word of which only the
  // beginning is there counts as one.
  std::size_t wrong = 0;
  // Letters of the words that the name does not have exactly so.
  std::size_t inexact = 0;
  std::size_t begun = 0;                   // words of which only the beginning is there
  MisspelledText::Distance distance = {};  // of the whole text

  auto operator<=>(const Nearness&) const = default;  // NOLINT(modernize-use-nullptr)
};

// A name that may be misspelled, or a beginning of one, or words of it in any order, of which some
// may be beginnings or have more letters than those of the name: `Magnus Carlsen` is near to
// `Carlsen,M`. Case, accents and the difference between `_` and a blank do not count. It may have
// wildcards (fs/base/wildcards.h): with a `*` in front, it may stand anywhere in a name; one within
// is more than this can find. Immutable.
class MisspelledName {
 public:
  explicit MisspelledName(std::string_view text);

  // Returns how near it is to a name, of any bytes; nothing if that is not meant. `room` keeps its
  // memory between calls.
  std::optional<Nearness> nearness(std::string_view name, std::string& room) const;

 private:
  struct OfWords {
    std::size_t missing = 0;
    std::size_t wrong = 0;
    std::size_t inexact = 0;
    std::size_t begun = 0;
    bool are_enough = false;  // to tell that the name is meant
  };

  // What of it a name may have.
  struct Possible {
    bool whole = false;
    bool words = false;
  };

  Possible possible(std::string_view name) const;
  OfWords compare_words(std::string_view name) const;

  std::optional<MisspelledText> whole_;  // nothing: no name is near
  std::vector<MisspelledText> words_;    // the longest first
  std::size_t letters_ = 0;              // of the words together
};

// The names nearest to a misspelled one, at most five. Not thread-safe.
class NearestNames {
 public:
  static constexpr std::size_t kMost = 5;

  // `wanted` outlives this.
  explicit NearestNames(const MisspelledName& wanted) : wanted_(wanted) {}

  struct Near {
    Nearness nearness;
    std::string name;
    std::uint32_t id = 0;

    auto operator<=>(const Near&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // Looks at a name; `id` is any number of its.
  void add(std::string_view name, std::uint32_t id = 0);
  // Returns how near it is if it is one of the nearest so far.
  std::optional<Nearness> nearness(std::string_view name);
  // Add a name that is so near; and all that another object has found. Equal names count once.
  void add(Near near);
  void add(const NearestNames& others);
  // Returns them, the nearest first, equally near ones by name.
  const std::vector<Near>& all() const { return near_; }

 private:
  const MisspelledName& wanted_;
  std::vector<Near> near_;
  std::string room_;
};

// Looks at the names of ids below `count`, those that name_of(id, room) returns, on all processors
// if the budget is unlimited. Errors: Unavailable if that exceeds the budget; Cancelled.
absl::StatusOr<NearestNames> nearest_names(
    std::uint32_t count, const MisspelledName& wanted, const WorkBudget& budget,
    absl::FunctionRef<std::optional<std::string_view>(std::uint32_t id, std::string& room)>
        name_of);
// Looks at all names of a dictionary.
absl::StatusOr<NearestNames> nearest_names(const codec::scid::NameTable& names,
                                           const MisspelledName& wanted, const WorkBudget& budget);

}  // namespace scidfs::fs
