// Questions about what happens in a game: balance=, bishops=, castling and mate=.
#pragma once

#include <span>

#include "tests/mounted/move_questions.h"

namespace scidfs::tests {

std::span<const QuestionKind> course_kinds();

}  // namespace scidfs::tests
