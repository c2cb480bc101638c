#include "fs/library/retired.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <utility>

namespace scidfs::fs {
namespace {

std::int64_t steady_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Returns the memory that this process may use: the machine's or that of its control group.
std::uint64_t usable_memory() {
  auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    memory = std::min<std::uint64_t>(memory, limit.rlim_cur);
  }
  std::uint64_t of_group = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_group) memory = std::min(memory, of_group);
  return memory;
}

}  // namespace

RetiredVersions::Budget RetiredVersions::default_budget() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  constexpr std::size_t kFewestFiles = 32;
  rlimit files{};
  const bool is_known = ::getrlimit(RLIMIT_NOFILE, &files) == 0;
  const std::size_t open_files = is_known ? static_cast<std::size_t>(files.rlim_cur) : 0;
  return {.bytes = std::min(kMost, usable_memory() / 4),
          .versions = std::max(kFewestFiles, open_files / 4) / 2};
}

RetiredVersions::Retired::Retired(MountedVersionPtr replaced)
    : shown(std::move(replaced)), memory(shown->snapshot->memory()), last_used(steady_seconds()) {}

void RetiredVersions::add(MountedVersionPtr replaced) {
  const VersionKey key = replaced->key();
  versions_.try_emplace(key, std::make_shared<Retired>(std::move(replaced)));
}

MountedVersionPtr RetiredVersions::find(const VersionKey& key) const {
  const auto found = versions_.find(key);
  if (found == versions_.end()) return nullptr;
  found->second->last_used.store(steady_seconds(), std::memory_order_relaxed);
  return found->second->shown;
}

std::uint64_t RetiredVersions::memory() const {
  std::uint64_t memory = 0;
  for (const auto& [key, retired] : versions_) memory += retired->memory;
  return memory;
}

bool RetiredVersions::let_go(Budget budget) {
  std::vector<std::pair<std::int64_t, std::shared_ptr<Retired>>> by_use;
  by_use.reserve(versions_.size());
  for (const auto& [key, retired] : versions_) by_use.emplace_back(retired->last_used, retired);
  std::ranges::stable_sort(by_use, std::greater(), [](const auto& entry) { return entry.first; });
  const std::int64_t oldest = steady_seconds() - budget.grace.count();
  std::uint64_t bytes = 0;
  std::size_t kept = 0;
  for (const auto& [last_used, retired] : by_use) {
    const bool fits = kept < budget.versions && bytes + retired->memory <= budget.bytes;
    if (last_used >= oldest && fits) {
      bytes += retired->memory;
      ++kept;
      continue;
    }
    if (last_used >= oldest) {
      ++early_.count;
      early_.last = retired->shown->path;
      early_.when = std::time(nullptr);
    }
    versions_.erase(retired->shown->key());
  }
  return kept != by_use.size();
}

}  // namespace scidfs::fs
