// Splits PGN text into games and tokens. It supports the export format only as Scid and scidfs
// write it, and shares no code with the writer under test.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

struct PgnTag {
  std::string name;
  std::string value;  // between the outer quotes, with escapes

  friend auto operator<=>(const PgnTag&, const PgnTag&) = default;
};

struct PgnToken {
  enum class Kind { Move, Open, Close, Nag, Comment, Result, Unknown };

  Kind kind = Kind::Unknown;
  std::string text = {};    // SAN; digits of a NAG; a comment without its braces
  std::string number = {};  // of a move: "12." or "12...", if printed

  friend bool operator==(const PgnToken&, const PgnToken&) = default;
};

// For messages of GoogleTest.
std::ostream& operator<<(std::ostream& out, const PgnToken& token);

struct PgnGame {
  std::string_view text;  // the whole game, with the empty lines after it
  std::vector<PgnTag> tags;
  std::vector<std::string> bad_tags;  // lines among the tags that are not valid tags
  std::string_view movetext;
};

// Reads one game after the other from a text that must outlive the reader.
class PgnReader {
 public:
  explicit PgnReader(std::string_view text) : rest_(text) {}

  // Returns false at the end.
  bool next(PgnGame& game);

 private:
  std::string_view rest_;
};

std::vector<PgnGame> parse_pgn(std::string_view text);

// Returns the tokens of a movetext. An unterminated comment has kind Unknown.
std::vector<PgnToken> parse_movetext(std::string_view text);

// Removes empty variations, and then those around them that are empty as a result; comments of
// variations with only comments go to the moves before them.
void drop_empty_variations(std::vector<PgnToken>& tokens);

// The move of an EPD line without check mark: `--` for a null move, empty at the end of a game.
std::string_view epd_move(std::string_view line);

// The value of a tag if it exists.
std::string tag_value(const PgnGame& game, std::string_view name);

// A tag value without its escapes.
std::string unescape(std::string_view value);

// The words of a text with one blank between them (ASCII white space).
std::string fold_spaces(std::string_view text);

}  // namespace scidfs::tests
