// tags.tsv and values/ of sets.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_formats.h"
#include "tests/support/tags_of_games.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class TagFilesTest : public LibraryTest {
 protected:
  void SetUp() override {
    tests::Random random(11);
    put("x", tests::files_with_tags(random, 300));
    open(source_ / "x.si4");
  }
};

TEST_F(TagFilesTest, AgreeWithGamesOfEverySet) {
  for (const std::string set :
       {"", "deleted/", "players/x/", "search/annotator=nunn*/", "search/result=unknown/", "tree/",
        "tree/e4/", "search/elo=2000/search/annotator=nunn/", "search/annotator=nunn/tree/e4/"}) {
    SCOPED_TRACE(set);
    const tests::TagTexts expected = tests::tables_of(tests::tags_of_text(text(set + "all.pgn")));
    EXPECT_GE(expected.values.size(), 5U);
    EXPECT_EQ(text(set + "tags.tsv"), expected.tags);
    std::vector<std::string> listed;
    for (const auto& row : tests::rows_of(expected.tags)) {
      const std::string file = row.at(0) + ".tsv";
      listed.push_back(file);
      EXPECT_EQ(text(fmt::format("{}values/{}", set, file)), expected.values.at(row.at(0))) << file;
    }
    EXPECT_EQ(names(set + "values"), listed);
    EXPECT_THAT(names(set), Not(Contains(testing::AnyOf("tags.tsv", "values"))));
    EXPECT_THAT(text(set + "index.html"), Not(HasSubstr("tags.tsv")));
    EXPECT_EQ(text(set + "tags.csv").substr(0, 17), "tag,games,values\n");
    EXPECT_EQ(text(set + "values/Annotator.csv").substr(0, 12), "value,games\n");
  }
}

TEST_F(TagFilesTest, ShareOneCount) {
  const auto made = [&] {
    const std::string status = text("status.txt");
    const std::size_t line = status.find("answers made");
    return status.substr(line, status.find('\n', line) - line);
  };
  for (const std::string set : {"", "players/x_/x/", "search/annotator=nunn*/"}) {
    const std::string before = made();
    (void)text(set + "tags.tsv");
    const std::string after = made();
    EXPECT_NE(after, before);
    (void)text(set + "values/Annotator.tsv");
    (void)text(set + "values/Annotator.csv");
    (void)names(set + "values");
    EXPECT_EQ(made(), after);
  }
}

// Scid 5 marks games of Chess960 in the index, and PGN shows that as a tag.
TEST_F(TagFilesTest, KnowVariantsOfTheIndex) {
  tests::Scid5Builder builder;
  for (const char* const variant : {"", "Fischerandom"}) {
    for (const bool is_marked : {false, true}) {
      codec::scid::IndexEntry entry;
      entry.chess960 = is_marked;
      tests::ScidEncoder encoder;
      if (*variant != '\0') encoder.tag("Variant", variant);
      builder.game({}, entry, encoder.move("e4").record());
    }
  }
  put("five", builder.files(), tests::replace, ".si5");
  open(source_ / "five.si5");
  EXPECT_EQ(text("values/Variant.tsv"), "value\tgames\nFischerandom\t2\nChess960\t1\n");
  EXPECT_EQ(text("tags.tsv"), tests::tables_of(tests::tags_of_text(text("all.pgn"))).tags);
  EXPECT_EQ(tests::rows_of(text("search/tag=Variant,chess960/index.tsv")).at(0).at(0), "2");
  EXPECT_EQ(tests::rows_of(text("search/tag=Variant,_unknown/index.tsv")).at(0).at(0), "1");
}

TEST_F(TagFilesTest, HaveOneNameForEachTag) {
  EXPECT_NE(inode("values/Annotator.tsv"), inode("values/annotator.tsv"));
  EXPECT_NE(inode("values/Annotator.tsv"), inode("tags.tsv"));
  EXPECT_NE(inode("values/Annotator.tsv"), inode("tree/values/Annotator.tsv"));
  EXPECT_NE(inode("values/Annotator.tsv"), inode("values/Annotator.csv"));
  EXPECT_EQ(text("search/tag=Annotator,*/values/Annotator.tsv"), text("values/Annotator.tsv"));
  const std::vector<std::string> names = {
      "values/Nothing.tsv",    "values/Event.tsv",   "values/WhiteElo.tsv", "values/_Source.tsv",
      "values/.tsv",           "values/tsv",         "values/Annotator",    "values/Annotator.pgn",
      "values/An notator.tsv", "values/Nothing.csv", "values/Event.csv",    "values/a,b.tsv"};
  for (const std::string& name : names) {
    const absl::StatusOr<Entry> entry = find(name);
    const absl::Status status =
        entry.ok() ? read(entry->attributes.inode).status() : entry.status();
    EXPECT_TRUE(absl::IsNotFound(status)) << name << ": " << status;
  }
  const std::string rejected = text("status.txt");
  EXPECT_THAT(rejected, HasSubstr("Event is in the index; use event="));
  EXPECT_THAT(rejected, HasSubstr("`_Source` is no name of a tag"));
  EXPECT_THAT(rejected, Not(HasSubstr("Annotator.pgn")));
}

}  // namespace
}  // namespace scidfs::fs
