#include "fs/views/question_directory.h"

#include <memory>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {

QuestionPtr question_at(const Version& version, Place set) {
  if (set.view == kQuestionView) return version.searches->questions.find(set.key);
  return std::make_shared<const Question>(Question{.base = set});
}

std::optional<Child> question_directory(const Version& version, absl::StatusOr<Question> question,
                                        std::string_view name) {
  Child child{.name = std::string(name), .place = {}, .is_directory = true};
  if (question.ok()) {
    child.place = {.view = kQuestionView,
                   .level = kSet,
                   .key = version.searches->questions.number_of(*std::move(question))};
    return child;
  }
  if (!absl::IsOutOfRange(question.status())) return std::nullopt;
  version.searches->refusals.note(Refusals::Kind::Question, codec::clean_line(name),
                                  std::string(question.status().message()));
  child.refusal = question.status();
  return child;
}

}  // namespace scidfs::fs
