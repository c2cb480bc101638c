#include "fs/library/repertoires.h"

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fmt/format.h>

#include <utility>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/library/folder_scan.h"

namespace scidfs::fs {
namespace {

absl::Status is_replaced(const std::string& path) {
  return absl::FailedPreconditionError(fmt::format("{}: replaced by a newer version", path));
}

absl::StatusOr<std::shared_ptr<const Database>> read_now(const LazyDatabase& lazy,
                                                         const std::string& path,
                                                         const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const LazyDatabase::Ptr read, lazy.get(budget));
  if (read->views == nullptr) {
    return absl::DataLossError(
        fmt::format("{}: refused: {}", path, codec::clean_line(read->refusal)));
  }
  return read->views->database();
}

}  // namespace

RepertoireSources::ByPath repertoires_of(std::span<const MountedVersionPtr> versions) {
  RepertoireSources::ByPath sources;
  for (const MountedVersionPtr& version : versions) {
    if (version->database == nullptr && version->lazy == nullptr) continue;
    std::string path = codec::clean_line(shown_path(version->path, version->name));
    auto source = std::make_shared<RepertoireSource>(
        RepertoireSource{.path = path, .fingerprint = version->of_files});
    if (version->lazy != nullptr) {
      source->read =
          [path, lazy = std::weak_ptr(version->lazy)](
              const WorkBudget& budget) -> absl::StatusOr<std::shared_ptr<const Database>> {
        const std::shared_ptr<const LazyDatabase> now = lazy.lock();
        return now == nullptr ? is_replaced(path) : read_now(*now, path, budget);
      };
    } else {
      source->read = [path, database = std::weak_ptr(version->database)](
                         const WorkBudget&) -> absl::StatusOr<std::shared_ptr<const Database>> {
        std::shared_ptr<const Database> now = database.lock();
        if (now == nullptr) return is_replaced(path);
        return now;
      };
    }
    sources.emplace(std::move(path), std::move(source));
  }
  return sources;
}

std::uint64_t fingerprint_after(std::uint64_t of_files, std::uint64_t changes) {
  return changes == 0 ? of_files : cache::fingerprint("repertoires", of_files + changes);
}

}  // namespace scidfs::fs
