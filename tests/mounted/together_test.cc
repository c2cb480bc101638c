// together/ of databases of all formats, in sub-folders, archives and on a server.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/remote_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class TogetherMountTest : public MountedTest {
 protected:
  // Copies a database of the fixtures: "scid4/fen.si4".
  void copy(const std::string& fixture, const std::string& prefix) const {
    const filesystem::path index = test_data(fixture);
    const char format = index.extension().string().back();
    filesystem::create_directories((source_ / prefix).parent_path());
    for (const char* const kind : {".si", ".sn", ".sg"}) {
      const std::string extension = std::string(kind) + format;
      filesystem::copy_file(filesystem::path(index).replace_extension(extension),
                            source_ / (prefix + extension));
    }
    make_old((source_ / prefix).parent_path());
  }
  void mount(const std::string& options = "") {
    mount_.reset();
    mount_ = std::make_unique<Mount>(MountSetup{.source = source_, .options = options});
    ASSERT_TRUE(mount_->ok());
  }
  std::string text(const std::string& path) const { return read_all(*mount_ / path); }
  bool exists(const std::string& path) const { return filesystem::exists(*mount_ / path); }
  // The databases that take part, from info.txt.
  std::vector<std::string> databases(const std::string& together = "together") const {
    return matches(text(together + "/info.txt"), std::regex("database: (.*): [0-9]+ games"));
  }

  TemporaryFolder folder_;
  const filesystem::path source_ = [this] {
    filesystem::create_directory(folder_ / "source");
    return folder_ / "source";
  }();
  std::unique_ptr<Mount> mount_;
};

TEST_F(TogetherMountTest, DatabasesOfAllFormatsStandTogether) {
  copy("scid3/endings.si3", "old/endings");
  copy("scid5/chess960.si5", "new");
  copy("sample/sample.si4", "sample");
  mount("sandbox=strict");
  if (HasFatalFailure()) return;
  const std::vector<std::string> paths = {"new.si5", "old/endings.si3", "sample.si4"};
  EXPECT_EQ(databases(), paths);
  // All games are those of the databases, one after the other.
  std::string games;
  std::string lines;
  for (const std::string& path : paths) {
    games += text(path + "/all.pgn");
    const std::string index = text(path + "/index.tsv");
    if (lines.empty()) lines = index.substr(0, index.find('\n')) + "\tdatabase\n";
    for (std::vector<std::string> row : rows_of(index)) {
      row[12] = fmt::format("../{}/{}", path, row[12]);
      for (const std::string& field : row) lines += field + '\t';
      lines += path + '\n';
    }
  }
  EXPECT_TRUE(text("together/all.pgn") == games);
  EXPECT_TRUE(text("together/games.pgn") == games);
  const std::string index = text("together/index.tsv");
  EXPECT_TRUE(index == lines);
  // Each path leads to the game of its line.
  const std::vector<std::string> texts = cut_games(games);
  const std::vector<std::vector<std::string>> rows = rows_of(index);
  ASSERT_EQ(rows.size(), texts.size());
  for (std::size_t i = 0; i < rows.size(); i += i < 100 ? 1 : 13) {
    EXPECT_EQ(text("together/" + rows[i][12]), texts[i]) << rows[i][12];
  }
  // A set is in the order of the databases, too.
  const std::string won = text("together/search/result=1-0/index.tsv");
  std::string expected = lines.substr(0, lines.find('\n') + 1);
  for (const std::string& line : split(lines.substr(expected.size()), '\n')) {
    if (fields_of(line)[5] == "1-0") expected += line + '\n';
  }
  EXPECT_TRUE(won == expected);
  for (const auto& file : files_below(*mount_ / "together/years")) {
    EXPECT_EQ(read_all(file).size(), filesystem::file_size(file)) << file;
  }
  EXPECT_EQ(mount_->messages(), "");
}

TEST_F(TogetherMountTest, ArchivesTakePartIfAskedForAndBooksNever) {
  copy("scid4/fen.si4", "near");
  run_ok(fmt::format("{} {} {} -o {}", word(program("scidfs-pack")),
                     word(test_data("scid4/castling.si4")), word(test_data("scid4/eco.si4")),
                     word(source_ / "packed.scv")));
  for (const auto& file : filesystem::directory_iterator(test_data("kvetka"))) {
    if (file.path().stem().string().starts_with("small"))
      filesystem::copy(file.path(), source_ / file.path().filename());
  }
  mount("patience=0");
  if (HasFatalFailure()) return;
  // One database, an archive of two, and a book.
  EXPECT_THAT(names_in(mount_->path()), Contains("small.kob"));
  EXPECT_FALSE(exists("together"));
  mount("together=all,patience=0");
  if (HasFatalFailure()) return;
  EXPECT_THAT(databases(),
              ElementsAre("near.si4", "packed.scv/castling.si4", "packed.scv/eco.si4"));
  EXPECT_EQ(text("together/all.pgn"), text("near.si4/all.pgn") +
                                          text("packed.scv/castling.si4/all.pgn") +
                                          text("packed.scv/eco.si4/all.pgn"));
  for (const std::vector<std::string>& row : rows_of(text("together/index.tsv"))) {
    EXPECT_EQ(text("together/" + row[12]),
              text(fmt::format("{}/games/{}.pgn", row.back(), row[0])));
  }
  EXPECT_EQ(rows_of(text("together/search/base=packed.scv%2F*/index.tsv")).size(),
            cut_games(text("packed.scv/castling.si4/all.pgn")).size() +
                cut_games(text("packed.scv/eco.si4/all.pgn")).size());
  EXPECT_FALSE(exists("packed.scv/together"));
}

TEST_F(TogetherMountTest, EachFolderWithSeveralDatabasesHasOne) {
  copy("scid4/fen.si4", "a");
  copy("scid4/eco.si4", "one/b");
  copy("scid4/dates.si4", "several/deep/c");
  copy("scid4/flags.si4", "several/d");
  copy("scid4/header.si4", "together/e");
  mount();
  if (HasFatalFailure()) return;
  EXPECT_THAT(databases(), ElementsAre("a.si4", "one/b.si4", "several/d.si4", "several/deep/c.si4",
                                       "together~1/e.si4"));
  EXPECT_THAT(databases("several/together"), ElementsAre("d.si4", "deep/c.si4"));
  for (const char* const folder : {"one", "several/deep", "together~1", "a.si4"}) {
    EXPECT_FALSE(exists(std::string(folder) + "/together")) << folder;
  }
  EXPECT_EQ(text("together/search/base=together%7E1%2F*/games.pgn"),
            text("together~1/e.si4/all.pgn"));
  // It is where its folder is, for programs that walk up.
  EXPECT_EQ(run_ok("cd -P " + word(*mount_ / "several/together/search/..") + "/.. && ls"),
            "d.si4\ndeep\ninfo.txt\n");
  EXPECT_THAT(names_in(mount_->path()), Not(Contains("together")));
  EXPECT_THAT(run_ok("grep -rlE 'White \"' --include=all.pgn " + word(*mount_ / "several")),
              Not(HasSubstr("together")));

  mount("together=list");
  if (HasFatalFailure()) return;
  EXPECT_THAT(names_in(mount_->path()), Contains("together"));
  EXPECT_THAT(names_in(*mount_ / "several"), Contains("together"));
  EXPECT_THAT(names_in(*mount_ / "one"), Not(Contains("together")));
  EXPECT_THAT(text("several/together/.ignore"), EndsWith("\n*\n"));

  mount("together=no");
  if (HasFatalFailure()) return;
  for (const char* const path : {"several/together", "several/together/all.pgn", "together~1"}) {
    struct stat status {};
    EXPECT_EQ(::stat((*mount_ / path).c_str(), &status), -1) << path;
    EXPECT_EQ(errno, ENOENT) << path;
  }
  // Here it is an entry of the source.
  EXPECT_TRUE(exists("together/e.si4/all.pgn"));
}

TEST_F(TogetherMountTest, DatabasesOfAServerStandBesideOthers) {
  const filesystem::path server = folder_ / "server";
  filesystem::create_directory(server);
  filesystem::create_directory(source_ / "far");
  copy("sample/sample.si4", "near");
  copy_sample(server / "far");
  const RemoteFolder remote(server, source_ / "far");
  ASSERT_TRUE(remote.ok());
  mount();
  if (HasFatalFailure()) return;
  EXPECT_THAT(databases(), ElementsAre("far/far.si4", "near.si4"));
  const std::string once = text("near.si4/all.pgn");
  EXPECT_TRUE(text("together/all.pgn") == once + once);
  EXPECT_EQ(rows_of(text("together/search/text=mate/index.tsv")).size(),
            2 * rows_of(text("near.si4/search/text=mate/index.tsv")).size());
  const std::vector<std::vector<std::string>> rows = rows_of(text("together/eco/B/B90/index.tsv"));
  EXPECT_GT(rows.size(), 2U);
  for (const std::vector<std::string>& row : rows) {
    EXPECT_THAT(text("together/" + row[12]), HasSubstr("[ECO \"B90"));
  }
}

}  // namespace
}  // namespace scidfs::tests
