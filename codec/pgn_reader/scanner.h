// Finds the games of a PGN text by their tags, without reading the moves: about as fast as memory.
//
// A game begins with a tag that
//  - comes after a result; or
//  - comes after moves, at the beginning of a line (blanks before it do not count), and is an
//    Event, or follows an empty line; or
//  - is an Event, comes after an empty line, and other tags of a game without moves are before it.
// Any other tag after moves belongs to the game around it. In a comment in braces, after `;`, and
// in a line that begins with `%`, nothing is a tag. So the scanner has to read from the beginning
// of a game; it cannot start in the middle of a text, where nothing tells whether a comment is
// open. What it finds are pieces that can be read on their own, by several threads.
//
// Limits: a brace that is not closed within kMaxComment bytes, or at all, opens no comment in which
// tags are lost: the game ends at the next tag that begins one. A game that has kMaxGame bytes ends
// there, after the last empty line of its moves if there is one: so does a text without tags, of
// which each such piece is read as many games (reader.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace scidfs::codec::pgn_reader {

inline constexpr std::size_t kMaxGame = std::size_t{8} << 20;
inline constexpr std::size_t kMaxComment = std::size_t{1} << 20;

// Returns the number of line ends.
std::uint64_t count_lines(std::string_view text);

// The text of a game, or of several if there are no tags between them.
struct FoundGame {
  std::string_view text;
  std::size_t moves = 0;           // where the last of the tags before the moves ends
  bool has_early_comment = false;  // before that
  bool has_late_tag = false;       // after that
};

// Finds one game after the other. A text may grow between calls: the scanner goes on where it has
// stopped, so that each byte is read once. Not thread-safe; does not own the text.
class GameScanner {
 public:
  // Returns the game at the front of `text`; nothing if more text is needed to tell where it ends,
  // or if the text is empty. `is_end` tells that no more text will come. If there was no game, the
  // next text must begin with the same bytes; if there was one, with what follows it.
  std::optional<FoundGame> next(std::string_view text, bool is_end);

  // Appends all games at the front of `text` that next() would find to `games`. Returns their
  // length. The next text must begin with what follows them.
  std::size_t find_all(std::string_view text, bool is_end, std::vector<FoundGame>& games);

 private:
  enum class State : std::uint8_t { Tags, Moves, UnclosedComment };
  // Each goes on in its state. Returns whether the text is not long enough to leave it.
  bool scan_tags(std::string_view text, bool is_end);
  bool scan_moves(std::string_view text, bool is_end);
  bool scan_unclosed(std::string_view text, bool is_end);
  // Passes a comment in braces that begins at at_. Returns whether the text is too short.
  bool pass_comment(std::string_view text, bool is_end);
  // Passes the rest of the line. Returns whether the text is too short.
  bool pass_line(std::string_view text, bool is_end);
  // Takes the bracket at at_, in moves, for a tag or a word. Returns whether the text is too short.
  bool take_bracket(std::string_view text, bool is_end);
  std::size_t game_end(std::string_view text) const;

  State state_ = State::Tags;
  std::size_t at_ = 0;
  unsigned line_ends_ = 0;       // before at_, after the last tag
  std::size_t comment_ = 0;      // where the last comment in the moves ends
  std::size_t no_brace_to_ = 0;  // no comment ends before
  std::size_t tag_needs_ = 0;    // a shorter text is too short for the tag at at_
  bool ended_ = false;           // at at_ another game begins
  bool has_comment_ = false;
  bool has_tag_ = false;
  FoundGame game_;
};

}  // namespace scidfs::codec::pgn_reader
