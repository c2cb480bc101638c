// The results of one pass over a book: the number of positions in each block, and the problems.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "fs/book/book.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

struct BookSurvey {
  // By block: the number of positions before it; one more than there are blocks.
  std::vector<std::uint32_t> first{};
  std::uint64_t comments = 0;
  std::uint64_t moves = 0;
  std::uint64_t unknown_lists = 0;      // lists of games in a form that is not known
  std::uint64_t damages = 0;            // number of places with a problem
  std::vector<std::string> problems{};  // the first of them, one per line

  std::uint64_t positions() const { return first.back(); }
};

// Surveys a book. DataLoss if it cannot be read. Like all functions here that take a budget:
// Unavailable if the budget is limited, Cancelled if it is cancelled.
absl::StatusOr<BookSurvey> survey_book(const Book& book, const WorkBudget& budget);

// Appends a block's section of positions.epd: one line for each position, in the order of the book.
absl::Status append_epd(const Book& book, std::size_t block, std::string& out);
// Writes all of positions.epd once, on several threads, to find out the sizes.
absl::StatusOr<SectionEnds> measure_epd(const Book& book, const WorkBudget& budget);

}  // namespace scidfs::fs
