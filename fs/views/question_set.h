// search/eco=B90/year=2010../ and against/NAME.pgn below any set: the games of it that meet some
// conditions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fs/search/question.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// What a question leaves of the set that it was asked of, its base.
class QuestionSet : public Set {
 public:
  QuestionSet(const Version& version, Place directory, QuestionPtr question, SetPtr base)
      : Set(version, directory), question_(std::move(question)), base_(std::move(base)) {}

  Listing listing() const override;
  absl::StatusOr<GameSet> games(const Effort& effort) const override;
  bool has_subject() const override;
  absl::StatusOr<std::optional<Subject>> subject(const Effort& effort) const override;
  Identities::Of players_are() const override;
  std::string name() const override;
  Place parent() const override;
  std::string title() const override;
  std::string answer_key() const override;
  QuestionPtr asked() const override { return question_; }
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(GameSet games,
                                                           const Effort& effort) const override;

 protected:
  const Question& question() const { return *question_; }
  const Set& base() const { return *base_; }

  std::optional<Child> find_child(std::string_view name) const override;

 private:
  const QuestionPtr question_;
  const SetPtr base_;
};

}  // namespace scidfs::fs
