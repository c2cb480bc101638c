#include "fs/tree/content_cache.h"

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

absl::StatusOr<ContentPtr> ContentCache::get(
    Inode inode, absl::FunctionRef<absl::StatusOr<std::unique_ptr<Content>>()> open) {
  const std::shared_ptr<Slot> slot = slot_of(inode);
  ContentPtr content;
  {
    cache::MutexLock lock(slot->opening);
    if (slot->content != nullptr) return slot->content;
    absl::StatusOr<std::unique_ptr<Content>> opened = open();
    if (!opened.ok()) return opened.status();
    slot->content = *std::move(opened);
    content = slot->content;
  }
  charge(inode, content->memory() + kSlotMemory);
  return content;
}

}  // namespace scidfs::fs
