// PGN text cut into games and tokens. It knows the export format only as far as Scid and scidfs
// write it, and shares no code with the writer that it tests.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

struct PgnTag {
  std::string name;
  std::string value;  // between the outer quotes, escapes and all

  friend auto operator<=>(const PgnTag&, const PgnTag&) = default;
};

struct PgnToken {
  enum class Kind { Move, Open, Close, Nag, Comment, Result, Unknown };

  Kind kind = Kind::Unknown;
  std::string text = {};    // SAN; digits of a NAG; a comment without its braces
  std::string number = {};  // of a move: "12." or "12...", if it was printed

  friend bool operator==(const PgnToken&, const PgnToken&) = default;
};

// For messages of GoogleTest.
std::ostream& operator<<(std::ostream& out, const PgnToken& token);

struct PgnGame {
  std::string_view text;  // all of it, with the empty lines after it
  std::vector<PgnTag> tags;
  std::vector<std::string> bad_tags;  // lines among the tags that are none
  std::string_view movetext;
};

// Reads one game after the other from a text that outlives it.
class PgnReader {
 public:
  explicit PgnReader(std::string_view text) : rest_(text) {}

  // False when there is none left.
  bool next(PgnGame& game);

 private:
  std::string_view rest_;
};

std::vector<PgnGame> parse_pgn(std::string_view text);

// The tokens of a movetext. A comment that does not end is of kind Unknown.
std::vector<PgnToken> parse_movetext(std::string_view text);

// Drops variations with nothing in them, and then those around them that are left with nothing; the
// comments of those with comments alone go to the moves that they stand at.
void drop_empty_variations(std::vector<PgnToken>& tokens);

// The move of a line of EPD, without a mark of check: `--` for a null move, empty at a game's end.
std::string_view epd_move(std::string_view line);

// The value of a tag, or nothing.
std::string tag_value(const PgnGame& game, std::string_view name);

// A tag value without its escapes.
std::string unescape(std::string_view value);

// The words of a text with one blank between them (ASCII white space).
std::string fold_spaces(std::string_view text);

}  // namespace scidfs::tests
