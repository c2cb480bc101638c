#include "fs/search/text_search.h"

#include <algorithm>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/game_reader.h"
#include "fs/scan/narrow.h"
#include "fs/search/column_filter.h"
#include "fs/search/comment_pattern.h"
#include "fs/search/condition.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using Comments = std::span<const Bytes>;

// The reader does not wait for more games than this.
constexpr std::size_t kMostExpected = 2000;

bool has(CommentMatcher& matcher, Comments comments) {
  return std::ranges::any_of(comments, [&](Bytes comment) { return matcher.matches(comment); });
}

// One thread of narrow_by_text().
class TextWorker {
 public:
  TextWorker(const Database& database, std::span<const Facet* const> facets, std::size_t games,
             const WorkBudget& budget)
      : database_(&database), watch_(budget), reader_(database.readers().borrow()) {
    for (const Facet* const facet : facets) {
      (facet->is_negated ? unwanted_ : wanted_)
          .emplace_back(facet->condition().as<CommentPattern>(), database.options().pgn.code_page);
    }
    reader_->expect(games);
  }

  absl::StatusOr<bool> meets_all(GameIndex game) {
    if (watch_.is_cancelled(database_->index().value(game, PackedIndex::Column::Length))) {
      return WorkBudget::cancelled();
    }
    // Of a record that cannot be read, no comment is known.
    if (!unwanted_.empty() &&
        !lies_within(database_->entry(game), database_->files().game_file().size())) {
      return false;
    }
    absl::StatusOr<bool> holds = true;
    if (!wanted_.empty()) {
      holds = reader_->has_comments(game, [this](Comments comments) {
        return std::ranges::all_of(wanted_,
                                   [&](CommentMatcher& matcher) { return has(matcher, comments); });
      });
    }
    for (CommentMatcher& matcher : unwanted_) {
      if (!holds.ok() || !*holds) return holds;
      holds =
          reader_->has_comments(game, [&](Comments comments) { return has(matcher, comments); });
      if (holds.ok()) holds = !*holds;
    }
    return holds;
  }

 private:
  const Database* database_;
  BudgetWatch watch_;
  ReaderPool::Loan reader_;
  std::vector<CommentMatcher> wanted_, unwanted_;
};

}  // namespace

absl::StatusOr<DeltaList> narrow_by_text(const Database& database, const GameList& games,
                                         std::span<const Facet* const> facets,
                                         const WorkBudget& budget) {
  std::size_t times = 0;
  for (const Facet* const facet : facets) {
    times += facet->condition().as<CommentPattern>().cost();
  }
  RETURN_IF_ERROR(begin_decoding(database, games, budget, times));
  std::vector<TextWorker> workers;
  for (std::size_t i = 0; i < scan_workers(budget); ++i) {
    workers.emplace_back(database, facets, games.count(kMostExpected), budget);
  }
  return narrow(games, database.games(), budget,
                [&](std::size_t number, std::size_t block, BlockMask& mask) {
                  absl::Status failure;
                  keep_if(mask, false, [&](std::size_t i) {
                    if (!failure.ok()) return false;
                    const auto game = static_cast<GameIndex>(block * PackedIndex::kBlock + i);
                    const absl::StatusOr<bool> holds = workers[number].meets_all(game);
                    if (!holds.ok()) failure = holds.status();
                    return holds.ok() && *holds;
                  });
                  return failure;
                });
}

}  // namespace scidfs::fs
