// PGN files in archives, and the databases beside them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/archive.h"
#include "tests/support/library.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using tests::packed_member;

class ArchivePgnTest : public PgnLibraryTest {
 protected:
  void put_archive(std::string_view name, const std::string& members,
                   Write write = tests::replace) {
    LibraryTest::put(source_ / name, std::string(tests::kArchiveStart) + members, write);
  }
  absl::Status ask_in_a_hurry(std::string_view directory) const {
    return tree_->lookup(inode(directory), "all.pgn", WorkBudget::limited(1000)).status();
  }
};

TEST_F(ArchivePgnTest, DatabasesAreBesideTheFiles) {
  const std::string one = pgn_game("A") + pgn_game("B");
  const std::string two = pgn_game("C");
  put("one.pgn", one);
  put("two.pgn", two);
  put_archive("a.scv", packed_member("one.pgn", one) +
                           packed_member("x/two.PGN.gz", tests::deflated(two, true)));
  open();
  EXPECT_THAT(names("a.scv"), ElementsAre("one.pgn.db", "x", "info.txt", "files", "one.pgn"));
  EXPECT_THAT(names("a.scv/x"), ElementsAre("two.PGN.db", "info.txt", "two.PGN"));
  EXPECT_THAT(names("a.scv/files"), ElementsAre("one.pgn", "x"));
  EXPECT_THAT(text("a.scv/.ignore"), testing::EndsWith("/files/**/*.[Pp][Gg][Nn]\n"
                                                       "/one.pgn\n/x/two.PGN\n"));
  EXPECT_EQ(text("a.scv/.fdignore"), "!*\n");
  const std::string line = fmt::format("database: one.pgn.db: PGN, {} bytes\n", one.size());
  EXPECT_THAT(text("a.scv/info.txt"), HasSubstr(line));
  EXPECT_EQ(text("a.scv/x/info.txt"),
            fmt::format("folder: a.scv/x\ndatabase: two.PGN.db: PGN, {} bytes\n", two.size()));
  EXPECT_TRUE(absl::IsUnavailable(ask_in_a_hurry("a.scv/one.pgn.db")));
  EXPECT_THAT(kept(), SizeIs(0)) << "read before a program looks into it";

  EXPECT_EQ(text("a.scv/one.pgn.db/all.pgn"), text("one.pgn/all.pgn"));
  EXPECT_THAT(kept(), SizeIs(8));
  EXPECT_EQ(text("a.scv/x/two.PGN.db/all.pgn"), text("two.pgn/all.pgn"));
  EXPECT_THAT(text("a.scv/x/two.PGN.db/info.txt"), HasSubstr("database: two.PGN\n"));
  std::vector<std::string> own = names("one.pgn");
  EXPECT_EQ(std::erase(own, "source.pgn"), 1U);
  EXPECT_EQ(names("a.scv/one.pgn.db"), own);
  for (const std::string folder : {"a.scv", "a.scv/x"}) {
    const Inode database = inode(folder + (folder == "a.scv" ? "/one.pgn.db" : "/two.PGN.db"));
    EXPECT_EQ(tree_->lookup(database, "..", tests::unlimited_budget())->attributes.inode,
              inode(folder));
  }

  open();
  EXPECT_THAT(tests::shown_databases(*library_), SizeIs(4)) << "later mounts find the records";
  EXPECT_TRUE(ask_in_a_hurry("a.scv/one.pgn.db").ok());
  tests::WalkedTree walked = tests::walk_library(*library_);
  EXPECT_EQ(walked.files.at("a.scv/one.pgn"), one);
  EXPECT_EQ(walked.files.at("a.scv/x/two.PGN"), two);
  tests::check_database(walked, "a.scv/one.pgn.db/");
  std::erase_if(walked.faults,
                [](const std::string& fault) { return fault.starts_with("a.scv/files/"); });
  EXPECT_THAT(walked.faults, IsEmpty());
}

TEST_F(ArchivePgnTest, WhatMembersAreNamedStaysTheirs) {
  const std::string longest = std::string(251, 'n') + ".pgn";
  put_archive("a.scv", packed_member("one.pgn", pgn_game("A")) +
                           packed_member("one.pgn.db/x.pgn", pgn_game("B")) +
                           packed_member("one.pgn~1.db/y.pgn", pgn_game("C")) +
                           packed_member("y/b.pgn", pgn_game("D")) +
                           packed_member("y/info.txt/a.pgn", pgn_game("E")) +
                           packed_member(longest, pgn_game("F")));
  put_archive("b.scv", packed_member("one.pgn", "") + packed_member("one.pgn.db", "bytes"));
  open();
  EXPECT_THAT(names("a.scv/one.pgn.db"), ElementsAre("x.pgn.db", "info.txt", "x.pgn"));
  EXPECT_EQ(text("a.scv/one.pgn.db/x.pgn"), pgn_game("B"));
  EXPECT_EQ(text("a.scv/y/info.txt/a.pgn"), pgn_game("E"));
  EXPECT_THAT(names("a.scv/y"), ElementsAre("b.pgn.db", "info.txt", "b.pgn"));
  EXPECT_EQ(text("b.scv/files/one.pgn.db"), "bytes");
  const std::vector<std::pair<std::string, std::string>> databases = {
      {"one.pgn~2.db", "A"}, {"one.pgn.db/x.pgn.db", "B"}, {"one.pgn~1.db/y.pgn.db", "C"},
      {"y/b.pgn.db", "D"},   {"y/info.txt/a.pgn.db", "E"}, {longest.substr(0, 252) + ".db", "F"}};
  for (const auto& [path, white] : databases) {
    EXPECT_THAT(text("a.scv/" + path + "/all.pgn"), HasSubstr(fmt::format("[White \"{}\"]", white)))
        << path;
  }
  EXPECT_EQ(text("b.scv/one.pgn.db/all.pgn"), "");
}

// The same path, the same number of bytes, the same date of the member.
TEST_F(ArchivePgnTest, AChangedArchiveIsReadAgain) {
  const auto members = [](std::string_view white) {
    return packed_member("one.pgn", pgn_game(white), "<Modified> 1700000000\n");
  };
  put_archive("a.scv", members("A"));
  open();
  EXPECT_THAT(text("a.scv/one.pgn.db/all.pgn"), HasSubstr("[White \"A\"]"));
  const Inode before = inode("a.scv/one.pgn.db/all.pgn");
  const Inode unread = inode("a.scv/one.pgn.db");
  for (const char* const white : {"B", "C"}) {
    put_archive("a.scv", members(white), *white == 'B' ? tests::replace : tests::overwrite);
    library_->rescan();
    EXPECT_THAT(text("a.scv/one.pgn.db/all.pgn"), HasSubstr(fmt::format("\"{}\"", white)));
    EXPECT_THAT(kept(), SizeIs(4)) << "records of other states stay";
  }
  EXPECT_EQ(inode("a.scv/one.pgn.db"), unread);
  EXPECT_THAT(read(before).value_or("gone"), HasSubstr("[White \"A\"]"));
}

TEST_F(ArchivePgnTest, TogetherReadsThoseThatHaveNotBeenRead) {
  LibraryTest::put("base", example_database(2, 1).files());
  put_archive("a.scv",
              packed_member("x/one.pgn", pgn_game("A")) + packed_member("two.pgn", pgn_game("B")));
  options_.together = TogetherMode::All;
  open();
  EXPECT_EQ(text("together/all.pgn"), text("a.scv/two.pgn.db/all.pgn") +
                                          text("a.scv/x/one.pgn.db/all.pgn") +
                                          text("base.si4/all.pgn"));
  EXPECT_THAT(text("together/index.tsv"), HasSubstr("a.scv/x/one.pgn.db"));
}

TEST_F(ArchivePgnTest, IsLeftOutOnDemand) {
  const std::string member = packed_member("x/one.pgn", pgn_game("A"));
  put_archive("a.scv", member);
  open();
  constexpr std::string_view kSummary = "a.scv: archive of 1 member, 0 databases\n";
  EXPECT_THAT(text("status.txt"), HasSubstr(kSummary));
  options_.formats = source_formats(/*with_pgn=*/false);
  open();
  EXPECT_THAT(names("a.scv"), ElementsAre("info.txt", "files", "x"));
  EXPECT_THAT(names("a.scv/x"), ElementsAre("one.pgn"));
  EXPECT_THAT(text("a.scv/info.txt"), Not(HasSubstr("database")));
  EXPECT_FALSE(exists("a.scv/x/one.pgn.db"));
  EXPECT_THAT(text("status.txt"), HasSubstr(kSummary));
}

TEST_F(ArchivePgnTest, RefusedFilesSayWhy) {
  std::string many;
  for (int i = 0; i < 30000; ++i) many += pgn_game(fmt::format("Player {}", i));
  put_archive("a.scv",
              packed_member("large.pgn", many) + packed_member("small.pgn", pgn_game("A")));
  options_.pgn_bytes = 1 << 20;
  open();
  EXPECT_THAT(names("a.scv/large.pgn.db"), ElementsAre("info.txt"));
  EXPECT_THAT(text("a.scv/large.pgn.db/info.txt"), HasSubstr("file: large.pgn\n"));
  EXPECT_THAT(text("a.scv/large.pgn.db/info.txt"),
              HasSubstr("refused: its games need more than the 1 MiB that the cache folder may use "
                        "for PGN files\nhint: scidfs-import large.pgn -o NEW.si5 "));
  EXPECT_EQ(text("a.scv/large.pgn"), many);
  EXPECT_THAT(text("a.scv/small.pgn.db/all.pgn"), HasSubstr("[White \"A\"]"));

  options_.database.cache_folder.clear();
  open();
  EXPECT_THAT(names("a.scv"), Contains("small.pgn.db"));
  EXPECT_THAT(text("a.scv/small.pgn.db/info.txt"),
              HasSubstr("refused: there is no cache folder for its games\n"));
}

}  // namespace
}  // namespace scidfs::fs
