// Mounting and unmounting: messages, exit codes, users, signals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>

#include "tests/mounted/mounted.h"
#include "tests/support/faulty_folder.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class MountingTest : public MountpointTest {
 protected:
  // scidfs with these arguments, with a cache folder of the test.
  Outcome scidfs(const std::string& words) {
    return run(fmt::format("XDG_CACHE_HOME={} {} {}", word(folder_ / "cache"),
                           shell_word(scidfs_binary()), words));
  }
  // In the background, as users mount.
  Outcome mount(const filesystem::path& source, const std::string& more = "") {
    return scidfs(fmt::format("{} {} {}", word(source), word(mountpoint_), more));
  }
  Outcome unmount() { return run("fusermount3 -u " + word(mountpoint_)); }
  void expect_failure(const Outcome& outcome, int code,
                      const testing::Matcher<std::string>& errors) {
    EXPECT_EQ(outcome.exit_code, code) << outcome.errors;
    EXPECT_THAT(outcome.errors, AllOf(StartsWith("scidfs: "), errors));
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(is_mounted(mountpoint_));
  }
};

TEST_F(MountingTest, ReturnsWhenTheMountIsReady) {
  const Outcome outcome = mount(sample_folder());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.out + outcome.errors, "");
  EXPECT_THAT(names_in(mountpoint_), Contains("sample.si4"));
  EXPECT_EQ(unmount().exit_code, 0);
  EXPECT_FALSE(is_mounted(mountpoint_));
}

TEST_F(MountingTest, FilesInCapitalsAreShown) {
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  for (const auto& [from, to] :
       {std::pair("si4", "MEGA.SI4"), std::pair("sg4", "MEGA.SG4"), std::pair("sn4", "mega.sn4")}) {
    filesystem::copy_file(test_data(std::string("sample/sample.") + from), source / to);
  }
  const Mount sample({.source = sample_database()});
  const std::string expected = read_all(sample / "all.pgn");
  EXPECT_EQ(mount(source).errors, "");
  EXPECT_THAT(names_in(mountpoint_), Contains("MEGA.SI4"));
  EXPECT_TRUE(read_all(mountpoint_ / "MEGA.SI4/all.pgn") == expected);
  EXPECT_EQ(unmount().exit_code, 0);
  EXPECT_EQ(mount(source / "MEGA.SI4").errors, "");
  EXPECT_TRUE(read_all(mountpoint_ / "all.pgn") == expected);
  EXPECT_EQ(unmount().exit_code, 0);
  expect_failure(mount(source / "MEGA.SG4"), 1, HasSubstr("did you mean MEGA.SI4?"));
  const Outcome check = scidfs("--check " + word(source));
  EXPECT_EQ(check.exit_code, 0) << check.out;
}

TEST_F(MountingTest, NonemptyMountPointGivesWarning) {
  std::ofstream(mountpoint_ / "mine.txt") << "x";
  const Outcome outcome = mount(sample_folder());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.errors, HasSubstr("is not empty: what is in it is hidden"));
  EXPECT_FALSE(filesystem::exists(mountpoint_ / "mine.txt"));
  EXPECT_EQ(unmount().exit_code, 0);
  EXPECT_TRUE(filesystem::exists(mountpoint_ / "mine.txt"));
  EXPECT_EQ(mount(sample_folder(), "-o nonempty").errors, "");
}

TEST_F(MountingTest, RelativePathsBelongToCaller) {
  const Outcome outcome = run(fmt::format(
      "cd {} && XDG_CACHE_HOME=$PWD/cache {} {} mnt", word(folder_.path()),
      shell_word(scidfs_binary()), word(filesystem::relative(sample_folder(), folder_.path()))));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(names_in(mountpoint_), Contains("sample.si4"));
}

TEST_F(MountingTest, DotsAreResolvedThroughLinks) {
  filesystem::create_directories(folder_ / "far/below/mnt");
  filesystem::copy(sample_folder(), folder_ / "far/chess");
  filesystem::create_directory_symlink(folder_ / "far/below", folder_ / "near");
  // As text, these would be folder_/chess and folder_/mnt.
  const std::string source = word(folder_ / "near/../chess") + " ";
  const Outcome outcome = scidfs(source + word(folder_ / "near/../below/mnt"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_FALSE(is_mounted(mountpoint_));
  EXPECT_THAT(names_in(folder_ / "far/below/mnt"), Contains("sample.si4"));
  run_ok("fusermount3 -u " + word(folder_ / "far/below/mnt"));
  expect_failure(mount(folder_ / "none/../far/chess"), 1, HasSubstr("No such file or directory"));
  expect_failure(scidfs(source + word(folder_ / "none/../mnt")), 1,
                 HasSubstr("No such file or directory"));
}

TEST_F(MountingTest, TableOfMountsShowsNameAndType) {
  // Commas and blanks are special to mount's options and tables.
  const filesystem::path source = folder_ / "a, b\\c";
  filesystem::copy(sample_folder(), source);
  const Outcome outcome = mount(source);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  const std::string line = run_ok("findmnt -rn -o SOURCE,FSTYPE,OPTIONS " + word(mountpoint_));
  EXPECT_THAT(line, StartsWith(run_ok("printf %s " + word(source) +
                                      " | sed 's/\\\\/\\\\x5c/g; s/ /\\\\x20/g'") +
                               " fuse.scidfs ro,"));
  EXPECT_THAT(line,
              AllOf(HasSubstr("nosuid"), HasSubstr("nodev"), HasSubstr("default_permissions")));
}

TEST_F(MountingTest, WorksThroughMountFuse3) {
  if (::geteuid() != 0 || run("command -v mount.fuse3").exit_code != 0) {
    GTEST_SKIP() << "requires root and mount.fuse3";
  }
  const Outcome outcome =
      run(fmt::format("mount.fuse3 {}#{} {} -o rw,nofail,x-foo,width=60,dev,suid", scidfs_binary(),
                      sample_folder().string(), word(mountpoint_)));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  EXPECT_THAT(names_in(mountpoint_), Contains("sample.si4"));
}

TEST_F(MountingTest, SignalsUnmountEvenIfEarly) {
  // A signal between two waits of the loop of libfuse was once lost.
  constexpr std::array<int, 3> kSignals = {SIGTERM, SIGINT, SIGHUP};
  for (std::size_t round = 0; round < 4 * kSignals.size(); ++round) {
    const int signal = kSignals[round % kSignals.size()];
    Mount mount({.source = sample_folder()});
    ASSERT_TRUE(mount.ok());
    send_signal(mount.daemon(), signal);
    EXPECT_EQ(mount.wait_for_end(), 0) << signal;
    EXPECT_FALSE(is_mounted(mount.path())) << signal;
    EXPECT_EQ(mount.messages(), "");
  }
}

// Kills the daemon and its guardian, which would clean up if it saw the daemon end: both are
// stopped first.
void kill_with_guardian(const Mount& mount) {
  run_ok(
      fmt::format("all=\"{0} $(pgrep -P {0})\"; kill -STOP $all; kill -KILL $all", mount.daemon()));
}

TEST_F(MountingTest, CleansUpAfterAKilledDaemon) {
  Mount killed({.source = sample_folder()});
  ASSERT_TRUE(killed.ok());
  kill_with_guardian(killed);
  EXPECT_EQ(killed.wait_for_end(), 128 + SIGKILL);
  ASSERT_TRUE(is_mounted(killed.path()));
  const Outcome outcome = scidfs(word(sample_folder()) + " " + word(killed.path()));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("cleaned up"));
  EXPECT_THAT(names_in(killed.path()), Contains("sample.si4"));
  run_ok("fusermount3 -u " + word(killed.path()));
}

TEST_F(MountingTest, CleansUpDeadMountInUseAndThroughLinks) {
  Mount killed({.source = sample_folder()});
  ASSERT_TRUE(killed.ok());
  const int inside = ::open((killed / "sample.si4").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(inside, 0);
  kill_with_guardian(killed);
  EXPECT_EQ(killed.wait_for_end(), 128 + SIGKILL);
  filesystem::create_symlink(killed.path(), folder_ / "far");
  filesystem::create_symlink("far", folder_ / "link");
  const Outcome outcome = scidfs(word(sample_folder()) + " " + word(folder_ / "link"));
  ::close(inside);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("cleaned up"));
  EXPECT_THAT(names_in(killed.path()), Contains("sample.si4"));
  run_ok("fusermount3 -u " + word(killed.path()));
}

// For a moment, the folder is neither dead nor alive then.
TEST_F(MountingTest, MountsAgainRightAfterAKill) {
  for (int round = 0; round < 20; ++round) {
    const Outcome outcome = mount(sample_folder());
    ASSERT_EQ(outcome.exit_code, 0) << round << ": " << outcome.errors;
    ASSERT_TRUE(filesystem::exists(mountpoint_ / "sample.si4")) << round;
    run_ok(
        fmt::format("for p in $(pgrep -f {}); do if [ \"$(cat /proc/$p/comm)\" = scidfs ]; "
                    "then kill -KILL $p; fi; done",
                    word("scidfs.*" + mountpoint_.string())));
  }
}

TEST_F(MountingTest, DeadMountOfAnotherProgramIsKept) {
  FaultyFolder other(sample_folder());
  ASSERT_TRUE(other.ok());
  other.kill();
  const Outcome outcome = scidfs(word(sample_folder()) + " " + word(other.path()));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("its daemon is gone"), HasSubstr("fusermount3 -u")));
  EXPECT_TRUE(is_mounted(other.path()));
}

TEST_F(MountingTest, ReportsInvalidMountPoint) {
  EXPECT_EQ(mount(sample_folder()).exit_code, 0);
  const Outcome twice = mount(sample_folder());
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_THAT(twice.errors,
              AllOf(HasSubstr("is mounted there already"), HasSubstr("fusermount3 -u")));
  EXPECT_EQ(unmount().exit_code, 0);

  const std::string source = word(sample_folder()) + " ";
  expect_failure(scidfs(source + word(folder_ / "none")), 1,
                 HasSubstr("No such file or directory. Make it first: mkdir -p"));
  expect_failure(scidfs(source + word(folder_ / "~/mnt")), 1, HasSubstr("type: \"$HOME/mnt\""));
  std::ofstream(folder_ / "file") << "x";
  expect_failure(scidfs(source + word(folder_ / "file")), 1, HasSubstr("Not a directory"));
  expect_failure(scidfs(source + word(sample_folder().parent_path())), 1, HasSubstr("would hide"));
}

TEST_F(MountingTest, RefusesSystemFoldersAsMountPoints) {
  for (const char* const place : {"/", "/proc", "/proc/sys/fs", "/sys", "/dev", "/dev/shm"}) {
    const Outcome outcome = scidfs(word(sample_folder()) + " " + place);
    expect_failure(outcome, 1, AnyOf(HasSubstr("the system needs"), HasSubstr("would hide")));
  }
  filesystem::create_directory(folder_ / "source");
  filesystem::create_directory(folder_ / "source/mnt");
  filesystem::create_directory_symlink(folder_ / "source", folder_ / "link");
  expect_failure(scidfs(word(folder_ / "source") + " " + word(folder_ / "link/mnt")), 1,
                 HasSubstr("lies in"));
}

TEST_F(MountingTest, ReportsInvalidSource) {
  for (const char* const more : {"", "-f"}) {
    expect_failure(mount(folder_ / "none", more), 1, HasSubstr("No such file or directory"));
    std::ofstream(folder_ / "text.txt") << "x";
    expect_failure(mount(folder_ / "text.txt", more), 1, HasSubstr("text.txt"));
    expect_failure(mount(test_data("scid4/handmade/bad_magic_index.si4"), more), 1,
                   HasSubstr("bad_magic_index"));
  }
}

TEST_F(MountingTest, SuggestsSource) {
  const filesystem::path sample = sample_folder() / "sample";
  for (const char* const end : {"", ".sg4"}) {
    expect_failure(mount(sample.string() + end), 1, HasSubstr("did you mean sample.si4?"));
  }
  expect_failure(scidfs("--check " + word(sample.string() + ".sn4")), 4,
                 HasSubstr("did you mean sample.si4?"));
  filesystem::create_directory(folder_ / "empty");
  const Outcome empty = mount(folder_ / "empty");
  EXPECT_EQ(empty.exit_code, 0);
  EXPECT_THAT(empty.errors, HasSubstr("there is nothing to show yet"));
}

TEST_F(MountingTest, PrintsAtMostTenWarnings) {
  filesystem::create_directory(folder_ / "source");
  for (int i = 0; i < 25; ++i) {
    std::ofstream(folder_ / fmt::format("source/bad{}.si4", i)) << "no index";
  }
  const Outcome outcome = mount(folder_ / "source");
  EXPECT_EQ(outcome.exit_code, 0);
  // One line says that the mount waits for new files, and one gives the number of further warnings.
  EXPECT_THAT(outcome.errors, HasSubstr("waiting for files that are still being written"));
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 12) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("scidfs: and 15 more warnings: see info.txt in the mount"));
}

TEST_F(MountingTest, ReportsInvalidArguments) {
  expect_failure(scidfs(""), 2, HasSubstr("SOURCE is missing (see scidfs --help)"));
  expect_failure(scidfs("-f"), 2, HasSubstr("SOURCE is missing (see scidfs --help)"));
  expect_failure(mount(sample_folder(), "-o foo"), 2,
                 HasSubstr("unknown option 'foo' (see scidfs --help)"));
  expect_failure(mount(sample_folder(), "-o cache=much"), 2, HasSubstr("not 'much'"));
}

TEST_F(MountingTest, PrintsHelpAndVersion) {
  const Outcome help = scidfs("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, StartsWith("usage: scidfs SOURCE [MOUNTPOINT]"));
  const Outcome version = scidfs("-V");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("scidfs "));
}

TEST_F(MountingTest, EachProgramPrintsItsName) {
  const std::string version = scidfs("--version").out.substr(std::string("scidfs").size());
  for (const char* const name : {"scidfs-book", "scidfs-get", "scidfs-import", "scidfs-pack"}) {
    const std::string program = word(filesystem::path(scidfs_binary()).parent_path() / name);
    EXPECT_EQ(run_ok(program + " --version"), name + version);
    EXPECT_THAT(run_ok(program + " -h"), AllOf(HasSubstr("-h, --help"), HasSubstr("-V, --version"),
                                               HasSubstr("Exit codes")));
    const Outcome wrong = run(program + " --nonsense");
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_EQ(wrong.errors,
              fmt::format("{0}: unknown option '--nonsense' (see {0} --help)\n", name));
  }
}

TEST_F(MountingTest, FailsIfItCannotPrintHelpOrVersion) {
  for (const char* const name :
       {"scidfs", "scidfs-book", "scidfs-get", "scidfs-import", "scidfs-pack"}) {
    for (const char* const option : {" --help", " --version"}) {
      const Outcome full = run(word(program(name)) + option + " > /dev/full");
      EXPECT_EQ(full.exit_code, 1) << name << option;
      EXPECT_EQ(full.errors, fmt::format("{}: Cannot write standard output: "
                                         "No space left on device\n",
                                         name));
      EXPECT_EQ(run(word(program(name)) + option + " >&-").exit_code, 1) << name << option;
    }
  }
}

TEST_F(MountingTest, CheckMountsNothingAndExitsWithHealth) {
  const auto check = [&](const std::string& source) {
    return scidfs("--check " + word(test_data(source)));
  };
  const Outcome good = check("sample");
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.errors, "");
  EXPECT_THAT(good.out,
              HasSubstr("sample.si4: good: every game can be read whole\n2 databases: 2 good"));
  EXPECT_EQ(check("scid4/handmade/corrupt_games.si4").exit_code, 3);
  EXPECT_EQ(check("scid4/handmade/version401.si4").exit_code, 4);
  expect_failure(check("none"), 4, HasSubstr("No such file or directory"));
  expect_failure(scidfs("--check"), 2, HasSubstr("SOURCE is missing (see scidfs --help)"));
  const Outcome full = scidfs("--check " + word(sample_folder()) + " > /dev/full");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.errors, HasSubstr("Cannot write the report"));
  EXPECT_FALSE(filesystem::exists(folder_ / "cache"));
}

TEST_F(MountingTest, FilesHaveRequestedOwnerAndModes) {
  const Mount mount(
      {.source = sample_database(), .options = "uid=1234,gid=2345,umask=027,fmask=077"});
  ASSERT_TRUE(mount.ok());
  EXPECT_EQ(run_ok("stat -c '%u %g %a' " + word(mount / "all.pgn") + " " + word(mount / "games")),
            "1234 2345 400\n1234 2345 550\n");
}

TEST_F(MountingTest, OtherFormatsCanBeMounted) {
  for (const std::string suffix : {".si3", ".si5"}) {
    const std::string folder = suffix == ".si3" ? "scid3" : "scid5";
    const std::string name = suffix == ".si3" ? "endings" : "chess960";
    const std::string all = ScidDatabase(test_data(folder + "/" + name), suffix).render();
    const Mount in_folder({.source = test_data(folder)});
    const Mount alone({.source = test_data(folder + "/" + name + suffix)});
    ASSERT_TRUE(in_folder.ok());
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(read_all(in_folder / (name + suffix + "/all.pgn")), all);
    EXPECT_EQ(read_all(alone / "all.pgn"), all);
    for (const filesystem::path& path : files_below(alone.path())) {
      const auto size = filesystem::file_size(path);
      if (path.filename() == "status.txt") continue;
      EXPECT_EQ(read_all(path).size(), size) << path;
    }
  }
}

TEST_F(MountingTest, BrokenDatabasesDoNotAffectOthers) {
  const Mount mount({.source = test_data("scid4")});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(names_in(mount.path()), Contains("fen.si4"));
  EXPECT_THAT(names_in(mount / "handmade"), testing::Not(Contains("bad_magic_index.si4")));
  for (const filesystem::path& path : files_below(mount.path())) {
    const auto size = filesystem::file_size(path);
    const std::string text = read_all(path);
    if (path.filename() == "status.txt") continue;
    EXPECT_EQ(text.size(), size) << path;
  }
}

TEST_F(MountingTest, FoldersNamedLikeFilesOfScidfsAreRenamed) {
  for (const char* const name :
       {"info.txt", "index.html", "status.txt", "below/info.txt", "below/status.txt"}) {
    filesystem::create_directories(folder_ / "source" / name);
    filesystem::copy(sample_folder(), folder_ / "source" / name);
  }
  const Mount mount({.source = folder_ / "source"});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(names_in(mount.path()),
              ElementsAre("README.txt", "below", "index.html", "index.html~1", "info.txt",
                          "info.txt~1", "status.txt", "status.txt~1"));
  EXPECT_THAT(names_in(mount / "below"), ElementsAre("info.txt", "info.txt~1", "status.txt"));
  EXPECT_THAT(read_all(mount / "info.txt"), StartsWith("folder: .\n"));
  EXPECT_THAT(read_all(mount / "status.txt"), StartsWith("scidfs: "));
  for (const char* const folder :
       {"info.txt~1", "status.txt~1", "below/info.txt~1", "below/status.txt"}) {
    EXPECT_GT(cut_games(read_all(mount / folder / "sample.si4/all.pgn")).size(), 1000U) << folder;
  }
}

TEST_F(MountingTest, HiddenFoldersAndFilesAreNotShown) {
  for (const char* const name : {"source/.git", "source/shown/.Trash", "source/.only/below"}) {
    filesystem::create_directories(folder_ / name);
    filesystem::copy(sample_folder(), folder_ / name);
  }
  filesystem::copy(sample_folder(), folder_ / "source/shown");
  for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
    filesystem::copy(test_data(std::string("scid4/fen") + extension),
                     folder_ / (std::string("source/.fen") + extension));
  }
  const Mount mount({.source = folder_ / "source"});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(names_in(mount.path()),
              ElementsAre("README.txt", "index.html", "info.txt", "shown", "status.txt"));
  EXPECT_THAT(names_in(mount / "shown"), ElementsAre("annotated.pgn", "info.txt", "sample.si4"));
  EXPECT_EQ(mount.messages(), "");
}

TEST_F(MountingTest, TooDeepFoldersAreReported) {
  filesystem::path path;
  for (int depth = 1; depth <= 64; ++depth) path /= "d";
  filesystem::create_directories(folder_ / "source" / path / "e");
  filesystem::copy(sample_folder(), folder_ / "source" / path / "e");
  const Mount mount({.source = folder_ / "source"});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(names_in(mount.path() / path), ElementsAre("info.txt"));
  EXPECT_THAT(read_all(mount.path() / path / "info.txt"), HasSubstr("refused: Cannot look into "));
  EXPECT_THAT(mount.messages(), HasSubstr("more than 64 folders"));
  filesystem::copy(sample_folder(), folder_ / "source" / path);
  const Mount above({.source = folder_ / "source"});
  ASSERT_TRUE(above.ok());
  EXPECT_THAT(names_in(above.path() / path),
              ElementsAre("annotated.pgn", "info.txt", "sample.si4"));
}

TEST_F(MountingTest, OrdinaryUsersCanMount) {
  if (::geteuid() != 0) GTEST_SKIP() << "the other tests are this test when root does not run them";
  if (run("unshare -m true && command -v setpriv && id nobody").exit_code != 0) {
    GTEST_SKIP() << "requires unshare, setpriv and the user nobody";
  }
  const filesystem::path place = folder_ / "user";
  std::ofstream(folder_ / "script") << fmt::format(R"(set -e
cd {}
XDG_CACHE_HOME=$PWD/cache ./scidfs source mnt
stat -c %U mnt/sample.si4/all.pgn
grep -c Event mnt/sample.si4/games/1.pgn
fusermount3 -u mnt
ls cache
# The guardian unmounts for a user, too.
./scidfs source mnt -f -o cache_dir=none &
until [ -e mnt/sample.si4 ]; do sleep 0.01; done
kill -KILL $!
sleep 1
ls -A mnt
)",
                                                   word(place));
  // A device with permissions for all users, as udev makes it, in a separate mount name space.
  const std::string outcome = run_ok(fmt::format(
      "set -e; chmod 755 {0}; mkdir {1} {1}/mnt; cp {2} {1}/scidfs; cp -r {3} {1}/source; "
      "chmod -R a+rX {1}; chown nobody {1} {1}/mnt; mknod -m 666 {1}/fuse c 10 229; "
      "unshare -m --propagation private sh -ec 'mount --bind {1}/fuse /dev/fuse; "
      "exec setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups sh {0}/script'",
      folder_.path().string(), place.string(), shell_word(scidfs_binary()), word(sample_folder())));
  EXPECT_EQ(outcome, "nobody\n1\nscidfs\n");
}

}  // namespace
}  // namespace scidfs::tests
