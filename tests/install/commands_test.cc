// Runs every command of README.md and of the manual pages as a user types it, and checks other
// claims of README.md.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/install/chess_folder.h"
#include "tests/install/documents.h"
#include "tests/mounted/mounted.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::Contains;

constexpr unsigned kSeconds = 60;

// The programs of a command: its first word, and those after `|` and `&&`.
std::vector<std::string> programs_of(const std::string& command) {
  static const std::regex kProgram(R"((?:^|\||&&)\s*([\w./~-]+))");
  // Quoted text is an argument of a program.
  static const std::regex kQuoted(R"('[^']*'|"[^"]*")");
  return matches(std::regex_replace(command, kQuoted, ""), kProgram);
}

// Returns the file that a command writes its output to; "" if none.
std::string output_file(const std::string& command) {
  static const std::regex kRedirection(R"( > ([\w./~-]+)$)");
  std::smatch match;
  return std::regex_search(command, match, kRedirection) ? match[1].str() : "";
}

// diff(1) reports differences by its exit code.
int exit_code_of(const std::string& command) {
  return programs_of(command).at(0) == "diff" ? 1 : 0;
}

// True if a command prints nothing on success.
bool is_quiet(const std::string& command) {
  static const std::set<std::string> kQuiet = {"borg",  "cp",    "fusermount3", "ln",
                                               "mkdir", "rsync", "scidfs-pack"};
  const std::string program = programs_of(command).at(0);
  const bool mounts = program == "scidfs" && command.find(" --") == std::string::npos;
  const bool imports = program == "sqlite3" && command.find(".import") != std::string::npos;
  const bool copies =
      command.starts_with("scidfs-get cp ") || command.starts_with("scidfs-get site ");
  return mounts || imports || copies || kQuiet.contains(program);
}

// A home with chess databases in ~/chess and nothing mounted at ~/mnt, fresh for each document.
class CommandsTest : public MountedTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    make_chess_folder(home_ / "chess");
    add_news(home_ / "chess");
    filesystem::create_directories(mountpoint());
    filesystem::create_directory(home_ / "bin");
    for (const filesystem::path& program :
         {program("scidfs"), program("scidfs-book"), program("scidfs-get"),
          program("scidfs-import"), program("scidfs-pack"), program("scidfs-serve")}) {
      filesystem::create_symlink(program, home_ / "bin" / program.filename());
    }
  }
  void TearDown() override { unmount_all(); }

  filesystem::path mountpoint() const { return home_ / "mnt"; }

  // Runs a line as the shell of the owner of the home does.
  Outcome type(const std::string& command) const {
    return run(fmt::format("cd {0} && unset XDG_CACHE_HOME XDG_CONFIG_HOME && "
                           "HOME={0} PATH={0}/bin:$PATH LC_ALL=C.UTF-8 exec bash -c {1}",
                           word(home_.path()), shell_word(command)),
               kSeconds);
  }

  void unmount_all() const {
    for (const auto& entry : filesystem::directory_iterator(home_.path())) {
      if (!entry.is_symlink() && is_mounted(entry.path())) {
        run_ok("fusermount3 -u " + word(entry.path()));
      }
    }
  }

  // Each example works by itself: examples that read ~/mnt have it mounted, and examples that make
  // mounts, books and archives of anything else find nothing mounted. An example that unmounts
  // follows the one that has mounted.
  void prepare(const std::string& command) const {
    if (command.starts_with("scidfs -u ")) return;
    const bool reads_mount = command.find("~/mnt/") != std::string::npos;
    if (command.starts_with("scidfs") && !reads_mount) return unmount_all();
    if (command.find("~/mnt") == std::string::npos || is_mounted(mountpoint())) return;
    const Outcome mounted = type("scidfs ~/chess ~/mnt -o patience=0");
    ASSERT_EQ(mounted.exit_code, 0) << mounted.errors;
  }

  void check(const Command& command) {
    // One shell for each command; it first changes to the folder that an earlier command has
    // changed to.
    const bool goes = command.text.starts_with("cd ");
    if (goes) way_ = command.text + " && ";
    if (command.text.starts_with("scidfs")) way_.clear();
    const std::string text = way_ + (goes ? "pwd" : command.text);
    const std::string where = fmt::format("{}:{}: {}", GetParam(), command.line, text);
    prepare(text);
    const Outcome outcome = type(text);
    EXPECT_EQ(outcome.exit_code, exit_code_of(command.text)) << where << '\n'
                                                             << outcome.out << outcome.errors;
    const std::string file = output_file(command.text);
    if (!file.empty()) {
      EXPECT_EQ(type(way_ + "test -s " + file).exit_code, 0) << where << "\nwrote nothing";
    } else if (!is_quiet(command.text)) {
      EXPECT_NE(outcome.out, "") << where << "\nsaid nothing\n" << outcome.errors;
    }
    if (!command.shown.empty()) {
      EXPECT_TRUE(is_shown_by(command.shown, split(outcome.out, '\n')))
          << where << "\nshown:\n"
          << fmt::format("{}\n", fmt::join(command.shown, "\n")) << "printed:\n"
          << outcome.out;
    }
  }

  std::string way_;
  TemporaryFolder home_;
};

TEST_P(CommandsTest, EveryCommandWorks) {
  std::set<std::string> missing;
  const std::vector<Command> commands = commands_in(project_file(GetParam()));
  for (const Command& command : commands) {
    bool is_possible = true;
    for (const std::string& program : programs_of(command.text)) {
      if (type("command -v " + program).exit_code == 0) continue;
      missing.insert(program);
      is_possible = false;
    }
    if (is_possible) check(command);
  }
  if (missing.empty()) return;
  const std::string names =
      fmt::format("not installed, or not in PATH (/usr/games): {}", fmt::join(missing, ", "));
  if (std::getenv("CI") != nullptr) FAIL() << names;
  GTEST_SKIP() << names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = filesystem::path(info.param).filename();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Documents, CommandsTest, testing::ValuesIn(documents_with_commands()),
                         test_name);

TEST(ReadmeTest, IsShort) {
  constexpr int kLines = 120;
  constexpr int kColumns = 120;
  const std::string readme = word(project_file("README.md"));
  const std::string count = fmt::format(
      "LC_ALL=C.UTF-8 awk 'length > {} {{ print FNR \": \" $0 }}"
      " END {{ if (NR > {}) print NR, \"lines\" }}' {}",
      kColumns, kLines, readme);
  EXPECT_EQ(run_ok(count), "");
}

TEST(ShownTest, ComparesPrintedLinesWithShownOnes) {
  const std::vector<std::string> printed = {"name  games", "Morphy\t178", "", "Short\t105"};
  using Lines = std::vector<std::string>;
  for (const Lines& shown : {printed, Lines{"name games", "..."}, Lines{"...", "Short  105"},
                             Lines{"name games", "...", "", "..."}, Lines{"..."}}) {
    EXPECT_TRUE(is_shown_by(shown, printed)) << fmt::format("{}", fmt::join(shown, "\n"));
  }
  for (const Lines& shown :
       {Lines{"name games"}, Lines{"Morphy 178", "..."}, Lines{"...", "Morphy 178"},
        Lines{"name games", "...", "Morphy 178", "..."}, Lines{"namegames", "..."},
        Lines{"name games", "...", "Short 105", "..."},
        Lines{"name games", "...", "Tal 1", "..."}}) {
    EXPECT_FALSE(is_shown_by(shown, printed)) << fmt::format("{}", fmt::join(shown, "\n"));
  }
}

// Otherwise no excerpt of the tutorial would be compared.
TEST(TutorialTest, ShowsWhatCommandsPrint) {
  constexpr int kFewest = 10;
  const auto commands = commands_in(project_file("scripts/install/man/scidfs-tutorial.7.scd"));
  EXPECT_GE(std::ranges::count_if(commands, [](const Command& one) { return !one.shown.empty(); }),
            kFewest);
}

// Otherwise the test above would run no command.
TEST(ReadmeTest, HasCommands) {
  constexpr std::size_t kFewest = 8;
  EXPECT_GE(commands_in(project_file("README.md")).size(), kFewest);
}

TEST(DocumentsTest, LinksHaveTargets) {
  for (const filesystem::path& document : markdown_files()) {
    for (const std::string& target : relative_links(document)) {
      EXPECT_TRUE(filesystem::exists(document.parent_path() / target))
          << document << ": " << target;
    }
  }
}

// Compares the picture of the tree with a mount of the same files.
class TreePictureTest : public MountedTest {
 protected:
  // Returns the paths in the picture, relative to the mount.
  static std::vector<std::string> drawn() {
    constexpr std::size_t kIndent = 2;
    std::vector<std::string> folders;
    std::vector<std::string> paths;
    for (const std::string& line : block_after(project_file("README.md"), "~/mnt/")) {
      const std::size_t from = line.find_first_not_of(' ');
      const std::string name = line.substr(from, line.find(' ', from) - from);
      folders.resize(std::min(folders.size(), from / kIndent - 1));
      paths.push_back(fmt::format("{}{}", fmt::join(folders, ""), name));
      if (name.ends_with('/')) folders.push_back(name);
    }
    return paths;
  }
};

TEST_F(TreePictureTest, PictureMatchesMount) {
  const TemporaryFolder folder;
  make_chess_folder(folder / "chess");
  add_news(folder / "chess");  // for together/
  for (const char* const file : {"spelling.ssp", "scid.eco"}) {
    const std::filesystem::path data = std::filesystem::path("/usr/share/scid/data") / file;
    if (!std::filesystem::exists(data)) GTEST_SKIP() << data << " is not installed";
  }
  const Mount mount({.source = folder / "chess", .options = "spelling=auto,eco=auto"});
  ASSERT_TRUE(mount.ok());
  std::set<std::string> top;
  std::set<std::string> of_database;
  for (const std::string& drawing : drawn()) {
    // Expands {a,b} as a shell does.
    const std::string all = run_ok("bash -c " + shell_word("printf '%s\\n' " + drawing));
    for (const std::string& path : split(all, '\n')) {
      EXPECT_TRUE(filesystem::exists(mount / path)) << path;
      const std::size_t slash = path.find('/');
      top.insert(path.substr(0, slash));
      if (slash == std::string::npos) continue;
      of_database.insert(path.substr(slash + 1, path.find('/', slash + 1) - slash - 1));
    }
  }
  for (const std::string& name : names_in(mount.path())) {
    if (name == "news.si4" || name == "backup") continue;
    EXPECT_THAT(top, Contains(name));
  }
  for (const std::string& name : names_in(mount / "mega.si4")) {
    EXPECT_THAT(of_database, Contains(name));
  }
}

}  // namespace
}  // namespace scidfs::tests
