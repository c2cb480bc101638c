// Patterns for names of players, events, ...
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
#include "fs/database/common_players.h"
#include "fs/scan/subject.h"
#include "fs/search/misspelled_text.h"

namespace scidfs::fs {

// A pattern for whole names that ignores case and accents; a blank matches `_` too. `_unknown`
// means unknown names: empty ones and `?`. `NAME~12` is the name of a directory where names collide
// (NamedSet): it means only the item with that number, if its name matches. Immutable.
class NamePattern {
 public:
  // Parses the text after the `=` of a facet. Returns nothing if the text is empty, has a bad
  // escape, has both wildcards and a number, or is too long (Glob::kMostBytes).
  static std::optional<NamePattern> parse(std::string_view value);

  // Returns the pattern as a value: one value for all patterns with the same meaning.
  std::string value() const;

  // Returns the number of the only item that the pattern can mean.
  std::optional<std::uint32_t> only() const { return only_; }

  // Returns the folded text with its wildcards (fs/base/wildcards.h). REQUIRES: it is not
  // `_unknown`.
  std::string_view text() const { return glob_->text(); }

  // Returns whether the pattern is `_unknown`.
  bool means_unknown() const { return !glob_.has_value(); }

  // Returns at most how many times as long as with a short pattern it takes to look at a name.
  std::size_t cost() const { return glob_.has_value() ? glob_->cost() : 1; }

  // Returns whether no pure ASCII name of this length can match; the caller then skips that name.
  bool excludes_length(std::size_t length) const;

 private:
  friend class NameMatcher;
  explicit NamePattern(std::optional<Glob> glob) : glob_(std::move(glob)) {}

  std::optional<Glob> glob_;  // nothing: unknown names
  std::optional<std::uint32_t> only_;
};

// A matcher of names against a pattern, which must outlive it. For one thread.
class NameMatcher {
 public:
  explicit NameMatcher(const NamePattern& pattern);

  // Returns whether a name (clean UTF-8, as NameTable has it) matches the pattern.
  bool matches(std::string_view name);

 private:
  const std::optional<Glob>& glob_;
  std::optional<GlobMatcher> matcher_;
  LetterKinds letters_;  // of the pattern
  std::string room_;
};

// The ids of a dictionary whose names match.
struct MatchedNames {
  // The most ids that `few` lists.
  static constexpr std::size_t kFew = 64;

  // Returns a set of one name or of none.
  static MatchedNames of(std::optional<std::uint32_t> id) {
    MatchedNames matched{.ids = {}, .few = std::vector<std::uint32_t>()};
    if (!id.has_value()) return matched;
    matched.ids = NameIds(*id);
    matched.few->push_back(*id);
    return matched;
  }

  NameIds ids;
  // The same ids as a list, ascending, if there are few.
  std::optional<std::vector<std::uint32_t>> few;
};

// Returns whether an id has a name that is known: neither empty nor `?`.
bool has_known_name(const codec::scid::NameTable& names, std::uint32_t id);

// Returns how many games' decoding the comparison of all names with a pattern counts as in a
// budget.
std::size_t games_of_names(const codec::scid::NameTable& names, const NamePattern& pattern);

// Returns the only name that a pattern can mean, if it matches. REQUIRES: there is an only one.
std::optional<std::uint32_t> find_only(const codec::scid::NameTable& names,
                                       const NamePattern& pattern);

// Looks through all names, on all processors if the budget is unlimited. An id that is not in the
// dictionary has the name `?`. Errors: Unavailable if that exceeds the budget; Cancelled. REQUIRES:
// the pattern has no number.
absl::StatusOr<MatchedNames> find_names(const codec::scid::NameTable& names,
                                        const NamePattern& pattern, const WorkBudget& budget);
// Does the same for the players of a part, and with any pattern: `NAME~12` means the player with
// that common id.
absl::StatusOr<MatchedNames> find_players(const PlayersOfPart& players, const NamePattern& pattern,
                                          const WorkBudget& budget);

}  // namespace scidfs::fs
