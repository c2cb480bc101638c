// parts/ and samples of sets.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SetPartsTest : public LibraryTest {
 protected:
  void SetUp() override {
    put("x", tests::read_scid_files(tests::test_data("sample/sample")));
    open(source_);
  }
  // The numbers of a set's games, in order.
  std::vector<std::uint32_t> numbers(const std::string& set) const {
    std::vector<std::uint32_t> found;
    for (const auto& row : tests::rows_of(text(set + "index.tsv"))) {
      found.push_back(static_cast<std::uint32_t>(std::stoul(row.at(0))));
    }
    return found;
  }
  // The same of each part, by adding the lengths of all records before a game.
  std::vector<std::vector<std::uint32_t>> cut(const std::vector<std::uint32_t>& games,
                                              std::size_t parts) const {
    std::vector<std::uint64_t> begins = {0};
    for (const std::uint32_t game : games) {
      begins.push_back(begins.back() + sample_.record(game - 1)->size());
    }
    std::vector<std::vector<std::uint32_t>> cut(parts);
    for (std::size_t i = 0; i < games.size(); ++i) {
      std::size_t part = 0;
      while ((part + 1) * begins.back() <= begins[i] * parts) ++part;
      cut[part].push_back(games[i]);
    }
    return cut;
  }

  const tests::ScidDatabase sample_{tests::test_data("sample/sample")};
};

TEST_F(SetPartsTest, AreTheSetInOrder) {
  for (const std::string set :
       {"x.si4/", "x.si4/players/ca/Carlsen,_Magnus/", "x.si4/search/not-result=draw/",
        "x.si4/tree/e4/c5/", "x.si4/parts/3/2/", "x.si4/search/part=2of3/eco=B/",
        "x.si4/players/ca/Carlsen,_Magnus/parts/2/1/search/opponent=C*/"}) {
    const std::vector<std::uint32_t> all = numbers(set);
    ASSERT_FALSE(all.empty()) << set;
    for (const std::size_t count : {1, 2, 7, 64, 3000}) {
      const std::vector<std::vector<std::uint32_t>> expected = cut(all, count);
      const std::size_t digits = std::to_string(count).size();
      std::string pgn;
      for (const std::size_t part : {std::size_t{1}, count / 2 + 1, count}) {
        const std::string directory = fmt::format("{}parts/{}/{:0{}}/", set, count, part, digits);
        SCOPED_TRACE(directory);
        EXPECT_EQ(numbers(directory), expected[part - 1]);
      }
      if (count > 64) continue;
      for (const std::string& name : names(fmt::format("{}parts/{}", set, count))) {
        pgn += text(fmt::format("{}parts/{}/{}/games.pgn", set, count, name));
      }
      EXPECT_EQ(pgn, text(set + "games.pgn")) << set << count;
    }
  }
}

TEST_F(SetPartsTest, ApplyToTheConditionsBefore) {
  const std::string a = "x.si4/search/eco=B/parts/2/1/search/result=1-0/";
  const std::string b = "x.si4/search/result=1-0/parts/2/1/search/eco=B/";
  EXPECT_NE(numbers(a), numbers(b));
  std::vector<std::uint32_t> expected;
  const std::vector<std::uint32_t> won = numbers("x.si4/search/result=1-0/");
  const std::vector<std::vector<std::uint32_t>> parts = cut(numbers("x.si4/search/eco=B/"), 2);
  for (const std::uint32_t game : parts[0]) {
    if (std::ranges::binary_search(won, game)) expected.push_back(game);
  }
  EXPECT_EQ(numbers(a), expected);
  EXPECT_EQ(numbers("x.si4/search/eco=B/search/result=1-0/part=1of2/"), expected);
  // The side from which results are seen stays that of the player before.
  EXPECT_EQ(text("x.si4/search/player=Carlsen*/parts/1/1/opponents.tsv"),
            text("x.si4/search/player=Carlsen*/opponents.tsv"));
}

TEST_F(SetPartsTest, OthersAreAllButThePart) {
  const std::vector<std::uint32_t> all = numbers("x.si4/");
  const std::vector<std::vector<std::uint32_t>> parts = cut(all, 3);
  for (std::size_t part = 0; part < 3; ++part) {
    std::vector<std::uint32_t> expected;
    std::ranges::set_difference(all, parts[part], std::back_inserter(expected));
    EXPECT_EQ(numbers(fmt::format("x.si4/search/not-part={}of3/", part + 1)), expected);
  }
}

TEST_F(SetPartsTest, SamplesAreTheSet) {
  for (const std::string key : {"sample", "sample_exact"}) {
    std::vector<std::uint32_t> all;
    for (int number = 1; number <= 5; ++number) {
      const auto games = numbers(fmt::format("x.si4/search/{}={}of5/", key, number));
      EXPECT_GT(games.size(), 200U) << key << number;
      EXPECT_FALSE(exists(fmt::format("x.si4/search/{}={}of5/moments.epd", key, number)));
      all.insert(all.end(), games.begin(), games.end());
    }
    std::ranges::sort(all);
    EXPECT_EQ(all, numbers("x.si4/"));
    EXPECT_TRUE(exists(fmt::format("x.si4/search/{}=1of5/played=Bxh7/moments.epd", key)));
  }
}

TEST_F(SetPartsTest, SpanDatabasesTogether) {
  put("y", tests::read_scid_files(tests::test_data("sample/sample")));
  put("z", example_database(3, 1).files());
  open(source_);
  std::string pgn;
  std::string index;
  for (const std::string& name : names("together/parts/5")) {
    pgn += text("together/parts/5/" + name + "/games.pgn");
    const std::string of_part = text("together/parts/5/" + name + "/index.tsv");
    index += index.empty() ? of_part : of_part.substr(of_part.find('\n') + 1);
  }
  EXPECT_EQ(pgn, text("together/all.pgn"));
  EXPECT_EQ(index, text("together/index.tsv"));
  // The borders move with every database.
  const std::string third = text("together/parts/5/3/index.tsv");
  put("z", example_database(900, 2).files());
  library_->rescan();
  tree_->renew();
  EXPECT_NE(text("together/parts/5/3/index.tsv"), third);
}

TEST_F(SetPartsTest, NamesAreNumbers) {
  EXPECT_THAT(names("x.si4/parts/12"),
              ElementsAre("01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"));
  EXPECT_EQ(text("x.si4/parts/12/3/index.tsv"), text("x.si4/parts/12/03/index.tsv"));
  EXPECT_THAT(names("x.si4"), Not(Contains("parts")));
  EXPECT_THAT(names("x.si4/parts"), IsEmpty());
  EXPECT_THAT(names("x.si4/parts/65536"), IsEmpty());
  EXPECT_EQ(numbers("x.si4/parts/65536/65536/"), cut(numbers("x.si4/"), 65536).back());
  for (const std::string name :
       {"0", "65537", "x", "-1", "12/0", "12/13", "12/x", "12/games.pgn"}) {
    EXPECT_FALSE(exists("x.si4/parts/" + name)) << name;
  }
  EXPECT_THAT(text("status.txt"), testing::AllOf(HasSubstr("a set has 1 to 65536 parts"),
                                                 HasSubstr("parts have the numbers 1 to 12")));
}

// Of an empty set, and of records that have no bytes.
TEST_F(SetPartsTest, MayBeEmpty) {
  EXPECT_EQ(text("x.si4/search/year=1..2/parts/9/9/games.pgn"), "");
  EXPECT_THAT(numbers("x.si4/search/number=3/parts/9/1/"), ElementsAre(3));
  EXPECT_THAT(numbers("x.si4/search/number=3/parts/9/9/"), IsEmpty());
  tests::ScidWriter empty;
  for (int i = 0; i < 3; ++i) empty.add("", "A", "B");
  put("e", empty.files());
  open(source_);
  EXPECT_THAT(numbers("e.si4/parts/2/1/"), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers("e.si4/parts/2/2/"), IsEmpty());
}

TEST_F(SetPartsTest, ParentIsTheDirectoryOfAllParts) {
  const auto parent = [&](const std::string& path) { return inode(path + "/.."); };
  EXPECT_EQ(parent("x.si4/parts/7/3"), inode("x.si4/parts/7"));
  EXPECT_EQ(parent("x.si4/parts/7"), inode("x.si4/parts"));
  EXPECT_EQ(parent("x.si4/parts"), inode("x.si4"));
  EXPECT_EQ(parent("x.si4/search/eco=B/parts/7"), inode("x.si4/search/eco=B/parts"));
}

}  // namespace
}  // namespace scidfs::fs
