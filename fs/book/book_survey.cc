#include "fs/book/book_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "cache/mutex.h"
#include "codec/kvetka/key.h"
#include "codec/kvetka/moves.h"
#include "codec/san.h"
#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/book/book_moves.h"

namespace scidfs::fs {
namespace {

using codec::kvetka::Element;

constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kBlocksAtOnce = 256;

// Returns an operand of EPD in quotes; replaces quotes in it, for which EPD has no escape.
std::string quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return '"' + text + '"';
}

void append_line(const Book& book, const Element& element, std::string& out) {
  const std::optional<codec::Position> position = codec::kvetka::position_of(element.key);
  if (!position.has_value()) return;
  const auto add = [&out](std::string_view opcode, std::string_view operands) {
    out += fmt::format(" {} {};", opcode, operands);
  };
  out += codec::kvetka::short_fen(*position);
  const BookScore score{element.wins, element.draws, element.losses};
  out += fmt::format(" wins {}; draws {}; losses {};", score.wins, score.draws, score.losses);
  if (score.games() != 0) add("score", score_text(score));
  std::string moves;
  const codec::kvetka::MoveDecoder decoder(*position);
  for (const std::uint8_t code : element.moves) {
    const std::optional<codec::Move> move = decoder.decode(code);
    if (!move.has_value()) continue;
    if (!moves.empty()) moves += ' ';
    moves += codec::to_san(*position, *move);
  }
  if (!moves.empty()) add("moves", moves);
  if (element.comment.has_value()) {
    const BookComment comment = parse_book_comment(book.text(*element.comment));
    if (!comment.eco.empty()) add("eco", comment.eco);
    if (!comment.name.empty()) add("opening", quoted(comment.name));
    if (!comment.variation.empty()) add("variation", quoted(comment.variation));
    if (!comment.text.empty()) add("c0", quoted(comment.text));
  }
  out += '\n';
}

}  // namespace

absl::StatusOr<BookSurvey> survey_book(const Book& book, const WorkBudget& budget) {
  if (!budget.is_unlimited()) return WorkBudget::exceeded();
  BookSurvey survey;
  survey.first.push_back(0);
  const auto note = [&survey](std::string problem) {
    ++survey.damages;
    if (survey.problems.size() < kMostProblems) survey.problems.push_back(std::move(problem));
  };
  std::optional<codec::kvetka::Key> before;
  BookBlock block;
  for (std::uint64_t i = 0; i < book.blocks(); ++i) {
    if (budget.is_cancelled()) return budget.cancelled();
    std::uint32_t positions = survey.first.back();
    const auto visit = [&](const Element& element) {
      ++positions;
      survey.comments += element.comment.has_value() ? 1 : 0;
      survey.moves += element.moves.size();
      survey.unknown_lists += element.layout == codec::kvetka::LinkLayout::Unknown ? 1 : 0;
      if (before.has_value() && *before >= element.key) {
        note(fmt::format("block {}: a position is out of order", i));
      }
      before = element.key;
      if (!codec::kvetka::position_of(element.key).has_value()) {
        note(fmt::format("block {}: {} is the key of no position", i,
                         codec::kvetka::key_to_hex(element.key)));
      }
    };
    const auto damage = [&](const BookDamage& found) {
      note(fmt::format("block {}, byte {}: {}", i, found.offset, found.reason));
    };
    RETURN_IF_ERROR(book.visit_block(i, block, visit, damage));
    survey.first.push_back(positions);
  }
  return survey;
}

absl::Status append_epd(const Book& book, std::size_t block, std::string& out) {
  BookBlock bytes;
  return book.visit_block(block, bytes,
                          [&](const Element& element) { append_line(book, element, out); });
}

absl::StatusOr<SectionEnds> measure_epd(const Book& book, const WorkBudget& budget) {
  if (!budget.is_unlimited()) return WorkBudget::exceeded();
  auto ends = std::make_shared<std::vector<std::uint64_t>>(book.blocks());
  const std::size_t tasks = (book.blocks() + kBlocksAtOnce - 1) / kBlocksAtOnce;
  cache::Mutex mutex;
  absl::Status failure;
  run_parallel(tasks, thread_count(0, tasks), [&](std::size_t task) {
    std::string text;
    const std::size_t last = std::min(ends->size(), (task + 1) * kBlocksAtOnce);
    for (std::size_t i = task * kBlocksAtOnce; i < last; ++i) {
      text.clear();
      absl::Status status = budget.is_cancelled() ? budget.cancelled() : append_epd(book, i, text);
      (*ends)[i] = text.size();
      if (status.ok()) continue;
      const cache::MutexLock lock(mutex);
      failure.Update(std::move(status));
      return;
    }
  });
  if (!failure.ok()) return failure;
  std::partial_sum(ends->begin(), ends->end(), ends->begin());
  return SectionEnds(std::move(ends));
}

}  // namespace scidfs::fs
