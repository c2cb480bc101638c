#include "fs/positions/move_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "codec/eco.h"
#include "codec/uci.h"
#include "fs/base/text_table.h"
#include "fs/base/tsv.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;
using Align = TextTable::Align;

constexpr std::size_t kWidth = 80;
constexpr std::string_view kIndent = "  ";

std::string_view name_of(Color color) { return color == Color::White ? "White" : "Black"; }

std::string or_empty(std::uint64_t number) {
  return number == 0 ? std::string() : fmt::to_string(number);
}

// Returns the rating at which the score of the side to move would be the expected one against its
// opponents; empty if no result is known, or if no opponent has a rating.
std::string performance(const MoveScore& games, Color side) {
  constexpr double kFarthest = 800;  // for a score near 0% or 100%
  constexpr double kScale = 400;     // this rating difference means ten points to one
  const Score score = games.score.seen_by(side);
  if (score.decided() == 0 || games.against.count == 0) return {};
  const auto won = static_cast<double>(score.points());
  const double lost = 2.0 * score.decided() - won;
  // Without a point this is the logarithm of 0, without a loss that of infinity.
  const double better = std::clamp(kScale * std::log10(won / lost), -kFarthest, kFarthest);
  return fmt::to_string(std::lround(static_cast<double>(games.against.value()) + better));
}

std::string_view picture_of(codec::Piece piece) {
  constexpr std::array<std::array<std::string_view, codec::kPieceTypes>, 2> kPictures = {
      {{"♔", "♕", "♖", "♗", "♘", "♙"}, {"♚", "♛", "♜", "♝", "♞", "♟"}}};
  if (piece.empty()) return "·";
  return kPictures[static_cast<std::size_t>(piece.color)][static_cast<std::size_t>(piece.type)];
}

void add_games(std::string_view name, const MoveScore& games, const MoveScore& all, Color side,
               TextTable& table) {
  const std::string score = percent_of(games.score);
  table.add(std::string(kIndent).append(name));
  table.add(grouped(games.score.all()));
  table.add(percent(games.score.all(), all.score.all()) + '%');
  constexpr std::size_t kBarWidth = 12;
  // The row of all games has no bar.
  table.add(&games == &all ? "" : bar(games.score.all(), all.score.all(), kBarWidth));
  table.add(score.empty() ? score : score + '%');
  table.add(or_empty(games.elo.value()));
  table.add(performance(games, side));
  table.add(or_empty(games.last_year));
}

void write_openings(const Position& position, const MoveTable& table, const OpeningNames& names,
                    std::string& out) {
  constexpr std::size_t kNameWidth = 68;
  TextTable rows;
  rows.add_column("Openings", Align::Left);
  rows.add_column("", Align::Left);
  std::size_t named = 0;
  for (const PlayedMove& move : table.moves()) {
    Position after = position;
    after.make(move.move);
    const OpeningNumber opening = names.find(after);
    if (opening == kNoOpening) continue;
    rows.add(std::string(kIndent).append(move.san));
    rows.add(clip(names.name(opening), kNameWidth));
    ++named;
  }
  if (named == 0) return;
  out += '\n';
  rows.write(out);
}

struct MoveRow {
  const PlayedMove& played;
  std::string uci;
};

constexpr TsvColumns kMoveColumns{
    TsvColumn{"san", [](const MoveRow& row) -> std::string_view { return row.played.san; }},
    TsvColumn{"uci", [](const MoveRow& row) -> std::string_view { return row.uci; }},
    TsvColumn{"games", [](const MoveRow& row) { return row.played.games.score.all(); }},
    TsvColumn{"white_wins",
              [](const MoveRow& row) { return row.played.games.score[Outcome::Win]; }},
    TsvColumn{"draws", [](const MoveRow& row) { return row.played.games.score[Outcome::Draw]; }},
    TsvColumn{"black_wins",
              [](const MoveRow& row) { return row.played.games.score[Outcome::Loss]; }},
    TsvColumn{"unknown",
              [](const MoveRow& row) { return row.played.games.score[Outcome::Unknown]; }},
    TsvColumn{"score", [](const MoveRow& row) { return percent_of(row.played.games.score); }},
    TsvColumn{"average_elo",
              [](const MoveRow& row) { return known(row.played.games.elo.value()); }},
    TsvColumn{"last_year", [](const MoveRow& row) { return known(row.played.games.last_year); }},
    TsvColumn{"first_year", [](const MoveRow& row) { return known(row.played.games.first_year); }},
};

// Returns the FEN, with the move counters that a position without a game has.
std::string fen_of(const Position& position) {
  std::array<char, Position::kMaxEpdFields> fields;
  const char* const end = position.write_epd_fields(fields.data());
  return std::string(std::as_const(fields).data(), end) + " 0 1";
}

}  // namespace

std::string moves_text(const Position& position, std::string_view title, const MoveTable& table,
                       const NamedPosition& named) {
  const MoveScore& all = table.all();
  std::string text = clip(title, kWidth) + '\n';
  if (!named.opening.empty()) text += clip(named.opening, kWidth) + '\n';
  if (all.score.all() == 0) return text + "no games\n";
  const Color side = position.side_to_move();
  text += counted(all.score.all(), "game") + '\n';
  text += side == Color::White
              ? "White to move; score, rating and performance are White's\n\n"
              : "Black to move; score is White's, rating and performance are Black's\n\n";
  TextTable rows;
  rows.add_column("Moves", Align::Left);
  rows.add_column("games", Align::Right);
  rows.add_column("share", Align::Right);
  rows.add_column("", Align::Left);
  for (const char* const header : {"score", "rating", "performance", "last"}) {
    rows.add_column(header, Align::Right);
  }
  std::uint64_t ended = all.score.all();
  for (const PlayedMove& move : table.moves()) {
    add_games(move.san, move.games, all, side, rows);
    ended -= move.games.score.all();
  }
  add_games("total", all, all, side, rows);
  rows.write(text);
  if (ended != 0) {
    text += fmt::format("\n{} {} here\n", counted(ended, "game"), ended == 1 ? "ends" : "end");
  }
  if (named.names != nullptr) write_openings(position, table, *named.names, text);
  return text;
}

std::string moves_tsv(const Position& position, const MoveTable& table) {
  std::string text = kMoveColumns.header();
  for (const PlayedMove& move : table.moves()) {
    kMoveColumns.append_row(MoveRow{.played = move, .uci = codec::to_uci(position, move.move)},
                            text);
  }
  return text;
}

std::string board_text(const Position& position, const MoveTable& table,
                       const NamedPosition& named) {
  constexpr int kLast = 7;  // rank or file
  std::string text;
  for (int rank = kLast; rank >= 0; --rank) {
    text += static_cast<char>('1' + rank);
    text += ' ';
    for (int file = 0; file <= kLast; ++file) {
      text.append(" ").append(picture_of(position.piece_at(codec::make_square(file, rank))));
    }
    text += '\n';
  }
  text += "   a b c d e f g h\n\n";
  text += fmt::format("{} to move\nFEN {}\n", name_of(position.side_to_move()), fen_of(position));
  const auto& [lowest, highest, most] = table.eco();
  const std::string opening =
      named.opening.empty() ? std::string() : fmt::format("Opening {}\n", named.opening);
  if (most == codec::kEcoBases) return text + opening;
  text += "ECO " + codec::eco_base_to_string(lowest);
  if (lowest != highest) {
    text += fmt::format("-{}, most often {}", codec::eco_base_to_string(highest),
                        codec::eco_base_to_string(most));
  }
  return text + '\n' + opening;
}

}  // namespace scidfs::fs
