// The three files of a database cannot get their names at once: what an import that is killed
// meanwhile leaves does not stop the next one.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file/descriptor.h"
#include "fs/import/import.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kFirstGame = "[White \"Z\"]\n[Black \"B\"]\n\n1. e4 e5 *\n";
constexpr std::string_view kSecondGame = "[White \"A\"]\n[Black \"Z\"]\n\n1. c4 (1. f4) *\n";
constexpr std::string_view kThirdGame = "[White \"C\"]\n[Black \"C\"]\n\n1. d4 {third} *\n";

class InterruptedTest : public testing::TestWithParam<std::string> {
 protected:
  InterruptedTest() {
    tests::write_file(folder_ / "first.pgn", kFirstGame);
    tests::write_file(folder_ / "second.pgn", kSecondGame);
    tests::write_file(folder_ / "third.pgn", kThirdGame);
  }

  // The index, the games and the names: in the order in which they lie in a signature.
  std::vector<stdfs::path> paths(const std::string& database) const {
    const std::string number = GetParam().substr(3);
    const stdfs::path stem = folder_ / database;
    return {stem.string() + ".si" + number, stem.string() + ".sg" + number,
            stem.string() + ".sn" + number};
  }
  absl::Status import(const std::vector<std::string>& names, const std::string& database,
                      bool is_append = false) const {
    ImportOptions options{
        .sources = {}, .database = paths(database).front(), .is_append = is_append};
    for (const std::string& name : names) options.sources.push_back(folder_ / name);
    return import_games(
               options, [](std::uint64_t, std::uint64_t) {}, [](std::string_view) {})
        .status();
  }
  // Brings the files to where they are when an import or an append is killed after its first or
  // second renaming.
  void interrupt(const std::string& source, bool is_append, int renamings) {
    const std::vector<stdfs::path> files = paths("base");
    const std::vector<stdfs::path> old = paths("old");
    for (std::size_t i = 0; is_append && i < files.size(); ++i) {
      stdfs::create_hard_link(files[i], old[i]);
    }
    // What earlier ones left is removed after the last renaming only.
    const std::vector<stdfs::path> left = hidden();
    for (const stdfs::path& path : left) stdfs::create_hard_link(path, path.string() + ".kept");
    if (!import({source}, "base", is_append).ok()) std::abort();
    for (const stdfs::path& path : left) {
      stdfs::remove(path);  // both are one file if it is there
      stdfs::rename(path.string() + ".kept", path);
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
      if (i == 2 && renamings == 2) break;
      stdfs::rename(files[i], aside(files[i]));
      if (is_append) stdfs::rename(old[i], files[i]);
    }
    for (const stdfs::path& path : old) stdfs::remove(path);
  }
  stdfs::path aside(const stdfs::path& path) {
    std::array<char, 9> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", ++asides_);
    return folder_ / ("." + path.filename().string() + ".scidfs-" + digits.data());
  }
  std::vector<stdfs::path> hidden() const {
    std::vector<stdfs::path> paths;
    for (const auto& entry : stdfs::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().starts_with('.')) paths.push_back(entry.path());
    }
    return paths;
  }
  void expect_same(const std::string& database) const {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(tests::read_file(paths("base")[i]), tests::read_file(paths(database)[i])) << i;
    }
    EXPECT_THAT(hidden(), testing::IsEmpty());
  }
  void remove(const std::string& database) const {
    for (const stdfs::path& path : paths(database)) stdfs::remove(path);
  }

  const tests::TemporaryFolder folder_;
  unsigned asides_ = 0;
};

TEST_P(InterruptedTest, FilesWithoutTheirIndexAreReplaced) {
  ASSERT_TRUE(import({"second.pgn"}, "expected").ok());
  for (const int renamings : {1, 2}) {
    interrupt("first.pgn", false, renamings);
    ASSERT_FALSE(stdfs::exists(paths("base").front()));
    EXPECT_EQ(import({"second.pgn"}, "base"), absl::OkStatus()) << renamings;
    expect_same("expected");
    remove("base");
  }
}

TEST_P(InterruptedTest, AppendWorksBesideNewFilesOfAnother) {
  ASSERT_TRUE(import({"first.pgn", "third.pgn"}, "expected").ok());
  for (const int renamings : {1, 2}) {
    for (const int second : {0, 1, 2}) {
      ASSERT_TRUE(import({"first.pgn"}, "base").ok());
      interrupt("second.pgn", true, renamings);
      // Another end, before this was repaired.
      if (second != 0) interrupt("second.pgn", true, second);
      EXPECT_EQ(import({"third.pgn"}, "base", true), absl::OkStatus())
          << renamings << ", " << second;
      expect_same("expected");
      remove("base");
    }
  }
}

TEST_P(InterruptedTest, AppendThatFailsKeepsWhatTheNextOneNeeds) {
  ASSERT_TRUE(import({"first.pgn", "third.pgn"}, "expected").ok());
  ASSERT_TRUE(import({"first.pgn"}, "base").ok());
  interrupt("second.pgn", true, 1);
  EXPECT_FALSE(import({"second.pgn", "missing.pgn"}, "base", true).ok());
  EXPECT_EQ(import({"third.pgn"}, "base", true), absl::OkStatus());
  expect_same("expected");
}

TEST_P(InterruptedTest, FilesOfOthersWithoutIndexAreNeverReplaced) {
  const std::vector<stdfs::path> files = paths("base");
  const auto expect_kept = [&](std::string_view what) {
    std::vector<std::string> before;
    for (const std::size_t i : {1, 2}) before.push_back(tests::read_file(files[i]));
    const absl::Status status = import({"first.pgn"}, "base");
    EXPECT_TRUE(absl::IsAlreadyExists(status)) << what << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("it is there already"));
    for (const std::size_t i : {1, 2}) EXPECT_EQ(tests::read_file(files[i]), before[i - 1]) << what;
  };
  // Ours, but it had its index.
  ASSERT_TRUE(import({"first.pgn"}, "base").ok());
  stdfs::remove(files[0]);
  expect_kept("without an index");
  // Scid's, beside what an import left.
  remove("base");
  interrupt("first.pgn", false, 2);
  for (const std::size_t i : {1, 2}) {
    stdfs::remove(files[i]);
    tests::write_file(files[i], "Scid");
  }
  expect_kept("of Scid");
  // Scid has written to ours.
  remove("base");
  interrupt("first.pgn", false, 2);
  tests::write_file(files[1], tests::read_file(files[1]) + "more");
  tests::write_file(files[2], tests::read_file(files[2]) + "more");
  expect_kept("changed");
}

TEST_P(InterruptedTest, FilesOfAnImportThatRunsAreNotReplaced) {
  const std::vector<stdfs::path> files = paths("base");
  interrupt("first.pgn", false, 2);
  std::vector<Descriptor> held;
  for (const std::size_t i : {1, 2}) {
    held.emplace_back(::open(files[i].c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::flock(held.back().get(), LOCK_EX | LOCK_NB), 0);
  }
  EXPECT_TRUE(absl::IsAlreadyExists(import({"second.pgn"}, "base")));
  EXPECT_TRUE(stdfs::exists(files[1]) && stdfs::exists(files[2]));
}

// Its games do not begin with those of the index that is there now.
TEST_P(InterruptedTest, AppendToAnotherIndexIsNotRecognised) {
  ASSERT_TRUE(import({"first.pgn"}, "base").ok());
  ASSERT_TRUE(import({"third.pgn"}, "other").ok());
  interrupt("second.pgn", true, 2);
  stdfs::rename(paths("other").front(), paths("base").front());
  const absl::Status status = import({"third.pgn"}, "base", true);
  EXPECT_THAT(std::string(status.message()), HasSubstr("another program has written to it"));
}

INSTANTIATE_TEST_SUITE_P(Formats, InterruptedTest, testing::Values(".si4", ".si5"),
                         [](const auto& format) { return format.param.substr(1); });

}  // namespace
}  // namespace scidfs::fs
