#include "fs/tree/mount_snapshot.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/file/cache_remarks.h"
#include "fs/library/folder_snapshot.h"
#include "fs/library/lazy_together.h"

namespace scidfs::fs {
namespace {

// Entries of places. The key of a text of status.txt or README.txt is its number, that of a mark
// its index.
constexpr std::uint8_t kStatusEntry = 1;
constexpr std::uint8_t kMarkEntry = 2;
constexpr std::uint8_t kReadmeEntry = 3;
constexpr std::array<std::string_view, 2> kMarks = {".trackerignore", ".nomedia"};

// By RejectedNames::Kind.
constexpr std::array<std::string_view, 5> kRefused = {"no facet", "no position", "no query",
                                                      "no lines", "no move"};

void add_shown(const MountedVersion& mounted, std::string& text) {
  const std::string read =
      mounted.lazy_together == nullptr ? "" : mounted.lazy_together->progress();
  if (!read.empty()) {
    text += fmt::format("{}{}{}: {}\n", codec::clean_line(mounted.path),
                        mounted.path.empty() ? "" : "/", mounted.name, read);
  }
  if (mounted.noun.empty()) return;  // a folder
  const Snapshot& snapshot = *mounted.snapshot;
  const std::string_view path = mounted.path;
  const std::string_view folder = path.substr(0, path.rfind('/') + 1);
  text += fmt::format("{} {}{}: {}", mounted.noun, codec::clean_line(folder),
                      codec::clean_line(mounted.name), codec::clean_line(snapshot.summary()));
  if (const auto database = database_of(mounted)) {
    text += fmt::format(", version {} since {:%F %T}, {} sizes known", mounted.version,
                        fmt::localtime(mounted.opened), database->sizes().known());
  }
  text += snapshot.problems().empty() ? "\n" : ", damaged\n";
}

}  // namespace

std::string MountSnapshot::text() const {
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    text += fmt::format("{}: {}\n", key, value);
  };
  line("scidfs", SCIDFS_VERSION);
  const CatalogPtr catalog = library_.catalog();
  line("databases", catalog->databases());
  line("games", catalog->games());
  line("databases not read yet", catalog->unread());
  line("sizes known", catalog->sizes_known());
  line("reloads", catalog->generation());
  const RetiredVersions& retired = catalog->retired();
  line("old versions kept for readers", retired.size());
  line("bytes of memory for old versions", retired.memory());
  if (const RetiredVersions::Early& early = retired.early(); early.count != 0) {
    line("old versions dropped early",
         fmt::format("{}, the last of {} at {:%F %T}", early.count, codec::clean_line(early.last),
                     fmt::localtime(early.when)));
  }
  for (const MountedVersionPtr& mounted : catalog->all()) add_shown(*mounted, text);
  const cache::BlockCache::Counters counters = blocks_.counters();
  line("cache hits", counters.hits);
  line("cache misses", counters.misses);
  line("cache joins", counters.joins);
  line("cache made ahead", counters.ahead);
  line("cache evictions", counters.evictions);
  line("cache failures", counters.failures);
  line("cache blocks", counters.blocks);
  line("cache bytes", counters.bytes);
  const QueryContext& searches = library_.searches();
  const auto results = searches.results.counters();
  line("questions known", searches.queries.size() + searches.queries.texts());
  line("answers made", results.made);
  line("answers kept", results.values);
  line("answer bytes", results.bytes);
  for (const RejectedNames::RejectedName& refusal : searches.rejected_names.all()) {
    line(kRefused[static_cast<std::size_t>(refusal.kind)],
         fmt::format("{}: {}", refusal.name, refusal.reason));
  }
  for (const std::string& remark : cache_remarks()) line("cache folder", codec::clean_line(remark));
  if (more_status_ != nullptr) text += more_status_();
  return text;
}

std::uint32_t MountSnapshot::freeze() const {
  auto now = std::make_shared<const std::string>(text());
  const cache::MutexLock lock(mutex_);
  last_ = last_ % kMaxKey + 1;
  frozen_[last_ % kKept] = {
      .number = last_, .time = {.seconds = std::time(nullptr)}, .text = std::move(now)};
  return last_;
}

std::optional<MountSnapshot::Frozen> MountSnapshot::frozen(LocalId file) const {
  const cache::MutexLock lock(mutex_);
  const Frozen& kept = frozen_[file.key % kKept];
  if (file.entry != kStatusEntry || file.key == 0 || kept.number != file.key) return std::nullopt;
  return kept;
}

bool MountSnapshot::has(std::string_view name) {
  return name == kStatusName || name == kReadmeName ||
         std::ranges::find(kMarks, name) != kMarks.end();
}

// A text that has been evicted exists: its readers get an error of their own.
bool MountSnapshot::exists(LocalId place) const {
  if (place.view != 0) return false;
  return is_directory(place) || place.entry == kStatusEntry || place.entry == kReadmeEntry ||
         (place.entry == kMarkEntry && place.key < kMarks.size());
}

std::uint64_t MountSnapshot::identity(LocalId file) const {
  return file.entry == kMarkEntry ? kInodeLayout : file.key;
}

std::optional<FileTime> MountSnapshot::mtime(LocalId file) const {
  const std::optional<Frozen> status = frozen(file);
  return status.has_value() ? std::optional(status->time) : std::nullopt;
}

absl::Status MountSnapshot::list(LocalId, std::uint64_t first, const WorkBudget&,
                                 EmitChild emit) const {
  return list_children(
      first, 2,
      [this](std::uint64_t position) {
        if (position == 1) return readme();
        return Child{.name = std::string(kStatusName), .place = {.entry = kStatusEntry}};
      },
      emit);
}

Child MountSnapshot::readme() const {
  return {.name = std::string(kReadmeName),
          .place = {.entry = kReadmeEntry, .key = readme_.number()},
          .is_settled = false};
}

std::optional<Child> MountSnapshot::find(LocalId, std::string_view name) const {
  if (name == kStatusName) {
    return Child{.name = std::string(name),
                 .place = {.entry = kStatusEntry, .key = freeze()},
                 .is_settled = false};
  }
  if (name == kReadmeName) return readme();
  const auto* const mark = std::ranges::find(kMarks, name);
  if (mark == kMarks.end()) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(mark - kMarks.begin());
  return Child{.name = std::string(name), .place = {.entry = kMarkEntry, .key = number}};
}

absl::StatusOr<std::unique_ptr<Content>> MountSnapshot::open(LocalId file,
                                                             const WorkBudget& budget) const {
  if (file.entry == kMarkEntry) return std::make_unique<TextContent>("");
  if (file.entry == kReadmeEntry) {
    ASSIGN_OR_RETURN(const std::shared_ptr<const std::string> text, readme_.text(file.key, budget));
    return std::make_unique<TextContent>(*text);
  }
  const std::optional<Frozen> status = frozen(file);
  if (!status.has_value()) return absl::FailedPreconditionError("this status is too old");
  return std::make_unique<TextContent>(*status->text);
}

}  // namespace scidfs::fs
