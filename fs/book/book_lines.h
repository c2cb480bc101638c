// lines.pgn: a book as lines of moves, in which every position goes on once.
//
// A line begins in the start position and follows the most played moves to where nothing goes on
// that has not gone on before. Each position shows all its moves where it comes first, as
// variations of one move; the moves that begin lines of their own come afterwards as such, the last
// branches first, with the moves before them repeated. What no line from the start reaches, and
// what lies too deep, begins lines with a FEN. So the text grows as the book does.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/book/book.h"
#include "fs/book/book_survey.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Immutable once made. Keeps four bytes for each position, and where the sections begin.
class BookLines {
 public:
  // Writes all lines once. DataLoss if the book cannot be read.
  static absl::StatusOr<std::shared_ptr<const BookLines>> make(std::shared_ptr<const Book> book,
                                                               std::string title,
                                                               const BookSurvey& survey,
                                                               const WorkBudget& budget);

  const SectionEnds& ends() const { return ends_; }
  // Appends the lines of a section.
  absl::Status append(std::size_t section, std::string& out) const;

  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

 private:
  friend class LineWalk;
  // The first line of a section.
  struct Start {
    std::uint64_t line = 0;            // its number, from 1
    std::uint32_t root = 0;            // the position, by number, in which its tree begins
    std::vector<std::uint8_t> path{};  // which move of each position leads to it; empty: the first
  };

  BookLines() = default;

  std::shared_ptr<const Book> book_;
  std::string title_;
  std::vector<std::uint32_t> first_;  // see BookSurvey
  // By position: the one whose line goes on with it; itself if a line begins there.
  std::vector<std::uint32_t> parents_;
  std::vector<Start> starts_;
  std::uint64_t lines_ = 0;
  SectionEnds ends_;
};

}  // namespace scidfs::fs
