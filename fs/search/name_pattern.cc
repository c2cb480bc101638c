#include "fs/search/name_pattern.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "codec/text.h"
#include "codec/unicode.h"
#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/base/wildcards.h"
#include "fs/content/work_cost.h"
#include "fs/search/facet_value.h"
#include "fs/search/name_ranges.h"

namespace scidfs::fs {
namespace {

using codec::is_ascii;

using codec::scid::NameTable;

// Returns true if a name certainly does not begin with `prefix`. Does not fold the name as a whole:
// folding works byte by byte up to the first character beyond ASCII.
bool differs_early(std::string_view name, std::string_view prefix) {
  const std::size_t size = std::min(name.size(), prefix.size());
  for (std::size_t i = 0; i < size; ++i) {
    if (!is_ascii(name[i])) return false;
    const char c = name[i] == '_' ? ' ' : codec::to_ascii_lower(name[i]);
    if (c != prefix[i]) return true;
  }
  return name.size() < prefix.size();
}

bool is_unknown(std::string_view name) { return name.empty() || name == NameTable::kMissing; }

}  // namespace

std::optional<NamePattern> NamePattern::parse(std::string_view value) {
  if (const auto suffix = parse_collision_suffix(value)) {
    std::optional<NamePattern> pattern = parse(suffix->first);
    if (!pattern.has_value() || (pattern->glob_.has_value() && !pattern->glob_->is_plain())) {
      return std::nullopt;
    }
    pattern->only_ = suffix->second;
    return pattern;
  }
  if (value == kUnknownName) return NamePattern(std::nullopt);
  const std::optional<std::string> text = unescape_value(value, true);
  if (!text.has_value() || text->empty()) return std::nullopt;
  Glob glob(*text);
  if (glob.is_too_long()) return std::nullopt;
  return NamePattern(std::move(glob));
}

std::string NamePattern::value() const {
  const std::string name =
      glob_.has_value() ? escape_value(glob_->text()) : std::string(kUnknownName);
  return only_.has_value() ? with_collision_suffix(name, *only_) : name;
}

NameMatcher::NameMatcher(const NamePattern& pattern) : glob_(pattern.glob_) {
  if (!glob_.has_value()) return;
  matcher_.emplace(*glob_);
  for (const char& c : glob_->text()) {
    if (c != kAnyCharacter && c != kAnyCharacters) letters_.add({&c, 1});
  }
}

bool NameMatcher::matches(std::string_view name) {
  if (!glob_.has_value()) return is_unknown(name);
  const std::string_view prefix = glob_->prefix();
  if (differs_early(name, prefix)) return false;
  // Folding costs most of the time, and few names have all letters of a pattern.
  LetterKinds letters;
  letters.add(name);
  if (letters.is_ascii) {
    if (glob_->is_plain()) return name.size() == prefix.size();
    if (letters_.missing_in(letters) != 0) return false;
  }
  room_ = name;
  fold_text_in_place(room_);
  return matcher_->matches(room_);
}

bool NamePattern::excludes_length(std::size_t length) const {
  if (!glob_.has_value()) return length > NameTable::kMissing.size();
  return glob_->is_plain() ? length != glob_->prefix().size() : length < glob_->prefix().size();
}

bool has_known_name(const NameTable& names, std::uint32_t id) {
  if (!names.contains(id)) return false;
  return names.length(id) > NameTable::kMissing.size() || !is_unknown(names.text(id));
}

std::size_t games_of_names(const NameTable& names, const NamePattern& pattern) {
  return pattern.cost() *
         std::max(names.size() / kNamesOfGame, names.text_bytes() / kNameBytesOfGame);
}

std::optional<std::uint32_t> find_only(const NameTable& names, const NamePattern& pattern) {
  assert(pattern.only().has_value());
  const std::uint32_t id = *pattern.only();
  if (!names.contains(id) || !NameMatcher(pattern).matches(names.text(id))) return std::nullopt;
  return id;
}

absl::StatusOr<MatchedNames> find_names(const NameTable& names, const NamePattern& pattern,
                                        const WorkBudget& budget) {
  assert(!pattern.only().has_value());
  if (!budget.spend(games_of_names(names, pattern))) return WorkBudget::exceeded();
  std::vector<std::vector<std::uint32_t>> found(count_name_ranges(names.size()));
  const auto is_excluded = [&](std::uint32_t id) {
    return names.contains(id) && names.is_ascii(id) && pattern.excludes_length(names.length(id));
  };
  const auto look = [&](std::size_t number, std::uint32_t first, std::uint32_t end) {
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t id = first; id < end; ++id) {
      if (!is_excluded(id)) candidates.push_back(id);
    }
    NameMatcher matcher(pattern);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i + kNamesAhead < candidates.size()) {
        __builtin_prefetch(names.text(candidates[i + kNamesAhead]).data());
      }
      if (matcher.matches(names.text(candidates[i]))) found[number].push_back(candidates[i]);
    }
  };
  RETURN_IF_ERROR(visit_name_ranges(names.size(), budget, look));

  std::size_t count = 0;
  for (const auto& ids : found) count += ids.size();
  const bool others = NameMatcher(pattern).matches(NameTable::kMissing);
  MatchedNames matched;
  if (!others && count <= MatchedNames::kFew) {
    matched.few.emplace();
    for (const auto& ids : found) matched.few->insert(matched.few->end(), ids.begin(), ids.end());
    if (count == 0) return MatchedNames::of(std::nullopt);
    if (count == 1) return MatchedNames::of(matched.few->front());
  }
  std::vector<bool> holds(names.size());
  for (const auto& ids : found) {
    for (const std::uint32_t id : ids) holds[id] = true;
  }
  matched.ids = NameIds(std::move(holds), others);
  return matched;
}

absl::StatusOr<MatchedNames> find_players(const PlayersOfPart& players, const NamePattern& pattern,
                                          const WorkBudget& budget) {
  const CommonNames& names = players.all.names();
  const NameTable& of_part = names.part(players.part);
  if (!pattern.only().has_value()) return find_names(of_part, pattern, budget);
  MatchedNames matched{.ids = {}, .few = names.ids_in(players.part, *pattern.only())};
  if (matched.few->empty() || !NameMatcher(pattern).matches(of_part.text(matched.few->front()))) {
    return MatchedNames::of(std::nullopt);
  }
  if (matched.few->size() == 1) return MatchedNames::of(matched.few->front());
  std::vector<bool> holds(of_part.size());
  for (const std::uint32_t id : *matched.few) holds[id] = true;
  matched.ids = NameIds(std::move(holds));
  return matched;
}

}  // namespace scidfs::fs
