// Archives in a library: which members are shown, and where.
#include "tests/support/archive.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "fs/check/check.h"
#include "fs/file/private_file.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/html_check.h"
#include "tests/support/library.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::packed_member;

class ArchiveTest : public LibraryTest {
 protected:
  void put_archive(std::string_view name, const std::string& members) {
    put(source_ / name, std::string(tests::kArchiveStart) + members, tests::replace);
  }
  void put_fixture(std::string_view name) {
    put(source_ / name, tests::read_file(tests::test_data("scv/" + std::string(name))));
  }
  // The members of a database, named `root`, with extensions.
  static std::string members_of(const tests::ScidFiles& files, const std::string& root,
                                const std::string& more_lines = "") {
    return packed_member(root + ".si4", files.index, more_lines) +
           packed_member(root + ".sg4", files.games, more_lines) +
           packed_member(root + ".sn4", files.names, more_lines);
  }
};

TEST_F(ArchiveTest, DatabasesAreShownAsOnDisk) {
  const tests::ScidFiles files = example_database(30, 1).files();
  put("disk", files);
  put_archive("a.scv", members_of(files, "disk"));
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("disk.si4", "a.scv", "info.txt", "index.html", "status.txt",
                                     "README.txt"));
  EXPECT_THAT(names("a.scv"), ElementsAre("disk.si4", "info.txt"));
  EXPECT_EQ(names("a.scv/disk.si4"), names("disk.si4"));
  for (const char* const file : {"all.pgn", "index.tsv", "errors.tsv", "games/7.pgn"}) {
    EXPECT_EQ(text("a.scv/disk.si4/" + std::string(file)), text("disk.si4/" + std::string(file)));
  }
  EXPECT_THAT(text("a.scv/info.txt"), HasSubstr("database: disk.si4: 30 games\n"));
  EXPECT_EQ(
      tree_->lookup(inode("a.scv/disk.si4"), "..", tests::unlimited_budget())->attributes.inode,
      inode("a.scv"));
}

TEST_F(ArchiveTest, ExtensionsMayBeInCapitals) {
  const tests::ScidFiles files = example_database(30, 1).files();
  put("disk", files);
  put_archive("A.SCV",
              packed_member("DISK.SI4", files.index) + packed_member("DISK.SG4", files.games) +
                  packed_member("DISK.sn4", files.names) + packed_member("ONE.PGN", "one"));
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("disk.si4", "A.SCV", "info.txt", "index.html", "status.txt",
                                     "README.txt"));
  EXPECT_THAT(names("A.SCV"),
              ElementsAre("DISK.SI4", "ONE.PGN.db", "info.txt", "ONE.PGN", "files"));
  EXPECT_EQ(text("A.SCV/DISK.SI4/all.pgn"), text("disk.si4/all.pgn"));
}

TEST_F(ArchiveTest, SubdirectoriesAreShownAsFolders) {
  put_archive("a.ive", members_of(example_database(3, 1).files(), "x/y/base") +
                           members_of(example_database(4, 2).files(), "base") +
                           packed_member("x/one.pgn", "one") + packed_member("z/two.pgn", "two") +
                           packed_member("x/y/picture.png", "png"));
  open(source_);
  EXPECT_THAT(names("a.ive"), ElementsAre("base.si4", "x", "z", "info.txt", "files"));
  EXPECT_THAT(names("a.ive/x"), ElementsAre("one.pgn.db", "y", "info.txt", "one.pgn"));
  EXPECT_THAT(names("a.ive/x/y"), ElementsAre("base.si4", "info.txt"));
  EXPECT_THAT(names("a.ive/files/x"), ElementsAre("one.pgn", "y"));
  EXPECT_EQ(text("a.ive/x/one.pgn"), "one");
  EXPECT_EQ(text("a.ive/z/two.pgn"), "two");
  EXPECT_EQ(text("a.ive/files/x/y/picture.png"), "png");
  EXPECT_NE(text("a.ive/x/y/base.si4/all.pgn"), text("a.ive/base.si4/all.pgn"));
  const auto up = [&](std::string_view path) {
    return tree_->lookup(inode(path), "..", tests::unlimited_budget())->attributes.inode;
  };
  EXPECT_EQ(up("a.ive/x/y/base.si4"), inode("a.ive/x/y"));
  EXPECT_EQ(up("a.ive/x/y"), inode("a.ive/x"));
  EXPECT_EQ(up("a.ive/x"), inode("a.ive"));
  EXPECT_EQ(up("a.ive/z"), inode("a.ive"));
  EXPECT_EQ(up("a.ive/files/x/y"), inode("a.ive/files/x"));
}

TEST_F(ArchiveTest, EachDirectoryHasAPage) {
  put_archive("a.scv", members_of(example_database(3, 1).files(), "x/base") +
                           packed_member("x/one.pgn", "one") + packed_member("y/two.txt", "two") +
                           packed_member("index.html", "a member"));
  open(source_);
  EXPECT_THAT(names("a.scv"), ElementsAre("x", "info.txt", "files"));
  EXPECT_THAT(text("index.html"), HasSubstr("href=\"a.scv/index.html\""));
  const std::vector<std::pair<std::string, std::vector<std::string>>> pages = {
      {"a.scv", {"../index.html", "x/index.html", "files/", "info.txt"}},
      {"a.scv/x",
       {"../../index.html", "../index.html", "base.si4/index.html", "one.pgn", "info.txt"}},
      {"a.scv/files/y", {"../../../index.html", "../../index.html", "two.txt"}},
      {"a.scv/x/base.si4", {"../index.html"}}};
  for (const auto& [directory, links] : pages) {
    const std::string page = text(directory + "/index.html");
    EXPECT_EQ(tests::html_fault(page), "") << directory;
    for (const std::string& link : links) {
      EXPECT_THAT(page, HasSubstr(fmt::format("href=\"{}\"", link))) << directory;
    }
    EXPECT_EQ(text(directory + "/style.css"), text("style.css")) << directory;
    EXPECT_EQ(text(directory + "/board.js"), text("board.js")) << directory;
  }
  EXPECT_THAT(text("a.scv/index.html"), HasSubstr("member: x/base.si4: "));
  // A member keeps its name, and no link calls it a page.
  EXPECT_EQ(text("a.scv/files/index.html"), "a member");
  EXPECT_THAT(text("a.scv/files/y/index.html"), Not(HasSubstr("href=\"../index.html\"")));
}

TEST_F(ArchiveTest, PagesAreListedOnDemand) {
  put_archive("a.scv", members_of(example_database(3, 1).files(), "base") +
                           packed_member("index.html", "a member"));
  options_.database.pages = PagesMode::Listed;
  open(source_);
  EXPECT_THAT(names("a.scv"), ElementsAre("base.si4", "info.txt", "files", "index.html",
                                          "style.css", "board.js", "icon.svg"));
  EXPECT_THAT(names("a.scv/files"), ElementsAre("index.html", "style.css", "board.js", "icon.svg"));
  options_.database.pages = PagesMode::None;
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("a.scv", "info.txt", "status.txt", "README.txt"));
  EXPECT_THAT(names("a.scv"), ElementsAre("base.si4", "info.txt", "files"));
  for (const char* const file : {"index.html", "style.css", "board.js", "icon.svg"}) {
    EXPECT_FALSE(exists(std::string("a.scv/") + file)) << file;
  }
}

TEST_F(ArchiveTest, GzippedTextsAreShownPackedAndUnpacked) {
  const std::string pgn = "[Event \"?\"]\n\n1. e4 *\n\n";
  put_archive("a.scv", packed_member("plain.pgn", pgn) +
                           packed_member("packed.pgn.gz", tests::deflated(pgn, true)) +
                           packed_member("plain.PGN.GZ", tests::deflated("other", true)) +
                           packed_member("broken.pgn.gz", "no gzip") +
                           packed_member("empty.pgn", "") + packed_member("x.cbh", "cbh") +
                           packed_member("x.cbg", "cbg"));
  open(source_);
  EXPECT_THAT(names("a.scv"), ElementsAre("empty.pgn.db", "packed.pgn.db", "plain.PGN.db",
                                          "plain.pgn.db", "info.txt", "empty.pgn", "files",
                                          "packed.pgn", "plain.PGN", "plain.pgn"));
  EXPECT_THAT(names("a.scv/files"), ElementsAre("broken.pgn.gz", "empty.pgn", "packed.pgn.gz",
                                                "plain.PGN.GZ", "plain.pgn", "x.cbg", "x.cbh"));
  EXPECT_EQ(text("a.scv/plain.pgn"), pgn);
  EXPECT_EQ(text("a.scv/packed.pgn"), pgn);
  EXPECT_EQ(text("a.scv/plain.PGN"), "other");
  EXPECT_EQ(text("a.scv/empty.pgn"), "");
  EXPECT_EQ(text("a.scv/files/packed.pgn.gz"), tests::deflated(pgn, true));
  EXPECT_EQ(text("a.scv/files/x.cbh"), "cbh");
  EXPECT_THAT(text("a.scv/info.txt"), HasSubstr("not decoded: x.cbh"));
  EXPECT_THAT(text("a.scv/info.txt"), HasSubstr("problem: broken.pgn.gz"));
}

TEST_F(ArchiveTest, MembersWithReservedNamesAreRenamed) {
  put_archive("a.scv", packed_member("files/a.pgn", "1") + packed_member("status.txt/b.pgn", "2") +
                           packed_member("a", "file") + packed_member("a/b.pgn", "under a file") +
                           packed_member("index.html/c.pgn", "3") +
                           packed_member("README.txt/d.pgn", "4") +
                           members_of(example_database(2, 1).files(), "files/base"));
  open(source_);
  EXPECT_THAT(names("a.scv"), ElementsAre("README.txt~", "files~", "index.html~", "status.txt~",
                                          "info.txt", "files"));
  EXPECT_THAT(names("a.scv/files~"), ElementsAre("a.pgn.db", "base.si4", "info.txt", "a.pgn"));
  EXPECT_EQ(text("a.scv/files/files/a.pgn"), "1");
  EXPECT_EQ(text("a.scv/files/a"), "file");
  EXPECT_THAT(text("a.scv/info.txt"), HasSubstr("problem: a/b.pgn: something else"));
}

TEST_F(ArchiveTest, DamageIsReportedAndOtherMembersAreShown) {
  const tests::ScidFiles files = example_database(5, 1).files();
  const std::string bad = packed_member("bad.pgn", "text", "<Checksum> 1\n");
  put_archive("a.scv",
              bad + packed_member("lone.si4", files.index) +
                  packed_member("lone.sg4", files.games) + members_of(files, "whole") +
                  packed_member("none.si4", "no index") +
                  tests::archive_member("<FileName> far.pgn\n<URI> http://x/far.pgn\n", "") +
                  "<-- H E A D -->\n<FileName> cut.pgn\n<Size> 999\n<-- D A T A -->\n");
  open(source_);
  EXPECT_THAT(names("a.scv"), ElementsAre("lone.si4", "whole.si4", "info.txt"));
  EXPECT_EQ(text("a.scv/whole.si4/games/1.pgn").substr(0, 7), "[Event ");
  EXPECT_THAT(text("a.scv/lone.si4/all.pgn"), HasSubstr("[White \"?\"]"));
  const std::string info = text("a.scv/info.txt");
  for (const char* const line :
       {"problem: bad.pgn: wrong checksum\n", "problem: lone.si4: its .sn4 is missing or damaged\n",
        "refused: Cannot open ", "elsewhere: far.pgn at http://x/far.pgn\n", "problem: from byte ",
        "problem: cut.pgn: Size exceeds the file\n", "database: whole.si4: 5 games\n"}) {
    EXPECT_THAT(info, HasSubstr(line));
  }
}

TEST_F(ArchiveTest, InvalidArchivesAreRefused) {
  for (const char* const name : {"bad-magic.scv", "bad-head-missing.scv", "bad-size-missing.scv"}) {
    put_fixture(name);
  }
  put("base", example_database(2, 1).files());
  open(source_);
  EXPECT_THAT(names(""),
              ElementsAre("base.si4", "info.txt", "index.html", "status.txt", "README.txt"));
  EXPECT_THAT(text("info.txt"), HasSubstr("bad-magic.scv: it is no archive\n"));
}

TEST_F(ArchiveTest, InodeNumbersSurviveRemount) {
  put_archive("a.scv", members_of(example_database(5, 1).files(), "x/base") +
                           packed_member("x/one.pgn", "one") + packed_member("two.jpg", "two"));
  const std::vector<std::string> paths = {
      "a.scv",           "a.scv/x",     "a.scv/x/base.si4",   "a.scv/x/base.si4/all.pgn",
      "a.scv/x/one.pgn", "a.scv/files", "a.scv/files/two.jpg"};
  std::vector<Inode> before;
  open(source_);
  for (const std::string& path : paths) before.push_back(inode(path));
  put_archive("b.scv", packed_member("x.pgn", "other"));
  open(source_);
  for (std::size_t i = 0; i < paths.size(); ++i) EXPECT_EQ(inode(paths[i]), before[i]) << paths[i];
}

TEST_F(ArchiveTest, ArchiveCanBeTheSource) {
  put_fixture("ok-multi.scv");
  open(source_ / "ok-multi.scv");
  EXPECT_THAT(names(""), ElementsAre("extra.pgn.db", "tiny.si4", "info.txt", "extra.pgn", "files",
                                     "index.html", "status.txt", "README.txt"));
  EXPECT_THAT(text("tiny.si4/all.pgn"), HasSubstr("[White \"A, B\"]"));
  EXPECT_EQ(text("extra.pgn").size(), 129U);
  EXPECT_EQ(tree_->lookup(inode("tiny.si4"), "..", tests::unlimited_budget())->attributes.inode,
            kRootInode);
  EXPECT_EQ(tree_->lookup(inode("files"), "..", tests::unlimited_budget())->attributes.inode,
            kRootInode);
}

TEST_F(ArchiveTest, NewVersionShowsNewDatabasesAndOldOnesStayReadable) {
  put_archive("a.scv", members_of(example_database(5, 1).files(), "base") +
                           members_of(example_database(6, 2).files(), "gone") +
                           packed_member("one.pgn", "one"));
  open(source_);
  EXPECT_FALSE(library_->rescan().changed);
  const Inode all = inode("a.scv/base.si4/all.pgn");
  const Inode gone = inode("a.scv/gone.si4/all.pgn");
  const Inode one = inode("a.scv/one.pgn");
  const std::string all_before = text("a.scv/base.si4/all.pgn");
  const std::string gone_before = text("a.scv/gone.si4/all.pgn");
  const auto time = mtime("a.scv");

  put_archive("a.scv", members_of(example_database(7, 3).files(), "base") +
                           packed_member("one.pgn", "another"));
  const Library::Rescan found = library_->rescan();
  EXPECT_TRUE(found.changed);
  EXPECT_FALSE(found.again);
  EXPECT_THAT(names("a.scv"),
              ElementsAre("base.si4", "one.pgn.db", "info.txt", "files", "one.pgn"));
  EXPECT_NE(inode("a.scv/base.si4/all.pgn"), all);
  EXPECT_NE(text("a.scv/base.si4/all.pgn"), all_before);
  EXPECT_GT(mtime("a.scv"), time);
  EXPECT_EQ(text("a.scv/one.pgn"), "another");
  EXPECT_EQ(*read(all), all_before);
  EXPECT_EQ(*read(gone), gone_before);
  // It was never read: the file that contained it is still open.
  EXPECT_EQ(*read(one), "one");
  EXPECT_FALSE(library_->rescan().changed);

  stdfs::remove(source_ / "a.scv");
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_FALSE(exists("a.scv"));
  EXPECT_EQ(*read(all), all_before);
}

TEST_F(ArchiveTest, PartialArchiveIsNotShown) {
  const std::string whole = members_of(example_database(5, 1).files(), "base");
  put_archive("a.scv", whole);
  open(source_);
  const std::string before = text("a.scv/base.si4/all.pgn");
  const std::string next = members_of(example_database(6, 2).files(), "base");
  put_archive("a.scv", next.substr(0, next.size() / 2));
  const Library::Rescan found = library_->rescan();
  EXPECT_FALSE(found.changed);
  EXPECT_TRUE(found.again);
  EXPECT_EQ(text("a.scv/base.si4/all.pgn"), before);
  put_archive("a.scv", next);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_NE(text("a.scv/base.si4/all.pgn"), before);
}

TEST_F(ArchiveTest, OverwrittenMembersAreNotMixedIn) {
  put_archive("a.scv", packed_member("one.pgn", std::string(1000, '1')) +
                           packed_member("two.pgn", std::string(1000, '2')));
  open(source_);
  const Inode one = inode("a.scv/one.pgn");
  const Inode two = inode("a.scv/two.pgn");
  EXPECT_EQ(*read(one), std::string(1000, '1'));
  put(source_ / "a.scv", "something else");
  EXPECT_TRUE(absl::IsFailedPrecondition(read(two).status()));
}

TEST_F(ArchiveTest, ManyReadersShareOneUnpacking) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i);
  put_archive("a.scv", packed_member("one.pgn", text));
  open(source_);
  const Inode file = inode("a.scv/one.pgn");
  const std::uint64_t before = private_bytes_in_memory();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(*read(file), text); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(private_bytes_in_memory(), before + text.size());
  close();
  EXPECT_EQ(private_bytes_in_memory(), before);
}

TEST_F(ArchiveTest, ContentDoesNotDependOnWhereItIsUnpacked) {
  const std::string members = members_of(example_database(20, 1).files(), "base") +
                              packed_member("one.pgn", std::string(500'000, '1'));
  put_archive("a.scv", members);
  std::string expected;
  stdfs::create_directory(folder_ / "cache");
  for (const UnpackOptions& unpack :
       {UnpackOptions{.to = UnpackTo::Memory},
        UnpackOptions{.to = UnpackTo::File, .most_in_memory = 0},
        UnpackOptions{.to = UnpackTo::Auto, .most_in_memory = 0},
        UnpackOptions{.to = UnpackTo::Auto, .most_in_memory = 100'000}}) {
    options_.unpack = unpack;
    options_.unpack.folder = folder_ / "cache";
    open(source_);
    const std::string text = this->text("a.scv/base.si4/all.pgn") + this->text("a.scv/one.pgn");
    if (expected.empty()) expected = text;
    EXPECT_EQ(text, expected);
    const bool is_bounded = unpack.to != UnpackTo::Memory;
    EXPECT_LE(private_bytes_in_memory(), is_bounded ? unpack.most_in_memory : 1'000'000);
    EXPECT_TRUE(stdfs::is_empty(folder_ / "cache"));
    EXPECT_THAT(text, HasSubstr("[White "));
  }
  close();
  options_.unpack = {.to = UnpackTo::Auto, .most_in_memory = 1000};
  open(source_);
  EXPECT_THAT(text("a.scv/info.txt"), HasSubstr("no cache folder"));
}

TEST_F(ArchiveTest, CheckReportsDamage) {
  const auto report = [this](Health expected) {
    std::string text;
    EXPECT_EQ(check(
                  source_, {.threads = 1}, [&](std::string_view more) { text += more; },
                  [](std::uint64_t, std::uint64_t) {}),
              expected)
        << text;
    return text;
  };
  put_fixture("ok-multi.scv");
  EXPECT_THAT(report(Health::Good), HasSubstr("ok-multi.scv/tiny.si4: good"));
  put_fixture("bad-crc.scv");
  EXPECT_THAT(report(Health::Damaged), HasSubstr("problem: tiny.si4: wrong checksum"));
  put_fixture("bad-magic.scv");
  EXPECT_THAT(report(Health::Unreadable), HasSubstr("bad-magic.scv: it is no archive"));
}

// All listed files of every fixture can be read.
TEST_F(ArchiveTest, FixturesCanBeReadInFull) {
  for (const std::string& stem : tests::stems_in("scv", ".scv")) put_fixture(stem + ".scv");
  open(source_);
  std::size_t files = 0;
  const std::function<void(Inode)> walk = [&](Inode directory) {
    std::vector<std::string> found;
    ASSERT_TRUE(tree_
                    ->list(directory, 0, tests::unlimited_budget(),
                           [&](const DirectoryEntry& entry) {
                             found.emplace_back(entry.name);
                             return true;
                           })
                    .ok());
    for (const std::string& name : found) {
      const absl::StatusOr<Entry> entry = tree_->lookup(directory, name, tests::unlimited_budget());
      ASSERT_TRUE(entry.ok()) << name << entry.status();
      if (entry->attributes.is_directory) {
        walk(entry->attributes.inode);
      } else {
        EXPECT_TRUE(read(entry->attributes.inode).ok()) << name;
        ++files;
      }
    }
  };
  walk(kRootInode);
  EXPECT_GT(files, 250U);
  EXPECT_TRUE(exists("bad-bomb.scv/one-game.pgn"));
  EXPECT_FALSE(exists("bad-bomb.scv/bomb.pgn"));
  EXPECT_TRUE(exists("ok-latin1-name.scv/Caf\u00E9.pgn"));
}

}  // namespace
}  // namespace scidfs::fs
