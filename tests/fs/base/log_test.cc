#include "fs/base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace scidfs::fs {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

TEST(Log, PrintsFirstWarningsAndCountsOthers) {
  CaptureStderr();
  {
    const WarningLimiter few(2, "status.txt");
    for (const char* const text :
         {"first of few", "first of few", "second of few", "third of few"}) {
      log_warning(text);
    }
    log_warning("fourth of few");
    log_error("errors are always said");
  }
  log_warning("a warning after that");
  EXPECT_EQ(GetCapturedStderr(),
            "scidfs: first of few\nscidfs: second of few\nscidfs: errors are always said\n"
            "scidfs: and 2 more warnings: see status.txt\nscidfs: a warning after that\n");
}

TEST(Log, PrintsNoCountIfNoWarningIsOmitted) {
  CaptureStderr();
  {
    const WarningLimiter few(2, "status.txt");
    log_warning("only one of few");
  }
  EXPECT_EQ(GetCapturedStderr(), "scidfs: only one of few\n");
}

TEST(Log, PrintsNameOfProgram) {
  CaptureStderr();
  log_as("scidfs-other");
  log_warning("said by another");
  EXPECT_EQ(log_name(), "scidfs-other");
  log_as("scidfs");
  EXPECT_EQ(GetCapturedStderr(), "scidfs-other: said by another\n");
}

}  // namespace
}  // namespace scidfs::fs
