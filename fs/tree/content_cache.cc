#include "fs/tree/content_cache.h"

#include <absl/cleanup/cleanup.h>

#include <chrono>
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

absl::StatusOr<ContentPtr> ContentCache::await(Slot& slot, const Effort& effort) {
  // How long an asker who has gone may go unnoticed.
  constexpr auto kPause = std::chrono::milliseconds(20);
  const cache::MutexLock lock(slot.mutex);
  while (slot.content == nullptr && slot.is_opening) {
    if (!effort.is_whole()) return absl::UnavailableError("somebody is opening it");
    if (effort.is_over()) return absl::CancelledError("nobody waits any more");
    slot.opened.wait_for(slot.mutex, kPause);
  }
  slot.is_opening = slot.content == nullptr;
  return slot.content;
}

void ContentCache::settle(Slot& slot, ContentPtr content) {
  {
    const cache::MutexLock lock(slot.mutex);
    slot.content = std::move(content);
    slot.is_opening = false;
  }
  slot.opened.notify_all();
}

absl::StatusOr<ContentPtr> ContentCache::get(Inode inode, const Snapshot& snapshot, Place file,
                                             const Effort& effort) {
  const auto open = [&] { return snapshot.open(file, effort); };
  if (snapshot.is_cheap(file)) {
    absl::StatusOr<std::unique_ptr<Content>> opened = open();
    if (!opened.ok()) return opened.status();
    return ContentPtr(*std::move(opened));
  }
  const std::shared_ptr<Slot> slot = slot_of(inode);
  absl::StatusOr<ContentPtr> there = await(*slot, effort);
  if (!there.ok() || *there != nullptr) return there;
  ContentPtr content;
  {
    // Whatever becomes of it, nobody goes on waiting.
    const absl::Cleanup release = [&] { settle(*slot, content); };
    absl::StatusOr<std::unique_ptr<Content>> opened = open();
    if (!opened.ok()) return opened.status();
    content = *std::move(opened);
  }
  charge(inode, content->memory() + kSlotMemory);
  return content;
}

}  // namespace scidfs::fs
