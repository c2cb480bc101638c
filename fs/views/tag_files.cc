#include "fs/views/tag_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/search/tag_pattern.h"
#include "fs/tables/tag_tables.h"
#include "fs/views/bounded_file.h"
#include "fs/views/kept_parts.h"
#include "fs/views/kept_text.h"

namespace scidfs::fs {
namespace {

using TagsPtr = std::shared_ptr<const SetTags>;

constexpr std::string_view kSuffix = ".tsv";

absl::Status reject(const Set& set, std::string_view name, absl::Status status) {
  set.version().searches->rejected_names.note(RejectedNames::Kind::Query, codec::clean_line(name),
                                              std::string(status.message()));
  return status;
}

absl::StatusOr<TagsPtr> tags_of(const Set& set, const WorkBudget& budget) {
  const Version& version = set.version();
  absl::StatusOr<TagsPtr> tags = version.searches->results.get<SetTags>(
      fmt::format("{}:{}", version.id, set.answer_key()), budget, [&]() -> absl::StatusOr<TagsPtr> {
        ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
        if (!version.is_together()) return SetTags::count(games, budget);
        TagTally all;
        RETURN_IF_ERROR(add_kept_parts<TagTally>(
            set, set.answer_key(), games, budget,
            [&](const DatabaseGames& part) -> absl::StatusOr<std::shared_ptr<const TagTally>> {
              ASSIGN_OR_RETURN(TagTally tally, count_tags(part, budget));
              return std::make_shared<const TagTally>(std::move(tally));
            },
            [&all](std::uint32_t, const TagTally& part) { all += part; }));
        return SetTags::of(all, budget);
      });
  if (absl::IsUnimplemented(tags.status())) return reject(set, "tags.tsv", tags.status());
  return tags;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_tags(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const TagsPtr tags, tags_of(set, budget));
  const std::string file = set.asked()->file;
  if (file.empty()) {
    return shared_text(std::shared_ptr<const std::string>(tags, &tags->table()));
  }
  const SetTags::Tag* const tag = tags->find(strip_suffix(file, kSuffix).value_or(file));
  if (tag == nullptr) return absl::NotFoundError("no game has this tag");
  if (!tag->values.has_value()) {
    return reject(set, file, absl::UnimplementedError("the tag has too many different values"));
  }
  return shared_text(std::shared_ptr<const std::string>(tags, &tag->table));
}

std::optional<Child> find_values(const Set& set, std::string_view name) {
  const std::optional<std::string_view> tag = strip_suffix(name, kSuffix);
  if (!tag.has_value() || tag->find(',') != std::string_view::npos) return std::nullopt;
  const absl::Status status = TagPattern::parse(fmt::format("{},*", *tag)).status();
  if (!status.ok()) {
    (void)reject(set, name, status);
    return std::nullopt;
  }
  return bounded_file(set, "values", kSetTags, name, name);
}

absl::Status list_values(const Set& set, std::uint64_t first, const WorkBudget& budget,
                         EmitChild emit) {
  // Each of them is a query, for which the mount keeps its path.
  constexpr std::size_t kMostListed = 500;
  ASSIGN_OR_RETURN(const TagsPtr tags, tags_of(set, budget));
  return list_children(
      first, std::min(kMostListed, tags->tags().size()),
      [&](std::uint64_t i) {
        return find_values(set, fmt::format("{}{}", tags->tags()[i].name, kSuffix));
      },
      emit);
}

}  // namespace scidfs::fs
