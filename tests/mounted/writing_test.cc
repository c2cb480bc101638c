// The programs that write files, stopped by a signal, a limit, or an existing file of the same
// name.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// What users and programs end a program by, as far as it can be caught.
constexpr std::array kEnding = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2};

class WritingTest : public testing::Test {
 protected:
  // Sources that take seconds to process: a database for books, and a sparse PGN file.
  static void SetUpTestSuite() {
    large_ = std::make_unique<TemporaryFolder>();
    const absl::Status made =
        bench::multiply(test_data("sample/sample"), 300'000, *large_ / "large");
    ASSERT_TRUE(made.ok()) << std::string(made.message());
    write_file(*large_ / "large.pgn", "");
    filesystem::resize_file(*large_ / "large.pgn", std::uintmax_t{1} << 34);
  }
  static void TearDownTestSuite() { large_.reset(); }

  void SetUp() override { filesystem::create_directory(out_); }

  // Arguments of the program that makes out_/NAME: "base.scv", "base.si5" or a book "base".
  static std::string command(std::string_view name, const filesystem::path& database) {
    const std::string_view option = name == "scidfs-pack"   ? " --force"
                                    : name == "scidfs-book" ? " build"
                                                            : "";
    return fmt::format("{}{} {} -o", word(program(name)), option, word(database));
  }
  static filesystem::path large(std::string_view name) {
    return *large_ / (name == "scidfs-book" ? "large.si4" : "large.pgn");
  }
  filesystem::path target(std::string_view name) const {
    return out_ / (name == "scidfs-pack"   ? "base.scv"
                   : name == "scidfs-book" ? "base"
                                           : "base.si5");
  }
  std::string make_large(std::string_view name) const {
    return fmt::format("{} {}", command(name, large(name)), word(target(name)));
  }
  // Starts a shell command that executes one of the programs, and waits until that writes.
  pid_t start(const std::string& line) const {
    const pid_t child = ::fork();
    if (child == 0) {
      // The caller of the tests may have ignored them.
      for (const int signal : kEnding) ::signal(signal, SIG_DFL);
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(127);
    }
    if (child < 0) std::abort();  // not an id to send signals to
    for (int i = 0; i < 3000 && names_in(out_).empty(); ++i) ::usleep(10'000);
    EXPECT_THAT(names_in(out_), AllOf(Not(IsEmpty()), Each(StartsWith(".")))) << "it writes aside";
    return child;
  }
  static void expect_end_by(int signal, pid_t child) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), signal);
  }

  static std::unique_ptr<TemporaryFolder> large_;
  const TemporaryFolder folder_;
  const filesystem::path out_ = folder_ / "out";
};

std::unique_ptr<TemporaryFolder> WritingTest::large_;

TEST_F(WritingTest, SignalEndsProgramAndLeavesNoPartialFile) {
  for (const char* const name : {"scidfs-pack", "scidfs-book", "scidfs-import"}) {
    for (const int signal : kEnding) {
      SCOPED_TRACE(fmt::format("{}, signal {}", name, signal));
      const pid_t child = start(fmt::format("exec {} > /dev/null", make_large(name)));
      ::kill(child, signal);
      expect_end_by(signal, child);
      EXPECT_THAT(names_in(out_), IsEmpty());
    }
  }
}

// nohup, and jobs of shells in the background.
TEST_F(WritingTest, IgnoredSignalStaysIgnored) {
  const pid_t child = start("trap '' HUP; exec " + make_large("scidfs-pack"));
  ::kill(child, SIGHUP);
  ::usleep(200'000);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, WNOHANG), 0) << "it goes on";
  ::kill(child, SIGTERM);
  expect_end_by(SIGTERM, child);
  EXPECT_THAT(names_in(out_), IsEmpty());
}

TEST_F(WritingTest, ClosedStderrDoesNotEndProgram) {
  run_ok(fmt::format("({} {}; echo $? > {}) 2>&1 | true", command("scidfs-book", sample_database()),
                     word(out_ / "base"), word(folder_ / "code")));
  EXPECT_EQ(read_file(folder_ / "code"), "0\n");
  EXPECT_THAT(names_in(out_), ElementsAre("base.kin", "base.ksf", "base_0.kob"));
  const std::string missing =
      fmt::format("{} {}", command("scidfs-pack", folder_ / "none.si4"), word(out_ / "base.scv"));
  EXPECT_EQ(run(missing + " 2> /dev/full").exit_code, 1);
}

// As on a full disk.
TEST_F(WritingTest, FileSizeLimitIsErrorAndLeavesNoFile) {
  for (const char* const name : {"scidfs-pack", "scidfs-book", "scidfs-import"}) {
    const Outcome outcome = run(
        fmt::format("ulimit -f 8; {} {}", command(name, sample_database()), word(target(name))));
    EXPECT_EQ(outcome.exit_code, 1) << name;
    EXPECT_THAT(outcome.errors, StartsWith(std::string(name) + ": Cannot write "));
    EXPECT_THAT(outcome.errors, EndsWith("File too large (see ulimit -f)\n"));
    EXPECT_THAT(names_in(out_), IsEmpty());
  }
  const Outcome dump = run(fmt::format("ulimit -f 1; {} dump {} > {}", word(program("scidfs-book")),
                                       word(test_data("kvetka/small")), word(folder_ / "table")));
  EXPECT_EQ(dump.exit_code, 1);
  EXPECT_EQ(dump.errors, "scidfs-book: Cannot write the table\n");
}

// Makes a file of a kind that is not regular.
void put(std::string_view kind, const filesystem::path& path) {
  if (kind == "a folder") filesystem::create_directory(path);
  if (kind == "a named pipe") {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  if (kind == "a symbolic link") filesystem::create_symlink("/dev/null", path);
  if (kind == "a socket") {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    ASSERT_LT(path.native().size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.native().size());
    const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(made);
  }
}

TEST_F(WritingTest, OnlyRegularFileIsReplaced) {
  const Outcome device = run(command("scidfs-pack", sample_database()) + " /dev/null");
  EXPECT_EQ(device.exit_code, 1);
  EXPECT_EQ(device.errors,
            "scidfs-pack: Cannot write /dev/null: /dev/null is a character device: not replaced\n");
  EXPECT_TRUE(filesystem::is_character_file("/dev/null"));
  for (const std::string kind : {"a folder", "a named pipe", "a symbolic link", "a socket"}) {
    for (const auto& [name, file] :
         {std::pair("scidfs-pack", "base.scv"), std::pair("scidfs-book", "base_0.kob"),
          std::pair("scidfs-book", "base_1.kob"), std::pair("scidfs-book", "base.kin"),
          std::pair("scidfs-book", "base.ksf")}) {
      SCOPED_TRACE(kind + ", " + file);
      put(kind, out_ / file);
      const filesystem::file_type type = filesystem::symlink_status(out_ / file).type();
      const Outcome outcome =
          run(fmt::format("{} {}", command(name, sample_database()), word(target(name))));
      EXPECT_EQ(outcome.exit_code, 1);
      EXPECT_THAT(outcome.errors, HasSubstr(fmt::format("{} is {}: not replaced\n", file, kind)));
      EXPECT_EQ(filesystem::symlink_status(out_ / file).type(), type);
      EXPECT_THAT(names_in(out_), ElementsAre(file));
      filesystem::remove(out_ / file);
    }
  }
}

// Owner, group and mode of each file.
std::vector<std::string> accesses(const filesystem::path& folder) {
  std::vector<std::string> texts;
  for (const std::string& name : names_in(folder)) {
    struct stat attributes {};
    EXPECT_EQ(::lstat((folder / name).c_str(), &attributes), 0);
    texts.push_back(fmt::format("{} {}:{} {:o}", name, attributes.st_uid, attributes.st_gid,
                                attributes.st_mode & 0777));
  }
  return texts;
}

// Of a private database, of another user where root runs the program.
TEST_F(WritingTest, ReplacedFilesKeepOwnerGroupAndMode) {
  constexpr uid_t kOther = 12345;
  const std::string mode = can_be_strict() ? " --sandbox=strict" : "";
  for (const char* const name : {"scidfs-pack", "scidfs-book", "scidfs-import"}) {
    const std::string line =
        fmt::format("{} {}{}", command(name, sample_database()), word(target(name)), mode);
    run_ok(line);
    for (const std::string& file : names_in(out_)) {
      if (::geteuid() == 0) {
        ASSERT_EQ(::chown((out_ / file).c_str(), kOther, kOther), 0);
      }
      ASSERT_EQ(::chmod((out_ / file).c_str(), 0600), 0);
    }
    const std::vector<std::string> before = accesses(out_);
    const bool is_import = std::string_view(name) == "scidfs-import";
    const std::uintmax_t size = filesystem::file_size(out_ / names_in(out_).front());
    run_ok(line + (is_import ? " --append" : ""));
    EXPECT_EQ(accesses(out_), before);
    if (is_import) {
      EXPECT_GT(filesystem::file_size(out_ / names_in(out_).front()), size) << "signed";
      run_ok(line + " --append");
    }
    for (const std::string& file : names_in(out_)) filesystem::remove(out_ / file);
  }
}

TEST_F(WritingTest, FilesMadeOfPrivateOnesArePrivate) {
  for (const std::string_view ending : {".si4", ".sg4", ".sn4"}) {
    const filesystem::path part = folder_ / fmt::format("private{}", ending);
    filesystem::copy_file(filesystem::path(sample_database()).replace_extension(ending), part);
    ASSERT_EQ(::chmod(part.c_str(), ending == ".sg4" ? 0600 : 0644), 0);
  }
  for (const char* const name : {"scidfs-pack", "scidfs-book", "scidfs-import"}) {
    run_ok(fmt::format("umask 022; {} {}", command(name, folder_ / "private.si4"),
                       word(target(name))));
    EXPECT_THAT(accesses(out_), AllOf(Not(IsEmpty()), Each(EndsWith(" 600")))) << name;
    for (const std::string& file : names_in(out_)) filesystem::remove(out_ / file);
  }
}

}  // namespace
}  // namespace scidfs::tests
