// Questions about annotations: nag=, eval=, swing=, clock=.
#pragma once

#include <span>
#include <string>

#include "tests/mounted/move_questions.h"

namespace scidfs::tests {

std::span<const QuestionKind> note_kinds();

// The lines of a game in evals.tsv.
std::string evals_of(const GamePlies& game);

}  // namespace scidfs::tests
