#include "fs/views/numbered_games.h"

#include <fmt/format.h>

#include <cassert>

#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/game_content.h"
#include "fs/pages/game_page.h"
#include "fs/tables/paths.h"
#include "fs/views/directory_pages.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPageSuffix = ".html";
constexpr std::string_view kPictureSuffix = ".svg";

}  // namespace

std::string_view NumberedGames::suffix() const {
  return options_.kind == Kind::Game ? kGameSuffix : kPositionsSuffix;
}

std::optional<NumberedGames::Form> NumberedGames::form_of(const Database& database,
                                                          std::string_view name,
                                                          bool is_above) const {
  if (name.ends_with(suffix())) return Form{.suffix = suffix(), .entry = kGame};
  const bool has_pages = options_.kind == Kind::Game && database.options().pages != PagesMode::None;
  if (!has_pages) return std::nullopt;
  const std::uint8_t page = is_above ? kPageAbove : kPage;
  for (const Form& form : {Form{.suffix = kPageSuffix, .entry = page},
                           Form{.suffix = kPictureSuffix, .entry = kPicture}}) {
    if (name.ends_with(form.suffix)) return form;
  }
  return std::nullopt;
}

bool NumberedGames::is_file(std::uint8_t entry) const {
  return entry == kGame || (options_.kind == Kind::Game && entry >= kPage && entry <= kPicture);
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
        return file(kGame, number, game_file_name(database, number - 1, suffix()));
      },
      emit);
}

absl::Status NumberedGames::list_pages(const Database& database, std::uint32_t thousand,
                                       std::uint64_t first, EmitChild emit) const {
  if (options_.kind != Kind::Game) return absl::OkStatus();
  return list_children(
      first, 2 * kGamesPerDirectory,
      [&](std::uint64_t position) -> std::optional<Child> {
        const auto number = static_cast<std::uint32_t>(thousand * kGamesPerDirectory +
                                                       position % kGamesPerDirectory);
        if (!has_game(database, number)) return std::nullopt;
        return position < kGamesPerDirectory
                   ? file(kPage, number, fmt::format("{}{}", number, kPageSuffix))
                   : file(kPicture, number, fmt::format("{}{}", number, kPictureSuffix));
      },
      emit);
}

std::optional<Child> NumberedGames::find_above(const Database& database,
                                               std::string_view name) const {
  if (const auto thousand = parse_games_directory(name)) {
    if (!has_thousand(database, *thousand)) return std::nullopt;
    return thousand_directory(*thousand);
  }
  const std::optional<Form> form = form_of(database, name, /*is_above=*/true);
  if (!form.has_value()) return std::nullopt;
  bool is_number = false;
  const std::optional<std::uint32_t> number = parse_game_number(name, &is_number, form->suffix);
  if (!number.has_value() || !is_number || !has_game(database, *number)) return std::nullopt;
  return file(form->entry, *number, std::string(name));
}

std::optional<Child> NumberedGames::find_game(const Database& database, std::uint32_t thousand,
                                              std::string_view name) const {
  const std::optional<Form> form = form_of(database, name, /*is_above=*/false);
  if (!form.has_value()) return std::nullopt;
  bool is_number = false;
  const std::optional<std::uint32_t> number = parse_game_number(name, &is_number, form->suffix);
  if (!number.has_value() || !has_game(database, *number)) return std::nullopt;
  // A full name is found only where it is listed.
  if (!is_number && (thousand != *number / kGamesPerDirectory ||
                     name != game_file_name(database, *number - 1, form->suffix))) {
    return std::nullopt;
  }
  return file(form->entry, *number, std::string(name));
}

absl::StatusOr<std::unique_ptr<Content>> NumberedGames::open(const Version& version, LocalId file,
                                                             const WorkBudget& budget) const {
  assert(is_file(file.entry));
  const DatabasePtr& database = version.database();
  const GameIndex game = file.key - 1;
  if (file.entry == kGame) {
    return options_.kind == Kind::Game ? open_game(database, game, budget)
                                       : open_positions(database, game, budget);
  }
  if (!budget.spend(games_of_record(*database, game))) return WorkBudget::exceeded();
  ASSIGN_OR_RETURN(std::string text, file.entry == kPicture ? game_picture(*database, game, budget)
                                                            : page_of(version, file));
  return std::make_unique<TextContent>(std::move(text));
}

absl::StatusOr<std::string> NumberedGames::page_of(const Version& version, LocalId file) const {
  const Child directory =
      file.entry == kPage
          ? thousand_directory(file.key / kGamesPerDirectory)
          : Child{.name = std::string(directory_of(options_.part)), .place = options_.above};
  std::vector<Crumb> crumbs = crumbs_of(version, directory.place);
  if (has_page(directory.place)) {
    crumbs.push_back({.name = directory.name, .link = Link().up(1).name(directory.name).page()});
  }
  return game_page(*version.database(), file.key - 1, options_.part, crumbs,
                   levels_of(version, directory.place));
}

Child NumberedGames::file(std::uint8_t entry, std::uint32_t number, std::string name) const {
  return {.name = std::move(name), .place = {.view = options_.view, .entry = entry, .key = number}};
}

Child NumberedGames::thousand_directory(std::uint32_t thousand) const {
  return {.name = games_directory_name(thousand * kGamesPerDirectory),
          .place = {.view = options_.view, .entry = kThousand, .key = thousand},
          .is_directory = true};
}

}  // namespace scidfs::fs
