// "Open as folder", the action of a double click on a database, with programs that replace the file
// manager and the window: they record their arguments, and wait until the test presses the button.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::chrono::seconds kPatience{20};
constexpr std::chrono::milliseconds kPause{10};

// Each line has the arguments of one call; "|" ends each argument, and each line inside an
// argument.
constexpr std::string_view kFileManager = R"(#!/bin/sh
[ ! -e '{0}/no-file-manager' ] || exit 3
ls "$1" | tr '\n' ' ' >> '{0}/listed'
printf '%s\n' "$1" >> '{0}/shown'
)";
constexpr std::string_view kTelling = R"(#!/bin/sh
{{ printf '%s|' "$@" | tr '\n' '|'; echo; }} >> '{0}/{1}'
)";
// A press of the button closes one window. Windows with errors close at once.
constexpr std::string_view kWaiting = R"(
case $1 in --error) exit ;; esac
echo $$ > '{0}/window'
until rm '{0}/press' 2> /dev/null || [ ! -e '{0}' ]; do sleep 0.02; done
)";

// The script, with the daemon of this build.
filesystem::path open_as_folder() {
  return filesystem::path(configured("build")) / "tests/install/open-as-folder";
}

class OpenFolderTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    for (const filesystem::path& folder : {programs_, runtime_, home_}) {
      filesystem::create_directory(folder);
    }
    add_program("xdg-open", fmt::format(kFileManager, folder_.path().string()));
    add_program("notify-send", fmt::format(kTelling, folder_.path().string(), "told"));
    add_program("zenity", fmt::format(kTelling, folder_.path().string(), "windows") +
                              fmt::format(kWaiting, folder_.path().string()));
  }

  // Nothing is left after any test.
  void TearDown() override {
    EXPECT_EQ(run("grep -cF -e " + word(folder_.path()) + " /proc/self/mountinfo").out, "0\n");
    EXPECT_THAT(names_in(runtime_), IsEmpty());
    for (const filesystem::path& shown : shown()) EXPECT_FALSE(filesystem::exists(shown)) << shown;
  }

  // The shell command that opens a file: with windows, unless `environment` disables them.
  std::string command(const filesystem::path& file, std::string_view environment = "",
                      std::string_view options = "") const {
    return fmt::format(
        "export PATH={}:\"$PATH\" HOME={} TMPDIR={} XDG_CACHE_HOME={} XDG_RUNTIME_DIR={} "
        "DISPLAY=:0; "
        "unset WAYLAND_DISPLAY XDG_CURRENT_DESKTOP; {}; echo $$ > {}; exec {} {} {}",
        word(programs_), word(home_), word(folder_.path()), word(home_), word(runtime_),
        environment.empty() ? ":" : environment, word(folder_ / "process"), word(open_as_folder()),
        options, word(file));
  }
  Outcome open(const filesystem::path& file, std::string_view environment = "",
               std::string_view options = "") const {
    return run(command(file, environment, options));
  }
  // The same in the background.
  std::future<Outcome> start(const filesystem::path& file) const {
    return std::async(std::launch::async, [line = command(file)] { return run(line); });
  }

  // True if the window that was shown last still exists.
  bool has_window() const {
    return run("kill -0 $(cat " + word(folder_ / "window") + ")").exit_code == 0;
  }
  void press() const { write_file(folder_ / "press", ""); }

  // The folders that the file manager was asked to show, the names in them, and the texts of
  // windows and notifications.
  std::vector<filesystem::path> shown() const {
    const std::vector<std::string> lines = lines_of("shown");
    return {lines.begin(), lines.end()};
  }
  std::vector<std::string> listed() const { return lines_of("listed"); }
  std::vector<std::string> windows() const { return lines_of("windows"); }
  std::vector<std::string> told() const { return lines_of("told"); }

  static bool wait_for(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!done() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kPause);
    return done();
  }
  // The folder that a started script showed first, with its window.
  filesystem::path wait_for_window() const {
    EXPECT_TRUE(wait_for([&] { return !windows().empty(); }));
    return shown().empty() ? filesystem::path() : shown().front();
  }

  // After a script was killed: closes its window, and expects that the next script finds the same
  // folder.
  void expect_the_next_opens(const filesystem::path& folder) const {
    press();
    EXPECT_TRUE(wait_for([&] { return !filesystem::exists(folder_ / "press"); }));
    press();
    const Outcome outcome = open(sample_database());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(shown().back(), folder);
  }

  // The sample by another name, in a folder of its own.
  filesystem::path sample_called(const std::string& name,
                                 const std::string& folder = "source") const {
    filesystem::create_directories(folder_ / folder);
    copy_sample(folder_ / folder / name);
    return folder_ / folder / (name + ".si4");
  }

  void add_program(const std::string& name, std::string_view text) const {
    write_file(programs_ / name, text);
    filesystem::permissions(programs_ / name, filesystem::perms::owner_all);
  }
  TemporaryFolder folder_;
  filesystem::path runtime_ = folder_ / "runtime";
  filesystem::path home_ = folder_ / "home";
  filesystem::path programs_ = folder_ / "programs";

 private:
  std::vector<std::string> lines_of(std::string_view name) const {
    std::vector<std::string> lines;
    std::ifstream in(folder_ / name);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(OpenFolderTest, ShowsFolderUntilWindowIsClosed) {
  press();
  const Outcome outcome = open(sample_database());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  ASSERT_THAT(shown(), SizeIs(1));
  EXPECT_EQ(shown().front().parent_path(), runtime_ / "scidfs");
  EXPECT_THAT(shown().front().filename().string(), StartsWith("sample.si4-"));
  ASSERT_THAT(listed(), SizeIs(1));
  EXPECT_THAT(listed().front(), HasSubstr("all.pgn"));
  ASSERT_THAT(windows(), SizeIs(1));
  EXPECT_THAT(windows().front(),
              AllOf(StartsWith("--info|"), HasSubstr("|--text=sample.si4 is open as a folder.|")));
}

TEST_F(OpenFolderTest, OpensArchivesAndBooks) {
  for (const std::string name : {"scv/ok-pgn.scv", "kvetka/small_0.kob", "scid5/chess960.si5"}) {
    press();
    EXPECT_EQ(open(test_data(name)).exit_code, 0) << name;
  }
  EXPECT_THAT(listed(), SizeIs(1));  // one line, because no listing ends with a line end
  EXPECT_THAT(shown(), SizeIs(3));
}

TEST_F(OpenFolderTest, OpensFilesOfAnyName) {
  const std::vector<std::string> names = {
      "two  words", "it's \"quoted\"", "100 %s %f%%",        "new\nline\n",         "-dash",
      "ünïcödé ♞",  "back\\slash\\n",  "a,b=c,ro",           "$(touch x) `id`;*?&", ".hidden",
      "~",          "<b>bold",         std::string(240, 'x')};
  for (const std::string& name : names) {
    press();
    const Outcome outcome = open(sample_called(name));
    EXPECT_EQ(outcome.exit_code, 0) << name << '\n' << outcome.errors;
  }
  ASSERT_THAT(shown(), SizeIs(names.size()));
  for (const filesystem::path& folder : shown()) {
    EXPECT_EQ(folder.parent_path(), runtime_ / "scidfs");
    EXPECT_NE(folder.filename().string().front(), '.');
  }
  EXPECT_THAT(windows(), AllOf(SizeIs(names.size()), Each(StartsWith("--info|"))));
}

TEST_F(OpenFolderTest, RelativeNameMayBeginWithDash) {
  const filesystem::path file = sample_called("-i");
  press();
  const Outcome outcome =
      run(fmt::format("cd {}; {}", word(file.parent_path()), command(file.filename(), "", "--")));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(shown(), SizeIs(1));
}

TEST_F(OpenFolderTest, OpeningAgainShowsTheSameFolder) {
  auto first = start(sample_database());
  wait_for_window();
  // Through another path too.
  const filesystem::path link = folder_ / "link.si4";
  filesystem::create_symlink(sample_database(), link);
  for (const filesystem::path& file : {sample_database(), link}) {
    const Outcome again = open(file);
    EXPECT_EQ(again.exit_code, 0) << again.errors;
  }
  EXPECT_THAT(shown(), AllOf(SizeIs(3), Each(shown().front())));
  EXPECT_THAT(windows(), SizeIs(1));
  press();
  EXPECT_EQ(first.get().exit_code, 0);
}

TEST_F(OpenFolderTest, FilesOfTheSameNameHaveDifferentFolders) {
  auto first = start(sample_called("sample", "one"));
  wait_for_window();
  auto second = start(sample_called("sample", "two"));
  EXPECT_TRUE(wait_for([&] { return windows().size() == 2; }));
  ASSERT_THAT(shown(), SizeIs(2));
  EXPECT_NE(shown().front(), shown().back());
  press();
  EXPECT_TRUE(wait_for([&] { return !filesystem::exists(folder_ / "press"); }));
  press();
  EXPECT_EQ(first.get().exit_code, 0);
  EXPECT_EQ(second.get().exit_code, 0);
}

TEST_F(OpenFolderTest, FolderInUseStaysMounted) {
  auto opened = start(sample_database());
  const filesystem::path folder = wait_for_window();
  std::ifstream reader(folder / "all.pgn");
  ASSERT_TRUE(reader.is_open()) << std::strerror(errno);
  press();
  ASSERT_TRUE(wait_for([&] { return windows().size() == 2; }));
  EXPECT_THAT(windows().back(), HasSubstr("|--text=sample.si4 is still in use."));
  EXPECT_TRUE(is_mounted(folder));
  reader.close();
  press();
  EXPECT_EQ(opened.get().exit_code, 0);
  EXPECT_THAT(windows(), SizeIs(2));
}

TEST_F(OpenFolderTest, UnmountingClosesTheWindow) {
  auto opened = start(sample_database());
  run_ok("fusermount3 -u " + word(wait_for_window()));
  EXPECT_EQ(opened.get().exit_code, 0);
  EXPECT_THAT(windows(), SizeIs(1));
  EXPECT_TRUE(wait_for([&] { return !has_window(); }));
}

TEST_F(OpenFolderTest, DamageIsReportedInWindow) {
  const Outcome outcome = open(test_data("scid4/handmade/bad_magic_index.si4"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(shown(), IsEmpty());
  ASSERT_THAT(windows(), SizeIs(1));
  EXPECT_THAT(windows().front(),
              AllOf(StartsWith("--error|"), HasSubstr("cannot be opened as a folder.|Cannot open"),
                    HasSubstr("not a Scid index")));
}

TEST_F(OpenFolderTest, DamageIsReportedWithoutWindows) {
  const Outcome outcome = open(test_data("scid4/handmade/bad_magic_index.si4"), "unset DISPLAY");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("not a Scid index"));
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_THAT(told().front(), HasSubstr("not a Scid index"));
  EXPECT_THAT(windows(), IsEmpty());
}

TEST_F(OpenFolderTest, MissingFileIsReported) {
  EXPECT_EQ(open(folder_ / "none.si4").exit_code, 1);
  ASSERT_THAT(windows(), SizeIs(1));
  EXPECT_THAT(windows().front(), HasSubstr("There is no file"));
}

TEST_F(OpenFolderTest, NothingStaysMountedWithoutFileManager) {
  write_file(folder_ / "no-file-manager", "");
  EXPECT_EQ(open(sample_database()).exit_code, 1);
  ASSERT_THAT(windows(), SizeIs(1));
  EXPECT_THAT(windows().front(), HasSubstr("No file manager could be started"));
}

TEST_F(OpenFolderTest, PrivateFolderIsMadeWithoutRuntimeFolder) {
  press();
  const Outcome outcome = open(sample_database(), "XDG_RUNTIME_DIR=/nowhere");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  const filesystem::path base = folder_ / fmt::format("scidfs-{}", ::geteuid());
  ASSERT_THAT(shown(), SizeIs(1));
  EXPECT_EQ(shown().front().parent_path(), base);
  EXPECT_FALSE(filesystem::exists(base));
  // Refuses a folder that another user has made there.
  filesystem::create_directory_symlink(runtime_, base);
  EXPECT_EQ(open(sample_database(), "XDG_RUNTIME_DIR=/nowhere").exit_code, 1);
  EXPECT_THAT(windows().back(), HasSubstr("belongs to somebody else"));
  EXPECT_THAT(shown(), SizeIs(1));
}

// Otherwise a name could lead elsewhere when it is used the second time.
TEST_F(OpenFolderTest, FolderIsMadeWhereOthersCannotExchangeNames) {
  const filesystem::path open_to_all = folder_ / "open to all";
  filesystem::create_directories(open_to_all / "private");
  filesystem::permissions(open_to_all, filesystem::perms::all);
  filesystem::permissions(open_to_all / "private", filesystem::perms::owner_all);
  filesystem::create_directory_symlink(runtime_, open_to_all / "link");
  const filesystem::path base = folder_ / fmt::format("scidfs-{}", ::geteuid());
  const auto use = [&](const filesystem::path& folder) {
    press();
    const Outcome outcome = open(sample_database(), "XDG_RUNTIME_DIR=" + word(folder));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    return shown().back().parent_path();
  };
  EXPECT_EQ(use(open_to_all), base);
  EXPECT_EQ(use(open_to_all / "private"), base);
  // Where the link leads now, once and for all.
  EXPECT_EQ(use(open_to_all / "link"), runtime_ / "scidfs");
}

TEST_F(OpenFolderTest, NamesAreShownAsTheyAreByEachProgram) {
  add_program("kdialog", fmt::format(kTelling, folder_.path().string(), "windows"));
  const std::string missing = (folder_ / "").string() + R"(a\n & <i>&lt;)";
  EXPECT_EQ(open(missing).exit_code, 1);
  EXPECT_EQ(open(missing, "export XDG_CURRENT_DESKTOP=KDE").exit_code, 1);
  const Outcome outcome = open(missing + "\x1b[31m", "unset DISPLAY");
  EXPECT_THAT(outcome.errors, HasSubstr(R"(a\n & <i>&lt;?[31m.)"));
  ASSERT_THAT(windows(), SizeIs(2));
  EXPECT_THAT(windows().front(),
              AllOf(HasSubstr("|--no-markup|"), HasSubstr(R"(a\\n & <i>&lt;.|)")));
  EXPECT_THAT(windows().back(),
              HasSubstr("|--error|<qt>There is no file " + folder_.path().string() +
                        R"(/a\\n &amp; &lt;i&gt;&amp;lt;.</qt>|)"));
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_THAT(told().front(), HasSubstr(R"(a\\n &amp; &lt;i&gt;&amp;lt;)"));
}

TEST_F(OpenFolderTest, UnusedFolderClosesWithoutWindow) {
  const Outcome outcome = open(sample_database(), "unset DISPLAY", "--idle=1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(shown(), SizeIs(1));
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_THAT(told().front(), HasSubstr("It closes by itself"));
}

TEST_F(OpenFolderTest, FailedWindowCountsAsNoWindow) {
  add_program("zenity", "#!/bin/sh\nexit 1\n");
  EXPECT_EQ(open(sample_database(), "", "--idle=1").exit_code, 0);
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_THAT(told().front(), HasSubstr("It closes by itself"));
}

TEST_F(OpenFolderTest, UsedFolderIsNotClosed) {
  constexpr std::chrono::milliseconds kUse{2500};
  int number = 0;
  auto opened = std::async(std::launch::async, [line = command(sample_database(), "unset DISPLAY",
                                                               "--idle=2")] { return run(line); });
  ASSERT_TRUE(wait_for([&] { return !told().empty(); }));
  const auto end = std::chrono::steady_clock::now() + kUse;
  for (; std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(kPause)) {
    ASSERT_TRUE(is_mounted(shown().front()));
    // The kernel caches what it has read.
    read_all(shown().front() / fmt::format("games/{}.pgn", ++number));
  }
  EXPECT_EQ(opened.get().exit_code, 0);
}

TEST_F(OpenFolderTest, NextOpenTakesOverMountOfKilledScript) {
  auto killed = start(sample_database());
  const filesystem::path folder = wait_for_window();
  run_ok("kill -9 $(cat " + word(folder_ / "process") + ")");
  killed.get();
  EXPECT_TRUE(is_mounted(folder));
  expect_the_next_opens(folder);
}

TEST_F(OpenFolderTest, DeadMountIsRemoved) {
  auto killed = start(sample_database());
  const filesystem::path folder = wait_for_window();
  // The script, the daemon and its guardian.
  run_ok(fmt::format(
      "pids=\"$(cat {}) $(grep -lzxF -e {} /proc/[0-9]*/cmdline 2> /dev/null | cut -d / -f 3)\"; "
      "kill -STOP $pids; kill -KILL $pids; true",
      word(folder_ / "process"), word(folder)));
  killed.get();
  // A listing would come from the cache of the kernel.
  EXPECT_NE(run("stat -f " + word(folder)).exit_code, 0);
  expect_the_next_opens(folder);
}

TEST_F(OpenFolderTest, EndOfScriptUnmounts) {
  auto opened = start(sample_database());
  wait_for_window();
  const std::ifstream reader(shown().front() / "all.pgn");
  run_ok("kill $(cat " + word(folder_ / "process") + ")");
  EXPECT_EQ(opened.get().exit_code, 1);
  EXPECT_TRUE(wait_for([&] { return !has_window(); }));
}

TEST_F(OpenFolderTest, InvalidArgumentsAreReported) {
  for (const std::string_view options : {"--idle=0", "--idle=soon", "one two"}) {
    const Outcome outcome = open(sample_database(), "", options);
    EXPECT_EQ(outcome.exit_code, 1) << options;
  }
  EXPECT_THAT(windows(), AllOf(SizeIs(3), Each(StartsWith("--error|"))));
  EXPECT_THAT(shown(), IsEmpty());
  EXPECT_THAT(run_ok(word(open_as_folder()) + " --help"), StartsWith("Shows a chess database"));
}

}  // namespace
}  // namespace scidfs::tests
