// Folders and databases that are in directories of texts.
#include <fmt/format.h>

#include <algorithm>

#include "fs/base/log.h"
#include "fs/library/library.h"

namespace scidfs::fs {

void Library::lay_out_inner(const ScannedTexts& found, const TextsPtr& texts, std::size_t parent,
                            Catalog& next) {
  const std::span<const InnerFolder> inner = texts->directory->folders();
  std::vector<std::size_t> places(inner.size());
  std::vector<std::string> paths(inner.size(), found.relative);  // relative to the source
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (i != 0) paths[i] = fmt::format("{}/{}", paths[inner[i].parent], inner[i].name);
    if (i == 0 && !is_folder_) {
      places[i] = parent;
    } else {
      const std::size_t above = i == 0 ? parent : places[inner[i].parent];
      places[i] = next.folders_.size();
      next.folders_.push_back({.name = i == 0 ? texts->name : inner[i].name,
                               .path = paths[i],
                               .key = key_of_folder(paths[i]),
                               .parent = next.folders_[above].key});
      std::vector<std::uint32_t>& siblings = next.folders_[above].folders;
      const auto behind = std::ranges::find_if(siblings, [&](std::uint32_t key) {
        return next.folder(key)->name > next.folders_.back().name;
      });
      siblings.insert(behind, next.folders_.back().key);
    }
    Folder& folder = next.folders_[places[i]];
    folder.own_texts = texts->slot;
    folder.own_place = inner[i].place;
    folder.mtime_seconds = texts->mtime_seconds;
    folder.mtime_nanoseconds = texts->mtime_nanoseconds;
  }
  for (const InnerDatabase& database : texts->directory->databases()) {
    Folder& folder = next.folders_[places[database.folder]];
    const std::string relative = fmt::format("{}/{}", paths[database.folder], database.name);
    Known& known = known_[relative];
    const DatabasePtr shown = inner_database(database, relative, texts, known);
    if (shown != nullptr) {
      folder.databases.push_back(shown->slot());
      next.databases_.emplace(shown->slot(), shown);
    } else {
      folder.refused.emplace_back(std::string(known.refusal.message()));
    }
  }
}

// A version of the texts has been accepted, and its databases with it: their bytes never change.
DatabasePtr Library::inner_database(const InnerDatabase& found, const std::string& relative,
                                    const TextsPtr& texts, Known& known) {
  DatabasePtr last = known.last.lock();
  if (known.last_texts.lock() == texts) {
    if (!known.refusal.ok()) return nullptr;
    if (last != nullptr) return last;
  }
  known.last_texts = texts;
  known.refusal = take_slot(found.index_path, relative, known);
  if (!known.refusal.ok()) return nullptr;
  absl::StatusOr<std::shared_ptr<Database>> opened = Database::open(
      found.index_path, found.name, known.slot,
      {.pgn = options_.pgn, .show_deleted = options_.show_deleted, .origin = found.origin},
      known.used);
  known.refusal = opened.status();
  if (!opened.ok()) {
    log_warning(std::string(opened.status().message()));
    return nullptr;
  }
  const std::shared_ptr<Database> database = *std::move(opened);
  if (last != nullptr && last->fingerprint() == database->fingerprint()) return last;
  load_kept_sizes(*database);
  known.last = database;
  accept(known, database->epoch(), database->fingerprint(), database->problems(), found.index_path);
  if (last != nullptr) database->succeed(*last);
  if (catalog() == nullptr) return database;
  // Of what comes while it is mounted, everything is ready before anybody sees it.
  database->warm_up();
  if (options_.index != IndexMode::None) {
    compute_sizes({database}, [](std::uint64_t, std::uint64_t) {});
  }
  return database;
}

}  // namespace scidfs::fs
