#include "fs/library/index_keeper.h"

#include <system_error>
#include <utility>

#include "fs/base/thread.h"
#include "fs/database/stored_index.h"
#include "fs/library/settled.h"
#include "fs/positions/save_positions.h"
#include "fs/views/listed_sizes.h"

namespace scidfs::fs {

IndexKeeper::~IndexKeeper() {
  std::thread last;
  {
    const cache::MutexLock lock(mutex_);
    queue_.clear();
    last = std::move(thread_);
  }
  if (last.joinable()) last.join();
}

void IndexKeeper::keep(const std::vector<MountedVersionPtr>& shown) {
  const cache::MutexLock lock(mutex_);
  for (const MountedVersionPtr& version : shown) {
    const Database* const database = version->database.get();
    if (database == nullptr || !database->sizes().complete() ||
        !is_settled(database->files().stamps()))
      continue;
    const auto [found, is_new] =
        taken_.try_emplace(database->index_path().string(), database->fingerprint());
    if (!is_new && found->second == database->fingerprint()) continue;
    found->second = database->fingerprint();
    queue_.push_back(version);
  }
  if (queue_.empty() || is_at_work_ || is_stopped_()) return;
  if (thread_.joinable()) thread_.join();  // it has ended
  try {
    thread_ = start_thread("index files", [this] { work(); });
    is_at_work_ = true;
  } catch (const std::system_error&) {
    queue_.clear();  // the next mount will do it
  }
}

MountedVersionPtr IndexKeeper::next() {
  const cache::MutexLock lock(mutex_);
  if (queue_.empty() || is_stopped_()) {
    is_at_work_ = false;
    return nullptr;
  }
  MountedVersionPtr first = std::move(queue_.front());
  queue_.pop_front();
  return first;
}

void IndexKeeper::work() {
  let_others_go_first();
  while (const MountedVersionPtr version = next()) {
    const Database& database = *version->database;
    if (database.is_stored()) database.lists().warm_up();
    save_stored_index(database, is_stopped_);
    save_listed_sizes(*version->views, is_stopped_);
    keep_positions(database, WorkBudget::unlimited(is_stopped_));
  }
}

}  // namespace scidfs::fs
