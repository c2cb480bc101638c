#include "fs/views/question_directory.h"

#include <fmt/format.h>

#include <utility>

#include "fs/views/set_view.h"

namespace scidfs::fs {

std::optional<Question> narrower(const Version& version, Place set, std::string path,
                                 FacetGroup group) {
  Question question{.base = set, .path = std::move(path), .groups = {}};
  if (set.view == kQuestionView) {
    const QuestionPtr before = version.searches->questions.find(set.key);
    if (before == nullptr) return std::nullopt;
    question.base = before->base;
    question.path = fmt::format("{}/{}", before->path, question.path);
    question.groups = before->groups;
  }
  question.groups.push_back(std::move(group));
  return question;
}

absl::StatusOr<Child> question_directory(const Version& version, Question question,
                                         std::string_view name) {
  const absl::StatusOr<std::uint32_t> number =
      version.searches->questions.number_of(std::move(question));
  if (!number.ok()) return number.status();
  return Child{.name = std::string(name),
               .place = {.view = kQuestionView, .level = kSet, .key = *number},
               .is_directory = true};
}

}  // namespace scidfs::fs
