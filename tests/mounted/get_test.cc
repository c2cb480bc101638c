// scidfs-get prints without a mount what a mount shows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// All kinds of sources in a folder with a mount of it.
class GetMountTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    const filesystem::path source = folder_ / "source";
    filesystem::create_directory(source);
    for (const char* const kind : {"sample", "scid3", "scid5", "packed", "news"}) {
      filesystem::copy(test_data(kind), source / kind, filesystem::copy_options::recursive);
    }
    for (const char* const name : {"scv/ok-multi.scv", "scv/bad-crc.scv", "kvetka/small_0.kob",
                                   "kvetka/small.kin", "kvetka/small.ksf"}) {
      filesystem::create_directories((source / name).parent_path());
      filesystem::copy_file(test_data(name), source / name);
    }
    for (const auto& entry : filesystem::recursive_directory_iterator(source)) {
      if (entry.is_directory()) make_old(entry.path());
    }
    source_ = source;
    mount_ = std::make_unique<Mount>(MountSetup{.source = source, .cache_home = folder_ / "cache"});
    ASSERT_TRUE(mount_->ok());
  }

  // A command of scidfs-get for the source.
  std::string get(const std::string& action, const std::string& paths,
                  const std::string& options = "") const {
    return fmt::format(
        "XDG_CACHE_HOME={} {} {} -o spelling=none,eco=none,fide=none,sandbox={}{} -- {} {}",
        word(folder_ / "mine"), word(program("scidfs-get")), action,
        can_be_strict() ? "strict" : "auto", options, word(source_), paths);
  }
  std::string in_mount(const std::string& command) const {
    return run_ok(fmt::format("cd {} && export LC_ALL=C; {}", word(mount_->path()), command), 300);
  }
  bool is_over() const { return IsSkipped() || HasFatalFailure(); }

  TemporaryFolder folder_;
  filesystem::path source_;
  std::unique_ptr<Mount> mount_;
};

TEST_F(GetMountTest, ListsTheNamesOfTheMount) {
  if (is_over()) return;
  const std::string all = in_mount("ls -R");
  EXPECT_EQ(run_ok(get("ls -R", ""), 300), all);
  EXPECT_THAT(all, HasSubstr("\n\n./sample/sample.si4/players/ka:\n"));
  for (const char* const paths :
       {"", "info.txt", "sample/sample.si4 sample scid3", "packed/games.pgn", "scv/ok-multi.scv",
        "kvetka/small.kob", "sample/together", "sample/sample.si4/tree/e4"}) {
    EXPECT_EQ(run_ok(get("ls", paths)), in_mount(std::string("ls ") + paths)) << paths;
  }
}

TEST_F(GetMountTest, ListsTheSizesAndTimesOfTheMount) {
  if (is_over()) return;
  const std::string folder = "sample/sample.si4/players/ka/Kasparov,_Gary";
  const std::string listed = run_ok(get("ls -l", folder) + " | tr -s ' '");
  EXPECT_EQ(listed, in_mount("cd " + folder +
                             " && for f in *; do s=$(stat -c %s $f); [ -d $f ] && s=0; "
                             "echo \"$(stat -c %A $f) $s $(TZ=UTC date -r $f "
                             "+%Y-%m-%dT%H:%M:%S.%NZ) $f\"; done"));
  EXPECT_THAT(listed, HasSubstr(" white.pgn\n"));
}

TEST_F(GetMountTest, PrintsTheBytesOfAllListedFiles) {
  if (is_over()) return;
  // info.txt of a folder tells which PGN files have been read so far.
  const std::string names =
      "find . -type f ! -path ./status.txt ! -regex './[^/]*/info.txt' | LC_ALL=C sort";
  const std::string list = fmt::format("{} > {}", names, word(folder_ / "list"));
  in_mount(list);
  const std::string sum =
      in_mount(fmt::format("xargs -a {} -d '\\n' cat | cksum", word(folder_ / "list")));
  const filesystem::path script = folder_ / "get";
  // A mount measures all games.
  write_file(script, get("cat", "\"$@\"", ",index=wait"));
  EXPECT_EQ(run_ok(fmt::format("xargs -a {} -d '\\n' sh {} | cksum", word(folder_ / "list"),
                               word(script)),
                   300),
            sum);
}

TEST_F(GetMountTest, PrintsTheBytesOfFilesThatAreNotListed) {
  if (is_over()) return;
  for (const char* const path : {
           "index.html",
           "sample/together/.ignore",
           "sample/sample.si4/index.html",
           "sample/sample.si4/games/1.pgn",
           "sample/sample.si4/games/1.html",
           "sample/sample.si4/events.tsv",
           "sample/sample.si4/players.csv",
           "sample/sample.si4/search/white=Kasparov*/games.pgn",
           "sample/sample.si4/search/white=Kasparov*/eco=B90..B99/index.tsv",
           "sample/sample.si4/search/not-result=draw/year=1990../summary.txt",
           "sample/sample.si4/search/pieces=Nd5,pe6/games.pgn",
           "sample/sample.si4/players/ka/Kasparov,_Gary/search/result=1-0/openings.tsv",
           "sample/sample.si4/tree/e4/c5/moves.txt",
           "sample/sample.si4/tree/e4,c5/explorer.json",
           "sample/sample.si4/tree/e4/board.svg",
           "sample/sample.si4/positions/"
           "rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b/moves.tsv",
           "sample/sample.si4/lines/plies=10.pgn",
           "sample/sample.si4/book/plies=10,games=2.bin",
           "sample/sample.si4/novelties.tsv",
           "sample/sample.si4/parts/4/2/games.uci",
           "sample/together/all.pgn",
           "together/summary.txt",
           "together/search/year=..1990/index.tsv",
           "together/tree/d4/moves.txt",
           "packed/together/doubles/doubles.tsv",
           "packed/games.pgn.zst/all.pgn",
           "packed/games.pgn.gz/search/result=1-0/games.pgn",
           "scv/bad-crc.scv/info.txt",
           "kvetka/small.kob/fen/rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w_KQkq_-.txt",
       }) {
    const std::string at_mount = word(filesystem::path(path));
    EXPECT_EQ(run(get("cat", at_mount)).out, in_mount("cat " + at_mount)) << path;
  }
}

TEST_F(GetMountTest, TakesSourcesOfOneFile) {
  if (is_over()) return;
  for (const auto& [file, path] :
       {std::pair("sample/sample.si4", "tree/e4/moves.txt"),
        std::pair("scid5/chess960.si5", "all.pgn"), std::pair("packed/games.pgn.xz", "all.pgn"),
        std::pair("scv/ok-multi.scv", "info.txt"),
        std::pair("kvetka/small_0.kob", "positions.epd")}) {
    const Mount mount({.source = source_ / file});
    ASSERT_TRUE(mount.ok());
    EXPECT_EQ(run_ok(fmt::format("{} cat -o spelling=none,eco=none,fide=none {} {}",
                                 word(program("scidfs-get")), word(source_ / file), path)),
              read_all(mount / path))
        << file;
  }
}

TEST_F(GetMountTest, FailuresHaveReasons) {
  if (is_over()) return;
  const struct {
    std::string command;
    int code;
    std::string error;
  } cases[] = {
      {get("cat", "none sample/sample.si4/summary.txt > /dev/null"), 1,
       "scidfs-get: none: No such file or directory\n"},
      {get("cat", "sample"), 1, "scidfs-get: sample: Is a directory\n"},
      {get("cat", "../x"), 1,
       "scidfs-get: ../x: a PATH begins at the top of SOURCE, and `..` is not taken in it\n"},
      {get("cat", "'\x1b[2J'"), 1, "scidfs-get: ?[2J: no listed name matches\n"},
      {get("cat", "$(printf 'x%.0s' $(seq 4096))"), 1, ": No such file or directory\n"},
      {get("cat", "//sample///sample.si4//none"), 1,
       "scidfs-get: //sample///sample.si4//none: No such file or directory"},
      {get("cat", "$'\\xff\\xfe'"), 1, ": No such file or directory\n"},
      {get("cat", "sample/sample.si4/all.pgn > /dev/full"), 1,
       "scidfs-get: Cannot write standard output: No space left on device\n"},
      {get("ls", "> /dev/full"), 1,
       "scidfs-get: Cannot write standard output: No space left on device\n"},
      {get("ls", ">&-"), 1, "scidfs-get: standard output is closed\n"},
      {get("ls", "", ",allow_other"), 2, "option allow_other is for mounts alone"},
      {word(program("scidfs-get")) + " ls /none", 1,
       "Cannot open /none: No such file or directory"},
  };
  for (const auto& test : cases) {
    const Outcome outcome = run(test.command);
    EXPECT_EQ(outcome.exit_code, test.code) << test.command;
    EXPECT_THAT(outcome.errors, HasSubstr(test.error));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(GetSourceTest, SourcesThatCannotBeShownHaveReasons) {
  const TemporaryFolder folder;
  run_ok(
      fmt::format("cd {} && mkfifo pipe && ln -s loop loop && printf x > text && "
                  "printf Scid.si > cut.si4 && mkdir closed",
                  word(folder.path())));
  const struct {
    std::string source;
    std::string error;
  } cases[] = {
      {"/dev/null", "is neither a folder nor"},
      {"/dev/zero", "is neither a folder nor"},
      {word(folder / "pipe"), "is neither a folder nor"},
      {word(folder / "text"), "is neither a folder nor"},
      {word(folder / "loop"), "Too many levels of symbolic links"},
      {word(folder / "cut.si4"), "cut.si4"},
      {word(folder / "text/below"), "Not a directory"},
  };
  for (const auto& test : cases) {
    const Outcome outcome = run("timeout 20 " + word(program("scidfs-get")) +
                                " cat -o cache_dir=none " + test.source + " info.txt");
    EXPECT_EQ(outcome.exit_code, 1) << test.source;
    EXPECT_THAT(outcome.errors, HasSubstr(test.error)) << test.source;
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(GetMountTest, EndsQuietlyWhenThePipeIsClosed) {
  if (is_over()) return;
  for (const char* const ignored : {"", "trap '' PIPE; "}) {
    const Outcome outcome =
        run(ignored + get("cat", "together/all.pgn together/all.pgn together/all.pgn") +
            " | head -c 9");
    EXPECT_EQ(outcome.out, "[Event \"F");
    EXPECT_EQ(outcome.errors, "");
  }
}

// Copies of the sample, without a mount.
class CopyTest : public testing::Test {
 protected:
  std::string copy(const std::string& paths, const std::string& options = "") const {
    return fmt::format("{} cp -o cache_dir=none,sandbox={} {} {} {} {}",
                       word(program("scidfs-get")), can_be_strict() ? "strict" : "auto", options,
                       word(sample_database()), paths, word(target_));
  }
  // What a copy that fails says.
  static std::string failure(const std::string& command) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 1) << command;
    return outcome.errors;
  }
  std::string source(const std::string& path) const {
    return run_ok(fmt::format("{} cat -o cache_dir=none {} {}", word(program("scidfs-get")),
                              word(sample_database()), path));
  }

  TemporaryFolder folder_;
  const filesystem::path target_ = folder_ / "target";
};

TEST_F(GetMountTest, CopiesTheFilesOfTheMountWithTheirTimes) {
  if (is_over()) return;
  const filesystem::path target = folder_ / "target";
  const char* const paths =
      "sample/sample.si4/players sample/sample.si4/eco info.txt "
      "sample/sample.si4/tree/e4/moves.txt 'sample/sample.si4/years/19[5-7]?'";
  run_ok(get("cp -r", std::string(paths) + " " + word(target)));
  const filesystem::path expected = folder_ / "expected";
  filesystem::create_directory(expected);
  in_mount(
      fmt::format("cp -r --preserve=timestamps info.txt sample/sample.si4/players "
                  "sample/sample.si4/eco sample/sample.si4/tree/e4/moves.txt "
                  "sample/sample.si4/years/19[5-7]? {}",
                  word(expected)));
  const std::string facts = " && find . -type f -printf '%P %s %T@\\n' | LC_ALL=C sort";
  EXPECT_EQ(run_ok("cd " + word(target) + facts), run_ok("cd " + word(expected) + facts));
  EXPECT_EQ(run_ok(fmt::format("diff -r {} {}", word(target), word(expected))), "");
  run_ok(get("cp -r", "packed/games.pgn/games " + word(target)));
  EXPECT_FALSE(filesystem::is_empty(target / "games"));
}

TEST_F(CopyTest, OfTheTopIsAllThatItLists) {
  const std::string small = test_data("scid5/chess960.si5");
  run_ok(fmt::format("{} cp -r {} / {}", word(program("scidfs-get")), word(small), word(target_)));
  const std::string names = run_ok(word(program("scidfs-get")) + " ls -R " + word(small));
  EXPECT_EQ(run_ok("cd " + word(target_) + " && LC_ALL=C ls -R"), names);
  EXPECT_THAT(names, HasSubstr("\n\n./players:\n"));
}

TEST_F(CopyTest, OverwritesFilesIfForcedAndNothingElseEver) {
  const std::string summary = source("summary.txt");
  filesystem::create_directory(target_);
  write_file(target_ / "summary.txt", "mine");
  EXPECT_THAT(failure(copy("summary.txt info.txt")),
              HasSubstr("/summary.txt: something has that name\n"));
  EXPECT_EQ(read_all(target_ / "summary.txt"), "mine");
  EXPECT_EQ(read_all(target_ / "info.txt"), source("info.txt"));
  run_ok(copy("summary.txt", "--force"));
  EXPECT_EQ(read_all(target_ / "summary.txt"), summary);

  write_file(folder_ / "other", "other");
  filesystem::create_directory(folder_ / "elsewhere");
  struct Obstacle {
    const char* what;
    std::string make;  // at the name $1
    const char* path;
    const char* name;
  };
  for (const auto& [what, make, path, name] :
       {Obstacle{"a symbolic link", "ln -s ../other $1", "players.tsv", "players.tsv"},
        Obstacle{"a symbolic link", "ln -s nowhere $1", "years.tsv", "years.tsv"},
        Obstacle{"a named pipe", "mkfifo $1", "index.tsv", "index.tsv"},
        Obstacle{"a folder", "mkdir $1", "all.pgn", "all.pgn"},
        Obstacle{"File exists", "ln -s ../elsewhere $1", "eco", "eco"},
        Obstacle{"File exists", "mkdir -p players && ln -s ../../elsewhere $1", "players",
                 "players/ka"},
        Obstacle{"File exists", "echo mine > $1", "flags", "flags"}}) {
    run_ok(fmt::format("cd {} && set -- {} && {}", word(target_), name, make));
    for (const char* const options : {"-r", "-r --force", "-r --continue"}) {
      EXPECT_THAT(failure(copy(path, options)), HasSubstr(what)) << name;
    }
  }
  EXPECT_EQ(read_all(folder_ / "other"), "other");
  EXPECT_TRUE(filesystem::is_empty(folder_ / "elsewhere"));
  EXPECT_FALSE(filesystem::exists(target_ / "nowhere"));
  EXPECT_EQ(run("find " + word(target_) + " -name '*.scidfs-*'").out, "");
}

TEST_F(CopyTest, GoesOnWhereItWasInterrupted) {
  run_ok(copy("years", "-r"));
  const filesystem::path file = target_ / "years/1951/all.pgn";
  const std::string facts = "find " + word(target_) + " -type f -printf '%i %P %T@\\n' | sort";
  const std::string before = run_ok(facts);
  run_ok(copy("years", "-r --continue"));
  EXPECT_EQ(run_ok(facts), before) << "the same files";
  filesystem::remove(file);
  run_ok(copy("years", "-r --continue"));
  EXPECT_EQ(read_all(file), source("years/1951/all.pgn"));
  filesystem::resize_file(file, 9);
  EXPECT_THAT(failure(copy("years", "-r --continue")), HasSubstr("1951/all.pgn: something has"));
  run_ok(copy("years", "-r --continue --force"));
  EXPECT_EQ(read_all(file), source("years/1951/all.pgn"));
}

// The second program finds the PGN file read.
TEST_F(CopyTest, OfAFolderIsContinuedThoughItsTextsTellOfAnotherProgram) {
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  filesystem::copy_file(test_data("packed/games.pgn"), source / "games.pgn");
  for (const char* const name : {"chess960.si5", "chess960.sn5", "chess960.sg5"}) {
    filesystem::copy_file(test_data(std::string("scid5/") + name), source / name);
  }
  make_old(source);
  const struct {
    const char* action;
    const char* paths;
    std::vector<const char*> texts;
  } cases[] = {{"cp -r", ".", {"status.txt", "info.txt"}}, {"site", "", {"index.html"}}};
  for (const auto& one : cases) {
    const std::vector<const char*>& texts = one.texts;
    const filesystem::path copied = folder_ / std::string(one.action).substr(0, 2);
    const auto command = [&](const std::string& options) {
      return fmt::format("XDG_CACHE_HOME={} {} {} {} {} {} {}", word(copied.native() + ".cache"),
                         word(program("scidfs-get")), one.action, options, word(source), one.paths,
                         word(copied));
    };
    run_ok(command(""));
    std::vector<std::string> before;
    before.reserve(texts.size());
    for (const char* const text : texts) before.push_back(read_all(copied / text));
    filesystem::remove(copied / "chess960.si5/index.html");
    run_ok(command("--continue"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(read_all(copied / texts[i]), before[i]) << texts[i];
    }
    EXPECT_EQ(filesystem::exists(copied / "chess960.si5/index.html"), one.action[0] == 's');
    run_ok(command("--continue --force"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_NE(read_all(copied / texts[i]), before[i]) << texts[i];
    }
  }
}

TEST_F(CopyTest, RemovesWhatAKilledOneLeft) {
  filesystem::create_directories(target_ / "1951");
  const char* const left[] = {".info.txt.scidfs-0123abcd", "1951/.all.pgn.scidfs-0123abcd"};
  const char* const others[] = {".mine.si4.scidfs-0123abcd", ".info.txt.scidfs-x",
                                "1951/.years.scidfs-0123abcd"};
  for (const char* const name : left) write_file(target_ / name, "half");
  for (const char* const name : others) write_file(target_ / name, "another's");
  const std::string alive = target_ / ".info.txt.scidfs-76543210";
  run_ok(fmt::format("exec 9> {} && flock 9 && {}", word(alive),
                     copy("info.txt years/1951", "-r --continue")));
  for (const char* const name : left) EXPECT_FALSE(filesystem::exists(target_ / name)) << name;
  for (const char* const name : others) EXPECT_EQ(read_all(target_ / name), "another's") << name;
  EXPECT_TRUE(filesystem::exists(alive));
  EXPECT_EQ(read_all(target_ / "1951/all.pgn"), source("years/1951/all.pgn"));
}

// timeout(1) sends the signal to both processes of the copy, or to the program alone.
TEST_F(CopyTest, IsContinuedWheneverItWasKilled) {
  const char* const paths = "games eco";
  run_ok(copy(paths, "-r"));
  const filesystem::path expected = folder_ / "expected";
  filesystem::rename(target_, expected);
  const std::string facts = " && find . -type f -printf '%P %s %T@\\n' | LC_ALL=C sort";
  const std::string unfinished = "find " + word(target_) + " -name '*.scidfs-*'";
  for (const char* const how : {"-s KILL", "--foreground -s KILL", "-s TERM"}) {
    filesystem::remove_all(target_);
    for (int i = 1; i <= 8; ++i) {
      filesystem::create_directory(target_);
      run(fmt::format("timeout {} 0.{:02} {} || true", how, 2 * i, copy(paths, "-r --continue")));
      if (how[3] == 'T') {
        EXPECT_EQ(run_ok(unfinished), "");
      }
    }
    // The process that outlives the program ends with the file that it is writing.
    run_ok("sleep 0.5 && " + copy(paths, "-r --continue"));
    EXPECT_EQ(run_ok("cd " + word(target_) + facts), run_ok("cd " + word(expected) + facts)) << how;
    EXPECT_EQ(run_ok(fmt::format("diff -r {} {}", word(target_), word(expected))), "") << how;
  }
}

TEST_F(CopyTest, LeavesWholeFilesAloneWhereThereIsNoRoom) {
  EXPECT_THAT(failure("ulimit -f 4 && " + copy("info.txt all.pgn summary.txt")),
              HasSubstr("/all.pgn: File too large (see ulimit -f)\n"));
  EXPECT_THAT(names_in(target_), ElementsAre("info.txt"));
}

TEST_F(CopyTest, TellsFilesWithDamagedGames) {
  copy_sample(folder_ / "cut");
  const filesystem::path games = folder_ / "cut.sg4";
  filesystem::resize_file(games, filesystem::file_size(games) - 9);
  const std::string options = " -o cache_dir=none " + word(folder_ / "cut.si4") + " ";
  const std::string get = word(program("scidfs-get"));
  const Outcome printed = run(get + " cat" + options + "all.pgn summary.txt games/1.pgn | wc -c; " +
                              get + " cat" + options + "all.pgn > /dev/null");
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_EQ(printed.errors,
            "scidfs-get: all.pgn: a game is damaged, and its text says where\n"
            "scidfs-get: all.pgn: a game is damaged, and its text says where\n");
  const Outcome copied = run(get + " cp" + options + "all.pgn " + word(target_));
  EXPECT_EQ(copied.exit_code, 3);
  EXPECT_EQ(read_all(target_ / "all.pgn"), run(get + " cat" + options + "all.pgn").out);
  EXPECT_EQ(run(get + " cp" + options + "all.pgn none " + word(target_)).exit_code, 1);
  const Outcome continued = run(get + " cp --continue" + options + "all.pgn " + word(target_));
  EXPECT_EQ(continued.exit_code, 3);
  EXPECT_EQ(continued.errors, "scidfs-get: all.pgn: a game is damaged, and its text says where\n");
}

TEST_F(CopyTest, SaysWhyItCannotCopy) {
  EXPECT_THAT(failure(copy("years")), HasSubstr("years: it is a directory, which needs -r\n"));
  EXPECT_THAT(failure(copy("none")), HasSubstr("none: No such file or directory\n"));
  write_file(folder_ / "file", "");
  const std::string command =
      fmt::format("{} cp {} all.pgn ", word(program("scidfs-get")), word(sample_database()));
  EXPECT_THAT(failure(command + word(folder_ / "file")), HasSubstr("it is no folder\n"));
  EXPECT_THAT(failure(command + word(folder_ / "none/there")), HasSubstr("No such file"));
  EXPECT_THAT(failure(command + "/proc"), HasSubstr("Cannot write /proc/all.pgn: "));
  for (const char* const device : {"/dev/full", "/dev/null"}) {
    EXPECT_THAT(failure(command + device), HasSubstr("it is no folder\n"));
  }
  if (::geteuid() != 0) return;
  filesystem::create_directory(folder_ / "of_root");
  filesystem::permissions(folder_.path(), filesystem::perms::others_exec,
                          filesystem::perm_options::add);
  copy_sample(folder_ / "sample");
  EXPECT_THAT(failure(fmt::format("setpriv --reuid=65534 --regid=65534 --clear-groups {} cp "
                                  "-o cache_dir=none {} all.pgn {}",
                                  word(program("scidfs-get")), word(folder_ / "sample.si4"),
                                  word(folder_ / "of_root"))),
              HasSubstr("/of_root/all.pgn: Permission denied\n"));
  EXPECT_TRUE(filesystem::is_empty(folder_ / "of_root"));
}

TEST_F(GetMountTest, MakesSitesWithoutDeadLinks) {
  if (is_over()) return;
  const Mount mount({.source = source_, .options = "pages=list"});
  ASSERT_TRUE(mount.ok());
  for (const char* const path : {"packed/games.pgn", "scv", "kvetka", "scid5/chess960.si5", "news",
                                 "sample/sample.si4/players/ka"}) {
    const filesystem::path site = folder_ / "site";
    const std::string made = fmt::format("{} {}", path, word(site));
    run_ok(get("site", made), 300);
    const Outcome checked = run(
        fmt::format("/usr/bin/python3 {} {} {}", word(source_path("tests/mounted/check_site.py")),
                    word(site), word(mount / path)),
        300);
    EXPECT_EQ(checked.exit_code, 0) << path << "\n" << checked.out << checked.errors;
    EXPECT_THAT(checked.out, HasSubstr(", 0 faults\n"));
    filesystem::remove_all(site);
  }
}

TEST_F(CopyTest, SitesAreWrittenAsCopies) {
  const std::string make =
      fmt::format("{} site -o cache_dir=none {} years {} ", word(program("scidfs-get")),
                  word(sample_database()), word(target_));
  run_ok(make);
  EXPECT_THAT(names_in(target_), testing::IsSupersetOf({"1851", "board.js", "index.html"}));
  const std::string facts = "find " + word(target_) + " -type f -printf '%i %P %T@\\n' | sort";
  const std::string before = run_ok(facts);
  run_ok(make + "--continue");
  EXPECT_EQ(run_ok(facts), before) << "the same files";
  EXPECT_THAT(failure(make), HasSubstr("/index.html: something has that name\n"));
  const filesystem::path page = target_ / "1851/index.html";
  const std::string text = read_all(page);
  write_file(page, "mine");
  EXPECT_THAT(failure(make + "--continue"), HasSubstr("/1851/index.html: something has that"));
  run_ok(make + "--continue --force");
  EXPECT_EQ(read_all(page), text);

  write_file(folder_ / "other", "other");
  filesystem::create_directory(folder_ / "elsewhere");
  filesystem::remove(page);
  filesystem::create_symlink(folder_ / "other", page);
  filesystem::rename(target_ / "1858", target_ / "1858.old");
  filesystem::create_directory_symlink(folder_ / "elsewhere", target_ / "1858");
  const std::string errors = failure(make + "--force");
  EXPECT_THAT(errors, HasSubstr("1851/index.html is a symbolic link"));
  EXPECT_THAT(errors, HasSubstr("1858: File exists"));
  EXPECT_EQ(read_all(folder_ / "other"), "other");
  EXPECT_TRUE(filesystem::is_empty(folder_ / "elsewhere"));
}

TEST_F(CopyTest, SaysWhyItCannotMakeASite) {
  const std::string make = fmt::format("{} site -o cache_dir=none {} ", word(program("scidfs-get")),
                                       word(sample_database()));
  for (const char* const path : {"summary.txt", "lines", "search", "years/1851/search"}) {
    EXPECT_THAT(failure(make + path + " " + word(target_)),
                HasSubstr(std::string(path) + ": it is no directory with a page\n"));
  }
  EXPECT_THAT(failure(make + "'years/185?' " + word(target_)),
              HasSubstr("years/185?: a site is made of one directory\n"));
  EXPECT_THAT(failure(make + "none " + word(target_)), HasSubstr("none: No such file"));
  EXPECT_TRUE(filesystem::is_empty(target_));
}

TEST_F(GetMountTest, WorksWhereTheCacheFolderCannotBeWritten) {
  if (is_over()) return;
  write_file(folder_ / "mine", "a file in its place");
  for (const char* const path : {"sample/sample.si4/summary.txt", "packed/games.pgn/all.pgn"}) {
    EXPECT_EQ(run(get("cat", path)).out, read_all(*mount_ / path)) << path;
  }
}

TEST_F(GetMountTest, WritesTheCacheFolderAlone) {
  if (is_over()) return;
  const std::string state = fmt::format("cd {} && find . -ls", word(source_));
  const std::string before = run_ok(state);
  run_ok(get("cat", "packed/games.pgn/all.pgn together/players.tsv"));
  EXPECT_EQ(run_ok(state), before);
  EXPECT_THAT(names_in(folder_.path()), ElementsAre("cache", "mine", "source"));
  EXPECT_FALSE(filesystem::is_empty(folder_ / "mine/scidfs"));
}

}  // namespace
}  // namespace scidfs::tests
