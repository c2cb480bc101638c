// PGN files that a program has open and changes: which version is shown when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

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

// A program appends a game while another one opens a file of the version before.
TEST_F(PgnWritersTest, AGrownFileIsReadAsItWas) {
  const std::string begun = pgn_game("A") + pgn_game("B");
  for (const bool is_source_first : {true, false}) {
    SCOPED_TRACE(is_source_first);
    put("a.pgn", begun);
    const std::string all = imported("a.pgn");
    open();
    put("a.pgn", begun + pgn_game("C"));
    if (is_source_first) {
      EXPECT_EQ(text("a.pgn/source.pgn"), begun);
    }
    EXPECT_EQ(text("a.pgn/all.pgn"), all);
    EXPECT_EQ(text("a.pgn/source.pgn"), begun);
    rescan();
    EXPECT_EQ(text("a.pgn/all.pgn"), imported("a.pgn"));
    EXPECT_EQ(text("a.pgn/source.pgn"), begun + pgn_game("C"));
  }
}

TEST_F(PgnWritersTest, AFileThatHasNotOnlyGrownIsNotReadAsItWas) {
  const auto packed = [](const std::string& text) { return tests::packed(text, ".gz"); };
  const std::string begun = pgn_game("A") + pgn_game("B");
  struct Case {
    std::string name;
    std::string begun;
    std::string now;
    bool is_read = false;
  };
  for (const Case& one :
       std::vector<Case>{{"a.pgn", begun, pgn_game("A")},
                         {"a.pgn", begun, pgn_game("A") + pgn_game("X")},
                         {"a.pgn", begun, pgn_game("X") + pgn_game("B") + pgn_game("C"), true},
                         {"a.pgn.gz", packed(begun), packed(begun) + packed(pgn_game("C"))}}) {
    SCOPED_TRACE(one.now);
    std::filesystem::remove_all(source_ / "a.pgn");
    put(one.name, one.begun);
    open();
    const std::string source = "/source" + one.name.substr(1);
    if (one.is_read) text(one.name + "/all.pgn");
    put(one.name, one.now);
    EXPECT_EQ(find(one.name + source).status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(find(one.name + "/all.pgn").ok(), one.is_read);
  }
}

// Programs may be in directories of a version when the next one comes.
TEST_F(PgnWritersTest, DirectoriesOfAVersionThatHasNotBeenReadAreThere) {
  std::string games = pgn_game("Able");
  put("a.pgn", games);
  open();
  struct Case {
    std::string directory;
    std::string name;
  };
  for (const auto& [directory, name] :
       std::vector<Case>{{"games", "00000"},
                         {"players/ab", "Able"},
                         {"players/ab/Able", "summary.txt"},
                         {"search/white=Able", "all.pgn"},
                         {"search/white=Able/result=1-0", "index.tsv"}}) {
    SCOPED_TRACE(directory);
    const Inode number = inode("a.pgn/" + directory);
    const std::vector<std::string> before = names("a.pgn/" + directory);
    const auto next_version = [&] {
      put("a.pgn", games += pgn_game("Able"));
      EXPECT_TRUE(is_shown());
    };
    next_version();
    EXPECT_TRUE(tree_->attributes(number, WorkBudget::limited(0)).ok());
    EXPECT_TRUE(absl::IsUnavailable(tree_->lookup(number, name, WorkBudget::limited(0)).status()));
    const absl::StatusOr<Entry> found = tree_->lookup(number, name, tests::unlimited_budget());
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->attributes.inode, inode(fmt::format("a.pgn/{}/{}", directory, name)));
    next_version();
    std::vector<std::string> listed;
    const absl::Status status =
        tree_->list(number, 0, tests::unlimited_budget(), [&listed](const DirectoryEntry& entry) {
          listed.emplace_back(entry.name);
          return true;
        });
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(listed, before);
  }
  // One that the new version does not have.
  const Inode gone = inode("a.pgn/players/ab/Able");
  put("a.pgn", pgn_game("Other"));
  EXPECT_TRUE(is_shown());
  EXPECT_TRUE(absl::IsNotFound(tree_->lookup(gone, "all.pgn", tests::unlimited_budget()).status()));
  EXPECT_TRUE(absl::IsNotFound(tree_->attributes(gone, tests::unlimited_budget()).status()));
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
