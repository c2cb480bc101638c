// Compares the completions that shells offer for the programs, as printed by the shells themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/mount.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

const std::string kTake = "\x14";  // Ctrl-T
constexpr std::string_view kShared = "/usr/share/bash-completion/bash_completion";

class CompletionsTest : public testing::Test {
 protected:
  // Skips the test if the shell is not installed, unless the environment requires all programs.
  static bool is_missing(const std::string& what, bool is_there) {
    EXPECT_TRUE(is_there || std::getenv("CI") == nullptr) << what << " is required";
    return !is_there;
  }
  static bool has(const std::string& program) {
    return run("command -v " + program).exit_code == 0;
  }

  filesystem::path file(const std::string& name) const { return folder_.path() / name; }
  // Puts scidfs-get on the path of the shell.
  static std::string with_programs() {
    return "PATH=" + shell_word(program("scidfs-get").parent_path().string()) + ":$PATH ";
  }
  static filesystem::path script(const std::string& shell) {
    return source_path("scripts/install/completions/scidfs." + shell);
  }

  TemporaryFolder folder_;
};

class BashTest : public CompletionsTest {
 protected:
  void SetUp() override {
    if (is_missing("bash-completion", filesystem::exists(kShared))) {
      GTEST_SKIP() << "bash-completion is not installed";
    }
    // TAB puts in all that there is, and Ctrl-T prints the words of the line.
    const std::string start = "source " + std::string(kShared) + "\nsource " +
                              shell_word(script("bash").string()) +
                              "\n"
                              "bind '\"\\t\": insert-completions'\n"
                              "bind '\"\\C-t\": \"\\C-aprintf \\\"<%s>\\\\\\\\n\\\" \\C-e\\C-m\"'\n"
                              "bind 'set enable-bracketed-paste off'\nPS1=\n";
    write_file(file("start"), start);
    filesystem::create_directory(file("work"));
  }

  // The words of a line after TAB, from the word on at which TAB was pressed.
  std::vector<std::string> offered(const std::string& line) const {
    write_file(file("typed"), line + "\t" + kTake + "exit\r");
    const std::string shell = "cd " + shell_word(file("work").string()) + " && " + with_programs() +
                              "HISTFILE= TERM=dumb bash --noprofile " + "--rcfile " +
                              shell_word(file("start").string()) + " -i";
    std::istringstream out(run_ok("script -qec " + shell_word(shell) + " /dev/null < " +
                                  shell_word(file("typed").string())));
    std::vector<std::string> words;
    for (std::string text; std::getline(out, text);) {
      if (const auto end = text.find(">\r"); text.starts_with('<') && end != std::string::npos) {
        words.push_back(text.substr(1, end - 1));
      }
    }
    EXPECT_THAT(words, Not(IsEmpty())) << out.str();
    std::istringstream typed(line);
    std::string word;
    std::size_t before = line.ends_with(' ') ? 0 : std::size_t(-1);
    while (typed >> word) ++before;
    words.erase(words.begin(),
                words.begin() + static_cast<std::ptrdiff_t>(std::min(before, words.size())));
    return words;
  }
};

TEST_F(BashTest, OffersOptions) {
  EXPECT_THAT(offered("scidfs --"), ElementsAre("--check", "--help", "--verbose", "--version"));
  EXPECT_THAT(offered("scidfs --ch"), ElementsAre("--check"));
  EXPECT_THAT(offered("scidfs-get --v"), ElementsAre("--version"));
  EXPECT_THAT(offered("scidfs-import --s"), ElementsAre("--sandbox"));
  EXPECT_THAT(offered("scidfs-pack --fo"), ElementsAre("--force"));
  EXPECT_THAT(offered("scidfs-serve --l"), ElementsAre("--listen"));
  EXPECT_THAT(offered("scidfs-book build --mi"),
              ElementsAre("--min-black-elo", "--min-elo", "--min-strong-elo", "--min-white-elo"));
}

TEST_F(BashTest, OffersOptionsOfLists) {
  EXPECT_THAT(offered("scidfs -o in"), ElementsAre("index=", "index_cache="));
  EXPECT_THAT(offered("scidfs -o index="), ElementsAre("index=auto", "background", "none", "wait"));
  EXPECT_THAT(offered("scidfs -o index=b"), ElementsAre("index=background"));
  EXPECT_THAT(offered("scidfs -o nofail,sandbox=st"), ElementsAre("nofail,sandbox=strict"));
  EXPECT_THAT(offered("scidfs -o width=0,ans"), ElementsAre("width=0,answers="));
  EXPECT_THAT(offered("scidfs -owidth=0,ans"), ElementsAre("-owidth=0,answers="));
  EXPECT_THAT(offered("scidfs -oallow_r"), ElementsAre("-oallow_root"));
  EXPECT_THAT(offered("scidfs -o run_as=roo"), ElementsAre("run_as=root"));
  EXPECT_THAT(offered("scidfs-get ls -o index=b"), ElementsAre("index=background"));
  EXPECT_THAT(offered("scidfs-serve -o index=b"), ElementsAre("index=background"));
}

TEST_F(BashTest, OffersValuesAndCommands) {
  EXPECT_THAT(offered("scidfs-book "), ElementsAre("build", "dump"));
  EXPECT_THAT(offered("scidfs-get "), ElementsAre("cat", "cp", "ls", "site"));
  EXPECT_THAT(offered("scidfs-book build --byte-order "), ElementsAre("big", "little"));
  EXPECT_THAT(offered("scidfs-book build --byte-order=b"), ElementsAre("--byte-order=big"));
  EXPECT_THAT(offered("scidfs-pack --sandbox o"), ElementsAre("off"));
}

TEST_F(BashTest, OffersSourcesAndFolders) {
  for (const char* const name : {"mega.si4", "mega.sg4", "base.scv", "notes.txt"}) {
    write_file(file("work") / name, "");
  }
  filesystem::create_directory(file("work") / "more");
  EXPECT_THAT(offered("scidfs "), ElementsAre("base.scv", "mega.si4", "more"));
  EXPECT_THAT(offered("scidfs-get cat "), ElementsAre("base.scv", "mega.si4", "more"));
  EXPECT_THAT(offered("scidfs-serve --open "), ElementsAre("base.scv", "mega.si4", "more"));
  EXPECT_THAT(offered("scidfs -o cache_dir=mo"), ElementsAre("cache_dir=more"));
  EXPECT_THAT(offered("scidfs-book dump no"), ElementsAre("notes.txt"));
}

TEST_F(BashTest, OffersPathsOfTheSource) {
  copy_sample(file("work") / "a");
  EXPECT_THAT(offered("scidfs-get ls -l a.si4 ye"), ElementsAre("years.tsv", "years/"));
  EXPECT_THAT(offered("scidfs-get ls a.si4 players/ka/Kasparov,_G"),
              ElementsAre("players/ka/Kasparov,_Gary/"));
  EXPECT_THAT(offered("scidfs-get cat a.si4 search/eco=A"), ElementsAre("search/eco=A/"));
  EXPECT_THAT(offered("scidfs-get cat a.si4 years.tsv pla"),
              IsSupersetOf({"players/", "players.tsv"}));
  filesystem::create_directory(file("work") / "yearly");
  EXPECT_THAT(offered("scidfs-get cp a.si4 yea"), IsSupersetOf({"years/", "yearly"}));
}

class FishTest : public CompletionsTest {
 protected:
  void SetUp() override {
    if (is_missing("fish", has("fish"))) GTEST_SKIP() << "fish is not installed";
  }

  // The words without their descriptions.
  std::vector<std::string> offered(const std::string& program, const std::string& words) const {
    std::istringstream out(run_ok(with_programs() + "fish --no-config -c " +
                                  shell_word("source " + shell_word(script("fish").string()) +
                                             "; complete -C'" + program + " " + words + "'")));
    std::vector<std::string> found;
    for (std::string line; std::getline(out, line);)
      found.push_back(line.substr(0, line.find('\t')));
    return found;
  }
};

TEST_F(FishTest, OffersOptionsAndTheirValues) {
  EXPECT_THAT(offered("scidfs", "--ver"), ElementsAre("--verbose", "--version"));
  EXPECT_THAT(offered("scidfs", "-o width=0,ind"),
              ElementsAre("width=0,index=auto", "width=0,index=background", "width=0,index=none",
                          "width=0,index=wait", "width=0,index_cache="));
  EXPECT_THAT(offered("scidfs", "-onofail,allow_o"), ElementsAre("-onofail,allow_other"));
  EXPECT_THAT(offered("scidfs-book", ""), IsSupersetOf({"build", "dump"}));
  EXPECT_THAT(offered("scidfs-get", ""), IsSupersetOf({"cat", "ls"}));
  EXPECT_THAT(offered("scidfs-book", "build --code-page 12"), ElementsAre("1251", "1252"));
  EXPECT_THAT(offered("scidfs-pack", "--fo"), ElementsAre("--force"));
  EXPECT_THAT(offered("scidfs-serve", "--o"), ElementsAre("--open"));
}

TEST_F(FishTest, OffersPathsOfTheSource) {
  const std::string source = "ls -l " + shell_word(test_data("sample/sample.si4")) + " ";
  EXPECT_THAT(offered("scidfs-get", source + "players/ka/Kasparov,_G"),
              ElementsAre("players/ka/Kasparov,_Gary/"));
  EXPECT_THAT(offered("scidfs-get", source + "pla"), IsSupersetOf({"players/", "players.tsv"}));
}

class ZshTest : public CompletionsTest {
 protected:
  void SetUp() override {
    if (is_missing("zsh", has("zsh"))) GTEST_SKIP() << "zsh is not installed";
  }

  // What the terminal shows.
  std::string offered(const std::string& line) const {
    filesystem::copy_file(script("zsh"), file("_scidfs"),
                          filesystem::copy_options::overwrite_existing);
    // TAB lists, and Ctrl-T takes the line away again.
    write_file(file(".zshrc"), "fpath=(" + shell_word(folder_.path().string()) +
                                   " $fpath)\nautoload -Uz compinit && compinit -u -D\n"
                                   "PS1=\nLISTMAX=1000\nsetopt NO_always_last_prompt\n"
                                   "bindkey '^I' list-choices\nbindkey '^T' kill-whole-line\n");
    write_file(file("typed"), line + "\t" + kTake + "exit\r");
    return run_ok(with_programs() + "ZDOTDIR=" + shell_word(folder_.path().string()) +
                  " TERM=dumb COLUMNS=200 script -qec 'zsh -i' /dev/null < " +
                  shell_word(file("typed").string()));
  }
};

TEST_F(ZshTest, OffersOptionsAndTheirValues) {
  EXPECT_THAT(offered("scidfs --"), testing::HasSubstr("print what is damaged"));
  EXPECT_THAT(offered("scidfs -o width=0,"), testing::HasSubstr("memory for decoded text"));
  EXPECT_THAT(offered("scidfs -o index="), testing::HasSubstr("background"));
  EXPECT_THAT(offered("scidfs-get ls -o index="), testing::HasSubstr("background"));
  EXPECT_THAT(offered("scidfs-serve -o index="), testing::HasSubstr("background"));
  EXPECT_THAT(offered("scidfs-serve --"), testing::HasSubstr("where to answer"));
  EXPECT_THAT(offered("scidfs-book build --byte-order="), testing::HasSubstr("little"));
}

TEST_F(ZshTest, OffersPathsOfTheSource) {
  const std::string source = "scidfs-get ls -l " + shell_word(test_data("sample/sample.si4")) + " ";
  EXPECT_THAT(offered(source + "players/ka/Kasparov,_G"), testing::HasSubstr("Kasparov,_Gary"));
  EXPECT_THAT(offered(source + "pla"),
              testing::AllOf(testing::HasSubstr("players "), testing::HasSubstr("players.tsv")));
}

}  // namespace
}  // namespace scidfs::tests
