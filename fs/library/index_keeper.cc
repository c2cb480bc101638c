#include "fs/library/index_keeper.h"

#include <system_error>
#include <utility>
#include <vector>

#include "fs/base/thread.h"
#include "fs/database/stored_index.h"
#include "fs/library/settled.h"
#include "fs/positions/save_positions.h"
#include "fs/views/listed_sizes.h"

namespace scidfs::fs {

IndexKeeper::~IndexKeeper() {
  std::vector<std::thread> last;
  {
    const cache::MutexLock lock(mutex_);
    for (Lane& lane : lanes_) {
      lane.queue.clear();
      last.push_back(std::move(lane.thread));
    }
  }
  for (std::thread& thread : last) {
    if (thread.joinable()) thread.join();
  }
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
    lanes_[database->files().is_remote() ? 1 : 0].queue.push_back(version);
  }
  for (Lane& lane : lanes_) start(lane);
}

void IndexKeeper::start(Lane& lane) {
  if (lane.queue.empty() || lane.is_at_work || is_stopped_()) return;
  if (lane.thread.joinable()) lane.thread.join();  // it has ended
  try {
    lane.thread = start_thread("index files", [this, &lane] { work(lane); });
    lane.is_at_work = true;
  } catch (const std::system_error&) {
    lane.queue.clear();  // the next mount will do it
  }
}

MountedVersionPtr IndexKeeper::next(Lane& lane) {
  const cache::MutexLock lock(mutex_);
  if (lane.queue.empty() || is_stopped_()) {
    lane.is_at_work = false;
    return nullptr;
  }
  MountedVersionPtr first = std::move(lane.queue.front());
  lane.queue.pop_front();
  return first;
}

void IndexKeeper::work(Lane& lane) {
  let_others_go_first();
  while (const MountedVersionPtr version = next(lane)) {
    const Database& database = *version->database;
    if (database.is_stored()) database.lists().warm_up();
    save_stored_index(database, is_stopped_);
    save_listed_sizes(*version->views, is_stopped_);
    keep_positions(database, WorkBudget::unlimited(is_stopped_));
  }
}

}  // namespace scidfs::fs
