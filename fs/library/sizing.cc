#include "fs/library/sizing.h"

#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "fs/base/log.h"
#include "fs/base/parallel.h"
#include "fs/base/thread.h"
#include "fs/file/locality.h"

namespace scidfs::fs {
namespace {

constexpr GameIndex kChunk = 2000;

struct Task {
  const Database* database;
  GameIndex first;
};

void run_task(const Task& task, const std::function<bool()>& is_cancelled) {
  if (is_cancelled()) return;
  const GameIndex last = std::min(task.first + kChunk, task.database->games());
  const absl::Status status = task.database->compute_sizes(task.first, last, is_cancelled);
  // FailedPrecondition: the files have changed, and a scan will soon find a new version.
  if (!status.ok() && !absl::IsFailedPrecondition(status) && !absl::IsCancelled(status)) {
    log_error(std::string(status.message()));
  }
}

// Runs the local tasks first, in one queue, since processors are scarce. The remote tasks of
// several databases run at once: they wait for servers, each for its own, and some may hang.
void run_tasks(const std::vector<Task>& tasks, unsigned threads,
               const std::function<bool()>& is_cancelled) {
  constexpr unsigned kDatabasesAtOnce = 8;
  std::vector<Task> local;
  std::vector<std::vector<Task>> remote;
  for (const Task& task : tasks) {
    if (!task.database->files().is_remote()) {
      local.push_back(task);
      continue;
    }
    if (remote.empty() || remote.back().front().database != task.database) remote.emplace_back();
    remote.back().push_back(task);
  }
  run_parallel(local.size(), thread_count(threads, local.size()),
               [&](std::size_t i) { run_task(local[i], is_cancelled); });
  run_parallel(remote.size(), thread_count(kDatabasesAtOnce, remote.size()),
               [&](std::size_t number) {
                 const std::vector<Task>& of_one = remote[number];
                 run_parallel(of_one.size(), thread_count(kRemoteThreads, of_one.size()),
                              [&](std::size_t i) { run_task(of_one[i], is_cancelled); });
               });
}

}  // namespace

void compute_sizes(const std::vector<std::shared_ptr<const Database>>& databases, unsigned threads,
                   const std::function<bool()>& is_cancelled, Progress progress) {
  std::vector<Task> tasks;
  std::uint64_t total = 0;
  for (const std::shared_ptr<const Database>& database : databases) {
    // Games that share records could have so many sizes that computing them takes hours.
    if (database->files().shares_records()) continue;
    total += database->games();
    if (database->sizes().complete()) continue;
    for (GameIndex first = 0; first < database->games(); first += kChunk) {
      tasks.push_back({.database = database.get(), .first = first});
    }
  }
  if (tasks.empty()) return;
  const auto report = [&] {
    std::uint64_t known = 0;
    for (const std::shared_ptr<const Database>& database : databases) {
      if (!database->files().shares_records()) known += database->sizes().known();
    }
    progress(known, total);
  };
  if (tasks.size() == 1 && !tasks.front().database->files().is_remote()) {
    // Takes less time than a thread, and than the pause below: a rescan may find thousands of small
    // PGN files that have been read, one after the other.
    run_task(tasks.front(), is_cancelled);
    return report();
  }
  std::atomic<bool> done = false;
  const auto run_all = [&] {
    const absl::Cleanup end = [&done] { done = true; };
    run_tasks(tasks, threads, is_cancelled);
  };
  std::thread work;
  try {
    work = start_thread("sizes", run_all);
  } catch (const std::system_error&) {
    run_all();  // without progress
  }
  constexpr auto kPause = std::chrono::milliseconds(5);
  // At least one report follows the end, so that the last one is true.
  for (bool is_last = false; !is_last;) {
    is_last = done;
    report();
    if (!is_last) std::this_thread::sleep_for(kPause);
  }
  if (work.joinable()) work.join();
}

}  // namespace scidfs::fs
