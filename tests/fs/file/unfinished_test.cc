// The files that remain of a process that a signal ends.
#include "fs/file/unfinished.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fs/file/new_file.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;

class UnfinishedDeathTest : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(UnfinishedDeathTest, UnfinishedFilesAreRemovedAndOthersStay) {
  EXPECT_EXIT(
      {
        const auto done = NewFile::create(folder_ / "done");
        const auto given_up = NewFile::create(folder_ / "given up");
        const auto half = NewFile::create(folder_ / "half");
        const bool written = done.ok() && given_up.ok() && half.ok() && (*done)->sync().ok() &&
                             (*done)->put_in_place(NewFile::Existing::Keep).ok();
        remove_unfinished();
        ::_exit(written ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_THAT(names(), ElementsAre("done"));
}

// The files of a book are put in place in one such step: all of them, or none.
TEST_F(UnfinishedDeathTest, RemovalWaitsForUnbrokenStep) {
  EXPECT_EXIT(
      {
        std::optional<UnbrokenStep> step(std::in_place);
        std::thread([] {
          remove_unfinished();
          ::_exit(0);
        }).detach();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        tests::write_file(folder_ / "end of the step", "");
        step.reset();
        ::sleep(60);
        ::_exit(1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_THAT(names(), ElementsAre("end of the step"));
}

// Another process writes small files of a copy.
TEST_F(UnfinishedDeathTest, RemovalWaitsForTheEndOfTheWriter) {
  EXPECT_EXIT(
      {
        int ends[2] = {};
        ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
        UnbrokenStep().add_writer(ends[0]);
        std::thread([&] {
          char byte = 0;
          while (::read(ends[1], &byte, 1) > 0) continue;
          if (::write(ends[1], "reply", 5) < 0) ::_exit(1);
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          tests::write_file(folder_ / "end of the writer", "");
          ::close(ends[1]);
        }).detach();
        remove_unfinished();
        ::_exit(0);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_THAT(names(), ElementsAre("end of the writer"));
}

}  // namespace
}  // namespace scidfs::fs
