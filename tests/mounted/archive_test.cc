// Archives in a real mount, and packed by the real program.
#include "tests/support/archive.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>

#include "tests/mounted/mounted.h"
#include "tests/support/packed.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Strict mode, to prove that all system calls for archives are allowed.
std::string strictly(const std::string& options) {
  return options + (can_be_strict() ? ",sandbox=strict" : "");
}

class ArchiveMountTest : public MountedTest {
 protected:
  std::string pack(const std::string& words) const {
    const filesystem::path program =
        filesystem::path(scidfs_binary()).parent_path() / "scidfs-pack";
    return shell_word(program.string()) + " " + words;
  }
  // Packs sample.si4 into an archive in the source.
  void pack_sample(const std::string& name) const {
    run_ok(pack(shell_word(sample_database().string()) + " -o " +
                shell_word((folder_ / name).string())));
  }

  TemporaryFolder folder_;
};

// The sandbox hides what iconv and libarchive read for names.
TEST_F(ArchiveMountTest, CodePagesAreKnownInTheSandbox) {
  const std::string game = "[White \"\x92\xA0\xAB\xEC\"]\n\n1. e4 *\n";
  write_file(folder_ / "dos.zip", zipped({{"\x8F\xE0\xA8.pgn", game}}));
  write_file(folder_ / "utf8.zip", with_utf8_names(zipped({{"Müller.pgn", game}})));
  const Mount mount({.source = folder_.path(), .options = strictly("encoding=866")});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(read_all(mount / "dos.zip/При.pgn/all.pgn"), HasSubstr("[White \"Таль\"]"));
  EXPECT_THAT(read_all(mount / "utf8.zip/Müller.pgn/all.pgn"), HasSubstr("[White \"Таль\"]"));
  const std::string import =
      shell_word((filesystem::path(scidfs_binary()).parent_path() / "scidfs-import").string());
  const std::string strict = can_be_strict() ? " --sandbox=strict" : "";
  for (const std::string encoding : {"866", "names:866"}) {
    EXPECT_THAT(run_ok(import + " --encoding " + encoding + strict + " " +
                       shell_word((folder_ / "dos.zip").string()) + " -o " +
                       shell_word((folder_ / (encoding.substr(0, 1) + ".si5")).string())),
                HasSubstr("1 games"));
  }
}

TEST_F(ArchiveMountTest, PackedSampleHasTheTextsOfTheSample) {
  pack_sample("sample.scv");
  for (const std::string where : {"unpack=memory", "unpack=file", "unpack=auto"}) {
    const Mount packed({.source = folder_.path(), .options = strictly(where)});
    const Mount plain({.source = sample_folder()});
    ASSERT_TRUE(packed.ok() && plain.ok());
    EXPECT_THAT(names_in(packed / "sample.scv"), ElementsAre("info.txt", "sample.si4"));
    for (const char* const name :
         {"all.pgn", "index.tsv", "errors.tsv", "players.tsv", "openings.tsv",
          "search/eco=B/year=..1990/games.pgn", "search/text=mate/index.tsv",
          "search/player=C*/opponents.tsv", "eco/B/summary.txt"}) {
      EXPECT_EQ(read_all(packed / ("sample.scv/sample.si4/" + std::string(name))),
                read_all(plain / ("sample.si4/" + std::string(name))));
    }
    run_ok("diff -r " + shell_word((packed / "sample.scv/sample.si4/players").string()) + " " +
           shell_word((plain / "sample.si4/players").string()));
  }
}

TEST_F(ArchiveMountTest, ArchiveCanBeTheSource) {
  pack_sample("sample.scv");
  const Mount mount({.source = folder_ / "sample.scv"});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(names_in(mount.path()),
              ElementsAre("README.txt", "index.html", "info.txt", "sample.si4", "status.txt"));
  EXPECT_THAT(read_all(mount / "info.txt"), HasSubstr("member: sample.sg4: "));
  EXPECT_GT(cut_games(read_all(mount / "sample.si4/all.pgn")).size(), 10U);
}

TEST_F(ArchiveMountTest, AllFixturesCanBeRead) {
  run_ok("cp " + shell_word(test_data("scv")) + "/*.scv " + shell_word(folder_.path().string()));
  const Mount mount({.source = folder_.path(), .options = strictly("unpack=auto,patience=0")});
  ASSERT_TRUE(mount.ok());
  for (const filesystem::path& file : files_below(mount.path())) {
    if (file.filename() == "status.txt") continue;
    EXPECT_EQ(read_all(file).size(), filesystem::file_size(file)) << file;
  }
  EXPECT_EQ(read_all(mount / "ok-delim-in-data.scv/trap.pgn").size(), 198U);
  EXPECT_THAT(read_all(mount / "ok-delim-in-data.scv/trap.pgn.db/games/1.pgn"),
              HasSubstr("3. Qxe5# 1-0"));
  EXPECT_FALSE(filesystem::exists(folder_.path().parent_path() / "escape.pgn"));
}

TEST_F(ArchiveMountTest, NewArchiveIsShownAndOldReadersContinue) {
  pack_sample("sample.scv");
  const Mount mount({.source = folder_.path()});
  ASSERT_TRUE(mount.ok());
  const std::string before = read_all(mount / "sample.scv/sample.si4/all.pgn");
  const int file = ::open((mount / "sample.scv/sample.si4/index.tsv").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  run_ok(pack(shell_word(test_data("scid4/castling.si4")) + " " +
              shell_word(sample_database().string()) + " --force -o " +
              shell_word((folder_ / "sample.scv").string())));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!filesystem::exists(mount / "sample.scv/castling.si4/all.pgn") &&
         std::chrono::steady_clock::now() < end) {
    ::usleep(20'000);
  }
  EXPECT_FALSE(cut_games(read_all(mount / "sample.scv/castling.si4/all.pgn")).empty());
  EXPECT_EQ(read_all(mount / "sample.scv/sample.si4/all.pgn"), before);
  char byte = 0;
  EXPECT_EQ(::pread(file, &byte, 1, 0), 1);
  ::close(file);
}

TEST_F(ArchiveMountTest, ProgramsReportErrors) {
  std::ofstream(folder_ / "bad.scv") << "no archive";
  EXPECT_THAT(
      run(shell_word(scidfs_binary()) + " --check " + shell_word((folder_ / "bad.scv").string()))
          .errors,
      HasSubstr("bad.scv: it is no archive"));
  const Outcome usage = run(pack("x.si4"));
  EXPECT_EQ(usage.exit_code, 2);
  EXPECT_THAT(usage.errors, HasSubstr("-o ARCHIVE is missing"));
  const Outcome there = run(pack(shell_word(sample_database().string()) + " -o " +
                                 shell_word((folder_ / "bad.scv").string())));
  EXPECT_EQ(there.exit_code, 1);
  EXPECT_THAT(there.errors, HasSubstr("--force"));
}

// A shell in which the daemon may have only so many open files.
std::string with_few_files(std::size_t most, const std::string& command) {
  return "ulimit -n " + std::to_string(most) + "; " + command;
}

class FewFilesTest : public ArchiveMountTest {
 protected:
  FewFilesTest() { filesystem::create_directory(mountpoint_); }
  ~FewFilesTest() override { run("fusermount3 -u " + word(mountpoint_)); }

  // Mounts the folder under `ulimit -n`.
  Outcome mount(std::size_t most) {
    return run(with_few_files(
        most, shell_word(scidfs_binary()) + " " + word(source()) + " " + word(mountpoint_)));
  }
  filesystem::path source() const { return folder_ / "source"; }
  static ScidFiles files() { return read_scid_files(test_data("scid4/tags")); }

  filesystem::path mountpoint_ = folder_ / "mount";
};

TEST_F(FewFilesTest, ArchiveOfManyDatabasesIsShownCompletely) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer has descriptors of its own";
  constexpr int kDatabases = 600;
  std::string bytes(kArchiveStart);
  for (int i = 0; i < kDatabases; ++i) {
    const std::string name = "base" + std::to_string(i);
    bytes += packed_member(name + ".si4", files().index) +
             packed_member(name + ".sg4", files().games) +
             packed_member(name + ".sn4", files().names);
  }
  filesystem::create_directory(source());
  write_file(source() / "a.scv", bytes);
  filesystem::copy(sample_folder(), source(), filesystem::copy_options::recursive);
  const Outcome outcome = mount(128);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, testing::Not(HasSubstr("ulimit")));
  EXPECT_EQ(names_in(mountpoint_ / "a.scv").size(), kDatabases + 1U);
  EXPECT_EQ(read_all(mountpoint_ / "a.scv/base599.si4/all.pgn"),
            read_all(mountpoint_ / "a.scv/base0.si4/all.pgn"));
  EXPECT_FALSE(cut_games(read_all(mountpoint_ / "sample.si4/all.pgn")).empty());
  run_ok("fusermount3 -u " + word(mountpoint_));
}

TEST_F(FewFilesTest, ManyDatabasesLeaveDescriptorsForTheMount) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer has descriptors of its own";
  constexpr int kDatabases = 100;
  for (int i = 0; i < kDatabases; ++i) {
    const filesystem::path folder = source() / ("f" + std::to_string(i));
    filesystem::create_directories(folder);
    write_file(folder / "base.si4", files().index);
    write_file(folder / "base.sg4", files().games);
    write_file(folder / "base.sn4", files().names);
  }
  const Outcome outcome = mount(128);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("see ulimit -n"));
  EXPECT_THAT(outcome.errors, testing::Not(HasSubstr("fusermount3")));
  // All listed files can be read completely, many of them at once.
  int shown = 0;
  std::vector<int> readers;
  for (const filesystem::path& file : files_below(mountpoint_)) {
    if (file.parent_path().filename() == "base.si4" && file.filename() == "info.txt") {
      EXPECT_THAT(read_all(file), HasSubstr("health: good\n"));
    }
    if (file.filename() != "all.pgn" || file.parent_path().filename() != "base.si4") continue;
    ++shown;
    readers.push_back(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_FALSE(read_all(file).empty());
  }
  EXPECT_GT(shown, 30);
  EXPECT_LT(shown, kDatabases);
  for (const int reader : readers) ::close(reader);
  run_ok("fusermount3 -u " + word(mountpoint_));
}

}  // namespace
}  // namespace scidfs::tests
