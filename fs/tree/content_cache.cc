#include "fs/tree/content_cache.h"

#include <utility>
#include <vector>

namespace scidfs::fs {

std::shared_ptr<ContentCache::Slot> ContentCache::slot_of(Inode inode) {
  cache::MutexLock lock(mutex_);
  const auto [found, is_new] = slots_.try_emplace(inode);
  if (is_new) {
    order_.push_front({.inode = inode, .slot = std::make_shared<Slot>()});
    found->second = order_.begin();
  } else {
    order_.splice(order_.begin(), order_, found->second);
  }
  return found->second->slot;
}

void ContentCache::charge(Inode inode, std::size_t memory) {
  std::vector<std::shared_ptr<Slot>> dropped;  // freed after the lock
  cache::MutexLock lock(mutex_);
  const auto found = slots_.find(inode);
  if (found == slots_.end()) return;
  Used& used = *found->second;
  memory_ += memory - used.memory;
  used.memory = memory;
  while (memory_ > capacity_ && !order_.empty()) {
    Used& last = order_.back();
    memory_ -= last.memory;
    slots_.erase(last.inode);
    dropped.push_back(std::move(last.slot));
    order_.pop_back();
  }
}

void ContentCache::drop(absl::FunctionRef<bool(Inode)> is_to_go) {
  Order dropped;  // freed after the lock
  cache::MutexLock lock(mutex_);
  for (auto next = order_.begin(); next != order_.end();) {
    const auto used = next++;
    if (!is_to_go(used->inode)) continue;
    memory_ -= used->memory;
    slots_.erase(used->inode);
    dropped.splice(dropped.end(), order_, used);
  }
}

absl::StatusOr<ContentPtr> ContentCache::get(Inode inode, const Snapshot& snapshot, Place file,
                                             const Effort& effort) {
  const auto open = [&]() -> absl::StatusOr<ContentPtr> {
    absl::StatusOr<std::unique_ptr<Content>> opened = snapshot.open(file, effort);
    if (!opened.ok()) return opened.status();
    return ContentPtr(*std::move(opened));
  };
  if (snapshot.is_cheap(file)) return open();
  bool is_new = false;
  absl::StatusOr<ContentPtr> content = slot_of(inode)->get(effort, [&] {
    is_new = true;
    return open();
  });
  if (is_new && content.ok()) charge(inode, (*content)->memory() + kSlotMemory);
  return content;
}

}  // namespace scidfs::fs
