#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "codec/bytes.h"
#include "fs/base/status_macros.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/player_scores.h"

namespace scidfs::fs {
namespace {

// A player by games and a few bytes of the name: names are scattered in memory, so the sort reads
// each once, not for each comparison.
struct Keyed {
  std::uint32_t fewer = 0;  // ascending where games are descending
  std::uint32_t place = 0;  // in the scores, which are by id
  std::uint64_t bytes = 0;  // of the name, the first one uppermost

  friend bool operator<(const Keyed& a, const Keyed& b) {
    return std::tie(a.fewer, a.bytes, a.place) < std::tie(b.fewer, b.bytes, b.place);
  }
  bool is_level_with(const Keyed& other) const {
    return fewer == other.fewer && bytes == other.bytes;
  }
};

std::uint64_t bytes_at(std::string_view name, std::size_t offset) {
  std::uint64_t bytes = 0;
  if (offset < name.size()) {
    std::memcpy(&bytes, name.data() + offset, std::min(sizeof bytes, name.size() - offset));
  }
  return __builtin_bswap64(codec::in_little_endian(bytes));
}

class Sorter {
 public:
  Sorter(const Identities& who, const WorkBudget& budget, std::vector<PlayerScore>& scores)
      : who_(who), budget_(budget), scores_(scores) {}

  absl::Status sort();

 private:
  static constexpr std::size_t kWorthThreads = 1U << 14;

  std::string_view name_of(const Keyed& keyed) const {
    return who_.name(scores_[keyed.place].player);
  }
  // Sorts players with equal keys by the rest of their names. REQUIRES: `all` is sorted by its
  // keys.
  void refine(std::span<Keyed> all, std::size_t offset) const;

  const Identities& who_;
  const WorkBudget& budget_;
  std::vector<PlayerScore>& scores_;
};

void Sorter::refine(std::span<Keyed> all, std::size_t offset) const {
  assert(std::is_sorted(all.begin(), all.end()));
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    for (end = begin + 1; end < all.size() && all[end].is_level_with(all[begin]);) ++end;
    const std::span<Keyed> level = all.subspan(begin, end - begin);
    // Names contain no zeros: players whose equal keys end with one have the same name.
    if (level.size() == 1 || (level.front().bytes & 0xFF) == 0) continue;
    for (Keyed& keyed : level) keyed.bytes = bytes_at(name_of(keyed), offset);
    std::sort(level.begin(), level.end());
    refine(level, offset + sizeof(Keyed::bytes));
  }
}

absl::Status Sorter::sort() {
  std::vector<Keyed> all(scores_.size());
  const std::size_t parts = all.size() < kWorthThreads ? 1 : workers_for(budget_, all.size());
  const auto part = [&](std::size_t i) { return all.size() * i / parts; };
  const auto for_each_part = [&](const auto& run) {
    return run_tasks(parts, parts, budget_, [&](std::size_t, std::size_t i) {
      run(i);
      return absl::OkStatus();
    });
  };
  // (1) Each thread sorts a part, (2) the parts are merged, (3) each thread refines a part.
  RETURN_IF_ERROR(for_each_part([&](std::size_t i) {
    for (std::size_t place = part(i); place < part(i + 1); ++place) {
      const PlayerScore& score = scores_[place];
      all[place] = {.fewer = ~score.score.games(),
                    .place = static_cast<std::uint32_t>(place),
                    .bytes = bytes_at(who_.name(score.player), 0)};
    }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(part(i)),
              all.begin() + static_cast<std::ptrdiff_t>(part(i + 1)));
  }));
  const auto at = [&](std::size_t i) {
    return all.begin() + static_cast<std::ptrdiff_t>(part(std::min(i, parts)));
  };
  for (std::size_t width = 1; width < parts; width *= 2) {
    RETURN_IF_ERROR(for_each_part([&](std::size_t i) {
      if (i % (2 * width) == 0) std::inplace_merge(at(i), at(i + width), at(i + 2 * width));
    }));
  }
  // Players with equal keys stay in one part.
  const auto cut = [&](std::size_t i) {
    std::size_t place = part(i);
    while (place != 0 && place < all.size() && all[place].is_level_with(all[place - 1])) ++place;
    return place;
  };
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i <= parts; ++i) cuts.push_back(cut(i));
  std::vector<PlayerScore> sorted(scores_.size());
  RETURN_IF_ERROR(for_each_part([&](std::size_t i) {
    refine(std::span(all).subspan(cuts[i], cuts[i + 1] - cuts[i]), sizeof(Keyed::bytes));
    for (std::size_t to = cuts[i]; to < cuts[i + 1]; ++to) sorted[to] = scores_[all[to].place];
  }));
  scores_ = std::move(sorted);
  return absl::OkStatus();
}

}  // namespace

absl::Status sort_by_games(const Identities& who, const WorkBudget& budget,
                           std::vector<PlayerScore>& scores) {
  assert(std::ranges::is_sorted(scores, {}, &PlayerScore::player));
  return Sorter(who, budget, scores).sort();
}

void sort_first(const Identities& who, std::size_t count, std::vector<PlayerScore>& scores) {
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(std::min(count, scores.size()));
  std::partial_sort(
      scores.begin(), middle, scores.end(), [&](const PlayerScore& a, const PlayerScore& b) {
        if (a.score.games() != b.score.games()) return a.score.games() > b.score.games();
        return std::tuple(who.name(a.player), a.player) < std::tuple(who.name(b.player), b.player);
      });
}

}  // namespace scidfs::fs
