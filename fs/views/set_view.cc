#include "fs/views/set_view.h"

#include <algorithm>
#include <vector>

#include "fs/views/set_files.h"

namespace scidfs::fs {
bool SetView::is_directory(LocalId place) const {
  if (place.entry == kSet) return true;
  const SetFile* const file = set_file(place.entry);
  return file != nullptr && file->is_directory();
}

SetPtr SetView::find_set(const Version& version, LocalId place) const {
  const SetFile* const row = set_file(place.entry);
  if (row == nullptr && place.entry != kSet) return nullptr;
  SetPtr set = bind(version, place);
  if (set != nullptr && row != nullptr && !has_file(*set, *row)) set.reset();
  return set;
}

bool SetView::exists(const Version& version, LocalId place) const {
  return find_set(version, place) != nullptr;
}

LocalId SetView::parent(const Version& version, LocalId directory) const {
  const SetFile* const file = directory.entry == kSet ? nullptr : set_file(directory.entry);
  // A directory without a name of its own stands for a query, which knows what is above.
  if (file != nullptr && !file->name.empty()) {
    directory.entry = kSet;
    return directory;
  }
  const SetPtr set = bind(version, directory);
  return set == nullptr ? LocalId{} : set->parent();
}

bool SetView::is_table(LocalId file) const {
  const SetFile* const row = set_file(file.entry);
  return row != nullptr && row->name.ends_with(".tsv");
}

absl::Status SetView::list(const Version& version, LocalId directory, std::uint64_t first,
                           const WorkBudget& budget, EmitChild emit) const {
  const SetPtr set = find_set(version, directory);
  if (set == nullptr) return absl::OkStatus();
  if (directory.entry == kSet) return set->list(first, budget, emit);
  std::vector<const SetFile*> files = files_in(directory.entry);
  std::erase_if(files, [](const SetFile* file) { return file->is_of_pages; });
  bool stopped = false;
  absl::Status status = list_children(
      first, files.size(), [&](std::uint64_t i) { return set_child(*set, *files[i]); },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (!status.ok() || stopped) return status;
  const std::uint64_t rest = first - std::min<std::uint64_t>(first, files.size());
  return set_file(directory.entry)->list(*set, rest, budget, [&](Child child, std::uint64_t next) {
    return emit(std::move(child), next + files.size());
  });
}

std::optional<Child> SetView::lookup(const Version& version, LocalId directory,
                                     std::string_view name) const {
  const SetPtr set = find_set(version, directory);
  if (set == nullptr) return std::nullopt;
  if (directory.entry == kSet) return set->find(name);
  for (const SetFile* const file : files_in(directory.entry)) {
    if (file->name == name) return set_child(*set, *file);
  }
  return set_file(directory.entry)->find(*set, name);
}

absl::StatusOr<std::unique_ptr<Content>> SetView::open(const Version& version, LocalId file,
                                                       const WorkBudget& budget) const {
  const SetPtr set = find_set(version, file);
  if (set == nullptr) return View::open(version, file, budget);
  return set_file(file.entry)->open(*set, budget);
}

}  // namespace scidfs::fs
