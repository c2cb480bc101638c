#include "fs/tree/status_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "codec/text.h"

namespace scidfs::fs {

std::string StatusFile::text() const {
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", key, value);
  };
  line("scidfs", SCIDFS_VERSION);
  const CatalogPtr catalog = library_.catalog();
  line("databases", catalog->databases().size());
  line("games", catalog->games());
  line("sizes known", catalog->sizes_known());
  line("changes followed", catalog->generation());
  line("old versions kept for readers", catalog->retired());
  for (const auto& [slot, database] : catalog->databases()) {
    const std::string& folder = catalog->folder_of(slot).path;
    line(fmt::format("database {}{}{}", codec::clean_line(folder), folder.empty() ? "" : "/",
                     codec::clean_line(database->name())),
         fmt::format("{} games, version {} since {:%F %T}, {} sizes known{}", database->games(),
                     database->version(), fmt::localtime(database->opened()),
                     database->sizes_known(), database->problems().empty() ? "" : ", damaged"));
  }
  for (const auto& [slot, texts] : catalog->all_texts()) {
    const std::string& folder = catalog->folder_of_texts(slot).path;
    line(fmt::format("directory {}{}{}", codec::clean_line(folder), folder.empty() ? "" : "/",
                     codec::clean_line(texts->name)),
         fmt::format("{}{}", codec::clean_line(texts->directory->summary()),
                     texts->directory->problems().empty() ? "" : ", damaged"));
  }
  const cache::BlockCache::Counters counters = blocks_.counters();
  line("cache hits", counters.hits);
  line("cache misses", counters.misses);
  line("cache joins", counters.joins);
  line("cache made ahead", counters.ahead);
  line("cache evictions", counters.evictions);
  line("cache failures", counters.failures);
  line("cache blocks", counters.blocks);
  line("cache bytes", counters.bytes);
  if (requests_ != nullptr) {
    const RequestCounters::Snapshot requests = requests_->snapshot();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      line(kRequestNames[i], requests[i]);
    }
  }
  return text;
}

std::uint32_t StatusFile::freeze() {
  auto content = std::make_shared<TextContent>(text());
  cache::MutexLock lock(mutex_);
  ++last_;
  frozen_[last_ % kKept] = {
      .number = last_, .time = std::time(nullptr), .text = std::move(content)};
  return last_;
}

absl::StatusOr<std::shared_ptr<const Content>> StatusFile::frozen(std::uint32_t number) const {
  cache::MutexLock lock(mutex_);
  const Frozen& slot = frozen_[number % kKept];
  if (number == 0 || slot.number != number) {
    return absl::FailedPreconditionError("this status is too old");
  }
  return slot.text;
}

std::int64_t StatusFile::time(std::uint32_t number) const {
  cache::MutexLock lock(mutex_);
  const Frozen& slot = frozen_[number % kKept];
  return slot.number == number ? slot.time : 0;
}

}  // namespace scidfs::fs
