#include "fs/library/folder_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "fs/library/source_format.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF |
                                  IN_MOVE_SELF | IN_ONLYDIR;

constexpr std::uint32_t kArrivals = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr std::uint32_t kOfFolderItself = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT;

enum class Meaning { Nothing, File, Folder };

// Returns what an event may concern that the mount shows. Links may have any names: new links count
// as folders. Removed links can no longer be examined, so they count as files.
Meaning meaning_of(std::uint32_t mask, const std::filesystem::path& folder,
                   const std::string& name) {
  if ((mask & kOfFolderItself) != 0) return Meaning::Folder;
  if ((mask & IN_Q_OVERFLOW) != 0) return Meaning::File;
  // Scans skip hidden files (folder_scan.h).
  if (name.empty() || name.starts_with('.')) return Meaning::Nothing;
  if ((mask & IN_ISDIR) != 0) return Meaning::Folder;
  if (is_part_of_any(source_formats(), name)) return Meaning::File;
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return Meaning::File;
  std::error_code error;
  const bool is_link =
      (mask & (IN_CREATE | IN_MOVED_TO)) != 0 && std::filesystem::is_symlink(folder / name, error);
  return is_link ? Meaning::Folder : Meaning::Nothing;
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

std::vector<std::filesystem::path> FolderWatch::add(
    const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> added;
  if (inotify_ < 0) return added;
  const cache::MutexLock lock(mutex_);
  is_complete_ = true;
  for (const std::filesystem::path& folder : folders) {
    // A watched folder keeps its number, even under another path.
    const int watch = ::inotify_add_watch(inotify_, folder.c_str(), kEvents);
    if (watch < 0) {
      is_complete_ = false;
      continue;
    }
    const auto [found, is_new] = watches_.insert_or_assign(watch, folder);
    if (is_new) added.push_back(folder);
  }
  return added;
}

bool FolderWatch::is_complete() const {
  const cache::MutexLock lock(mutex_);
  return is_complete_;
}

FolderWatch::Event FolderWatch::wait(std::chrono::milliseconds timeout,
                                     std::vector<FolderChange>* changes) {
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
    if (ready > 0 && read_events(changes)) return Event::Change;
    if (std::chrono::steady_clock::now() >= end) return Event::Timeout;
  }
}

std::filesystem::path FolderWatch::folder_of(int watch, std::uint32_t mask) {
  const cache::MutexLock lock(mutex_);
  const auto found = watches_.find(watch);
  if (found == watches_.end()) return {};
  // The kernel may reuse the number of a removed folder.
  if ((mask & IN_IGNORED) != 0) watches_.erase(found);
  return (mask & IN_IGNORED) != 0 ? std::filesystem::path() : found->second;
}

bool FolderWatch::read_events(std::vector<FolderChange>* changes) {
  alignas(inotify_event) std::array<char, 16384> buffer;
  bool found = false;
  while (true) {
    const ssize_t size = ::read(inotify_, buffer.data(), buffer.size());
    if (size <= 0) return found;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* const start = buffer.data() + at + sizeof event;
      at += sizeof event + event.len;
      std::string name(start, ::strnlen(start, event.len));
      std::filesystem::path folder = folder_of(event.wd, event.mask);
      const Meaning meaning = meaning_of(event.mask, folder, name);
      if (meaning == Meaning::Nothing) continue;
      found = true;
      if (changes == nullptr) continue;
      FolderChange change{.folder = std::move(folder),
                          .name = std::move(name),
                          .is_folder = meaning == Meaning::Folder,
                          .is_arrival = (event.mask & (kArrivals | kOfFolderItself)) != 0,
                          .is_write = (event.mask & IN_MODIFY) != 0};
      changes->push_back(std::move(change));
    }
  }
}

void FolderWatch::wake() {
  const std::uint64_t one = 1;
  // The write can fail only if the counter is full, which wakes the thread as well.
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

}  // namespace scidfs::fs
