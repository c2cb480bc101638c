#include "fs/tree/status_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <ctime>

#include "codec/text.h"

namespace scidfs::fs {
namespace {

// By RejectedNames::Kind.
constexpr std::array<std::string_view, 3> kRefused = {"no facet", "no position", "no query"};

void add_shown(const MountedVersion& shown, std::string& text) {
  if (shown.noun.empty()) return;  // a folder
  const Snapshot& snapshot = *shown.snapshot;
  const std::string_view path = shown.path;
  const std::string_view folder = path.substr(0, path.rfind('/') + 1);
  fmt::format_to(std::back_inserter(text), "{} {}{}: {}", shown.noun, codec::clean_line(folder),
                 codec::clean_line(shown.name), codec::clean_line(snapshot.summary()));
  if (shown.database != nullptr) {
    fmt::format_to(std::back_inserter(text), ", version {} since {:%F %T}, {} sizes known",
                   shown.version, fmt::localtime(shown.opened), shown.database->sizes().known());
  }
  text += snapshot.problems().empty() ? "\n" : ", damaged\n";
}

}  // namespace

std::string StatusFile::text() const {
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", key, value);
  };
  line("scidfs", SCIDFS_VERSION);
  const CatalogPtr catalog = library_.catalog();
  line("databases", catalog->databases());
  line("games", catalog->games());
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
  for (const MountedVersionPtr& shown : catalog->all()) add_shown(*shown, text);
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
  if (requests_ != nullptr) {
    const RequestCounters::Snapshot requests = requests_->snapshot();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      line(kRequestNames[i], requests[i]);
    }
  }
  return text;
}

StatusFile::Frozen StatusFile::freeze() {
  auto content = std::make_shared<TextContent>(text());
  const cache::MutexLock lock(mutex_);
  last_ = last_ % kMaxKey + 1;
  Frozen& slot = frozen_[last_ % kKept];
  slot = {.number = last_, .time = std::time(nullptr), .text = std::move(content)};
  return slot;
}

absl::StatusOr<StatusFile::Frozen> StatusFile::frozen(std::uint32_t number) const {
  const cache::MutexLock lock(mutex_);
  const Frozen& slot = frozen_[number % kKept];
  if (number == 0 || slot.number != number) {
    return absl::FailedPreconditionError("this status is too old");
  }
  return slot;
}

}  // namespace scidfs::fs
