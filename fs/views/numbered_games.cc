#include "fs/views/numbered_games.h"

#include "fs/base/filename.h"
#include "fs/database/game_content.h"

namespace scidfs::fs {

std::string_view NumberedGames::suffix() const {
  return options_.kind == Kind::Game ? kGameSuffix : kPositionsSuffix;
}

GameList NumberedGames::list_of(const Database& database) const {
  return options_.part == Part::Deleted ? database.loaded().deleted() : database.shown();
}

std::uint32_t NumberedGames::last_thousand(const Database& database) {
  return database.games() / kGamesPerDirectory;
}

bool NumberedGames::has_game(const Database& database, std::uint32_t number) const {
  if (number == 0 || number > database.games()) return false;
  return database.loaded().has(options_.part, number - 1);
}

bool NumberedGames::has_thousand(const Database& database, std::uint32_t thousand) const {
  if (thousand > last_thousand(database)) return false;
  for (std::uint32_t i = 0; i < kGamesPerDirectory; ++i) {
    if (has_game(database, thousand * kGamesPerDirectory + i)) return true;
  }
  return false;
}

std::optional<Child> NumberedGames::thousand(const Database& database,
                                             std::uint64_t position) const {
  const auto thousand = static_cast<std::uint32_t>(position);
  if (!has_thousand(database, thousand)) return std::nullopt;
  return thousand_directory(thousand);
}

absl::Status NumberedGames::list_games(const Database& database, std::uint32_t thousand,
                                       std::uint64_t first, EmitChild emit) const {
  return list_children(
      first, kGamesPerDirectory,
      [&](std::uint64_t position) -> std::optional<Child> {
        const auto number = static_cast<std::uint32_t>(thousand * kGamesPerDirectory + position);
        if (!has_game(database, number)) return std::nullopt;
        return game(number, listed_name(database, number));
      },
      emit);
}

std::optional<Child> NumberedGames::find_above(const Database& database,
                                               std::string_view name) const {
  if (const auto thousand = parse_games_directory(name)) {
    if (!has_thousand(database, *thousand)) return std::nullopt;
    return thousand_directory(*thousand);
  }
  bool is_number = false;
  const std::optional<std::uint32_t> number = parse_game_number(name, &is_number, suffix());
  if (!number.has_value() || !is_number || !has_game(database, *number)) return std::nullopt;
  return game(*number, std::string(name));
}

std::optional<Child> NumberedGames::find_game(const Database& database, std::uint32_t thousand,
                                              std::string_view name) const {
  bool is_number = false;
  const std::optional<std::uint32_t> number = parse_game_number(name, &is_number, suffix());
  if (!number.has_value() || !has_game(database, *number)) return std::nullopt;
  // A full name is found only where it is listed.
  if (!is_number &&
      (thousand != *number / kGamesPerDirectory || name != listed_name(database, *number))) {
    return std::nullopt;
  }
  return game(*number, std::string(name));
}

absl::StatusOr<std::unique_ptr<Content>> NumberedGames::open(const DatabasePtr& database,
                                                             std::uint32_t number,
                                                             const WorkBudget& budget) const {
  return options_.kind == Kind::Game ? open_game(database, number - 1, budget)
                                     : open_positions(database, number - 1, budget);
}

std::string NumberedGames::listed_name(const Database& database, std::uint32_t number) const {
  const codec::scid::GameEntry entry = database.entry(number - 1);
  const codec::scid::NameTable& players = database.names()[codec::scid::NameKind::Player];
  return game_file_name(number, players.text(entry.white), players.text(entry.black), entry.date,
                        entry.result, suffix());
}

Child NumberedGames::game(std::uint32_t number, std::string name) const {
  return {.name = std::move(name),
          .place = {.view = options_.view, .entry = options_.game_entry, .key = number}};
}

Child NumberedGames::thousand_directory(std::uint32_t thousand) const {
  return {.name = games_directory_name(thousand * kGamesPerDirectory),
          .place = {.view = options_.view, .entry = options_.thousand_entry, .key = thousand},
          .is_directory = true};
}

}  // namespace scidfs::fs
