// PGN files that a program has open and changes: which version is shown when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/packed.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PgnWritersTest : public PgnLibraryTest {
 protected:
  // A program writes to a file and keeps it open.
  void write(const std::string& name, std::string_view text) {
    put(name, text);
    library_->pending_changes().note({.path = name, .is_write = true});
  }
  void close_file(const std::string& name) { library_->pending_changes().note({.path = name}); }
  // Whether another version is shown after a look than before.
  bool is_shown() { return library_->rescan().changed; }
};

TEST_F(PgnWritersTest, ARewrittenFileIsShownWhenItIsClosed) {
  put("a.pgn", pgn_game("A") + pgn_game("B"));
  open();
  const std::string old = text("a.pgn/all.pgn");
  rescan();  // that it has been read is news
  // With the length that it had, longer, shorter, and no more changes before the close.
  for (const std::string& half : {pgn_game("X") + pgn_game("B"), pgn_game("X") + pgn_game("Long"),
                                  pgn_game("X"), std::string()}) {
    write("a.pgn", half);
    const Library::Rescan found = library_->rescan();
    EXPECT_FALSE(found.changed);
    EXPECT_THAT(found.unfinished, ElementsAre("a.pgn"));
    EXPECT_THAT(found.lost, IsEmpty()) << "its games are in the cache folder";
    EXPECT_FALSE(is_shown());
    EXPECT_EQ(text("a.pgn/all.pgn"), old);
  }
  const std::string now = pgn_game("X") + pgn_game("Y");
  write("a.pgn", now);
  EXPECT_FALSE(is_shown());
  close_file("a.pgn");
  EXPECT_TRUE(is_shown());
  EXPECT_EQ(text("a.pgn/source.pgn"), now);
  EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
}

TEST_F(PgnWritersTest, ARewrittenFileIsShownAfterPatience) {
  options_.patience = std::chrono::milliseconds(0);
  put("a.pgn", pgn_game("A"));
  open();
  text("a.pgn/all.pgn");
  write("a.pgn", pgn_game("B"));
  EXPECT_TRUE(is_shown());
  EXPECT_THAT(text("a.pgn/all.pgn"), HasSubstr("\"B\""));
}

TEST_F(PgnWritersTest, AppendedGamesAreShownAtOnce) {
  for (const std::string& begun : {std::string(), pgn_game("A"), pgn_game("A") + pgn_game("B")}) {
    for (const bool is_read : {true, false}) {
      SCOPED_TRACE(testing::Message() << begun.size() << is_read);
      put("a.pgn", begun);
      open();
      if (is_read) text("a.pgn/info.txt");
      write("a.pgn", begun + pgn_game("Live"));
      EXPECT_TRUE(is_shown());
      EXPECT_THAT(text("a.pgn/all.pgn"), HasSubstr("\"Live\""));
      write("a.pgn", begun + pgn_game("Live") + pgn_game("Next"));
      EXPECT_TRUE(is_shown());
      EXPECT_THAT(text("a.pgn/all.pgn"), HasSubstr("\"Next\""));
    }
  }
}

TEST_F(PgnWritersTest, AFileThatWasCutDoesNotCountAsGrownWhenItIsLonger) {
  put("a.pgn", pgn_game("A"));
  open();
  write("a.pgn", "");
  const Library::Rescan found = library_->rescan();
  EXPECT_FALSE(found.changed);
  EXPECT_THAT(found.lost, ElementsAre("a.pgn")) << "nobody has read it";
  write("a.pgn", pgn_game("X") + pgn_game("Y"));
  EXPECT_FALSE(is_shown());
  close_file("a.pgn");
  EXPECT_TRUE(is_shown());
  EXPECT_THAT(text("a.pgn/all.pgn"), HasSubstr("\"Y\""));
  // Which does not hold for the next version.
  write("a.pgn", pgn_game("X") + pgn_game("Y") + pgn_game("Z"));
  EXPECT_TRUE(is_shown());
}

TEST_F(PgnWritersTest, NewFilesAreShownAsTheyGrow) {
  put("a.pgn", pgn_game("A"));
  open();
  write("b.pgn", pgn_game("B"));
  EXPECT_TRUE(is_shown());
  EXPECT_THAT(text("b.pgn/all.pgn"), HasSubstr("\"B\""));
  write("b.pgn", pgn_game("B") + pgn_game("C"));
  EXPECT_TRUE(is_shown());
  EXPECT_THAT(text("b.pgn/all.pgn"), HasSubstr("\"C\""));
}

TEST_F(PgnWritersTest, APackedFileIsShownWhenItIsClosed) {
  const std::string begun = tests::packed(pgn_game("A"), ".gz");
  put("a.pgn.gz", begun);
  open();
  const std::string old = text("a.pgn.gz/all.pgn");
  rescan();
  write("a.pgn.gz", begun + tests::packed(pgn_game("B"), ".gz"));
  EXPECT_FALSE(is_shown());
  EXPECT_EQ(text("a.pgn.gz/all.pgn"), old);
  close_file("a.pgn.gz");
  EXPECT_TRUE(is_shown());
  EXPECT_THAT(text("a.pgn.gz/all.pgn"), HasSubstr("\"B\""));
}

}  // namespace
}  // namespace scidfs::fs
