// The addresses of lichess' opening explorer, and the files of a database that answer them.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scidfs::fs {

// What a client asks. A plain value.
struct ExplorerQuestion {
  // The path of a file from the directory of a database, name by name: "search",
  // "white=Carlsen,M", "positions", FEN, "e2e4,c7c5", "explorer.json"; or "games", "12.pgn".
  std::vector<std::string> names;
  // The path of the directory of the database, name by name; none is empty, "." or "..". Without
  // names the caller chooses.
  std::vector<std::string> database;
  // How many moves and games of explorer.json the client wants. All games are those that the file
  // has at most.
  std::size_t moves = 12;
  std::size_t top_games = 15;
  std::size_t recent_games = 8;
  // Whether the file is the PGN text of a game; else it is an explorer.json.
  bool is_game = false;
  // Whether the client expects objects of JSON, a line each.
  bool is_stream = false;
};

// Returns whether a path, decoded and with a slash in front, is one of /masters and /master (as
// older clients ask), /lichess, /player, /masters/pgn/ID and /master/pgn/ID. An ID is a number, or
// of several databases the path of one,
// `~` and a number, as in explorer.json ("a/twic.si4~12345").
bool is_explorer_address(std::string_view path);

// Returns a target, as it was sent, with plain slashes in the ID of a game: clients encode an ID as
// if it were one name. `base`: the path before the addresses, with slashes at both ends.
std::string with_plain_id(std::string_view raw_target, std::string_view base);

// Returns what an address asks with these parameters, decoded and in order. A name that ends in
// `[]` means the same as without; a parameter without a value, or of another name, means nothing.
// Uses no database: a position, a player and a game may be in none. InvalidArgument, with a reason
// for users that begins with the name of a parameter, if a value has no meaning: such as an
// impossible position, an illegal move, or a query that is too long. REQUIRES:
// is_explorer_address(path).
absl::StatusOr<ExplorerQuestion> explorer_question(
    std::string_view path, std::span<const std::pair<std::string, std::string>> query);

// Returns a text of explorer_json() (fs/pages/explorer_json.h) with no more moves and games than
// the client wants. Other bytes stay as they are.
std::string cut_explorer_json(std::string_view json, const ExplorerQuestion& question);

}  // namespace scidfs::fs
