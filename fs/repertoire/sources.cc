#include "fs/repertoire/sources.h"

#include <algorithm>
#include <utility>

namespace scidfs::fs {
namespace {

// Returns the path that a name means with %2F for slashes.
std::string with_slashes(std::string_view name) {
  constexpr std::string_view kSlash = "%2F";
  std::string path;
  for (std::size_t found = name.find(kSlash); found != std::string_view::npos;
       found = name.find(kSlash)) {
    path.append(name.substr(0, found)) += '/';
    name.remove_prefix(found + kSlash.size());
  }
  return path.append(name);
}

}  // namespace

void RepertoireSources::publish(ByPath sources) {
  const cache::MutexLock lock(mutex_);
  sources_.swap(sources);
}

RepertoireSourcePtr RepertoireSources::find(std::string_view path) const {
  const cache::MutexLock lock(mutex_);
  const auto found = sources_.find(path);
  return found == sources_.end() ? nullptr : found->second;
}

AskedRepertoires::AskedRepertoires(const RepertoireSources& sources, std::string_view path)
    : sources_(sources), folder_(path.substr(0, path.rfind('/') + 1)) {}

RepertoireSourcePtr AskedRepertoires::find(std::string_view name) {
  const cache::MutexLock lock(mutex_);
  for (const std::string& path : {folder_ + std::string(name), with_slashes(name)}) {
    if (const auto asked = asked_.find(path); asked != asked_.end()) return asked->second;
    if (RepertoireSourcePtr source = sources_.find(path); source != nullptr) {
      asked_.emplace(path, source);
      return source;
    }
  }
  return nullptr;
}

bool AskedRepertoires::are_outdated() const {
  const cache::MutexLock lock(mutex_);
  return std::ranges::any_of(asked_, [this](const auto& asked) {
    const RepertoireSourcePtr now = sources_.find(asked.first);
    return now == nullptr || now->fingerprint != asked.second->fingerprint;
  });
}

}  // namespace scidfs::fs
