#include "fs/book/book_moves.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/eco.h"
#include "codec/kvetka/moves.h"
#include "codec/san.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::kvetka::Turning;

// Fills in the data of the book about the position after a move.
absl::Status look_after_move(const Book& book, const codec::Position& position, BookMove& move) {
  codec::Position after = position;
  after.make(move.move);
  const auto key = codec::kvetka::key_of(after);
  if (!key.has_value()) return absl::OkStatus();
  BookPosition found;
  ASSIGN_OR_RETURN(const bool is_there, book.find(*key, found));
  if (!is_there) return absl::OkStatus();
  const codec::kvetka::Element& element = found.element;
  move.is_found = true;
  move.score = BookScore{element.wins, element.draws, element.losses}.of_the_other_side();
  move.block = found.block_number;
  move.index = found.index;
  move.codes = codec::as_text(element.moves);
  if (element.comment.has_value()) {
    move.comment = parse_book_comment(book.text(*element.comment));
  }
  return absl::OkStatus();
}

}  // namespace

std::string score_text(const BookScore& score) {
  if (score.games() == 0) return "-";
  const auto points = static_cast<double>(score.wins) + static_cast<double>(score.draws) / 2;
  return fmt::format("{:.1f}", 100 * points / static_cast<double>(score.games()));
}

BookComment parse_book_comment(std::string text) {
  const std::size_t bar = text.find('|');
  if (bar != 3 || codec::parse_eco_base(std::string_view(text).substr(0, 3)) == codec::kEcoBases) {
    return {.text = std::move(text)};
  }
  const std::size_t second = text.find('|', bar + 1);
  BookComment comment{.eco = text.substr(0, bar)};
  comment.name = text.substr(bar + 1, second == std::string::npos ? second : second - bar - 1);
  if (second != std::string::npos) comment.variation = text.substr(second + 1);
  if (comment.name.empty()) return {.text = std::move(text)};
  return comment;
}

std::string comment_text(const BookComment& comment) {
  if (comment.name.empty()) return comment.text;
  return fmt::format("{} {}{}{}", comment.eco, comment.name, comment.variation.empty() ? "" : ", ",
                     comment.variation);
}

std::optional<BookPlace> place_of(std::uint64_t block, std::size_t index) {
  constexpr std::uint64_t kBlocks = std::uint64_t{1} << (kBookPlaceSize - kBookPlaceBits);
  if (block >= kBlocks || index >> kBookPlaceBits != 0) return std::nullopt;
  return static_cast<BookPlace>(block << kBookPlaceBits | index);
}

absl::StatusOr<std::vector<BookMove>> book_moves(const Book& book, const codec::Position& position,
                                                 std::string_view codes, bool all) {
  std::vector<BookMove> moves;
  const auto key = codec::kvetka::key_of(position);
  std::optional<codec::Position> normalised;
  if (key.has_value()) normalised = codec::kvetka::position_of(*key);
  if (!normalised.has_value()) return moves;
  const Turning turning = codec::kvetka::turning_of(position);
  const codec::kvetka::MoveDecoder decoder(*normalised);
  const auto add = [&](const codec::Move& move, bool is_listed) -> absl::Status {
    if (std::ranges::count(moves, move, &BookMove::move) != 0) return absl::OkStatus();
    BookMove entry{.move = move, .is_listed = is_listed};
    RETURN_IF_ERROR(look_after_move(book, position, entry));
    if (!is_listed && !entry.is_found) return absl::OkStatus();
    entry.san = codec::to_san(position, move);
    moves.push_back(std::move(entry));
    return absl::OkStatus();
  };
  for (const char code : codes) {
    const std::optional<codec::Move> move = decoder.decode(static_cast<std::uint8_t>(code));
    if (!move.has_value()) continue;
    RETURN_IF_ERROR(add(turning.apply(*move), true));
  }
  if (all) {
    for (const codec::Move& move : codec::legal_moves(position)) {
      RETURN_IF_ERROR(add(move, false));
    }
  }
  std::ranges::stable_sort(moves, [](const BookMove& a, const BookMove& b) {
    return a.score.games() > b.score.games();
  });
  return moves;
}

}  // namespace scidfs::fs
