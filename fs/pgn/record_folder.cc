#include "fs/pgn/record_folder.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/content/work_budget.h"
#include "fs/file/cache_folder.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr std::uint64_t kUsualRoom = std::uint64_t{2} << 30;
// By which part of the room the records may exceed it for a while.
constexpr std::uint64_t kOverdraft = 16;

// The processes lock this file and not the folder, which others may be allowed to read.
constexpr std::string_view kLockName = "scidfs.lock";
// How often a thread that waits for other processes asks whether its work is cancelled.
constexpr std::chrono::milliseconds kPause(100);

}  // namespace

RecordFolder::RecordFolder(stdfs::path folder, std::uint64_t most_bytes,
                           std::chrono::milliseconds patience)
    : folder_(std::move(folder)), most_bytes_(most_bytes), patience_(patience) {}

absl::Status RecordFolder::prepare() const {
  if (folder_.empty()) return absl::OutOfRangeError("there is no cache folder for its games");
  absl::Status status = make_folders(folder_);
  if (status.ok()) status = open_cache_folder(folder_).status();
  if (status.ok() && ::access(folder_.c_str(), W_OK | X_OK) != 0) {
    status = file_error("write into", folder_.native(), errno);
  }
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return absl::OutOfRangeError(status.message());
}

std::uint64_t RecordFolder::room() const {
  if (!prepare().ok()) return 0;
  if (most_bytes_ != 0) return most_bytes_;
  struct statvfs space {};
  if (::statvfs(folder_.c_str(), &space) != 0) return kUsualRoom;
  return std::min(kUsualRoom, std::uint64_t{space.f_bavail} * space.f_frsize / 10);
}

absl::StatusOr<std::optional<FolderLock>> RecordFolder::lock(
    absl::FunctionRef<bool()> is_cancelled) {
  const auto end = std::chrono::steady_clock::now() + patience_;
  while (true) {
    const bool is_impatient = is_impatient_;
    absl::StatusOr<FolderLock> lock = FolderLock::take_file(
        folder_ / kLockName, is_impatient ? std::chrono::milliseconds(0) : kPause);
    if (lock.ok()) {
      is_impatient_ = false;
      return *std::move(lock);
    }
    if (absl::IsResourceExhausted(lock.status())) return lock.status();
    if (is_cancelled()) return WorkBudget::cancelled();
    if (absl::IsUnavailable(lock.status()) && !is_impatient &&
        std::chrono::steady_clock::now() < end) {
      continue;
    }
    if (!is_impatient_.exchange(true)) {
      log_warning(fmt::format("{}; going on without a lock", std::string(lock.status().message())));
    }
    return std::nullopt;
  }
}

void RecordFolder::look() {
  known_.emplace();
  std::error_code error;
  for (stdfs::directory_iterator it(folder_, error); !error && it != stdfs::directory_iterator();
       it.increment(error)) {
    if (const auto name = RecordName::of_text(it->path().filename().native()))
      known_->insert(*name);
  }
}

void RecordFolder::look_once() {
  if (!known_.has_value()) look();
}

bool RecordFolder::has(std::uint64_t path) {
  const cache::MutexLock lock(mutex_);
  look_once();
  const auto found = known_->lower_bound({.path = path});
  return found != known_->end() && found->path == path;
}

std::vector<RecordFiles> RecordFolder::of_path(std::uint64_t path) {
  std::vector<RecordFiles> all;
  const cache::MutexLock lock(mutex_);
  look_once();
  for (auto it = known_->lower_bound({.path = path}); it != known_->end() && it->path == path; ++it)
    all.push_back(files(*it));
  return all;
}

void RecordFolder::add(const RecordName& made, std::uint64_t room) {
  const cache::MutexLock lock(mutex_);
  look_once();
  known_->insert(made);
  for (auto it = known_->lower_bound({.path = made.path});
       it != known_->end() && it->path == made.path;) {
    if (*it != made) files(*it).remove().IgnoreError();
    it = *it != made ? known_->erase(it) : std::next(it);
  }
  unseen_bytes_ += files(made).bytes();
  // A look at all files of a large folder takes longer than many files to read.
  if (unseen_bytes_ > room / kOverdraft) make_room(made, room);
}

void RecordFolder::make_room(const RecordName& made, std::uint64_t room) {
  struct Kept {
    stdfs::file_time_type time{};
    RecordName name;
    std::uint64_t bytes = 0;
  };
  std::vector<Kept> others;
  std::uint64_t bytes = files(made).bytes();
  look();
  for (const RecordName& name : *known_) {
    if (name == made) continue;
    std::error_code ignored;
    others.push_back({.time = stdfs::last_write_time(files(name).text(), ignored),
                      .name = name,
                      .bytes = files(name).bytes()});
    bytes += others.back().bytes;
  }
  unseen_bytes_ = 0;
  std::ranges::sort(others, {}, &Kept::time);
  for (const Kept& oldest : others) {
    if (bytes <= room) return;
    files(oldest.name).remove().IgnoreError();
    known_->erase(oldest.name);
    bytes -= oldest.bytes;
  }
}

}  // namespace scidfs::fs
