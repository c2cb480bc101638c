// The positions and moves of a game's main line as lines of tables, for programs.
// Source: FORMAT.md, sections 4 to 6.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"
#include "codec/scid/move_notes.h"
#include "codec/scid/notes.h"
#include "codec/text_buffer.h"

namespace scidfs::codec::scid {

// What the lines of a table have, with tabs between the fields. `ply` counts the moves before the
// position; at ply 0, where the game begins, the fields of the move are empty. `eval` is in pawns
// with two decimals as White sees it, `clock` in seconds (move_notes.h); `nag` has the numbers of
// the NAGs of the move as PGN text shows them, with blanks between. Unknown fields are empty.
enum class PlyColumns : std::uint8_t {
  All,    // number ply san uci fen eval clock nag: a line for each position; `fen` has four fields
  Notes,  // number ply move eval clock: those with eval or clock; `move` is SAN without marks
};

// What a line of plies.tsv tells of a position and the move that led to it; but for its FEN.
struct PlyFields {
  using Text = std::array<char, 8>;  // with NULs at its end

  Text san{}, uci{};  // empty at ply 0
  MoveNotes notes{};
  std::array<std::uint8_t, Notes::kMaxNags> all_nags{};
  std::uint8_t nag_count = 0;

  std::span<const std::uint8_t> nags() const { return std::span(all_nags).first(nag_count); }
};

// A converter of records. Holds working memory between games: one per thread.
//
// The text is a pure function of the arguments. For a damaged record it has the positions before
// the damage; for a record that does not say where the game begins it is empty.
class GamePlies {
 public:
  // `rule` is that of the records' format.
  explicit GamePlies(CastlingRule rule) : reader_(rule) {}

  // Appends the lines of a game to `out`. `last` is the text before the end of each line.
  void append_rows(std::uint32_t number, Bytes record, PlyColumns columns, std::string_view last,
                   TextBuffer& out);
  // Returns the length of the lines with all columns.
  std::size_t rows_length(std::uint32_t number, Bytes record, std::string_view last);
  // Returns what each of the lines tells, by ply, valid until the next call.
  std::span<const PlyFields> fields(Bytes record);
  // Appends one line: the moves as UCI writes them (codec/uci.h), with blanks between. If the game
  // begins elsewhere, `fen `, the FEN and ` moves` come before them. The line of a record that does
  // not say where is empty.
  void append_uci(Bytes record, TextBuffer& out);

 private:
  MainLineReader reader_;
  TextBuffer room_;
  std::vector<PlyFields> fields_;
};

}  // namespace scidfs::codec::scid
