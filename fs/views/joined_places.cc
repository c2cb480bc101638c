#include "fs/views/joined_places.h"

#include <utility>

namespace scidfs::fs {
namespace {

std::size_t memory_of(std::string_view path, const JoinedPlaces& places) {
  constexpr std::size_t kEntry = 200;  // with its nodes in list and map
  std::size_t bytes = kEntry + 2 * path.size();
  for (const std::vector<LocalId>& of_part : places) {
    bytes += sizeof(std::vector<LocalId>) + of_part.size() * sizeof(LocalId);
  }
  return bytes;
}

}  // namespace

JoinedPlacesPtr KnownPlaces::find(std::string_view path) {
  const cache::MutexLock lock(mutex_);
  const JoinedPlacesPtr* const found = places_.use(std::string(path));
  return found == nullptr ? nullptr : *found;
}

void KnownPlaces::keep(std::string_view path, JoinedPlacesPtr places) {
  const std::size_t bytes = memory_of(path, *places);
  decltype(places_)::Entries removed;  // freed after the lock is released
  const cache::MutexLock lock(mutex_);
  std::string key(path);
  if (places_.find(key) != nullptr) return;
  places_.add(key, std::move(places), bytes);
  places_.shrink(kBytes, removed);
}

}  // namespace scidfs::fs
