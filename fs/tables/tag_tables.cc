#include "fs/tables/tag_tables.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/sort.h"

namespace scidfs::fs {
namespace {

using ValueRow = std::pair<std::string_view, std::uint32_t>;

constexpr TsvColumns kTagColumns{
    TsvColumn{"tag", [](const SetTags::Tag& tag) -> std::string_view { return tag.name; }},
    TsvColumn{"games", [](const SetTags::Tag& tag) { return tag.games; }},
    TsvColumn{"values", [](const SetTags::Tag& tag) { return tag.values; }},
};
constexpr TsvColumns kValueColumns{
    TsvColumn{"value", [](const ValueRow& row) { return row.first; }},
    TsvColumn{"games", [](const ValueRow& row) { return row.second; }},
};

absl::StatusOr<std::string> value_table(const TagTally::Tag& tag, const WorkBudget& budget) {
  std::vector<ValueRow> rows(tag.values.begin(), tag.values.end());
  const auto is_before = [](const ValueRow& a, const ValueRow& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  };
  RETURN_IF_ERROR(sort_while_wanted(std::span(rows), budget, is_before));
  std::string text = kValueColumns.header();
  for (const ValueRow& row : rows) kValueColumns.append_row(row, text);
  return text;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const SetTags>> SetTags::count(const GameSet& parts,
                                                              const WorkBudget& budget,
                                                              const TagLimits& limits) {
  const absl::StatusOr<TagTally> tally = count_tags(parts, budget, limits);
  return tally.ok() ? of(*tally, budget) : tally.status();
}

absl::StatusOr<std::shared_ptr<const SetTags>> SetTags::of(const TagTally& tally,
                                                           const WorkBudget& budget) {
  RETURN_IF_ERROR(tally.status());
  auto all = std::make_shared<SetTags>();
  for (const auto& [name, counted] : tally.tags()) {
    Tag& tag = all->tags_.emplace_back(Tag{.name = name, .games = counted.games});
    if (counted.has_too_many) continue;
    ASSIGN_OR_RETURN(std::string table, value_table(counted, budget));
    tag.values = counted.values.size();
    tag.table = std::move(table);
  }
  std::ranges::sort(all->tags_, [](const Tag& a, const Tag& b) {
    return std::tie(b.games, a.name) < std::tie(a.games, b.name);
  });
  all->table_ = kTagColumns.header();
  for (const Tag& tag : all->tags_) kTagColumns.append_row(tag, all->table_);
  return all;
}

const SetTags::Tag* SetTags::find(std::string_view name) const {
  const auto found = std::ranges::find(tags_, name, &Tag::name);
  return found == tags_.end() ? nullptr : &*found;
}

std::size_t SetTags::memory() const {
  std::size_t bytes = sizeof *this + table_.capacity() + tags_.capacity() * sizeof(Tag);
  for (const Tag& tag : tags_) bytes += tag.name.capacity() + tag.table.capacity();
  return bytes;
}

}  // namespace scidfs::fs
