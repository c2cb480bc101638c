#include "fs/scan/tag_tally.h"

#include <absl/strings/string_view.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "codec/scid/extra_tags.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/work_cost.h"
#include "fs/database/decoding.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

using codec::scid::ExtraTag;

// What a text and its count take in a map, beside a long text.
constexpr std::size_t kBytesOfEntry = 64;

std::size_t bytes_of(std::string_view text) { return kBytesOfEntry + text.size(); }

// Abseil may have a type of its own for views of texts.
absl::string_view as_key(std::string_view text) { return {text.data(), text.size()}; }

// The tally that all threads of a scan share.
class SharedTally {
 public:
  SharedTally(const TagLimits& limits, const WorkBudget& budget) : memory_(budget), all_(limits) {}

  // Adds a tally of one thread, and clears it.
  absl::Status take(TagTally& tally) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    if (all_.tags().empty()) {
      std::swap(all_, tally);
    } else {
      all_ += tally;
      tally.clear();
    }
    absl::Status status = all_.status();
    return status.ok() ? memory_.grow_to(all_.bytes()) : status;
  }
  TagTally release() ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return std::move(all_);
  }

 private:
  cache::Mutex mutex_;
  MemoryClaim memory_ ABSL_GUARDED_BY(mutex_);
  TagTally all_ ABSL_GUARDED_BY(mutex_);
};

// The data of one thread.
struct TallyWorker {
  TallyWorker(const Database& database, GameFile::Check check, const WorkBudget& budget,
              const TagLimits& limits)
      : records(database, check, budget), page(database.options().pgn.code_page), tally(limits) {}

  absl::Status add(std::span<const GameIndex> games) {
    return records.for_each_tags(games, [this](std::size_t, std::span<const ExtraTag> tags) {
      for (const ExtraTag& tag : tags) {
        const std::string_view value = codec::scid::shown_value(tag.value, page, room);
        if (codec::scid::is_known_value(value)) tally.add(tag.name, value);
      }
    });
  }

  GameRecords records;
  codec::CodePage page;
  std::string room;
  TagTally tally;
};

absl::Status count_part(const DatabaseGames& part, const WorkBudget& budget,
                        const TagLimits& limits, SharedTally& shared) {
  constexpr std::size_t kMostOfThread = std::size_t{4} << 20;  // bytes
  const Database& database = *part.database();
  RETURN_IF_ERROR(begin_decoding(database, part.list(), budget));
  ASSIGN_OR_RETURN(const GameScan scan, GameScan::over(part.list(), kMemoryEntriesOfGame, budget));
  const std::size_t most = std::max<std::size_t>(1, workers_for(budget, scan.chunks()));
  absl::StatusOr<TagTally> counted =
      scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<TagTally> {
        SharedTally of_part(limits, budget);
        std::vector<TallyWorker> workers;
        workers.reserve(most);
        for (std::size_t i = 0; i < most; ++i) {
          workers.emplace_back(database, check, budget, limits);
        }
        absl::Status status = scan.visit_all(
            most, budget, [&](std::size_t worker, std::size_t, std::span<const GameIndex> games) {
              TagTally& tally = workers[worker].tally;
              absl::Status added = workers[worker].add(games);
              if (!added.ok() || tally.bytes() < kMostOfThread) return added;
              return of_part.take(tally);
            });
        for (TallyWorker& worker : workers) {
          if (status.ok()) status = of_part.take(worker.tally);
        }
        if (!status.ok()) return status;
        return of_part.release();
      });
  return counted.ok() ? shared.take(*counted) : counted.status();
}

}  // namespace

TagTally::Tag& TagTally::tag_of(std::string_view name) {
  const auto found = tags_.find(as_key(name));
  if (found != tags_.end()) return found->second;
  bytes_ += bytes_of(name);
  return tags_[std::string(name)];
}

void TagTally::drop_values(Tag& tag) {
  if (tag.has_too_many) return;
  bytes_ += limits_.of_tag - std::min(limits_.of_tag, tag.bytes);
  tag.has_too_many = true;
  tag.values = {};
}

void TagTally::add_value(Tag& tag, std::string_view value, std::uint32_t games) {
  if (tag.has_too_many) return;
  const auto found = tag.values.find(as_key(value));
  if (found != tag.values.end()) {
    found->second += games;
    return;
  }
  const std::size_t more = bytes_of(value);
  if (tag.bytes + more > limits_.of_tag) return drop_values(tag);
  tag.bytes += more;
  bytes_ += more;
  tag.values.emplace(std::string(value), games);
}

void TagTally::add(std::string_view tag, std::string_view value, std::uint32_t games) {
  Tag& of_name = tag_of(tag);
  of_name.games += games;
  add_value(of_name, value, games);
}

TagTally& TagTally::operator+=(const TagTally& other) {
  for (const auto& [name, tag] : other.tags_) {
    Tag& mine = tag_of(name);
    mine.games += tag.games;
    if (tag.has_too_many) drop_values(mine);
    for (const auto& [value, games] : tag.values) add_value(mine, value, games);
  }
  return *this;
}

absl::Status TagTally::status() const {
  if (bytes_ <= limits_.of_all) return absl::OkStatus();
  return absl::UnimplementedError("the tags of these games have too many different values");
}

void TagTally::clear() {
  tags_.clear();
  bytes_ = 0;
}

absl::StatusOr<TagTally> count_tags(const GameSet& parts, const WorkBudget& budget,
                                    const TagLimits& limits) {
  SharedTally all(limits, budget);
  for (const DatabaseGames& part : parts) {
    RETURN_IF_ERROR(count_part(part, budget, limits, all));
  }
  return all.release();
}

}  // namespace scidfs::fs
