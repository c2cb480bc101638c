// The tutorial where nothing can be mounted: `scidfs-get cat` in place of `cat` and `less`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "tests/install/chess_folder.h"
#include "tests/install/documents.h"
#include "tests/mounted/mounted.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// A command of the tutorial that prints a file of the mount, or counts what an earlier one has
// written.
struct Printing {
  Command command;
  std::string path;  // from the top of the mount; empty: it reads ~
  std::string rest;  // of the command, after the path
};

std::vector<Printing> printing_commands() {
  const std::regex change(R"(cd ~/mnt/?(.*))");
  const std::regex print(R"((?:cat|less) ('[^']*'|\S+)(.*))");
  const std::regex count(R"(grep -c '[^']*' ~/\S+)");
  std::vector<Printing> found;
  filesystem::path folder;
  for (const Command& command :
       commands_in(project_file("scripts/install/man/scidfs-tutorial.7.scd"))) {
    std::smatch match;
    if (std::regex_match(command.text, match, change)) {
      folder = match[1].str();
    } else if (std::regex_match(command.text, match, print)) {
      std::string path = match[1];
      std::erase(path, '\'');
      found.push_back({command, (folder / path).lexically_normal(), match[2]});
    } else if (std::regex_match(command.text, count)) {
      found.push_back({command, "", command.text});
    }
  }
  return found;
}

class GetCommandsTest : public testing::Test {
 protected:
  void SetUp() override {
    make_chess_folder(home_ / "chess");
    add_news(home_ / "chess");
  }
  Outcome type(const std::string& command) const {
    return run(
        fmt::format("cd {0} && unset XDG_CACHE_HOME XDG_CONFIG_HOME && HOME={0} "
                    "LC_ALL=C.UTF-8 exec bash -c {1}",
                    word(home_.path()), shell_word(command)));
  }

  TemporaryFolder home_;
};

TEST_F(GetCommandsTest, TheTutorialWorksWithoutAMount) {
  constexpr std::size_t kFewest = 12;
  const std::vector<Printing> all = printing_commands();
  EXPECT_GE(all.size(), kFewest);
  for (const auto& [command, path, rest] : all) {
    if (path.find("/people/") != std::string::npos &&
        !filesystem::exists("/usr/share/scid/data/spelling.ssp")) {
      continue;
    }
    const Outcome outcome =
        type(path.empty() ? rest
                          : fmt::format("{} cat ~/chess {}{}", word(program("scidfs-get")),
                                        shell_word(path), rest));
    EXPECT_EQ(outcome.exit_code, 0) << command.line << outcome.errors;
    EXPECT_EQ(outcome.out.empty(), rest.find(" > ") != std::string::npos) << command.line;
    if (!command.shown.empty()) {
      EXPECT_TRUE(is_shown_by(command.shown, split(outcome.out, '\n')))
          << command.line << ": " << outcome.out;
    }
  }
}

// Without /proc, /dev, shell, user names or a home.
TEST_F(GetCommandsTest, TheTutorialWorksAsNobodyInABareFolder) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may change the root";
  if (!can_be_strict()) GTEST_SKIP() << "sanitizers read /proc";
  const filesystem::path root = home_ / "root";
  filesystem::create_directory(root);
  run_ok(
      fmt::format("cp {} {} && cp -r {} {} && cd / && ldd {} | grep -o '/[^ ]*' | "
                  "xargs cp -L --parents -t {} && chmod -R a+rX {} {}",
                  word(program("scidfs-get")), word(root), word(home_ / "chess"), word(root),
                  word(program("scidfs-get")), word(root), word(home_.path()), word(root)));
  const std::string inside =
      fmt::format("env -i /usr/sbin/chroot --userspec=65534:65534 {} /scidfs-get", word(root));
  const std::string outside = word(program("scidfs-get"));
  for (const Printing& one : printing_commands()) {
    if (one.path.empty() || one.path.find("/people/") != std::string::npos) continue;
    const std::string words =
        fmt::format(" cat -o spelling=none,eco=none,fide=none {{}} {}", shell_word(one.path));
    const Outcome outcome = run(inside + fmt::format(fmt::runtime(words), "/chess"));
    EXPECT_EQ(outcome.exit_code, 0) << one.path << outcome.errors;
    EXPECT_EQ(outcome.out,
              run_ok(outside + fmt::format(fmt::runtime(words), word(home_ / "chess"))))
        << one.path;
  }
  EXPECT_EQ(names_in(root / "chess"), names_in(home_ / "chess"));
}

}  // namespace
}  // namespace scidfs::tests
