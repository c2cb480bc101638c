#include "fs/library/folder_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/first_lines.h"
#include "fs/library/folder_snapshot.h"
#include "fs/library/lazy_together.h"
#include "fs/library/repertoires.h"
#include "fs/library/together_snapshot.h"
#include "fs/pages/folder_page.h"
#include "fs/tables/chart.h"
#include "fs/views/database_snapshot.h"

namespace scidfs::fs {
namespace {

// A database below an entry of a folder.
struct NestedDatabase {
  MountedVersionPtr shown;
  std::string path;  // from the entry; empty: the entry itself
};

// An entry of a folder. Listings sort by `kind` first.
struct Entry {
  enum class Kind { Database, Other, Folder };
  Kind kind = Kind::Other;
  std::string name;
  MountedVersionPtr shown;
  std::vector<NestedDatabase> databases{};  // those that it is or has
};

struct Contents {
  std::uint16_t slot = 0;  // 0: the folder is not shown
  std::vector<Entry> entries;
  std::vector<Refusal> refused;
  std::vector<Refusal> links;  // to folders that are not followed; also from hidden subfolders
};

// Gives each entry the name that the mount shows. Names of files may contain all bytes except `/`
// and NUL; all texts say the names that are shown, so they are cleaned as texts are. A name that
// was clean comes before one that has become equal to it.
void name_entries(TakenNames taken, std::vector<Entry>& entries) {
  std::vector<Entry*> unclean;
  for (Entry& entry : entries) {
    std::string clean = codec::clean_line(entry.name);
    if (clean == entry.name) {
      entry.name = taken.take(clean);
    } else {
      entry.name = std::move(clean);
      unclean.push_back(&entry);
    }
  }
  for (Entry* const entry : unclean) entry->name = taken.take(entry->name);
}

std::string info_text(const ScannedFolder& folder, const Contents& contents) {
  const auto clean = [](std::string_view name) { return codec::clean_line(name); };
  std::string text =
      fmt::format("folder: {}\n", folder.relative.empty() ? "." : clean(folder.relative));
  FirstLines databases(kDatabaseNoun, "databases"), directories("directory", "directories");
  // However many others there are, the first hundred of these are named.
  FirstLines refusals(kDatabaseNoun, "refused databases");
  for (const Entry& entry : contents.entries) {
    if (entry.shown->noun.empty()) continue;  // a folder
    const Snapshot& snapshot = *entry.shown->snapshot;
    FirstLines& lines = is_refused(*entry.shown)             ? refusals
                        : entry.shown->noun == kDatabaseNoun ? databases
                                                             : directories;
    lines.add(fmt::format("{}: {}{}", entry.name, clean(snapshot.summary()),
                          snapshot.problems().empty() ? "" : ", damaged"));
  }
  FirstLines refused("refused", "sources"), links("refused", "links to folders");
  for (const Refusal& source : contents.refused) refused.add(clean(source.why));
  for (const Refusal& link : contents.links) links.add(clean(link.why));
  return text + databases.text() + refusals.text() + directories.text() + refused.text() +
         links.text();
}

// Returns "1,234 games, 1990–2023, 1.5 MB" of a database; of others what info.txt says.
std::string words_of(const MountedVersion& shown) {
  if (shown.noun.empty()) return {};  // a folder
  const std::string size = fmt::format("{:.1f} MB", static_cast<double>(shown.source_bytes) / 1e6);
  if (shown.database == nullptr) {
    const std::string summary = shown.snapshot->summary();
    return shown.lazy == nullptr ? fmt::format("{}, {}", summary, size) : summary;
  }
  const LoadedIndex& index = shown.database->loaded();
  std::string words = counted(index.shown_count(), "game");
  const DateRange& dates = index.shown_dates();
  if (!dates.first.empty()) words += fmt::format(", {}", dates.first.year);
  if (dates.first.year != dates.last.year) words += fmt::format("–{}", dates.last.year);
  return fmt::format("{}, {}", words, size);
}

std::vector<FolderEntry> page_entries(const Contents& contents) {
  std::vector<FolderEntry> entries;
  entries.reserve(contents.entries.size());
  for (const Entry& entry : contents.entries) {
    entries.push_back({.name = entry.name, .words = words_of(*entry.shown)});
  }
  return entries;
}

class Assembly {
 public:
  Assembly(const FolderScan& found, Versions& versions, PagesMode pages, TogetherMode together)
      : found_(found),
        versions_(versions),
        pages_(pages),
        together_(together),
        contents_(found.folders.size()) {}

  // Assigns slots to all folders that are shown.
  void place_folders();
  // Adds each link to its folder, or to the next folder above that is shown.
  void place_links();
  void add_files();
  // Makes a folder. REQUIRES: its subfolders, which have larger numbers, have been made.
  void make_folder(std::size_t number);
  std::shared_ptr<Catalog> finish(std::uint32_t generation);

 private:
  // Returns what shows the databases of a folder as one; null if there is no slot for it.
  MountedVersionPtr make_together(const ScannedFolder& folder, std::uint16_t slot,
                                  const std::vector<NestedDatabase>& databases);

  void refuse(std::size_t folder, const std::string& name, const absl::Status& why) {
    contents_[folder].refused.push_back({.name = name, .why = std::string(why.message())});
  }

  const FolderScan& found_;
  Versions& versions_;
  const PagesMode pages_;
  const TogetherMode together_;
  std::vector<Contents> contents_;
  std::vector<MountedVersionPtr> shown_;
};

void Assembly::place_folders() {
  for (std::size_t i = 0; i < found_.folders.size(); ++i) {
    const ScannedFolder& folder = found_.folders[i];
    if (i != 0 && (!folder.has_content || contents_[folder.parent].slot == 0)) continue;
    const absl::StatusOr<std::uint16_t> slot = versions_.slot_of_folder(folder.relative);
    if (slot.ok()) {
      contents_[i].slot = *slot;
      contents_[i].refused = folder.refused;
    } else {
      refuse(folder.parent, folder.path.filename().string(), slot.status());
    }
  }
}

void Assembly::place_links() {
  for (std::size_t i = 0; i < found_.folders.size(); ++i) {
    if (found_.folders[i].links.empty()) continue;
    std::size_t shown = i;
    while (shown != 0 && contents_[shown].slot == 0) shown = found_.folders[shown].parent;
    const std::filesystem::path from = found_.folders[shown].path;
    for (const ScannedFolder::Link& link : found_.folders[i].links) {
      const std::filesystem::path path = found_.folders[i].path / link.name;
      const std::string name = path.lexically_relative(from).string();
      contents_[shown].links.push_back(
          {.name = name, .why = fmt::format("{}: {}", name, link.why)});
    }
  }
}

void Assembly::add_files() {
  std::vector<MountedVersionPtr> newest;
  for (const ScannedFile& file : found_.files) {
    const std::uint16_t slot = contents_[file.folder].slot;
    if (slot == 0) continue;
    Versions::Outcome answer = versions_.newest(candidate_of(found_, file, slot));
    if (answer.shown == nullptr) continue;
    newest.push_back(std::move(answer.shown));
    std::ranges::move(answer.inner, std::back_inserter(newest));
  }
  versions_.options().searches->repertoires.publish(repertoires_of(newest));
  for (const ScannedFile& file : found_.files) {
    Contents& contents = contents_[file.folder];
    if (contents.slot == 0) continue;
    Versions::Outcome answer =
        versions_.newest_after_repertoires(candidate_of(found_, file, contents.slot));
    if (answer.shown == nullptr) {
      if (!answer.refusal.ok()) refuse(file.folder, file.name, answer.refusal);
      continue;
    }
    const Entry::Kind kind = answer.shown->noun == kDatabaseNoun ? Entry::Kind::Database
                             : file.format->is_container         ? Entry::Kind::Folder
                                                                 : Entry::Kind::Other;
    Entry entry{.kind = kind, .name = file.name, .shown = answer.shown};
    const auto has_games = [](const MountedVersion& shown) {
      return shown.database != nullptr || shown.lazy != nullptr;
    };
    if (has_games(*answer.shown)) {
      entry.databases.push_back({.shown = answer.shown, .path = ""});
    }
    if (together_ == TogetherMode::All) {
      for (const MountedVersionPtr& inner : answer.inner) {
        if (!has_games(*inner)) continue;
        const std::string_view path = inner->path;
        entry.databases.push_back(
            {.shown = inner, .path = std::string(path.substr(file.relative.size() + 1))});
      }
    }
    contents.entries.push_back(std::move(entry));
    shown_.push_back(std::move(answer.shown));
    for (MountedVersionPtr& inner : answer.inner) shown_.push_back(std::move(inner));
  }
}

void Assembly::make_folder(std::size_t number) {
  const ScannedFolder& folder = found_.folders[number];
  Contents& contents = contents_[number];
  if (contents.slot == 0) return;
  std::ranges::stable_sort(contents.entries, [](const Entry& a, const Entry& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.kind == Entry::Kind::Folder && a.name < b.name;
  });
  name_entries(TakenNames(number == 0, together_ != TogetherMode::None), contents.entries);
  std::vector<NestedDatabase> databases;
  std::vector<std::string> names;
  std::uint64_t fingerprint = 0;
  MountedVersion version{.path = folder.relative, .mtime = folder.mtime};
  for (Entry& entry : contents.entries) {
    names.push_back(entry.name);
    fingerprint = cache::fingerprint(entry.name, fingerprint + entry.shown->slot);
    version.mounted.push_back(entry.shown->slot);
    version.mtime = std::max(version.mtime, entry.shown->file_mtime);
    for (NestedDatabase& below : entry.databases) {
      const std::string_view slash = below.path.empty() ? "" : "/";
      databases.push_back({.shown = std::move(below.shown),
                           .path = fmt::format("{}{}{}", entry.name, slash, below.path)});
    }
  }
  std::ranges::sort(databases, {}, &NestedDatabase::path);
  const auto may_be_shown = [](const NestedDatabase& database) {
    return !is_refused(*database.shown);
  };
  const bool has_together =
      together_ != TogetherMode::None && std::ranges::count_if(databases, may_be_shown) > 1;
  const MountedVersionPtr together =
      has_together ? make_together(folder, contents.slot, databases) : nullptr;
  if (together != nullptr) {
    names.emplace_back(kTogetherName);
    fingerprint = cache::fingerprint(kTogetherName, fingerprint + together->slot);
    version.mounted.push_back(together->slot);
    shown_.push_back(together);
  }
  std::string info = info_text(folder, contents);
  const std::string title = folder.relative.empty() ? "Chess databases" : folder.relative;
  std::string page;
  if (pages_ != PagesMode::None)
    page = folder_page(title, number == 0, page_entries(contents), info);
  version.fingerprint = cache::fingerprint(page, cache::fingerprint(info, fingerprint));
  version.refused = contents.refused;
  version.links = contents.links;
  version.parent_slot = number == 0 ? std::uint16_t{0} : contents_[folder.parent].slot;
  MountedVersionPtr shown = versions_.newest_folder(folder.relative, std::move(version), [&] {
    return std::make_shared<FolderSnapshot>(
        std::move(names), FolderSnapshot::Texts{.info = std::move(info),
                                                .page = std::move(page),
                                                .pages = pages_,
                                                .is_mount_point = number == 0,
                                                .lists_last = together == nullptr ||
                                                              together_ == TogetherMode::Listed});
  });
  if (number != 0) {
    contents_[folder.parent].entries.push_back({.kind = Entry::Kind::Folder,
                                                .name = folder.path.filename().string(),
                                                .shown = shown,
                                                .databases = std::move(databases)});
  }
  shown_.push_back(std::move(shown));
}

MountedVersionPtr Assembly::make_together(const ScannedFolder& folder, std::uint16_t slot,
                                          const std::vector<NestedDatabase>& databases) {
  // No folder has this name.
  const std::string place = fmt::format("{}//{}", folder.relative, kTogetherName);
  if (const absl::StatusOr<std::uint16_t> own = versions_.slot_of_folder(place); !own.ok()) {
    return nullptr;
  }
  MountedVersion version{.name = std::string(kTogetherName),
                         .path = folder.relative,
                         .is_together = true,
                         .parent_slot = slot};
  for (const NestedDatabase& database : databases) {
    version.fingerprint =
        cache::fingerprint(database.path, version.fingerprint + database.shown->fingerprint);
    version.mtime = std::max(version.mtime, database.shown->file_mtime);
    version.is_remote = version.is_remote || database.shown->is_remote;
  }
  bool is_lazy = false;
  std::vector<LazyTogether::Member> members;
  for (const NestedDatabase& database : databases) {
    const MountedVersion& shown = *database.shown;
    const bool is_read = shown.database != nullptr;
    members.push_back({.path = database.path,
                       .version = is_read ? shown.views : nullptr,
                       .lazy = is_read ? nullptr : shown.lazy,
                       .is_pgn = shown.lazy != nullptr});
    if (!is_read) is_lazy = true;
  }
  version.repertoires = std::make_shared<AskedRepertoires>(
      versions_.options().searches->repertoires,
      folder.relative.empty() ? "" : codec::clean_line(folder.relative) + "/");
  auto lazy = std::make_shared<const LazyTogether>(std::move(members), version.repertoires);
  if (is_lazy) version.lazy_together = lazy;
  return versions_.newest_folder(place, std::move(version), [&]() -> SnapshotPtr {
    const VersionsOptions& options = versions_.options();
    if (!is_lazy) return (*lazy->get(WorkBudget::limited(0)))->views;
    return std::make_shared<TogetherSnapshot>(lazy, options.searches,
                                              options.open.database.reference);
  });
}

std::shared_ptr<Catalog> Assembly::finish(std::uint32_t generation) {
  auto catalog = std::make_shared<Catalog>(generation, contents_.front().slot);
  for (MountedVersionPtr& shown : shown_) catalog->add(std::move(shown));
  return catalog;
}

}  // namespace

Candidate candidate_of(const FolderScan& found, const ScannedFile& file, std::uint16_t slot) {
  const ScannedFolder& folder = found.folders[file.folder];
  return {.path = file.path,
          .relative = file.relative,
          .name = file.name,
          .format = file.format,
          .parent_slot = slot,
          .is_remote = folder.is_remote,
          .has_links = folder.has_links};
}

std::shared_ptr<Catalog> make_folder_catalog(const FolderScan& found, Versions& versions,
                                             std::uint32_t generation, PagesMode pages,
                                             TogetherMode together) {
  Assembly assembly(found, versions, pages, together);
  assembly.place_folders();
  assembly.place_links();
  assembly.add_files();
  for (std::size_t number = found.folders.size(); number-- > 0;) assembly.make_folder(number);
  return assembly.finish(generation);
}

}  // namespace scidfs::fs
