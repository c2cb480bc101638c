// lines.pgn: a book as lines of moves in which every position is continued once.
//
// A line begins in the start position and follows the most played moves until no move leads to a
// position that has not been continued before. Each position shows all its moves where it first
// occurs, as variations of one move. Moves that begin lines of their own come afterwards as lines,
// the last branches first, with the moves before them repeated. Positions that no line from the
// start reaches, or that lie too deep, begin lines with a FEN. So the text is proportional to the
// size of the book.
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

// The lines of a book. Immutable once made. Keeps four bytes for each position, and where the
// sections begin.
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
    std::uint32_t root = 0;            // number of the position in which its tree begins
    std::vector<std::uint8_t> path{};  // the move taken in each position; empty: the first line
  };

  BookLines() = default;

  std::shared_ptr<const Book> book_;
  std::string title_;
  std::vector<std::uint32_t> first_;  // see BookSurvey
  // By position: the position whose line continues with it; itself if a line begins there.
  std::vector<std::uint32_t> parents_;
  std::vector<Start> starts_;
  std::uint64_t lines_ = 0;
  SectionEnds ends_;
};

}  // namespace scidfs::fs
