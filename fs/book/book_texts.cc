#include "fs/book/book_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/target_position.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"

namespace scidfs::fs {
namespace {

using codec::Position;
using codec::Square;
using codec::kvetka::Turning;

constexpr std::array<std::string_view, 4> kSourceTypes = {"empty", "PGN file", "web page",
                                                          "ChessBase file"};

class Lines {
 public:
  template <class Value>
  void add(std::string_view key, const Value& value) {
    text_ += fmt::format("{}: {}\n", key, value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string limits_text(const codec::kvetka::RatingLimits& limits) {
  std::string text;
  const auto add = [&text](std::string_view who, unsigned elo) {
    if (elo == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", who, elo);
  };
  add("White", limits.white);
  add("Black", limits.black);
  add("stronger player", limits.strong);
  add("weaker player", limits.weak);
  return text.empty() ? "none" : text;
}

std::uint64_t games_at_start(const Book& book) {
  BookPosition found;
  const absl::StatusOr<bool> is_there = book.find(*codec::kvetka::key_of(Position()), found);
  return is_there.ok() && *is_there ? found.element.games() : 0;
}

// Returns the letter of a piece on a turned board.
char letter_of(codec::Piece piece, Turning turning) {
  constexpr std::string_view kLetters = "KQRBNPkqrbnp";
  const codec::Color color = turning.apply(piece.color);
  return kLetters[static_cast<std::size_t>(color) * codec::kPieceTypes +
                  static_cast<std::size_t>(piece.type)];
}

constexpr TsvColumns kBookMoveColumns{
    TsvColumn{"move", [](const BookMove& move) -> std::string_view { return move.san; }},
    TsvColumn{"games", [](const BookMove& move) { return move.score.games(); }},
    TsvColumn{"wins", [](const BookMove& move) { return move.score.wins; }},
    TsvColumn{"draws", [](const BookMove& move) { return move.score.draws; }},
    TsvColumn{"losses", [](const BookMove& move) { return move.score.losses; }},
    TsvColumn{"score", [](const BookMove& move) { return score_text(move.score); }},
    TsvColumn{"listed", [](const BookMove& move) { return move.is_listed ? "yes" : "no"; }},
    TsvColumn{"opening", [](const BookMove& move) { return comment_text(move.comment); }},
};

}  // namespace

std::string book_info_text(const Book& book, const BookSurvey& survey, const BookSources* sources,
                           std::string_view sources_problem) {
  const codec::kvetka::BookHeader& header = book.header();
  Lines lines;
  lines.add("format", "Kvetka opening book");
  lines.add("caption", book.caption());
  lines.add("positions", survey.positions());
  lines.add("moves", survey.moves);
  lines.add("comments", survey.comments);
  lines.add("games from the start position", games_at_start(book));
  lines.add("least Elo", limits_text(header.limits));
  lines.add("plies of each game", header.max_plies == codec::kvetka::kAllPlies
                                      ? "all"
                                      : std::to_string(header.max_plies));
  lines.add("moves that lead to positions of the book", header.links != 0 ? "added" : "not added");
  lines.add("files", book.pieces());
  lines.add("bytes", book.bytes());
  lines.add("blocks", book.blocks());
  lines.add("byte order", codec::kvetka::byte_order_name(book.byte_order()));
  lines.add("games of positions", header.has_links() ? "kept" : "not kept");
  if (survey.unknown_lists != 0) {
    lines.add("lists of games that cannot be read", survey.unknown_lists);
  }
  if (sources != nullptr) {
    lines.add("games of sources", sources->games());
    for (std::size_t i = 0; i < sources->sources().size(); ++i) {
      const BookSource& source = sources->sources()[i];
      if (source.type == codec::kvetka::SourceType::Empty) continue;
      lines.add(
          fmt::format("source {}", i),
          fmt::format("{}{}, {} games: {}", kSourceTypes[static_cast<std::size_t>(source.type)],
                      source.is_bad ? " (out of reach)" : "", source.games, source.address));
    }
  }
  const auto add_problems = [&lines](const std::vector<std::string>& problems) {
    for (const std::string& problem : problems) lines.add("problem", codec::clean_line(problem));
  };
  const std::size_t problems = book.problems().size() + survey.damages +
                               (sources != nullptr ? sources->problems().size() : 0) +
                               (sources_problem.empty() ? 0 : 1);
  lines.add("health", problems == 0 ? "good" : fmt::format("damaged, {} problems", problems));
  add_problems(book.problems());
  add_problems(survey.problems);
  if (sources != nullptr) add_problems(sources->problems());
  if (!sources_problem.empty()) lines.add("problem", codec::clean_line(sources_problem));
  return lines.take();
}

std::optional<Position> position_of_name(std::string_view name) {
  absl::StatusOr<Position> position = Position::from_fen(codec::fen_of_name(name));
  if (!position.ok()) return std::nullopt;
  return *std::move(position);
}

std::string name_of_position(const Position& position) {
  std::string name = codec::kvetka::short_fen(position);
  const auto board = static_cast<std::ptrdiff_t>(name.find(' '));
  std::replace(name.begin(), name.begin() + board, '/', '-');
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::optional<Position> turn_back(const Position& normalised, Turning turning) {
  std::string fen;
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const Square square = turning.apply(codec::make_square(file, rank));
      const codec::Piece piece = normalised.piece_at(square);
      fen += piece.empty() ? '1' : letter_of(piece, turning);
    }
    fen += rank == 0 ? ' ' : '/';
  }
  fen += turning.flipped ? "b " : "w ";
  // Normalized rights are those of the mover and of the other side.
  constexpr std::string_view kRights = "KQkq";
  const unsigned rights = normalised.castling();
  const unsigned turned = turning.flipped ? (rights & 3U) << 2 | rights >> 2 : rights;
  for (std::size_t right = 0; right < kRights.size(); ++right) {
    if ((turned >> right & 1) != 0) fen += kRights[right];
  }
  fen += turned == 0 ? "- " : " ";
  const Square passed = normalised.en_passant();
  if (passed == codec::kNoSquare) {
    fen += '-';
  } else {
    const Square square = turning.apply(passed);
    fen += static_cast<char>('a' + codec::file_of(square));
    fen += static_cast<char>('1' + codec::rank_of(square));
  }
  absl::StatusOr<Position> position = Position::from_fen(fen);
  if (!position.ok()) return std::nullopt;
  return *std::move(position);
}

absl::StatusOr<BookPositionFacts> book_position_facts(const Book& book,
                                                      const codec::kvetka::Element& element,
                                                      Turning turning) {
  const std::optional<Position> normalised = codec::kvetka::position_of(element.key);
  std::optional<Position> position;
  if (normalised.has_value()) position = turn_back(*normalised, turning);
  if (!position.has_value()) return absl::NotFoundError("no such position");
  BookPositionFacts facts{.position = *position,
                          .comment = {},
                          .score = {element.wins, element.draws, element.losses},
                          .ends = element.link_count()};
  if (element.comment.has_value()) {
    facts.comment = parse_book_comment(book.text(*element.comment));
  }
  ASSIGN_OR_RETURN(std::vector<BookMove> moves,
                   book_moves(book, *position, codec::as_text(element.moves), /*all=*/true));
  facts.moves = std::move(moves);
  return facts;
}

std::string book_position_text(const BookPositionFacts& facts) {
  Lines lines;
  lines.add("position", codec::kvetka::short_fen(facts.position));
  if (!facts.comment.empty()) {
    lines.add(facts.comment.eco.empty() ? "comment" : "opening", comment_text(facts.comment));
  }
  const bool is_white = facts.position.side_to_move() == codec::Color::White;
  lines.add("side to move", is_white ? "White" : "Black");
  lines.add("games", facts.score.games());
  lines.add("wins", facts.score.wins);
  lines.add("draws", facts.score.draws);
  lines.add("losses", facts.score.losses);
  lines.add("score", score_text(facts.score));
  lines.add("games that end here", facts.ends);
  std::string text = lines.take() + '\n' + kBookMoveColumns.header();
  for (const BookMove& move : facts.moves) kBookMoveColumns.append_row(move, text);
  return text;
}

}  // namespace scidfs::fs
