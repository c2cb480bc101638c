// Files on a server that does not answer: what is shown of them, and what it costs others.
#include <absl/status/statusor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fs/library/folder_snapshot.h"
#include "fs/library/remote_probes.h"
#include "fs/library/versions.h"

namespace scidfs::fs {
namespace {

// The files of the server; those named "hanging" may hang.
std::atomic<std::uint64_t> served_version = 1;
std::atomic<bool> is_served_whole = true;
std::atomic<bool> is_server_hanging = false;

SourceStamps served_stamps(const std::filesystem::path& path) {
  while (is_server_hanging && path == "hanging") {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {FileStamp{.size = served_version}};
}

absl::StatusOr<Opened> open_served(const std::filesystem::path&, const OpenOptions&) {
  Opened opened;
  opened.snapshot =
      std::make_shared<FolderSnapshot>(std::vector<std::string>{}, FolderSnapshot::Texts{});
  opened.fingerprint = served_version;
  opened.is_whole = is_served_whole;
  return opened;
}

constexpr SourceFormat kServed{
    .extension = ".served", .open = &open_served, .stamps = &served_stamps};

class HangingFileTest : public ::testing::Test {
 protected:
  HangingFileTest() {
    served_version = 1;
    is_served_whole = true;
    versions_.begin(true);
    EXPECT_EQ(shown("hanging"), 1);
    EXPECT_EQ(shown("working"), 1);
    versions_.end();
  }
  ~HangingFileTest() override { is_server_hanging = false; }

  static Candidate candidate(const std::string& name, bool is_remote = true) {
    return {.path = name,
            .relative = name,
            .name = name,
            .format = &kServed,
            .parent_slot = 1,
            .is_remote = is_remote};
  }
  // Returns the fingerprint of what is shown of a file; 0: nothing.
  std::uint64_t shown(const std::string& name, bool is_remote = true) {
    const MountedVersionPtr version = versions_.newest(candidate(name, is_remote)).shown;
    return version == nullptr ? 0 : version->fingerprint;
  }
  // Begins a pass in which the file hangs.
  void hang() {
    is_server_hanging = true;
    versions_.begin(false);
    EXPECT_EQ(shown("hanging"), 1);
  }
  void answer() {
    is_server_hanging = false;
    while (late_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  struct Host : VersionsHost {
    void load_sizes(Database&) override {}
    void prepare(const std::shared_ptr<const Database>&) override {}
    bool tell_news() override { return true; }
    bool is_being_written(const std::string& /*path*/) const override { return false; }
  };
  Host host_;
  std::atomic<int> late_ = 0;
  Versions versions_{{.host = host_, .patience = std::chrono::hours(1)}, probes_};
  RemoteProbes probes_{[this] { ++late_; }};  // declared last, so destroyed first
};

TEST_F(HangingFileTest, ShowsTheLastAnswerAndDelaysNobody) {
  served_version = 2;
  hang();
  const auto start = std::chrono::steady_clock::now();
  constexpr int kTimes = 20;
  for (int i = 0; i < kTimes; ++i) {
    versions_.begin(false);
    EXPECT_EQ(shown("hanging"), 1);
    EXPECT_EQ(shown("working"), 2);
  }
  // The probe holds the lock of the file, even if the file is no longer remote or is gone.
  versions_.begin(false);
  EXPECT_EQ(shown("hanging", false), 1);
  EXPECT_EQ(shown("hanging", false), 1);
  versions_.begin(false);
  EXPECT_FALSE(versions_.is_other(candidate("hanging", false)));
  versions_.begin(false);
  versions_.end();
  EXPECT_LT(std::chrono::steady_clock::now() - start, kTimes * RemoteProbes::kPatience / 2);
  EXPECT_EQ(late_, 0);
  answer();
  versions_.begin(false);
  EXPECT_EQ(shown("hanging"), 2);
}

TEST_F(HangingFileTest, IsLookedAtByTheCallerOnceItIsLocal) {
  served_version = 2;
  hang();
  answer();
  served_version = 3;
  versions_.begin(false);
  EXPECT_TRUE(versions_.is_other(candidate("hanging", false)));
  EXPECT_EQ(shown("hanging", false), 3);
}

TEST_F(HangingFileTest, CountsAsHalfWrittenInThePassThatTakesTheAnswer) {
  served_version = 2;
  is_served_whole = false;
  hang();
  EXPECT_FALSE(versions_.again());
  answer();
  versions_.begin(false);
  EXPECT_EQ(shown("hanging"), 1);
  EXPECT_TRUE(versions_.again());
  EXPECT_THAT(versions_.unfinished(), testing::ElementsAre("hanging"));
  served_version = 3;
  is_served_whole = true;
  versions_.begin(false);
  EXPECT_EQ(shown("hanging"), 3);
  EXPECT_FALSE(versions_.again());
}

TEST_F(HangingFileTest, KeepsNoOtherFileThatIsGone) {
  versions_.begin(false);
  const std::weak_ptr<const MountedVersion> working = versions_.newest(candidate("working")).shown;
  EXPECT_FALSE(working.expired());
  hang();
  versions_.end();
  EXPECT_TRUE(working.expired());
}

}  // namespace
}  // namespace scidfs::fs
