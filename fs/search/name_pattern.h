// Names of players, events, ..., by a pattern.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "fs/base/glob.h"
#include "fs/content/work_budget.h"
#include "fs/scan/game_scan.h"
#include "fs/scan/subject.h"

namespace scidfs::fs {

// Whole names, without regard to case and accents; a blank stands for `_` too; `_unknown` means
// names that nobody knows: empty ones and `?`. `NAME~12` is what the directory of the item with
// that number is called where names collide (NamedSet): it alone, if its name matches. Immutable.
class NamePattern {
 public:
  // Of what stands after the `=` of a facet. Nothing if there is nothing, or if it has a bad
  // escape, or both wildcards and a number, or is too long (Glob::kMostBytes).
  static std::optional<NamePattern> parse(std::string_view value);

  // As a value again: one for all that mean the same.
  std::string value() const;

  // The number of the only item that can be meant.
  std::optional<std::uint32_t> only() const { return only_; }

  // How many times as long as a short pattern a look at a name takes at most.
  std::size_t cost() const { return glob_.has_value() ? glob_->cost() : 1; }

  // Whether no name of ASCII alone and of this length can be: true saves a look at the name itself.
  bool excludes_length(std::size_t length) const;

 private:
  friend class NameMatcher;
  explicit NamePattern(std::optional<Glob> glob) : glob_(std::move(glob)) {}

  std::optional<Glob> glob_;  // nothing: the unknown
  std::optional<std::uint32_t> only_;
};

// Holds names against a pattern, which outlives it. For one thread.
class NameMatcher {
 public:
  explicit NameMatcher(const NamePattern& pattern);

  // Whether a name (clean UTF-8, as NameTable has it) is as the pattern wants.
  bool matches(std::string_view name);

 private:
  const std::optional<Glob>& glob_;
  std::optional<GlobMatcher> matcher_;
  std::string room_;
};

// The ids of a dictionary whose names match.
struct MatchedNames {
  // No more ids than this are listed.
  static constexpr std::size_t kFew = 64;

  // Of one name, or of none.
  static MatchedNames of(std::optional<std::uint32_t> id) {
    MatchedNames matched{.ids = {}, .few = std::vector<std::uint32_t>()};
    if (!id.has_value()) return matched;
    matched.ids = NameIds(*id);
    matched.few->push_back(*id);
    return matched;
  }

  NameIds ids;
  // The same one by one, ascending, if there are few.
  std::optional<std::vector<std::uint32_t>> few;
};

// As how much of an effort it counts to hold all names against a pattern.
std::size_t games_of_names(const codec::scid::NameTable& names, const NamePattern& pattern);

// The only name that a pattern can mean, if it matches. REQUIRES: there is an only one.
std::optional<std::uint32_t> find_only(const codec::scid::NameTable& names,
                                       const NamePattern& pattern);

// Looks through all names, on all processors if the effort is whole. Ids that are not in the
// dictionary have the name `?`. Unavailable if that is too much; Cancelled.
absl::StatusOr<MatchedNames> find_names(const codec::scid::NameTable& names,
                                        const NamePattern& pattern, const WorkBudget& budget);

}  // namespace scidfs::fs
