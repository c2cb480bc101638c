// Databases whose players are people.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {

// A game between two names.
struct GameOfPeople {
  std::string_view white, black;
  codec::Date date{};
  bool is_deleted = false;
  codec::Rating white_rating{};
  std::string_view event = "x";
  std::string_view white_id{}, black_id{};  // tags
};

// The files of a database of these games.
inline tests::ScidFiles people_files(const std::vector<GameOfPeople>& games) {
  using codec::scid::NameKind;
  tests::ScidFilesBuilder builder;
  std::array<std::vector<std::string_view>, codec::scid::kNameKinds> names;
  const auto id_of = [&](NameKind kind, std::string_view name) {
    std::vector<std::string_view>& known = names[static_cast<std::size_t>(kind)];
    const auto found = std::ranges::find(known, name);
    if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin());
    known.push_back(name);
    return builder.name(kind, name);
  };
  for (const NameKind kind : {NameKind::Site, NameKind::Round}) builder.name(kind, "x");
  for (const GameOfPeople& game : games) {
    codec::scid::IndexEntry entry;
    entry.white = id_of(NameKind::Player, game.white);
    entry.black = id_of(NameKind::Player, game.black);
    entry.event = id_of(NameKind::Event, game.event);
    entry.date = game.date;
    entry.white_rating = game.white_rating;
    if (game.is_deleted) entry.flags = 1U << codec::scid::kFlagDeleted;
    tests::ScidEncoder record;
    if (!game.white_id.empty()) record.tag("WhiteFideId", game.white_id);
    if (!game.black_id.empty()) record.tag("BlackFideId", game.black_id);
    builder.game(entry, record.moves("e4 e5").record());
  }
  return builder.files();
}

// A mount of a database, and people.
class PeopleTest : public LibraryTest {
 protected:
  void show(const std::vector<GameOfPeople>& games) {
    put("x", people_files(games));
    open(source_ / "x.si4");
  }
  void use_people() {
    options_.database.reference = reference(tests::test_data("spelling/people.ssp"));
  }
  // The correct name of the person who is White in a game, or the name in the game.
  std::string white_person(GameIndex game) const {
    const DatabasePtr database = tests::shown_databases(*library_).front()->database;
    const PlayerOfGame white = player_of(database->entry(game), game, codec::Color::White);
    const std::uint32_t person = database->people()->person_of(white);
    return std::string(person == People::kNobody
                           ? database->names()[codec::scid::NameKind::Player].text(white.player)
                           : database->people()->spelling().person(person).name);
  }

  // Numbers of the games of a set, from its index.tsv.
  std::vector<int> games(const std::string& path) const {
    std::vector<int> numbers;
    std::string table = text(path + "/index.tsv");
    while (!table.empty()) {
      const std::string line = table.substr(0, table.find('\n'));
      table.erase(0, line.size() + 1);
      if (line.front() != 'n') numbers.push_back(std::stoi(line));
    }
    return numbers;
  }
  // Some columns of the lines of a table, separated by `|`.
  std::vector<std::string> columns(const std::string& path,
                                   const std::vector<std::size_t>& wanted) const {
    std::vector<std::string> lines;
    std::string table = text(path);
    while (!table.empty()) {
      std::string line = table.substr(0, table.find('\n'));
      table.erase(0, line.size() + 1);
      std::vector<std::string> fields(1);
      for (const char c : line) {
        if (c == '\t') {
          fields.emplace_back();
        } else {
          fields.back() += c;
        }
      }
      std::string shown;
      for (const std::size_t column : wanted) {
        shown += (shown.empty() ? "" : "|") + fields.at(column);
      }
      lines.push_back(shown);
    }
    lines.erase(lines.begin());
    return lines;
  }
};

}  // namespace scidfs::fs
