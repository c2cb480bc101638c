#include "fs/views/listed_sizes.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "cache/hash.h"
#include "fs/base/inode.h"
#include "fs/base/log.h"
#include "fs/base/source_id.h"
#include "fs/database/stored_index.h"
#include "fs/file/fingerprint.h"
#include "fs/views/all.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kWordsOfDirectory = 2 * (std::size_t{kMaxEntry} + 1);

// Returns whether the size of a file costs more than a look into a table, as that of index.tsv
// does.
bool is_costly_to_list(const SetFile& file) {
  if (file.entry == kSetPage) return true;
  const bool is_listed = (file.listed & SetFile::in(Listing::Database)) != 0;
  return is_listed && file.open != nullptr && file.entry != kSetIndex;
}

}  // namespace

std::shared_ptr<const ListedSizes> ListedSizes::of(const Database& database, bool is_in_folder) {
  const DatabaseOptions& options = database.options();
  if (!is_worth_storing(database.files(), options)) return nullptr;
  // Pages link to what is beside them, and texts have the name of the database as a title.
  const std::string shown =
      fmt::format("{}\n{}\n{}", database.name(), is_in_folder, static_cast<int>(options.pages));
  const std::string thing = fmt::format("tables\n{}\n{}\n{}", database.index_path().string(), shown,
                                        with_options(fingerprint_of(options.pgn), options));
  const std::uint64_t version = with_options(database.fingerprint(), options);
  const std::uint64_t key = cache::fingerprint(fmt::format("{}\n{}", source_id(), shown), version);
  // Not by make_shared: the constructor is private.
  return std::shared_ptr<const ListedSizes>(
      new ListedSizes(CacheFile(options.cache_folder, thing, key)));
}

std::optional<std::uint64_t> ListedSizes::find(SetEntry entry) const {
  const cache::MutexLock lock(mutex_);
  load();
  const std::size_t at = 2 * std::size_t{entry};
  const std::uint64_t size = words_[at] | std::uint64_t{words_[at + 1]} << 32;
  return size == 0 ? std::nullopt : std::optional(size);
}

absl::Status ListedSizes::check(SetEntry entry, std::uint64_t size) const {
  const std::optional<std::uint64_t> promised = find(entry);
  if (!promised.has_value() || *promised == size) return absl::OkStatus();
  const cache::MutexLock lock(mutex_);
  const std::size_t at = 2 * std::size_t{entry};
  words_[at] = words_[at + 1] = 0;
  save();
  const std::string problem =
      fmt::format("a saved size is wrong: {} bytes, the file has {}", *promised, size);
  log_warning(problem);
  return absl::DataLossError(problem);
}

void ListedSizes::add(const std::vector<std::pair<SetEntry, std::uint64_t>>& sizes) const {
  const cache::MutexLock lock(mutex_);
  load();
  for (const auto& [entry, size] : sizes) {
    const std::size_t at = 2 * std::size_t{entry};
    words_[at] = static_cast<std::uint32_t>(size);
    words_[at + 1] = static_cast<std::uint32_t>(size >> 32);
  }
  save();
}

void ListedSizes::load() const {
  if (!words_.empty()) return;
  words_ = file_.load(kWordsOfDirectory).value_or(std::vector<std::uint32_t>(kWordsOfDirectory));
}

void ListedSizes::save() const { file_.save(words_, "ls -l will make the tables next time"); }

void save_listed_sizes(const Version& version, std::function<bool()> is_cancelled) {
  const ListedSizes* const saved = version.listed_sizes.get();
  const SetPtr set = saved == nullptr ? nullptr : database_view().set_of(version, std::uint32_t{0});
  if (set == nullptr) return;
  const WorkBudget budget = WorkBudget::unlimited(std::move(is_cancelled), 1);
  std::vector<std::pair<SetEntry, std::uint64_t>> sizes;
  for (const SetFile& file : set_files()) {
    const bool is_missing = is_costly_to_list(file) && !saved->find(file.entry).has_value();
    if (!is_missing || !has_file(*set, file)) continue;
    const absl::StatusOr<std::unique_ptr<Content>> content = file.open(*set, budget);
    if (content.ok()) sizes.emplace_back(file.entry, (*content)->size());
  }
  if (!sizes.empty()) saved->add(sizes);
}

}  // namespace scidfs::fs
