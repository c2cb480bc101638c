// Sets over several databases: their tables are the sums of their parts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/target_position.h"
#include "fs/database/common_players.h"
#include "fs/positions/move_texts.h"
#include "fs/positions/moves_played.h"
#include "fs/positions/opening_tree.h"
#include "fs/positions/year_table.h"
#include "fs/search/search.h"
#include "fs/tables/player_table.h"
#include "fs/tables/set_findings.h"
#include "fs/tables/set_tables.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

class SetPartsTest : public SetsTest {
 protected:
  // Games of random moves from the standard position, some deleted.
  static tests::ScidFiles played_files(std::size_t games) {
    tests::Random random(7);
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (std::size_t game = 0; game < games; ++game) {
      Entry entry;
      entry.result = static_cast<codec::Result>(random.below(4));
      entry.date.year = static_cast<std::uint16_t>(1990 + random.below(5));
      entry.white_rating.value = static_cast<std::uint16_t>(2000 + random.below(800));
      entry.eco = static_cast<codec::EcoCode>(random.below(codec::kMaxEco));
      if (random.one_in(10)) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, random_game(random, {.plies = random.below(30)}).record());
    }
    return builder.files();
  }

  // The shown games cut into sets of databases of their own: alternating runs of random length; one
  // part has no games.
  std::vector<DatabaseGames> parts_of(const tests::ScidFiles& files, std::size_t count,
                                      std::uint64_t seed) {
    const DatabasePtr whole = open(files);
    std::vector<std::vector<GameIndex>> games(count + 1);
    tests::Random random(seed);
    std::size_t part = 0;
    for (const GameIndex game : games_of(shown(whole))) {
      if (random.one_in(40)) part = random.below(count);
      games[part].push_back(game);
    }
    std::vector<DatabaseGames> parts;
    for (const std::vector<GameIndex>& of_part : games)
      parts.push_back(set_of(open(files), of_part));
    return parts;
  }

  // Compares a table of the whole set with that of its parts.
  void expect_sums(const tests::ScidFiles& files,
                   const std::function<std::string(const GameSet&)>& table) {
    const DatabasePtr database = open(files);
    const std::string whole = table(shown(database));
    for (std::size_t count = 2; count <= 7; ++count) {
      EXPECT_EQ(table(GameSet(parts_of(files, count, count))), whole) << count;
    }
  }

  static std::string text_of(const absl::StatusOr<std::string>& text) {
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }
};

// All lines that a tree lists, with the table of each position.
void append_lines(const OpeningTree& tree, const codec::TargetPosition& position,
                  std::vector<codec::Move>& line, std::string& out) {
  for (const std::string& san : tree.listed(line)) {
    out += std::string(line.size(), ' ') + san + '\n';
    const codec::Move move = *position.parse_move(san);
    line.push_back(move);
    append_lines(tree, position.after(move), line, out);
    line.pop_back();
  }
  const MoveTable* const table = tree.find(codec::position_name(position));
  if (table != nullptr) out += moves_tsv(position.position, *table);
}

TEST_F(SetPartsTest, YearsAndOpeningsAddUp) {
  const tests::ScidFiles files = random_files(3000, 100, 1);
  expect_sums(files, [](const GameSet& parts) { return text_of(year_table(parts, whole())); });
  expect_sums(files, [](const GameSet& parts) { return text_of(opening_table(parts, whole())); });
}

TEST_F(SetPartsTest, MovesOfPositionsAddUp) {
  const tests::ScidFiles files = played_files(2000);
  const codec::TargetPosition start;
  expect_sums(files, [&](const GameSet& parts) {
    const auto table = moves_played(parts, start, whole());
    EXPECT_TRUE(table.ok()) << table.status();
    return table.ok() ? moves_tsv(start.position, **table) : "";
  });
  expect_sums(files,
              [&](const GameSet& parts) { return text_of(year_table(parts, start, whole())); });
}

TEST_F(SetPartsTest, TreesOfMovesAddUp) {
  const codec::TargetPosition start;
  expect_sums(played_files(2000), [&](const GameSet& parts) {
    const auto tree = OpeningTree::make(parts, start, whole());
    EXPECT_TRUE(tree.ok()) << tree.status();
    std::string text;
    std::vector<codec::Move> line;
    if (tree.ok()) append_lines(**tree, start, line, text);
    EXPECT_GT(text.size(), 1000U);
    return text;
  });
}

// The work of all parts counts.
TEST_F(SetPartsTest, PartsShareOneBudget) {
  const tests::ScidFiles files = random_files(3000, 100, 1);
  const GameSet set(parts_of(files, 3, 1));
  EXPECT_EQ(opening_table(set, WorkBudget::limited(3)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(opening_table(set, WorkBudget::limited(6)).ok());
  EXPECT_EQ(opening_table(set, over()).status(), WorkBudget::cancelled());
}

// A player whose id the names lack.
constexpr std::string_view kNoName = "no name";

struct NamedGame {
  std::string white, black, event;
  codec::scid::IndexEntry entry;
};

// Databases that have ids of their own for the same names.
class NamedPartsTest : public SetsTest {
 protected:
  using Rows = PlayerTable::Rows;

  // The games of one database, or the same in several, one after the other.
  struct Cut {
    std::vector<DatabaseGames> parts;
    std::vector<GameIndex> begins;  // by part: the number of games before it
    CommonPlayersPtr players;       // null for one

    GameSet set() const { return GameSet(parts, players); }
    // The number of a game in the one database.
    GameIndex number(GameOfPart place) const { return begins[place.part] + place.game + 1; }
  };

  void SetUp() override {
    const auto spelling =
        Spelling::load(*SourceFile::open(tests::test_data("spelling/people.ssp")), {});
    ASSERT_TRUE(spelling.ok()) << spelling.status();
    const auto reference = std::make_shared<Reference>();
    reference->spelling = std::make_shared<const SpellingLoad>(*spelling);
    options_.reference = reference;
  }

  // Games of a few hundred players: spellings of a few persons, some of them namesakes, unknown
  // ones, and names that collide as directories.
  static std::vector<NamedGame> random_games() {
    constexpr std::size_t kGames = 3000;
    constexpr auto kKnown = std::to_array<std::string_view>(
        {"Kasparov, Garry", "Kasparov,G", "Kasparov, Garri", "Anand,V", "Anand, Viswanathan",
         "Strauss, Johann", "Smith, John", "?", "", kNoName});
    constexpr std::array<std::string_view, 4> kForms = {"anna ", "Anna_", "ANNA ", "Ős/"};
    tests::Random random(11);
    const auto player = [&] {
      if (random.one_in(3)) return std::string(kKnown[random.below(kKnown.size())]);
      const std::string number = std::to_string(random.below(random.one_in(2) ? 5 : 100));
      return std::string(kForms[random.below(kForms.size())]) + number;
    };
    const auto rating = [&] {
      return static_cast<std::uint16_t>(random.one_in(4) ? 0 : 1000 + random.below(200));
    };
    std::vector<NamedGame> games(kGames);
    for (NamedGame& game : games) {
      game = {.white = player(),
              .black = player(),
              .event = "Cup " + std::to_string(random.below(20)),
              .entry = {}};
      Entry& entry = game.entry;
      if (!random.one_in(7)) {
        entry.date = {.year = static_cast<std::uint16_t>(1830 + random.below(190)),
                      .month = static_cast<std::uint8_t>(random.below(13))};
      }
      entry.white_rating.value = rating();
      entry.black_rating.value = rating();
      entry.eco = static_cast<codec::EcoCode>(random.below(codec::kMaxEco));
      entry.result = static_cast<codec::Result>(random.below(4));
      entry.plies = static_cast<std::uint16_t>(random.below(40));
      if (random.one_in(10)) entry.flags = 1U << codec::scid::kFlagDeleted;
    }
    return games;
  }

  // A database whose ids count its own names.
  static tests::ScidFiles files_with(std::span<const NamedGame> games) {
    constexpr std::uint32_t kNoId = 0xFFFFF;
    const std::string text = record();
    tests::ScidFilesBuilder builder;
    std::map<std::pair<NameKind, std::string>, std::uint32_t> ids;
    const auto id_of = [&](NameKind kind, const std::string& name) {
      if (name == kNoName) return kNoId;
      const auto [found, is_new] = ids.try_emplace({kind, name});
      if (is_new) found->second = builder.name(kind, name);
      return found->second;
    };
    for (const NamedGame& game : games) {
      Entry entry = game.entry;
      entry.white = id_of(NameKind::Player, game.white);
      entry.black = id_of(NameKind::Player, game.black);
      entry.event = id_of(NameKind::Event, game.event);
      entry.site = id_of(NameKind::Site, "Town");
      entry.round = id_of(NameKind::Round, "1");
      builder.game(entry, text);
    }
    return builder.files();
  }

  // Every `step`th of the games, of which some are deleted, in `count` databases. If there are more
  // than two, one has no games.
  Cut cut(std::span<const NamedGame> games, std::size_t count, std::size_t step) {
    tests::Random random(count);
    std::vector<std::size_t> ends = {games.size()};
    while (ends.size() < count) ends.push_back(1 + random.below(games.size() - 1));
    if (count > 2) ends[1] = ends[2];
    std::ranges::sort(ends);
    Cut cut;
    std::vector<DatabasePtr> databases;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      const DatabasePtr database = open(files_with(games.subspan(begin, end - begin)), options_);
      std::vector<GameIndex> chosen;
      for (const GameIndex game : games_of(shown(database))) {
        if ((begin + game) % step == 0) chosen.push_back(game);
      }
      databases.push_back(database);
      cut.parts.push_back(step == 1 ? shown(database) : set_of(database, chosen));
      cut.begins.push_back(static_cast<GameIndex>(begin));
      begin = end;
    }
    if (count == 1) return cut;
    const auto players = CommonPlayers::merge(databases, whole());
    EXPECT_TRUE(players.ok()) << players.status();
    cut.players = players.value();
    return cut;
  }

  static std::vector<FacetGroup> groups_of(std::span<const std::string_view> facets) {
    FacetGroup group;
    for (const std::string_view facet : facets) group.push_back(parse_facet(facet).value());
    return {group};
  }
  // The subject that a facet makes, in each part.
  static std::vector<Subject> subjects_of(const Cut& cut, std::string_view facet) {
    const std::vector<FacetGroup> groups = groups_of(std::span(&facet, 1));
    const CommonPlayersPtr players = cut.set().players();
    std::vector<Subject> subjects;
    for (std::size_t part = 0; part < cut.parts.size(); ++part) {
      const auto subject =
          fs::subject_of({.all = *players, .part = part}, std::nullopt, groups, whole());
      EXPECT_TRUE(subject.ok() && subject->has_value()) << subject.status();
      subjects.push_back(subject.value().value());
    }
    return subjects;
  }

  static std::string player_table(const Cut& cut, Subjects subjects, Rows rows) {
    const auto table = PlayerTable::make(cut.set(), subjects, rows, whole());
    EXPECT_TRUE(table.ok()) << table.status();
    return table.ok() ? text_of(*open_player_table(cut.set().players(), *table)) : "";
  }
  static std::string opponents(const Cut& cut, std::string_view facet, Rows rows) {
    const std::vector<Subject> subjects = subjects_of(cut, facet);
    return player_table(cut, std::span<const Subject>(subjects), rows);
  }

  // Replaces the number of a game that a summary names by that in the one database.
  static void renumber(const Cut& cut, std::string_view what, GameOfPart place, std::string& text) {
    std::size_t at = text.find(fmt::format("\n{} game: ", what));
    ASSERT_NE(at, text.npos) << text;
    for (const std::string_view before : {", number ", "\n  games/"}) {
      at = text.find(before, at);
      ASSERT_NE(at, text.npos) << text;
      at += before.size();
      const std::string number = std::to_string(place.game + 1);
      EXPECT_EQ(text.substr(at, number.size()), number);
      text.replace(at, number.size(), std::to_string(cut.number(place)));
    }
  }
  // The summary, and the game with the highest rating, with the numbers of the one database.
  static std::string summary(const Cut& cut, Subjects subjects, Identities::Of players) {
    const auto made =
        set_summary(cut.set(), subjects, {.title = "A title", .players = players}, whole());
    EXPECT_TRUE(made.ok()) << made.status();
    const auto findings = find_out(cut.set(), {cut.set(), players}, subjects, 3, whole());
    EXPECT_TRUE(findings.ok()) << findings.status();
    if (!made.ok() || !findings.ok()) return "";
    const SetFacts& facts = findings->facts;
    std::string text = *made;
    renumber(cut, "Longest", facts.longest.game, text);
    renumber(cut, "Shortest", facts.shortest.game, text);
    return text + std::to_string(cut.number(facts.own.game));
  }
  static std::string summary(const Cut& cut, std::string_view facet, Identities::Of players) {
    const std::vector<Subject> subjects = subjects_of(cut, facet);
    return summary(cut, std::span<const Subject>(subjects), players);
  }

  // The lines, with the numbers of the one database, and without the places in the game files and
  // the names of the parts.
  static std::string index(const Cut& cut) {
    constexpr std::size_t kPath = 12;
    constexpr std::size_t kOffset = 21;
    const auto path_of = [](GameIndex number) {
      return fmt::format("games/{:05}/{:08}", number / 1000, number);
    };
    std::vector<std::string> names;
    std::vector<DatabaseGames> parts = cut.parts;
    for (std::size_t part = 0; parts.size() > 1 && part < parts.size(); ++part) {
      names.push_back(fmt::format("a/base{}", part));
      parts[part].set_database_path(std::make_shared<const std::string>(names.back()));
    }
    const auto content = open_set_index(GameSet(parts), whole());
    EXPECT_TRUE(content.ok()) << content.status();
    if (!content.ok()) return "";
    const std::vector<std::string> lines = tests::fields_of(text_of(**content), '\n');
    std::string text = lines.front();
    if (!names.empty()) {
      EXPECT_TRUE(text.ends_with("\tdatabase"));
      text.resize(text.rfind('\t'));
    }
    std::size_t line = 1;
    for (std::uint32_t part = 0; part < cut.parts.size(); ++part) {
      for (const GameIndex game : games_of(cut.parts[part])) {
        std::vector<std::string> fields = tests::fields_of(lines.at(line++), '\t');
        EXPECT_EQ(fields.front(), std::to_string(game + 1));
        const std::string place = names.empty() ? "" : fmt::format("../{}/", names[part]);
        const std::string path = place + path_of(game + 1);
        EXPECT_EQ(fields.at(kPath).substr(0, path.size()), path);
        const GameIndex number = cut.number({.part = part, .game = game});
        fields.front() = std::to_string(number);
        fields.at(kPath).replace(0, path.size(), path_of(number));
        fields.at(kOffset).clear();
        if (!names.empty()) {
          EXPECT_EQ(fields.back(), names[part]);
          fields.pop_back();
        }
        for (const std::string& field : fields) text += '\t' + field;
        text += '\n';
      }
    }
    EXPECT_EQ(line + 1, lines.size());
    return text;
  }

  // The numbers of the games that meet all facets.
  static std::string found(const Cut& cut, std::span<const std::string_view> facets) {
    const std::vector<FacetGroup> groups = groups_of(facets);
    const CommonPlayersPtr players = cut.set().players();
    std::string text;
    for (std::uint32_t part = 0; part < cut.parts.size(); ++part) {
      const DatabaseGames& set = cut.parts[part];
      const auto games =
          search(set, {.all = *players, .part = part}, std::nullopt, groups, whole());
      EXPECT_TRUE(games.ok()) << games.status();
      if (!games.ok()) continue;
      for (const GameIndex game : games_of(DatabaseGames(set.database(), *games))) {
        text += std::to_string(cut.number({.part = part, .game = game})) + '\n';
      }
    }
    return text;
  }

  DatabaseOptions options_;
};

// A text without the numbers of names that collide: which of them has the clean name depends on the
// databases (tests/fs/views/together_names_test.cc).
std::string without_numbers(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') {
      shown += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') ++i;
  }
  return shown;
}

TEST_F(NamedPartsTest, TablesWithNamesAddUp) {
  using Of = Identities::Of;
  struct Case {
    const char* name;
    std::function<std::string(const Cut&)> text;
  };
  const auto searching = [](const std::vector<std::string_view>& facets) {
    return [facets](const Cut& cut) { return found(cut, facets); };
  };
  std::vector<NamedGame> games = random_games();
  // The only game under this spelling: other games of the person are found by it in all parts.
  games[1] = {.white = "Kasparov, Gary", .black = "Anand,V", .event = "Cup 1", .entry = {}};
  // The number of a player means the same spelling in all parts.
  const DatabasePtr database = open(files_with(games));
  const std::string numbered = fmt::format("player=Anna_1~{}", player_of(*database, "Anna_1"));
  const std::vector<Case> cases = {
      {"players", [](const Cut& cut) { return player_table(cut, {}, Rows::Spellings); }},
      {"persons or spellings",
       [](const Cut& cut) { return player_table(cut, {}, Rows::PersonsOrSpellings); }},
      {"people", [](const Cut& cut) { return player_table(cut, {}, Rows::Persons); }},
      {"opponents",
       [](const Cut& cut) { return opponents(cut, "player=anna_?", Rows::Spellings); }},
      {"opponents of a person",
       [](const Cut& cut) { return opponents(cut, "person=Kasparov*", Rows::PersonsOrSpellings); }},
      {"summary", [](const Cut& cut) { return summary(cut, Subjects(), Of::Spellings); }},
      {"summary of persons", [](const Cut& cut) { return summary(cut, Subjects(), Of::Persons); }},
      {"summary of a subject",
       [](const Cut& cut) { return summary(cut, "player=Kasparov*", Of::Persons); }},
      {"index", &index},
      {"search of players", searching({"player=anna*", "opponent=Anna_1"})},
      {"search of a numbered player", searching({numbered})},
      {"search of unknown players", searching({"white=_unknown"})},
      {"search of persons", searching({"person=Kasparov*", "year=1970.."})},
      {"search by a rare spelling", searching({"person=Kasparov,_Gary"})},
      {"search of events", searching({"event=Cup_1?", "result=draw"})},
      {"search of lengths", searching({"plies=..9"})},
  };
  // A table with a place for each player counts many games, a map few.
  for (const std::size_t step : {1, 100}) {
    const Cut one = cut(games, 1, step);
    std::vector<std::string> expected;
    for (const auto& [name, text] : cases) {
      expected.push_back(without_numbers(text(one)));
      EXPECT_TRUE(step != 1 || expected.back().size() > 100) << name;
    }
    for (std::size_t count = 2; count <= 7; ++count) {
      const Cut several = cut(games, count, step);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        EXPECT_EQ(without_numbers(cases[i].text(several)), expected[i])
            << cases[i].name << ", every " << step << ", " << count << " parts";
      }
    }
  }
}

TEST_F(NamedPartsTest, PartsShareOneBudget) {
  const Cut several = cut(random_games(), 3, 1);
  const auto make = [&](const WorkBudget& budget) {
    return PlayerTable::make(several.set(), {}, Rows::Spellings, budget).status();
  };
  // The parts have 3000 games together, and twenty count as one.
  EXPECT_EQ(make(WorkBudget::limited(130)), WorkBudget::exceeded());
  EXPECT_TRUE(make(WorkBudget::limited(300)).ok());
  EXPECT_EQ(make(over()), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
