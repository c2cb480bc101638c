#include "fs/search/opening_filter.h"

#include <string>
#include <utility>
#include <vector>

#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/positions/game_openings.h"

namespace scidfs::fs {
namespace {

class OpeningFilter : public ColumnFilter {
 public:
  OpeningFilter(const GameOpenings& openings, std::vector<bool> wanted)
      : openings_(openings), wanted_(std::move(wanted)) {}

  void narrow(const PackedIndex& /*index*/, std::size_t block, BlockMask& mask) const override {
    const std::size_t first = block * PackedIndex::kBlock;
    keep_if(mask, false, [&](std::size_t i) { return wanted_[openings_.games[first + i]]; });
  }

 private:
  const GameOpenings& openings_;
  const std::vector<bool> wanted_;  // by OpeningNumber
};

// A filter with the same result for all games.
class SameForAll : public ColumnFilter {
 public:
  explicit SameForAll(bool holds) : holds_(holds) {}

  void narrow(const PackedIndex& /*index*/, std::size_t /*block*/, BlockMask& mask) const override {
    if (!holds_) mask = {};
  }

 private:
  const bool holds_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ColumnFilter>> filter_opening(const Database& database,
                                                             const NamePattern& pattern,
                                                             bool is_negated,
                                                             const WorkBudget& budget) {
  const bool is_of_unknown = pattern.value() == kUnknownName && !is_negated;
  if (database.reference().openings == nullptr) return std::make_unique<SameForAll>(is_of_unknown);
  ASSIGN_OR_RETURN(const GameOpenings* const openings, openings_of(database, budget));
  const OpeningGroups& groups = *database.reference().opening_groups();
  NameMatcher matcher(pattern);
  std::vector<bool> is_wanted_group(groups.size());
  for (OpeningGroups::Index group = OpeningGroups::kRoot + 1; group < groups.size(); ++group) {
    is_wanted_group[group] = is_wanted_group[groups[group].parent] ||
                             matcher.matches(groups[group].name) ||
                             matcher.matches(groups[group].part);
  }
  std::vector<bool> wanted(database.reference().openings->size() + 1);
  wanted[kNoOpening] = is_of_unknown;
  for (std::size_t number = 1; number < wanted.size(); ++number) {
    wanted[number] = is_wanted_group[groups.of(static_cast<OpeningNumber>(number))] != is_negated;
  }
  return std::make_unique<OpeningFilter>(*openings, std::move(wanted));
}

}  // namespace scidfs::fs
