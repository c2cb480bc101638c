#include "fs/search/tag_search.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/extra_tags.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/game_bitmap.h"
#include "fs/scan/game_records.h"
#include "fs/scan/narrow.h"
#include "fs/search/condition.h"
#include "fs/search/tag_pattern.h"

namespace scidfs::fs {
namespace {

using codec::scid::ExtraTag;

const TagPattern& pattern_of(const Facet& facet) { return facet.condition().as<TagPattern>(); }

// The test of a facet, for one thread.
class TagTest {
 public:
  TagTest(const Facet& facet, codec::CodePage page)
      : tag_(pattern_of(facet).tag()),
        is_unknown_(pattern_of(facet).pattern().means_unknown()),
        is_negated_(facet.is_negated),
        matcher_(pattern_of(facet).pattern()),
        page_(page) {}

  bool passes(std::span<const ExtraTag> tags) {
    const auto tag = std::ranges::find(tags, tag_, &ExtraTag::name);
    const std::string_view value =
        tag == tags.end() ? std::string_view() : codec::scid::shown_value(tag->value, page_, room_);
    const bool is_known = codec::scid::is_known_value(value);
    if (is_unknown_) return is_known == is_negated_;
    return is_known && matcher_.matches(value) != is_negated_;
  }

 private:
  std::string_view tag_;
  bool is_unknown_, is_negated_;
  NameMatcher matcher_;
  codec::CodePage page_;
  std::string room_;
};

// One thread of narrow_by_tags().
struct TagWorker {
  TagWorker(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget) {}

  GameRecords records;
  std::vector<TagTest> tests;
};

absl::Status narrow_block(TagWorker& worker, std::size_t block, BlockMask& mask) {
  const BlockGames games(block, mask);
  BlockMask met{};
  const std::span<const GameIndex> wanted = games;
  absl::Status status =
      worker.records.for_each_tags(wanted, [&](std::size_t i, std::span<const ExtraTag> tags) {
        const bool passes =
            std::ranges::all_of(worker.tests, [tags](TagTest& test) { return test.passes(tags); });
        const std::size_t game = wanted[i] % PackedIndex::kBlock;
        met[game / 64] |= std::uint64_t{passes} << game % 64;
      });
  mask = met;
  return status;
}

}  // namespace

absl::StatusOr<DeltaList> narrow_by_tags(const Database& database, const GameList& games,
                                         std::span<const Facet* const> facets,
                                         const WorkBudget& budget) {
  std::size_t times = 0;
  for (const Facet* const facet : facets) {
    times = std::max(times, pattern_of(*facet).pattern().cost());
  }
  RETURN_IF_ERROR(begin_decoding(database, games, budget, times));
  return scan_records(database, [&](GameFile::Check check) {
    std::vector<TagWorker> workers;
    for (std::size_t i = 0; i < scan_workers(budget); ++i) {
      TagWorker& worker = workers.emplace_back(database, check, budget);
      for (const Facet* const facet : facets) {
        worker.tests.emplace_back(*facet, database.options().pgn.code_page);
      }
    }
    return narrow(games, database.games(), budget,
                  [&](std::size_t worker, std::size_t block, BlockMask& mask) {
                    return narrow_block(workers[worker], block, mask);
                  });
  });
}

}  // namespace scidfs::fs
