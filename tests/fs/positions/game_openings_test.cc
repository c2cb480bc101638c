// Openings of games by their positions.
#include "fs/positions/game_openings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "codec/san.h"
#include "codec/scid/main_line.h"
#include "fs/positions/code_table.h"
#include "fs/search/search.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::Position;
using testing::ElementsAre;

ReferencePtr reference_of(std::string text) {
  auto reference = std::make_shared<Reference>();
  reference->openings = std::make_shared<const OpeningNames>(std::move(text));
  return reference;
}

// Games given as moves from a position, and the records made of them.
class GameOpeningsTest : public SetsTest {
 protected:
  // A game from the standard position, or from another one.
  static std::string record_of(std::string_view moves) {
    return tests::ScidEncoder().moves(moves).record();
  }
  static std::string record_of(std::string_view fen, std::string_view moves) {
    return tests::ScidEncoder(fen).moves(moves).record();
  }

  static tests::ScidFiles files_of_records(const std::vector<std::string>& records) {
    tests::ScidFilesBuilder builder;
    for (const NameKind kind :
         {NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      Entry entry;
      entry.eco = codec::parse_eco(i % 2 == 0 ? "B90" : "");
      if (i % 7 == 6) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, records[i]);
    }
    return builder.files();
  }

  static std::vector<OpeningNumber> openings(const Database& database,
                                             const WorkBudget& budget = whole()) {
    const absl::StatusOr<const GameOpenings*> found = openings_of(database, budget);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? (*found)->games : std::vector<OpeningNumber>();
  }
  static std::vector<std::string> names(const Database& database) {
    std::vector<std::string> names;
    for (const OpeningNumber number : openings(database)) {
      names.emplace_back(database.reference().openings->name(number));
    }
    return names;
  }

  // Finds openings one by one, by the walk and the names of positions.
  static std::vector<OpeningNumber> expected(const tests::ScidFiles& files,
                                             const OpeningNames& names) {
    const tests::ScidDatabase read(files, ".si4");
    codec::scid::Walker walker;
    std::vector<OpeningNumber> all;
    for (std::uint32_t game = 0; game < read.games(); ++game) {
      OpeningNumber& last = all.emplace_back(kNoOpening);
      const std::optional<codec::Bytes> record = read.record(game);
      std::vector<codec::scid::ExtraTag> tags;
      codec::scid::RecordHead head;
      if (!record.has_value() || codec::scid::parse_record_head(*record, tags, head).has_value()) {
        continue;
      }
      codec::scid::walk_positions(walker, *record, *record, head,
                                  [&](std::uint32_t, const Position& position) {
                                    const OpeningNumber here = names.find(position);
                                    if (here != kNoOpening) last = here;
                                  });
    }
    return all;
  }
};

TEST_F(GameOpeningsTest, LastNamedPositionGivesTheOpening) {
  const ReferencePtr reference = reference_of(
      "A00 \"start\" *\n"
      "A01 \"king's pawn\" 1.e4 *\n"
      "A02 \"knights\" 1.Nf3 Nf6 2.Nc3 Nc6 *\n"
      "A03 \"en passant\" 1.e4 a6 2.e5 d5 *\n"
      "A04 \"no rights\" 1.e4 e5 2.Ke2 Ke7 *\n");
  const Shared database =
      open(files_of_records({
               record_of(""),
               record_of("e4 e5 Nf3"),
               record_of("Nc3 Nc6 Nf3 Nf6 e4"),
               record_of("e3 a6 e4 d5 e5 h6"),
               record_of("e4 a6 e5 d5 exd6"),
               record_of("Nf3 Nf6 Ng1 Ng8"),
               record_of("e4 e5 Ke2 Ke7 Ke1 Ke8"),
               record_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b kq - 0 1", "e5 Ke2 Ke7"),
               record_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4"),
           }),
           {.pgn = {}, .reference = reference});
  EXPECT_THAT(names(*database), ElementsAre("start", "king's pawn", "knights", "start",
                                            "en passant", "start", "no rights", "no rights", ""));
}

// Random games, undamaged and damaged, with names of positions from such games.
TEST_F(GameOpeningsTest, AgreeWithWalk) {
  tests::Random random(11);
  std::string text;
  std::vector<std::string> records;
  for (int i = 0; i < 300; ++i) {
    tests::RandomGameOptions options{.plies = 1 + random.below(30), .annotated = random.one_in(3)};
    if (random.one_in(6))
      options.fen = tests::example_fens()[random.below(tests::example_fens().size())];
    records.push_back(tests::random_game(random, options).record());
    Position position;
    text += fmt::format("A{:02} \"{}\" ", i % 100, i);
    for (std::size_t ply = random.below(3); ply-- > 0;) {
      const codec::Move move = tests::random_move(position, random);
      text += codec::to_san(position, move) + " ";
      position.make(move);
    }
    text += "*\n";
    if (random.one_in(5)) {
      char& byte = records.back()[random.below(records.back().size())];
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << random.below(8));
    }
  }
  const tests::ScidFiles files = files_of_records(records);
  const ReferencePtr reference = reference_of(text);
  const std::vector<OpeningNumber> wanted = expected(files, *reference->openings);
  EXPECT_EQ(openings(*open(files, {.pgn = {}, .reference = reference})), wanted);
  const Shared measured = open(files, {.pgn = {}, .reference = reference});
  ASSERT_TRUE(measured->compute_sizes(0, measured->games()).ok());
  EXPECT_EQ(openings(*measured), wanted);
}

TEST_F(GameOpeningsTest, AreSavedForTheSameFiles) {
  const std::string text = "A00 \"start\" *\nA01 \"king's pawn\" 1.e4 *\n";
  tests::Random random(5);
  std::vector<std::string> records;
  for (int i = 0; i < 1500; ++i) {
    records.push_back(tests::random_game(random, {.plies = 4, .annotated = false}).record());
  }
  const tests::ScidFiles files = files_of_records(records);
  const DatabaseOptions options{
      .pgn = {}, .reference = reference_of(text), .cache_folder = folder_ / "kept"};
  const Shared first = open(files, options);
  EXPECT_TRUE(absl::IsCancelled(openings_of(*first, over()).status()));
  EXPECT_TRUE(absl::IsUnavailable(openings_of(*first, WorkBudget::limited(1000)).status()));
  const std::vector<OpeningNumber> found = openings(*first);

  const auto again = [&](const DatabaseOptions& with) {
    auto database = Database::open(first->index_path(), "again", with);
    EXPECT_TRUE(database.ok()) << database.status();
    return *std::move(database);
  };
  // All openings are known, so even a cancelled budget suffices.
  EXPECT_EQ(openings(*again(options), over()), found);
  DatabaseOptions other = options;
  other.reference = reference_of("A00 \"first\" *\n" + text);
  EXPECT_TRUE(absl::IsCancelled(openings_of(*again(other), over()).status()));
  std::vector<OpeningNumber> renumbered = found;
  for (OpeningNumber& number : renumbered) ++number;
  EXPECT_EQ(openings(*again(other)), renumbered);
  EXPECT_EQ(std::distance(stdfs::directory_iterator(folder_ / "kept"), {}), 1);
}

TEST_F(GameOpeningsTest, GroupsContainShownGamesOfAllBelow) {
  const ReferencePtr reference = reference_of(
      "A00 \"Open\" 1.e4 *\n"
      "A01 \"Open: Games\" 1.e4 e5 *\n"
      "A02 \"Closed\" 1.d4 *\n");
  std::vector<std::string> records;
  for (int i = 0; i < 4; ++i) {
    records.push_back(record_of("e4"));
    records.push_back(record_of("e4 e5"));
    records.push_back(record_of("d4"));
    records.push_back(record_of("a4"));
  }
  const DatabasePtr database = open(files_of_records(records), {.pgn = {}, .reference = reference});
  const OpeningGroups& groups = *database->reference().opening_groups();
  const auto numbers = [&](std::string_view name) {
    for (OpeningGroups::Index i = 0; i < groups.size(); ++i) {
      if (groups[i].name != name) continue;
      const absl::StatusOr<DatabaseGames> set = games_of_group(database, i, whole());
      EXPECT_TRUE(set.ok()) << set.status();
      EXPECT_EQ(openings_of(*database, whole()).value()->shown_in(i), set->count(1000));
      return games_of(*set);
    }
    return std::vector<GameIndex>();
  };
  // Games 6 and 13 are deleted.
  EXPECT_THAT(numbers("Open"), ElementsAre(0, 1, 4, 5, 8, 9, 12));
  EXPECT_THAT(numbers("Open: Games"), ElementsAre(1, 5, 9));
  EXPECT_THAT(numbers("Closed"), ElementsAre(2, 10, 14));
  EXPECT_THAT(numbers(""), ElementsAre(0, 1, 2, 4, 5, 8, 9, 10, 12, 14));

  const auto found = [&](const std::string& name, const std::string& key = "opening=") {
    const absl::StatusOr<Facet> facet = parse_facet(key + name);
    EXPECT_TRUE(facet.ok()) << facet.status();
    const DatabaseGames all = shown(database);
    const absl::StatusOr<DeltaList> games =
        search(all, std::nullopt, std::vector<FacetGroup>{{*facet}}, whole());
    EXPECT_TRUE(games.ok()) << games.status();
    return games_of(DatabaseGames(database, *games));
  };
  EXPECT_EQ(found("open"), numbers("Open"));
  EXPECT_EQ(found("Open:_Games"), numbers("Open: Games"));
  EXPECT_EQ(found("g*s"), numbers("Open: Games"));
  EXPECT_EQ(found("*"), numbers(""));
  EXPECT_THAT(found("_unknown"), ElementsAre(3, 7, 11, 15));
  EXPECT_THAT(found("pen"), ElementsAre());
  EXPECT_THAT(found("open", "not-opening="), ElementsAre(2, 10, 14));
  EXPECT_EQ(found("_unknown", "not-opening="), numbers(""));
  EXPECT_THAT(found("*", "not-opening="), ElementsAre());

  // B90 is the code of every second game.
  EXPECT_EQ(code_table(shown(database), whole()).value_or(""),
            "stored\tby_position\tgames\topening\n"
            "B90\tA00\t4\tOpen\n"
            "_unknown\tA01\t3\tOpen: Games\n"
            "B90\tA02\t3\tClosed\n");
  const std::vector<DatabaseGames> parts = {set_of(database, {0, 1, 2, 3, 4}), set_of(database, {}),
                                            set_of(database, {5, 7, 8, 9, 10, 11, 12, 14, 15})};
  EXPECT_EQ(code_table(GameSet(parts), whole()).value_or(""),
            code_table(shown(database), whole()).value_or("x"));
}

// The memory does not depend on the number of names: data made from these alone exists once.
TEST_F(GameOpeningsTest, MemoryDependsOnGamesAndNotOnNames) {
  std::string text = "A00 \"Open\" 1.e4 *\n";
  for (int i = 0; i < 5000; ++i) text += fmt::format("A01 \"Open: Game {}\" 1.d4 *\n", i);
  const ReferencePtr reference = reference_of(text);
  const tests::ScidFiles files = files_of_records({record_of("e4"), record_of("d4")});
  const DatabasePtr without = open(files);
  const DatabasePtr first = open(files, {.pgn = {}, .reference = reference});
  const DatabasePtr second = open(files, {.pgn = {}, .reference = reference});
  EXPECT_LT(first->memory(), without->memory() + 1000);
  for (const DatabasePtr& database : {first, second}) {
    const std::uint64_t before = database->memory();
    const absl::StatusOr<DatabaseGames> set =
        games_of_group(database, OpeningGroups::kRoot, whole());
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_EQ(set->count(10), 2U);
    EXPECT_FALSE(database->lists().month_games(0).empty());
    EXPECT_LT(database->memory(), before + 1000);
  }
  EXPECT_EQ(first->reference().opening_groups(), second->reference().opening_groups());
  EXPECT_GT(reference->opening_groups()->memory(), 100'000U);
}

TEST_F(GameOpeningsTest, AreUnknownWithoutNames) {
  const DatabasePtr database = open(files_of_records({record_of("e4")}));
  EXPECT_EQ(database->reference().opening_groups(), nullptr);
  for (const auto& [name, count] :
       {std::pair("opening=*", 0), std::pair("opening=_unknown", 1), std::pair("not-opening=x", 0),
        std::pair("not-opening=_unknown", 0)}) {
    const absl::StatusOr<Facet> facet = parse_facet(name);
    ASSERT_TRUE(facet.ok());
    const DatabaseGames all = shown(database);
    const auto games = search(all, std::nullopt, std::vector<FacetGroup>{{*facet}}, whole());
    ASSERT_TRUE(games.ok());
    EXPECT_EQ(games->size(), count);
  }
}

// Scid's own classification of many thousand games, code by code.
TEST_F(GameOpeningsTest, AgreeWithScid) {
  const std::string names = "/usr/share/scid/data/scid.eco";
  const std::string source = tests::shared_folder() + "/data/masters";
  if (!stdfs::exists(names)) GTEST_SKIP() << "wants " << names << " (Debian: scid-data)";
  if (!stdfs::exists(source + ".si4")) GTEST_SKIP() << "wants " << source;
  const std::string path = "PATH=$PATH:/usr/games ";
  if (std::system((path + "sh -c 'command -v sc_eco tkscid' > /dev/null").c_str()) != 0) {
    GTEST_SKIP() << "wants sc_eco (Debian: scid)";
  }
  const tests::ScidFiles files = tests::read_scid_files(source);
  const Shared database =
      open(files, {.pgn = {}, .reference = reference_of(tests::read_file(names))});
  const std::string copy = folder_ / "copy";
  tests::write_scid_files(files, copy);
  ASSERT_EQ(std::system(fmt::format("{}sc_eco '{}' {} > /dev/null", path, copy, names).c_str()), 0);
  const tests::ScidDatabase classified(copy);
  const std::vector<OpeningNumber> found = openings(*database);
  std::size_t differences = 0;
  for (GameIndex game = 0; game < database->games(); ++game) {
    const codec::EcoCode code = database->reference().openings->code(found[game]);
    if (code == classified.entry(game).eco) continue;
    if (++differences > 5) continue;
    ADD_FAILURE() << "game " << game + 1 << ": " << codec::eco_to_string(code) << ", Scid has "
                  << codec::eco_to_string(classified.entry(game).eco);
  }
  EXPECT_EQ(differences, 0);
}

}  // namespace
}  // namespace scidfs::fs
