// book.bin and book/ in sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/polyglot_key.h"
#include "codec/san.h"
#include "codec/uci.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::size_t kEntry = 16;

// Returns a number of a book.
std::uint64_t number_at(std::string_view book, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    number = number << 8 | static_cast<std::uint8_t>(book[at + i]);
  }
  return number;
}

class BookFilesTest : public LibraryTest {
 protected:
  void SetUp() override { open(tests::test_data("sample/sample.si4")); }
};

TEST_F(BookFilesTest, ExistInEverySet) {
  for (const std::string set :
       {"", "deleted/", "players/ca/Carlsen,_Magnus/", "players/Carlsen,_Magnus/white/",
        "events/2018/WCh_2018--London_ENG/", "years/2018/11/", "eco/B/B33/", "flags/user/",
        "search/eco=B/", "search/eco=B/search/year=2018/", "tree/e4/"}) {
    SCOPED_TRACE(set);
    const std::string book = text(set + "book/games=1.bin");
    EXPECT_FALSE(book.empty());
    EXPECT_EQ(book.size() % kEntry, 0U);
    EXPECT_LE(text(set + "book.bin").size(), book.size());
    EXPECT_TRUE(find(set + "book")->attributes.is_directory);
    EXPECT_THAT(names(set + "book"), ElementsAre());
    EXPECT_THAT(names(set), Not(Contains("book")));
    EXPECT_THAT(names(set), Not(Contains("book.bin")));
    EXPECT_THAT(text(set + "index.html"), Not(HasSubstr("book.bin")));
  }
}

TEST_F(BookFilesTest, HaveBounds) {
  const std::string book = text("book.bin");
  EXPECT_FALSE(book.empty());
  EXPECT_EQ(text("book/plies=1024.bin"), book);
  EXPECT_EQ(text("book/games=3.bin"), book);
  const std::string bounded = text("book/plies=12,games=5.bin");
  EXPECT_THAT(bounded, Not(IsEmpty()));
  EXPECT_LT(bounded.size(), text("book/plies=12.bin").size());
  EXPECT_LT(bounded.size(), text("book/games=5.bin").size());
  EXPECT_EQ(text("book/games=5,plies=12.bin"), bounded);
  const Inode file = inode("book/plies=12,games=5.bin");
  EXPECT_EQ(inode("book/games=5,plies=12.bin"), file);
  EXPECT_EQ(inode("book/games=05,plies=012.bin"), file);
  EXPECT_NE(inode("book/plies=13,games=5.bin"), file);
  EXPECT_NE(inode("eco/B/book/plies=12,games=5.bin"), file);
  EXPECT_EQ(text("eco/B/book/plies=12.bin"), text("search/eco=B/book/plies=12.bin"));
  EXPECT_EQ(text("eco/B/tree/e4/book/plies=12.bin"),
            text("search/eco=B/tree/e4/book/plies=12.bin"));
}

TEST_F(BookFilesTest, DoNotExistWithOtherNames) {
  for (const std::string name :
       {"book.bin", ".bin", "plies=0.bin", "plies=65536.bin", "games=0.bin", "games=16384.bin",
        "plies=-1.bin", "plies=.bin", "plies.bin", "plies=4", "plies=4.pgn", "plies=4,.bin",
        ",plies=4.bin", "plies=4,plies=4.bin", "plies=4,best=1.bin", "plies=4 .bin"}) {
    EXPECT_FALSE(exists("book/" + name)) << name;
  }
  std::string rejected;
  for (const auto& name : library_->searches().rejected_names.all()) {
    if (name.name == "games=16384.bin") rejected = name.reason;
  }
  EXPECT_EQ(rejected, "not bounds with commas between: plies=1..65535 games=1..16383");
}

// moves.tsv counts each game once, and does not ask for castling rights: here that is no
// difference, since no game comes back to these positions.
TEST_F(BookFilesTest, AgreeWithTablesOfMoves) {
  const std::string book = text("book/games=1.bin");
  for (const std::string line : {"", "e4", "d4", "e4 c5", "e4 e5", "d4 Nf6 c4", "e4 e5 Nf3 Nc6"}) {
    SCOPED_TRACE(line);
    codec::Position position;
    std::string path = "tree";
    for (const std::string& san : tests::split(line, ' ')) {
      if (san.empty()) continue;
      position.make(*codec::parse_san(position, san));
      path += '/' + san;
    }
    std::map<unsigned, unsigned> wanted;
    const std::vector<std::string> rows = tests::split(text(path + "/moves.tsv"), '\n');
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const std::vector<std::string> fields = tests::split(rows[i], '\t');
      if (fields.size() < 7) continue;
      const bool is_white = position.side_to_move() == codec::Color::White;
      const int weight =
          2 * std::stoi(fields[is_white ? 3 : 5]) + std::stoi(fields[4]) + std::stoi(fields[6]);
      const auto move = codec::parse_san(position, fields[0]);
      if (!move.has_value() || weight == 0) continue;
      wanted[codec::polyglot_move(*move, position.side_to_move(), position.castling_homes())] =
          static_cast<unsigned>(weight);
    }
    EXPECT_GT(wanted.size(), 2U);
    std::map<unsigned, unsigned> found;
    for (std::size_t at = 0; at < book.size(); at += kEntry) {
      if (number_at(book, at, 8) != codec::polyglot_key(position)) continue;
      found[static_cast<unsigned>(number_at(book, at + 8, 2))] =
          static_cast<unsigned>(number_at(book, at + 10, 2));
    }
    EXPECT_EQ(found, wanted);
  }
}

}  // namespace
}  // namespace scidfs::fs
