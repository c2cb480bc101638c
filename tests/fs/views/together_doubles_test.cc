// together/doubles/: held against the doubles of one database that has the same games in the same
// order.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <regex>
#include <set>

#include "fs/reference/spelling.h"
#include "fs/views/database_snapshot.h"
#include "tests/fs/views/together_fixture.h"
#include "tests/support/scid_formats.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using codec::scid::NameKind;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kMoves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";

// A few lines, of which some continue others, and games of few players that follow them.
class RandomDoubles {
 public:
  explicit RandomDoubles(std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < 6; ++i) {
      std::vector<codec::Move> line;
      codec::Position position;
      if (i >= 2) {
        line = lines_[random_.below(i)];
        line.resize(random_.below(line.size()));
        for (const codec::Move& move : line) position.make(move);
      }
      while (line.size() < 8 + random_.below(30)) {
        line.push_back(tests::random_move(position, random_));
        position.make(line.back());
      }
      lines_.push_back(line);
    }
  }

  tests::ScidFiles files(std::size_t games) {
    tests::ScidFilesBuilder builder;
    for (const std::string_view name : kNames) builder.name(NameKind::Player, name);
    for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
      builder.name(kind, "y");
    }
    for (std::size_t game = 0; game < games; ++game) builder.game(entry(), record());
    return builder.files();
  }

 private:
  // With a spelling file, the first four are one person.
  static constexpr std::array<std::string_view, 8> kNames = {
      "Kasparov, Garry", "KASPAROV, GARRY", "Kasparov, Gary", "Kasparov, Garri",
      "Ann B",           "ann, b.",         "Carl",           "?"};

  static constexpr std::array kResults = {Result::Unknown, Result::WhiteWins, Result::Draw};

  codec::scid::IndexEntry entry() {
    codec::scid::IndexEntry entry;
    entry.white = static_cast<std::uint32_t>(random_.below(random_.one_in(9) ? kNames.size() : 4));
    entry.black = static_cast<std::uint32_t>(4 + random_.below(random_.one_in(9) ? 4 : 2));
    entry.event = static_cast<std::uint32_t>(random_.below(2));
    entry.site = static_cast<std::uint32_t>(random_.below(2));
    const auto some = [this](unsigned first) {
      return random_.one_in(3) ? 0U : first + static_cast<unsigned>(random_.below(2));
    };
    entry.date = {.year = static_cast<std::uint16_t>(some(2000)),
                  .month = static_cast<std::uint8_t>(some(1)),
                  .day = static_cast<std::uint8_t>(some(1))};
    entry.result = kResults[random_.below(kResults.size())];
    if (random_.one_in(12)) entry.flags = 1U << codec::scid::kFlagDeleted;
    return entry;
  }

  std::string record() {
    std::vector<codec::Move> line = lines_[random_.below(lines_.size())];
    if (random_.one_in(2)) line.resize(line.size() - random_.below(line.size()));
    tests::ScidEncoder encoder;
    for (const codec::Move& move : line) {
      encoder.move(move);
      if (random_.one_in(20)) encoder.nag(static_cast<std::uint8_t>(1 + random_.below(6)));
      if (random_.one_in(20)) encoder.comment("good");
    }
    std::string record = encoder.record();
    if (random_.one_in(15)) record.resize(record.size() - record.size() / 3);  // damaged
    return record;
  }

  tests::Random random_;
  std::vector<std::vector<codec::Move>> lines_;
};

// Games without line breaks, and without what a comment on damage says of their places.
std::string without_places(const std::string& pgn) {
  std::string words = pgn;
  std::ranges::replace(words, '\n', ' ');
  return std::regex_replace(words, std::regex("game [0-9]+ is damaged at byte [0-9]+"), "");
}

class TogetherDoublesTest : public TogetherTest {
 protected:
  // A database of together/.
  struct PartOfAll {
    std::string stem, suffix;  // "sub/part1", ".si5"
    std::vector<std::uint32_t> games{};

    std::string path() const { return stem + suffix; }
  };

  // Deals random games to `count` databases, by default of different formats, and puts all of them
  // into one, in the order of together/.
  void deal_doubles(std::size_t count, std::uint64_t seed, bool has_formats) {
    constexpr std::array<std::string_view, 3> kFormats = {".si4", ".si5", ".si3"};
    constexpr std::size_t kGames = 400;
    const tests::ScidDatabase all(RandomDoubles(seed).files(kGames), ".si4");
    parts_.clear();
    for (std::size_t part = 0; part < count; ++part) {
      parts_.push_back({.stem = fmt::format("{}part{}", part % 2 == 0 ? "" : "sub/", part),
                        .suffix = std::string(kFormats[has_formats ? part % 3 : 0])});
    }
    std::ranges::sort(parts_, {}, &PartOfAll::path);
    tests::Random random(seed + 1);
    for (std::uint32_t game = 0; game < kGames; ++game) {
      parts_[random.below(count)].games.push_back(game);
    }
    std::filesystem::create_directories(source_ / "one");
    std::filesystem::create_directories(source_ / "parts/sub");
    tests::PartBuilder whole(all);
    places_.clear();
    for (const PartOfAll& part : parts_) {
      tests::PartBuilder builder(all);
      for (std::size_t i = 0; i < part.games.size(); ++i) {
        builder.add(part.games[i]);
        whole.add(part.games[i]);
        places_.emplace_back(part.path(), i + 1);
      }
      const tests::ScidFiles files = part.suffix == ".si5"   ? as_scid5(builder.files())
                                     : part.suffix == ".si3" ? as_scid3(builder.files())
                                                             : builder.files();
      put("parts/" + part.stem, files, tests::replace, part.suffix);
    }
    put("one/whole", whole.files());
    open(source_);
  }

  // Returns what a line of the doubles of the whole database is in together/.
  std::string expected_line(std::vector<std::string> row) const {
    constexpr std::size_t kNumber = 1;
    constexpr std::size_t kOther = 13;
    constexpr std::size_t kPath = 14;
    const auto place = [this](const std::string& number) {
      return places_[std::stoul(number) - 1];
    };
    const auto [database, number] = place(row[kNumber]);
    row[kPath] = fmt::format("../{}/games/{}.pgn", database, number);
    row[kNumber] = std::to_string(number);
    if (!row[kOther].empty()) {
      const auto [other_database, other] = place(row[kOther]);
      row[kOther] = fmt::format("{}~{}", other_database, other);
    }
    row.push_back(database);
    return fmt::format("{}", fmt::join(row, "\t"));
  }
  std::string expected_table(const std::string& table) const {
    std::string expected = table.substr(0, table.find('\n')) + "\tdatabase\n";
    for (const std::vector<std::string>& row : tests::rows_of(table)) {
      expected += expected_line(row) + '\n';
    }
    return expected;
  }

  std::string of_whole(const std::string& path) const { return text(std::string(kWhole) + path); }
  std::string of_all(const std::string& path) const { return text(std::string(kTogether) + path); }

  void use_people() {
    options_.database.reference = reference(tests::test_data("spelling/people.ssp"));
  }

  // Checks that together/ has the doubles of the whole database. Returns how many lines say
  // something about games of two databases.
  std::size_t compare() const {
    const std::string table = of_all("doubles/doubles.tsv");
    EXPECT_EQ(table, expected_table(of_whole("doubles/doubles.tsv")));
    for (const std::string file :
         {"all.pgn", "unique/games.pgn", "unique/search/result=draw/games.pgn",
          "unique/search/result=draw/search/year=2000/games.pgn"}) {
      const std::string path = "doubles/" + file;
      EXPECT_TRUE(without_places(of_all(path)) == without_places(of_whole(path))) << file;
    }
    EXPECT_EQ(games_of_index(of_all("doubles/unique/index.tsv")),
              games_of_index(of_whole("doubles/unique/index.tsv")));
    for (const std::string file :
         {"players.tsv", "openings.tsv", "years.tsv", "endings.tsv", "tags.tsv",
          "tree/e4/moves.tsv", "search/result=draw/players.tsv", "search/year=2000/years.tsv"}) {
      const std::string path = "doubles/unique/" + file;
      EXPECT_EQ(sorted_lines(of_all(path)), sorted_lines(of_whole(path))) << file;
    }
    std::set<std::pair<std::string, std::string>> databases;  // with their groups
    for (const std::vector<std::string>& row : tests::rows_of(table)) {
      databases.emplace(row.front(), row.back());
      EXPECT_TRUE(exists(fmt::format("parts/{}", row[14].substr(3)))) << row[14];
    }
    std::set<std::string> groups;
    for (const auto& [group, database] : databases) groups.insert(group);
    return databases.size() - groups.size();
  }

  // Returns the versions of all databases, by path.
  std::map<std::string, VersionPtr> versions() const {
    std::map<std::string, VersionPtr> found;
    for (const MountedVersionPtr& shown : tests::shown_databases(*library_)) {
      found[shown->path] = static_cast<const DatabaseSnapshot&>(*shown->snapshot).version();
    }
    return found;
  }

  static tests::ScidFiles files_of(std::size_t games, std::string_view moves = kMoves) {
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    codec::scid::IndexEntry entry;
    entry.black = builder.name(NameKind::Player, "Anna");
    for (std::size_t i = 0; i < games; ++i) builder.game(entry, record(moves));
    return builder.files();
  }
  void renew() {
    library_->rescan();
    tree_->renew();
  }
  std::size_t lines(const std::string& path) const { return tests::rows_of(text(path)).size(); }

  std::vector<PartOfAll> parts_;                             // in the order of together/
  std::vector<std::pair<std::string, std::size_t>> places_;  // of the games of the whole database
};

TEST_F(TogetherDoublesTest, AreThoseOfAllGamesInOneDatabase) {
  std::size_t across = 0;
  for (const bool has_people : {false, true}) {
    if (has_people) use_people();
    for (const std::size_t count : {2, 3, 5, 7}) {
      SCOPED_TRACE(fmt::format("{} databases{}", count, has_people ? " with people" : ""));
      std::filesystem::remove_all(source_);
      deal_doubles(count, count + (has_people ? 10 : 0), count != 5);
      across += compare();
      if (has_people) {
        EXPECT_EQ(sorted_lines(of_all("doubles/unique/people.tsv")),
                  sorted_lines(of_whole("doubles/unique/people.tsv")));
      }
    }
  }
  EXPECT_GT(across, 100U);
}

// What is found in unique/ of a database is not what is found there in unique/ of all.
TEST_F(TogetherDoublesTest, SearchesOfOneDatabaseAndOfAllDiffer) {
  deal_doubles(2, 50, false);
  const std::string search = "doubles/unique/search/result=draw/index.tsv";
  const std::size_t of_all = lines(std::string(kTogether) + search);
  std::size_t of_parts = 0;
  for (const PartOfAll& part : parts_) of_parts += lines("parts/" + part.path() + "/" + search);
  EXPECT_LT(of_all, of_parts);
  EXPECT_EQ(lines(std::string(kTogether) + search), of_all);
  EXPECT_EQ(lines(std::string(kWhole) + search), of_all);
}

TEST_F(TogetherDoublesTest, FollowChangesAndKeepWhatWasFound) {
  put("a", files_of(2));
  put("b", files_of(1));
  open(source_);
  const auto doubles_of = [this](const std::string& path) {
    return versions().at(path)->doubles->made();
  };
  EXPECT_EQ(lines("together/doubles/doubles.tsv"), 3U);
  EXPECT_EQ(doubles_of("a.si4"), nullptr);
  EXPECT_EQ(lines("a.si4/doubles/doubles.tsv"), 2U);
  const auto of_a = doubles_of("a.si4");
  EXPECT_NE(of_a, nullptr);

  put("b", files_of(3));
  renew();
  EXPECT_EQ(lines("together/doubles/doubles.tsv"), 5U);
  EXPECT_EQ(text("together/doubles/unique/games.pgn"), text("a.si4/games/1.pgn"));
  EXPECT_EQ(doubles_of("a.si4"), of_a);

  put("b", files_of(1, "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O"));
  renew();
  EXPECT_EQ(lines("together/doubles/doubles.tsv"), 2U);
  EXPECT_EQ(text("together/doubles/unique/games.pgn"),
            text("a.si4/games/1.pgn") + text("b.si4/games/1.pgn"));

  put("b", files_of(0));
  renew();
  EXPECT_EQ(text("together/doubles/unique/games.pgn"), text("a.si4/games/1.pgn"));
  EXPECT_EQ(text("together/doubles/doubles.tsv").find("\t../b"), std::string::npos);
  put("a", files_of(0));
  renew();
  EXPECT_THAT(names("together"), Not(Contains("doubles")));
  EXPECT_FALSE(exists("together/doubles"));
  put("b", files_of(2));
  renew();
  EXPECT_THAT(names("together"), Contains("doubles"));
  EXPECT_EQ(lines("together/doubles/doubles.tsv"), 2U);
  EXPECT_EQ(text("together/doubles/unique/summary.txt"), text("b.si4/doubles/unique/summary.txt"));
}

// Games whose players have no names may be of any; they are in unique/.
TEST_F(TogetherDoublesTest, NeedNamesOfPlayers) {
  tests::ScidFilesBuilder nameless;
  for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
    nameless.name(kind, "x");
  }
  for (int i = 0; i < 2; ++i) nameless.game({}, record(kMoves));
  put("a", nameless.files());
  put("b", files_of(1));
  open(source_);
  EXPECT_EQ(text("together/doubles/all.pgn"), "");
  EXPECT_EQ(text("together/doubles/unique/games.pgn"), text("together/all.pgn"));
  EXPECT_THAT(names("together/doubles"), testing::ElementsAre("doubles.tsv", "all.pgn", "unique"));
  EXPECT_FALSE(exists("together/doubles/unique/index.html"));
  EXPECT_FALSE(exists("together/doubles/unique/search/number=1"));
  EXPECT_EQ(lines("together/doubles/unique/search/base=b*/index.tsv"), 1U);
}

}  // namespace
}  // namespace scidfs::fs
