// search/eco=B90/year=2010../ and against/NAME.pgn below any set: the games of the set that meet
// some conditions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fs/search/query.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// The games of a base set that meet the conditions of a query.
class QuerySet : public Set {
 public:
  QuerySet(const Version& version, LocalId directory, QueryPtr query, SetPtr base)
      : Set(version, directory), query_(std::move(query)), base_(std::move(base)) {}

  Listing listing() const override;
  bool is_sum_of_parts() const override;
  std::string directories_in(std::size_t part) const override {
    return base_->directories_in(part);
  }
  absl::StatusOr<GameSet> games(const WorkBudget& budget) const override;
  bool has_subject() const override;
  absl::StatusOr<std::vector<Subject>> subject(const WorkBudget& budget) const override;
  Identities::Of players_are() const override;
  std::string name() const override;
  LocalId parent() const override;
  std::string title() const override;
  std::string answer_key() const override;
  QueryPtr asked() const override { return query_; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(const GameSet& games,
                                                           const WorkBudget& budget) const override;

 protected:
  const Query& query() const { return *query_; }
  const Set& base() const { return *base_; }

  std::optional<Child> find_child(std::string_view name) const override;

 private:
  const QueryPtr query_;
  const SetPtr base_;
};

}  // namespace scidfs::fs
