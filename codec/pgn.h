// PGN in the standard's export format: the options, and the tag pairs (movetext.h writes the rest).
//
// Text is written through a bare pointer into room that the caller has provided. The size of a
// game's record bounds the size of its text (see scid/game_text.h), so no function checks the room
// per character. Each function says how much it writes at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/eco.h"
#include "codec/text.h"
#include "codec/types.h"

namespace scidfs::codec {

// The parts of a game that are shown, and how.
struct PgnOptions {
  bool comments = true;
  bool variations = true;
  bool nags = true;
  unsigned width = 80;  // columns of a line of movetext; 0: all on one line
  // Whether a null move, and the moves after it in its line, are put into a comment, for readers
  // that accept no null moves.
  bool quote_null_moves = false;
  bool opening = false;  // a tag with the name of the ECO code, where one is known
  // If false, only the seven of the roster, and those without which the moves cannot be read: SetUp
  // and FEN, and the Variant of a game of Chess960.
  bool all_tags = true;
  CodePage code_page = CodePage::Windows1252;  // of the database's own texts

  friend bool operator==(const PgnOptions&, const PgnOptions&) = default;
};

// The number of readable bytes after each text of GameTags, so that texts are copied in blocks.
inline constexpr std::size_t kTagPadding = 32;

// The tags that a database knows of every game. Texts are ready for PGN (clean, escaped, not empty)
// with kTagPadding readable bytes after each.
struct GameTags {
  std::string_view event, site, round, white, black;
  Date date;
  Date event_date;
  Result result = Result::Unknown;
  Rating white_rating, black_rating;
  EcoCode eco = 0;
  std::string_view opening;  // of an Opening tag; empty: none. Needs no padding
  bool chess960 = false;     // written as a Variant tag
};

// Returns only the seven of the roster of these tags, and whether the game is Chess960.
GameTags roster_of(const GameTags& tags);

// Writes `[name "value"]` and a line end: name.size() + value.size() + 6 bytes.
char* write_tag(std::string_view name, std::string_view value, char* out);

// Writes the seven tag roster, ratings, ECO, the opening and event date, as far as they are known
// (scid/FORMAT.md, section 7, points 1 to 4). Writes at most max_tags_length(tags) bytes, blocks of
// padding included.
char* write_tags(const GameTags& tags, char* out);
std::size_t max_tags_length(const GameTags& tags);
// Returns the length of the tags without the padding, without writing the texts.
std::size_t tags_length(const GameTags& tags);

}  // namespace scidfs::codec
