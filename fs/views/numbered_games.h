// Directories with one file for each game, at most 1,000 in each: games/, deleted/ and fens/.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/database/database.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Games by number, not by index: directory n holds the numbers n * 1000 to n * 1000 + 999. The key
// of a directory is n, that of a game its number.
class NumberedGames {
 public:
  // The content of the files.
  enum class Kind : std::uint8_t { Game, Positions };

  // The entries of the view.
  enum Entry : std::uint8_t {
    kDirectory,  // that holds the directories, if it is of this view
    kThousand,
    kGame,
    kPage,  // of a game, in a directory and beside the directories; and its picture
    kPageAbove,
    kPicture
  };
  struct Options {
    std::uint8_t view = 0;
    LocalId above{};  // the directory that holds the directories
    Part part = Part::Shown;
    Kind kind = Kind::Game;
  };
  constexpr explicit NumberedGames(const Options& options) : options_(options) {}

  LocalId above() const { return options_.above; }
  bool has_content(const Database& database) const { return !list_of(database).empty(); }
  bool has_thousand(const Database& database, std::uint32_t thousand) const;
  bool has_game(const Database& database, std::uint32_t number) const;

  // Return the number of directories, and the one at a position.
  std::uint64_t thousands(const Database& database) const {
    return std::uint64_t{last_thousand(database)} + 1;
  }
  std::optional<Child> thousand(const Database& database, std::uint64_t position) const;
  // List the games in a directory; and their pages and pictures, by only their numbers.
  absl::Status list_games(const Database& database, std::uint32_t thousand, std::uint64_t first,
                          EmitChild emit) const;
  absl::Status list_pages(const Database& database, std::uint32_t thousand, std::uint64_t first,
                          EmitChild emit) const;

  // Finds a name beside the directories: a directory, or a game by only its number.
  std::optional<Child> find_above(const Database& database, std::string_view name) const;
  // Finds a name in a directory: a game as listed, or any game by only its number.
  std::optional<Child> find_game(const Database& database, std::uint32_t thousand,
                                 std::string_view name) const;

  // Returns whether an entry is a file of a game: the game itself, its page or its picture.
  bool is_file(std::uint8_t entry) const;
  // REQUIRES: is_file(file.entry).
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                const WorkBudget& budget) const;

 private:
  // A kind of files: how their names end, and their entry.
  struct Form {
    std::string_view suffix;
    std::uint8_t entry = 0;
  };
  // Returns the form of a name in a directory, or beside the directories; nothing if it has none.
  std::optional<Form> form_of(const Database& database, std::string_view name, bool is_above) const;
  std::string_view suffix() const;
  GameList list_of(const Database& database) const;
  static std::uint32_t last_thousand(const Database& database);
  // Returns the page of a game.
  absl::StatusOr<std::string> page_of(const Version& version, LocalId file) const;
  Child file(std::uint8_t entry, std::uint32_t number, std::string name) const;
  Child thousand_directory(std::uint32_t thousand) const;

  const Options options_;
};

}  // namespace scidfs::fs
