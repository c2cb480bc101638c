// Names of files: how a player, an event or a game becomes one component of a path, and back.
//
// Texts that come in are valid UTF-8 of one line (codec::clean_line); anything else is not looked
// for but does no harm. What goes out is valid UTF-8, one component that no shell, Windows, Samba
// or file system takes for something else: never empty, "." or "..", never with a leading `.` or
// `-`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/types.h"

namespace scidfs::fs {

// The most bytes that a name may have, without a collision suffix and without ".pgn".
inline constexpr std::size_t kMaxNameBytes = 200;

// What stands for an empty name, for `?` and for an unknown date. No other name begins with `_`.
inline constexpr std::string_view kUnknownName = "_unknown";

// The end of the name of a game's file, and of that with its positions: of equal length.
inline constexpr std::string_view kGameSuffix = ".pgn";
inline constexpr std::string_view kPositionsSuffix = ".epd";
static_assert(kGameSuffix.size() == kPositionsSuffix.size());

// The fewest digits of the number in a game's file name and in its directory's name.
inline constexpr std::size_t kGameDigits = 8;
inline constexpr std::size_t kDirectoryDigits = 5;

// A name of the database as (a part of) a file name:
//  - a space becomes `_`;
//  - `/ * ? " < > | : \ ' [ ] { } ; $ ~ %`, the backquote, control bytes, DEL, a `.`, `-`, `_` or
//    space in front, and a `.` or space at the end become %XX (upper-case hex);
//  - what is longer than kMaxNameBytes then is cut, never inside a character or a %XX, and loses
//    the dots it would end with.
// Two different names that are not cut meet only where one has `_` and the other a space (neither
// first nor last), or where one is empty and the other `?`.
std::string escape_name(std::string_view utf8);
// The same, appended to `out`.
void append_escaped(std::string_view utf8, std::string& out);
// The same into room for kMaxNameBytes. Returns the end.
char* write_escaped(std::string_view utf8, char* out);

// The shard of a file name: its first two characters (not bytes), A to Z in lower case, a to z as
// they are, anything else and what is missing `_`. A collision suffix does not change it.
std::string shard_of(std::string_view file_name);

// `name~id`, for all but one of the names that collide. Names have no `~` of their own.
std::string with_collision_suffix(std::string_view name, std::uint32_t id);
// The two halves of what with_collision_suffix() made; nothing for any other text. The first is a
// view into `name`.
std::optional<std::pair<std::string_view, std::uint32_t>> parse_collision_suffix(
    std::string_view name);

// The result in the file name of a game.
constexpr std::string_view result_word(codec::Result result) {
  constexpr std::array<std::string_view, 4> kWords = {"unfinished", "1-0", "0-1", "draw"};
  return kWords[static_cast<std::size_t>(result) & 3];
}

// The file name of a game: "00012345-Carlsen,M-Anand,V-2013.11.09-draw.pgn".
//
// The number has 8 digits or more. The date is as exact as it is known up to the first unknown part
// ("2013.11", "2013", kUnknownName). At most kMaxNameBytes and ".pgn": names that are too long for
// that share the room.
std::string game_file_name(std::uint32_t number, std::string_view white, std::string_view black,
                           codec::Date date, codec::Result result,
                           std::string_view suffix = kGameSuffix);
void append_game_file_name(std::uint32_t number, std::string_view white, std::string_view black,
                           codec::Date date, codec::Result result, std::string& out,
                           std::string_view suffix = kGameSuffix);

// The number of the game that a file name stands for: "12345.pgn" with as many leading zeros as ten
// digits have room for, or "00012345-anything.pgn" with the number exactly as listed. What the
// words say is for the caller to compare. Nothing for other names, for 0 and for more than 32 bits.
// `exact_number_only`, if given, becomes whether the number stands alone.
std::optional<std::uint32_t> parse_game_number(std::string_view file_name,
                                               bool* exact_number_only = nullptr,
                                               std::string_view suffix = kGameSuffix);

inline constexpr std::uint32_t kGamesPerDirectory = 1000;

// The directory in which a game lies, number / kGamesPerDirectory in 5 digits or more: "00012".
std::string games_directory_name(std::uint32_t number);
// The number / kGamesPerDirectory that a directory name stands for; nothing unless it is written
// exactly as games_directory_name() does.
std::optional<std::uint32_t> parse_games_directory(std::string_view name);

// "World_Championship--Chennai_IND": both escaped, at most kMaxNameBytes together; names that are
// too long for that share the room. Of several `-` in a row inside the site all but the first are
// escaped too, so that the last `--` is always the one between event and site.
std::string event_directory_name(std::string_view event, std::string_view site);

}  // namespace scidfs::fs
