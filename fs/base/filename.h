// File names: how a player, an event or a game becomes one component of a path, and back.
//
// Input texts are valid UTF-8 of one line (codec::clean_line); other text is not searched for but
// does no harm. Output is valid UTF-8, one component that no shell, Windows, Samba or file system
// misinterprets: never empty, "." or "..", never with a leading `.` or `-`.
#pragma once

#include <absl/functional/function_ref.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/types.h"

namespace scidfs::fs {

// The maximum number of bytes of a name, without a collision suffix and without ".pgn".
inline constexpr std::size_t kMaxNameBytes = 200;

// The name for an empty name, for `?` and for an unknown date. No other name begins with `_`.
inline constexpr std::string_view kUnknownName = "_unknown";

// The files that a directory with a page has: the page, and those that all pages load from the
// directory where they are. Nothing that a database names has one of these names, in upper or lower
// case: it would hide the file.
inline constexpr std::array<std::string_view, 4> kPageFiles = {"index.html", "style.css",
                                                               "board.js", "icon.svg"};
constexpr bool is_page_file(std::string_view folded_name) {
  for (const std::string_view file : kPageFiles) {
    if (file == folded_name) return true;
  }
  return false;
}

// The suffixes of a game's file and of the file with its positions. Both have the same length.
inline constexpr std::string_view kGameSuffix = ".pgn";
inline constexpr std::string_view kPositionsSuffix = ".epd";
static_assert(kGameSuffix.size() == kPositionsSuffix.size());

// The minimum number of digits of the number in a game's file name and in its directory's name.
inline constexpr std::size_t kGameDigits = 8;
inline constexpr std::size_t kDirectoryDigits = 5;

// Returns a name of the database as (a part of) a file name:
// - a space becomes `_`;
// - `/ * ? " < > | : \ ' [ ] { } ; $ ~ %`, the backquote, control bytes, DEL, a `.`, `-`, `_` or
//   space in front, and a `.` or space at the end become %XX (upper-case hex);
// - a result longer than kMaxNameBytes is cut, never inside a character or a %XX, and loses
//   trailing dots.
// Two different names that are not cut have the same result only where one has `_` and the other a
// space (neither first nor last), or where one is empty and the other `?`.
std::string escape_name(std::string_view utf8);
// Appends the escaped name to `out`.
void append_escaped(std::string_view utf8, std::string& out);
// Writes the escaped name to `out`, which has room for kMaxNameBytes. Returns the end.
char* write_escaped(std::string_view utf8, char* out);

// Returns the shard of a file name: its first two characters (not bytes). A to Z become lower case,
// a to z stay, and any other or missing character becomes `_`. A collision suffix does not change
// the shard.
std::string shard_of(std::string_view file_name);

// Returns `name~id`, for all but one of the names that collide. Escaped names contain no `~`.
std::string with_collision_suffix(std::string_view name, std::uint32_t id);
// Returns the two parts of a text that with_collision_suffix() made; nothing for any other text.
// The first part is a view into `name`.
std::optional<std::pair<std::string_view, std::uint32_t>> parse_collision_suffix(
    std::string_view name);

// Returns `stem` and `ending` as a name that is not taken, with a number between them if need be:
// "one~1.pgn". The stem is cut where the name would be too long for file systems.
std::string free_name(std::string_view stem, std::string_view ending,
                      absl::FunctionRef<bool(const std::string& name)> is_taken);

// Returns the word for the result in the file name of a game.
constexpr std::string_view result_word(codec::Result result) {
  constexpr std::array<std::string_view, 4> kWords = {"unfinished", "1-0", "0-1", "draw"};
  return kWords[static_cast<std::size_t>(result) & 3];
}

// Returns the file name of a game: "00012345-Carlsen,M-Anand,V-2013.11.09-draw.pgn".
//
// The number has 8 digits or more. The date ends before its first unknown part ("2013.11", "2013",
// kUnknownName). The name has at most kMaxNameBytes and ".pgn": names that are too long for that
// share the room.
std::string game_file_name(std::uint32_t number, std::string_view white, std::string_view black,
                           codec::Date date, codec::Result result,
                           std::string_view suffix = kGameSuffix);
void append_game_file_name(std::uint32_t number, std::string_view white, std::string_view black,
                           codec::Date date, codec::Result result, std::string& out,
                           std::string_view suffix = kGameSuffix);

// Returns the game number of a file name: "12345.pgn" with leading zeros up to ten digits in total,
// or "00012345-anything.pgn" with the number exactly as listed. The caller must compare the words.
// Returns nothing for other names, for 0 and for more than 32 bits. Sets `exact_number_only`, if
// given, to whether the name has only the number.
std::optional<std::uint32_t> parse_game_number(std::string_view file_name,
                                               bool* exact_number_only = nullptr,
                                               std::string_view suffix = kGameSuffix);

inline constexpr std::uint32_t kGamesPerDirectory = 1000;

// Returns the name of a game's directory, number / kGamesPerDirectory in 5 digits or more: "00012".
std::string games_directory_name(std::uint32_t number);
// Returns the number / kGamesPerDirectory of a directory name; nothing unless the name is written
// exactly as games_directory_name() writes it.
std::optional<std::uint32_t> parse_games_directory(std::string_view name);

// Returns "World_Championship--Chennai_IND": both names escaped, at most kMaxNameBytes together;
// names that are too long for that share the room. In a run of `-` inside the site all but the
// first are escaped too, so that the last `--` always separates event and site.
std::string event_directory_name(std::string_view event, std::string_view site);

}  // namespace scidfs::fs
