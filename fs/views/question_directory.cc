#include "fs/views/question_directory.h"

#include <string>
#include <utility>

#include "codec/text.h"

namespace scidfs::fs {

std::optional<Child> question_directory(const Version& version, absl::StatusOr<Question> question,
                                        std::string_view name) {
  Child child{.name = std::string(name), .place = {}, .is_directory = true};
  if (question.ok()) {
    child.place = question_place(version.searches->questions.number_of(*std::move(question)));
    return child;
  }
  if (!absl::IsOutOfRange(question.status())) return std::nullopt;
  version.searches->refusals.note(Refusals::Kind::Question, codec::clean_line(name),
                                  std::string(question.status().message()));
  child.refusal = question.status();
  return child;
}

}  // namespace scidfs::fs
