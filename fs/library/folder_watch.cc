#include "fs/library/folder_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

#include "fs/library/source_format.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF |
                                  IN_MOVE_SELF | IN_ONLYDIR;

// Whatever the name.
constexpr std::uint32_t kAlways =
    IN_ISDIR | IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT;

// Whether an event may mean another version of something that is shown. Links have any names: those
// that come are looked at, of what has gone it is too late.
bool matters(const inotify_event& event, const std::filesystem::path& folder,
             std::string_view name) {
  if ((event.mask & kAlways) != 0 || is_part_of_any(source_formats(), name)) return true;
  if (name.empty() || name.starts_with('.')) return false;
  if ((event.mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return true;
  std::error_code error;
  return (event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 &&
         std::filesystem::is_symlink(folder / name, error);
}

}  // namespace

FolderWatch::FolderWatch()
    : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      is_complete_(inotify_ >= 0) {}

FolderWatch::~FolderWatch() {
  if (inotify_ >= 0) ::close(inotify_);
  if (wake_ >= 0) ::close(wake_);
}

bool FolderWatch::add(const std::vector<std::filesystem::path>& folders) {
  if (inotify_ < 0) return false;
  bool any_new = false;
  is_complete_ = true;
  for (const std::filesystem::path& folder : folders) {
    // A folder that is watched already keeps its number.
    const int watch = ::inotify_add_watch(inotify_, folder.c_str(), kEvents);
    if (watch < 0) is_complete_ = false;
    if (watch >= 0 && watches_.emplace(watch, folder).second) any_new = true;
  }
  return any_new;
}

FolderWatch::Event FolderWatch::wait(std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  std::array<pollfd, 2> descriptors = {{{.fd = wake_, .events = POLLIN, .revents = 0},
                                        {.fd = inotify_, .events = POLLIN, .revents = 0}}};
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    const int ready = ::poll(descriptors.data(), descriptors.size(),
                             static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0 && (descriptors[0].revents & POLLIN) != 0) {
      std::uint64_t times = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_, &times, sizeof times);
      return Event::Woken;
    }
    if (ready > 0 && read_events()) return Event::Change;
    if (std::chrono::steady_clock::now() >= end) return Event::Timeout;
  }
}

bool FolderWatch::read_events() {
  alignas(inotify_event) std::array<char, 16384> buffer;
  bool found = false;
  while (true) {
    const ssize_t size = ::read(inotify_, buffer.data(), buffer.size());
    if (size <= 0) return found;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* const name = buffer.data() + at + sizeof event;
      const auto folder = watches_.find(event.wd);
      found = matters(event, folder == watches_.end() ? "" : folder->second,
                      {name, ::strnlen(name, event.len)}) ||
              found;
      // The number of a folder that is gone may be given to another one.
      if ((event.mask & IN_IGNORED) != 0) watches_.erase(event.wd);
      at += sizeof event + event.len;
    }
  }
}

void FolderWatch::wake() {
  const std::uint64_t one = 1;
  // It can only fail when it has been woken already.
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

}  // namespace scidfs::fs
