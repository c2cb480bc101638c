#include "fs/database/stored_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/database/database.h"
#include "fs/database/index_folder.h"
#include "fs/database/index_tsv_line.h"
#include "fs/file/cache_file.h"
#include "fs/file/cache_folder.h"
#include "fs/file/fingerprint.h"
#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Locked by the process that saves an index file.
constexpr std::string_view kIndexLock = "scidfs.index.lock";

// Which sections there are, and what they mean: change it with them.
constexpr std::string_view kIndexContents = "index 5";

// The lengths of lines of index.tsv are those of its columns.
std::uint64_t key_of(const DatabaseFiles& files, const DatabaseOptions& options) {
  return cache::fingerprint(IndexTsvLines::kHead,
                            cache::fingerprint(kIndexContents, files.source_key(options)));
}

// Opens the database as if there were no index file, and makes the image of one.
SectionFile::Remake remake_of(const DatabaseFiles& files, DatabaseOptions options,
                              std::uint64_t key) {
  options.index_bytes = 0;
  return [path = files.index_path(), options = std::move(options),
          key](absl::FunctionRef<bool(const SectionImage&)> take) {
    const auto database = Database::open(path, path.filename().string(), options);
    if (!database.ok()) return false;
    (*database)->load_kept();
    const GameIndex games = (*database)->games();
    if (!(*database)->compute_sizes(0, games).ok() || !(*database)->sizes().complete())
      return false;
    const absl::StatusOr<StoredParts> parts = (*database)->store(WorkBudget::unlimited(nullptr));
    return parts.ok() && take(SectionImage(key, parts->sections()));
  };
}

absl::Status save(const Database& database, absl::FunctionRef<bool()> is_cancelled) {
  const DatabaseFiles& files = database.files();
  const DatabaseOptions& options = database.options();
  const std::uint64_t key = key_of(files, options);
  RETURN_IF_ERROR(make_folders(options.cache_folder));
  ASSIGN_OR_RETURN(const Descriptor folder, open_cache_folder(options.cache_folder));
  const absl::StatusOr<FolderLock> lock =
      FolderLock::take_file(options.cache_folder / kIndexLock, std::chrono::milliseconds(0));
  if (absl::IsUnavailable(lock.status())) return absl::OkStatus();
  if (!lock.ok()) return lock.status();
  if (!database.found_unfit() && StoredIndex::find(files, options) != nullptr) {
    return absl::OkStatus();
  }
  if (!files.are_as_read(options, is_cancelled)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const StoredParts parts,
                   database.store(WorkBudget::unlimited([&] { return is_cancelled(); })));
  const SectionImage image(key, parts.sections());
  const IndexFolderFile file{.path = stored_index_path(files, options),
                             .name = fmt::format("the index file of {} ({} bytes)",
                                                 files.index_path().string(), image.size())};
  return save_in_room(file, image, options, is_cancelled);
}

}  // namespace

// There is one for a database and a set of options.
stdfs::path stored_index_path(const DatabaseFiles& files, const DatabaseOptions& options) {
  const OpeningNames* const openings = options.reference->openings.get();
  const std::string thing =
      fmt::format("{}\n{}\n{}\n{}", files.index_path().string(), fingerprint_of(options.pgn),
                  options.show_deleted, openings == nullptr ? 0 : openings->fingerprint());
  return index_path_of(options, thing, kIndexExtension);
}

bool is_worth_storing(const DatabaseFiles& files, const DatabaseOptions& options) {
  return options.index_bytes != 0 && !options.cache_folder.empty() &&
         files.index_file().games() >= options.index_games;
}

std::unique_ptr<const StoredIndex> StoredIndex::find(const DatabaseFiles& files,
                                                     const DatabaseOptions& options) {
  if (!is_worth_storing(files, options)) return nullptr;
  const stdfs::path path = stored_index_path(files, options);
  const std::uint64_t key = key_of(files, options);
  absl::StatusOr<std::unique_ptr<const SectionFile>> file =
      SectionFile::map(path, key, remake_of(files, options, key));
  if (!file.ok()) {
    if (absl::IsDataLoss(file.status())) log_warning(std::string(file.status().message()));
    return nullptr;
  }
  using FactWords = std::array<std::uint64_t, sizeof(StoredFacts) / sizeof(std::uint64_t)>;
  const auto numbers = (*file)->values<std::uint64_t>(static_cast<std::uint64_t>(StoredPart::Facts),
                                                      std::tuple_size_v<FactWords>);
  FactWords copy{};  // of no games, which fits no database
  std::ranges::copy(numbers, copy.begin());
  return std::unique_ptr<const StoredIndex>(
      new StoredIndex(path, *std::move(file), std::bit_cast<StoredFacts>(copy)));
}

void StoredIndex::tell_unfit() const {
  log_warning(fmt::format("Cannot use {}: its sections do not fit the database", path_.native()));
}

void save_stored_index(const Database& database, absl::FunctionRef<bool()> is_cancelled) {
  const DatabaseFiles& files = database.files();
  if (!is_worth_storing(files, database.options()) || database.is_stored() ||
      !database.sizes().complete() || files.shares_records() || !MappedFile::may_show()) {
    return;
  }
  const absl::Status status = save(database, is_cancelled);
  // A mount tells of a folder that it cannot use when it begins.
  if (!status.ok() && !absl::IsCancelled(status) && !absl::IsFailedPrecondition(status)) {
    log_warning(fmt::format("{}; the next mount will read all games' entries again",
                            std::string(status.message())));
  }
}

}  // namespace scidfs::fs
