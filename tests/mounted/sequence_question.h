// Questions about moves one after another: played=.
#pragma once

#include <optional>
#include <string>

#include "tests/mounted/game_plies.h"
#include "tests/mounted/move_questions.h"

namespace scidfs::tests {

std::string san_without_marks(const GamePly& ply);

std::optional<MoveQuestion> ask_played(QuestionSource& source);

}  // namespace scidfs::tests
