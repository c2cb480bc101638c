// Games are appended to databases that scidfs-import wrote, and to no other ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/import/import.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::HasSubstr;
using tests::ScidDatabase;
using tests::ScidFiles;

constexpr std::string_view kFirst =
    "[Event \"Zürich\"]\n[White \"Z\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n"
    "[Event \"A\"]\n[White \"B\"]\n[Black \"C\"]\n\n1. d4 {first} *\n";
constexpr std::string_view kSecond =
    "[Event \"Aachen\"]\n[White \"A\"]\n[Black \"Z\"]\n[Round \"2\"]\n\n1. c4 (1. f4) *\n";

class AppendTest : public testing::TestWithParam<std::string> {
 protected:
  AppendTest() {
    tests::write_file(folder_ / "first.pgn", kFirst);
    tests::write_file(folder_ / "second.pgn", kSecond);
    if (!import({"first.pgn"}, "base", false).ok()) std::abort();
    base_ = folder_ / ("base" + GetParam());
    written_ = files("base");
  }

  absl::StatusOr<ImportReport> import(
      const std::vector<std::string>& names, const std::string& database, bool is_append,
      const std::function<void()>& meanwhile = [] {}) const {
    ImportOptions options{
        .sources = {}, .database = folder_ / (database + GetParam()), .is_append = is_append};
    for (const std::string& name : names) options.sources.push_back(folder_ / name);
    return import_games(
        options, [&](std::uint64_t, std::uint64_t) { meanwhile(); }, [](std::string_view) {});
  }
  absl::StatusOr<ImportReport> append(const std::string& name) const {
    return import({name}, "base", true);
  }
  ScidFiles files(const std::string& database) const {
    return tests::read_scid_files((folder_ / database).string(), GetParam());
  }
  // The paths of the three files of the database.
  std::vector<stdfs::path> paths() const {
    const bool is_scid4 = GetParam() == ".si4";
    return {base_, stdfs::path(base_).replace_extension(is_scid4 ? ".sg4" : ".sg5"),
            stdfs::path(base_).replace_extension(is_scid4 ? ".sn4" : ".sn5")};
  }

  const tests::TemporaryFolder folder_;
  stdfs::path base_;
  ScidFiles written_;
};

TEST_P(AppendTest, IsAsIfAllHadBeenImportedTogether) {
  ASSERT_TRUE(import({"first.pgn", "second.pgn", "first.pgn"}, "together", false).ok());
  const auto report = append("second.pgn");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, 1u);
  ASSERT_TRUE(append("first.pgn").ok()) << "a new version is signed, too";
  EXPECT_TRUE(files("base") == files("together"));
  ASSERT_TRUE(import({"base" + GetParam()}, "base", true).ok()) << "to itself";
  const std::string text = ScidDatabase((folder_ / "together").string(), GetParam()).render();
  EXPECT_EQ(ScidDatabase((folder_ / "base").string(), GetParam()).render(), text + text);
}

// The three files cannot be replaced at once.
TEST_P(AppendTest, OldIndexFitsToNewGamesAndNames) {
  const std::string text = ScidDatabase((folder_ / "base").string(), GetParam()).render();
  ASSERT_TRUE(append("second.pgn").ok());
  const ScidFiles after = files("base");
  EXPECT_TRUE(after.games.starts_with(written_.games));
  for (const ScidFiles& step : {ScidFiles{written_.index, written_.names, after.games},
                                ScidFiles{written_.index, after.names, after.games}}) {
    write_scid_files(step, folder_ / "step", GetParam());
    EXPECT_EQ(ScidDatabase((folder_ / "step").string(), GetParam()).render(), text);
  }
}

TEST_P(AppendTest, RefusesWhatIsNotAsItWasWritten) {
  const auto texts = [this] {
    std::vector<std::string> all;
    for (const stdfs::path& path : paths()) {
      all.push_back(stdfs::exists(path) ? tests::read_file(path) : "");
    }
    return all;
  };
  const auto expect_refusal = [&](std::string_view reason) {
    const std::vector<std::string> before = texts();
    const auto report = append("second.pgn");
    EXPECT_FALSE(report.ok()) << reason;
    EXPECT_THAT(std::string(report.status().message()), HasSubstr(reason));
    EXPECT_EQ(texts(), before) << reason;
  };
  for (const stdfs::path& path : paths()) {
    const std::string bytes = tests::read_file(path);
    const auto time = stdfs::last_write_time(path);
    const auto write = [&](std::string_view text) {
      // Not a new file, which would have no signature.
      std::fstream(path, std::ios::in | std::ios::out | std::ios::trunc) << text;
      stdfs::last_write_time(path, time);
    };
    stdfs::last_write_time(path, time + std::chrono::nanoseconds(1));
    expect_refusal("another program has written to it");
    std::string other = bytes;
    other.back() ^= 1;
    write(other);
    expect_refusal("it is not what was written");
    write(bytes + "x");
    expect_refusal("another program has written to it");
    write(bytes);
    EXPECT_TRUE(append("second.pgn").ok()) << "as it was";
    stdfs::remove(path);
    expect_refusal("Cannot");
    for (const stdfs::path& one : paths()) stdfs::remove(one);
    ASSERT_TRUE(import({"first.pgn"}, "base", false).ok());
  }
  // A copy without attributes.
  stdfs::copy(base_, folder_ / "copy");
  stdfs::rename(folder_ / "copy", base_);
  expect_refusal("scidfs-import did not write it");
  for (const stdfs::path& path : paths()) stdfs::remove(path);
  expect_refusal("No such file");
}

TEST_P(AppendTest, OldVersionStaysAfterAnError) {
  EXPECT_FALSE(import({"second.pgn", "missing.pgn"}, "base", true).ok());
  EXPECT_TRUE(files("base") == written_);
  // Another program saves the database while games are added.
  bool is_saved = false;
  const auto report = import({"second.pgn"}, "base", true, [&] {
    if (std::exchange(is_saved, true)) stdfs::last_write_time(base_, {});
    is_saved = true;
  });
  EXPECT_TRUE(absl::IsUnavailable(report.status())) << report.status();
  EXPECT_TRUE(files("base") == written_);
  const auto in_folder = std::distance(stdfs::directory_iterator(folder_.path()), {});
  EXPECT_EQ(in_folder, 5) << "nothing half-written stays";
}

INSTANTIATE_TEST_SUITE_P(Formats, AppendTest, testing::Values(".si4", ".si5"),
                         [](const auto& format) { return format.param.substr(1); });

}  // namespace
}  // namespace scidfs::fs
