// The daemon in its environment: as a helper of mount(8), as a service, on a terminal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/files.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class SystemTest : public MountpointTest {
 protected:
  // Starts the daemon with another name.
  Outcome mount_as(const std::string& name, const std::string& options) {
    const filesystem::path link = folder_ / name;
    if (!filesystem::exists(link)) filesystem::create_symlink(scidfs_binary(), link);
    return run(fmt::format("XDG_CACHE_HOME={} {} {} {} {}", word(folder_ / "cache"), word(link),
                           word(sample_folder()), word(mountpoint_), options));
  }
};

// -f of mount(8) means that nothing is mounted, and -f of scidfs the foreground.
TEST_F(SystemTest, WorksAsHelperOfMount) {
  for (const char* const name : {"mount.scidfs", "mount.fuse.scidfs"}) {
    Outcome outcome = mount_as(name, "-n -v -f -o rw,nofail");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_FALSE(is_mounted(mountpoint_));

    outcome = mount_as(name, "-n -o rw,nofail,x-systemd.automount -t fuse.scidfs");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out + outcome.errors, "");
    EXPECT_THAT(names_in(mountpoint_), Contains("sample.si4"));
    EXPECT_EQ(run("fusermount3 -u " + word(mountpoint_)).exit_code, 0);

    outcome = mount_as(name, "-o rw,colour=red");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.errors, HasSubstr("unknown option 'colour'"));
    outcome = mount_as(name, "-s -o rw,colour=red");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(run("fusermount3 -u " + word(mountpoint_)).exit_code, 0);
  }
}

// As an automount unit of systemd, whose process group alone may look there before the mount is
// made.
TEST_F(SystemTest, MountsWhenAutofsAsks) {
  if (::geteuid() != 0 || run("modprobe -q autofs4; grep -q autofs /proc/filesystems && "
                              "command -v python3 && command -v setsid")
                                  .exit_code != 0) {
    GTEST_SKIP() << "requires root, autofs and python3";
  }
  const Outcome outcome = run(fmt::format(
      "python3 {} {} {} {} {} -o cache_dir=none", word(source_path("tests/mounted/automount.py")),
      word(mountpoint_), word(scidfs_binary()), word(sample_folder()), word(mountpoint_)));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_THAT(outcome.out, HasSubstr("sample.si4\n"));
  EXPECT_EQ(run("umount " + word(mountpoint_)).errors, "");
  run("umount " + word(mountpoint_));  // autofs
}

// A socket that receives messages. A name that begins with @ is not a file.
int bound_socket(const std::string& name) {
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), std::min(name.size(), sizeof address.sun_path));
  if (name.starts_with('@')) address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), length), 0);
  return socket;
}

// Has a socket that is full.
class DeafManager {
 public:
  explicit DeafManager(const std::string& name) : socket_(bound_socket(name)) {
    const int sender = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    socklen_t length = sizeof address;
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length), 0);
    while (::sendto(sender, "X", 1, 0, reinterpret_cast<sockaddr*>(&address), length) == 1)
      continue;
    EXPECT_EQ(errno, EAGAIN);
    ::close(sender);
  }
  ~DeafManager() { ::close(socket_); }
  DeafManager(const DeafManager&) = delete;
  DeafManager& operator=(const DeafManager&) = delete;

 private:
  const int socket_;
};

// Records the messages that systemd would get. It always reads, because a socket holds few
// messages.
class Manager {
 public:
  explicit Manager(const std::string& name) : socket_(bound_socket(name)) {
    listener_ = std::thread([this] { listen(); });
  }
  ~Manager() {
    ::shutdown(socket_, SHUT_RD);
    listener_.join();
    ::close(socket_);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  // The messages up to this one, after those returned before.
  std::vector<std::string> read_until(const std::string& word) {
    constexpr std::chrono::seconds kPatience{30};
    std::vector<std::string> messages;
    std::unique_lock lock(mutex_);
    while (messages.empty() || messages.back() != word) {
      if (!more_.wait_for(lock, kPatience, [this] { return !received_.empty(); })) {
        ADD_FAILURE() << word << " has not come";
        break;
      }
      messages.push_back(std::move(received_.front()));
      received_.pop_front();
    }
    return messages;
  }

 private:
  void listen() {
    std::array<char, 4096> text{};
    for (ssize_t got = 0; (got = ::recv(socket_, text.data(), text.size(), 0)) > 0;) {
      const std::scoped_lock lock(mutex_);
      received_.emplace_back(text.data(), static_cast<std::size_t>(got));
      more_.notify_one();
    }
  }

  const int socket_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::string> received_;
  std::thread listener_;
};

class ServiceTest : public SystemTest, public testing::WithParamInterface<const char*> {};

TEST_P(ServiceTest, ReceivesReadinessStatusAndEnd) {
  const std::string where = std::string(GetParam()) == "@" ? "@" + folder_.path().string()
                                                           : (folder_ / "manager").string();
  Manager manager(where);
  Mount mount({.source = sample_folder(), .notify_socket = where});
  ASSERT_TRUE(mount.ok());
  const std::vector<std::string> received = manager.read_until("READY=1");
  EXPECT_THAT(received, Contains(AllOf(StartsWith("STATUS=showing "), HasSubstr("/sample"))));
  EXPECT_THAT(received,
              Contains(AllOf(StartsWith("STATUS=sizing games: "), HasSubstr(" % of 1605"))));
  EXPECT_EQ(mount.unmount(), 0);
  EXPECT_THAT(manager.read_until("STOPPING=1"), ElementsAre("STOPPING=1"));
}

INSTANTIATE_TEST_SUITE_P(All, ServiceTest, testing::Values("/", "@"),
                         [](const auto& where) { return where.index == 0 ? "File" : "Name"; });

TEST_F(SystemTest, ReportsSizesFoundInBackground) {
  Manager manager(folder_ / "manager");
  Mount mount({.source = sample_folder(),
               .options = "index=background",
               .notify_socket = folder_ / "manager"});
  ASSERT_TRUE(mount.ok());
  const std::string showing =
      fmt::format("STATUS=showing {} at {}", sample_folder().string(), mount.path().string());
  std::vector<std::string> received = manager.read_until(showing);
  // Once at the beginning, and once when all sizes are known.
  const std::vector<std::string> more = manager.read_until(showing);
  received.insert(received.end(), more.begin(), more.end());
  EXPECT_THAT(received, Contains(StartsWith("STATUS=sizing games: ")));
  EXPECT_EQ(mount.unmount(), 0);
  EXPECT_THAT(manager.read_until("STOPPING=1"), testing::IsSubsetOf({"READY=1", "STOPPING=1"}));
}

// A missing manager, or one that does not read, does not delay the mount.
TEST_F(SystemTest, WorksWithoutServiceManager) {
  for (const char* const where : {"/nowhere", "relative", "@nobody"}) {
    Mount mount({.source = sample_folder(), .notify_socket = where});
    ASSERT_TRUE(mount.ok());
    EXPECT_EQ(mount.messages(), "");
  }
}

// A manager with a full socket does not keep the mount from answering.
TEST_F(SystemTest, DoesNotWaitForFullSocketOfManager) {
  const DeafManager manager(folder_ / "manager");
  Mount mount({.source = sample_folder(), .notify_socket = folder_ / "manager"});
  ASSERT_TRUE(mount.ok());
  EXPECT_THAT(names_in(mount.path()), Contains("sample.si4"));
}

// As in a container without the right to mount, where root lacks it.
TEST_F(SystemTest, AdvisesOptionsForContainer) {
  const std::string drop = "setpriv --inh-caps=-sys_admin --bounding-set=-sys_admin ";
  if (run(drop + "true").exit_code != 0) GTEST_SKIP() << "requires setpriv, and root";
  const Outcome outcome =
      run(fmt::format("XDG_CACHE_HOME={} {}{} {} {}", word(folder_ / "cache"), drop,
                      word(scidfs_binary()), word(sample_folder()), word(mountpoint_)));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("Nobody may mount here: a container must be started with "
                                        "--device /dev/fuse --cap-add SYS_ADMIN"));
  EXPECT_FALSE(is_mounted(mountpoint_));
}

TEST_F(SystemTest, ColorsItsNameOnlyOnTerminal) {
  const std::string wrong = shell_word(scidfs_binary()) + " --nonsense";
  const std::string terminal = "script -qec " + shell_word(wrong) + " /dev/null";
  constexpr const char* kRed = "\x1b[31mscidfs\x1b[0m: unknown option";
  EXPECT_THAT(run("TERM=xterm NO_COLOR= " + terminal).out, StartsWith(kRed));
  EXPECT_THAT(run("TERM=xterm NO_COLOR=1 " + terminal).out, StartsWith("scidfs: unknown option"));
  EXPECT_THAT(run("TERM=dumb NO_COLOR= " + terminal).out, StartsWith("scidfs: unknown option"));
  EXPECT_THAT(run("TERM=xterm " + wrong).errors, StartsWith("scidfs: unknown option"));
}

}  // namespace
}  // namespace scidfs::tests
