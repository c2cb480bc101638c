#include "fs/positions/earlier_games.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/step_watch.h"
#include "fs/database/decoding.h"
#include "fs/positions/scan_signatures.h"
#include "fs/positions/target_boards.h"
#include "fs/positions/target_hits.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::TargetPosition;
using codec::scid::IndexSignature;
using codec::scid::RecordHead;

// The boards of the positions, each with the days for which it is asked. Shared by all threads.
class DatedBoards {
 public:
  static constexpr std::size_t kTooLate = ~std::size_t{0};
  static constexpr std::size_t kBoardsOfLook = 4096;

  DatedBoards(std::span<const TargetPosition> positions, const WorkBudget& budget)
      : boards_(positions, budget), plies_(boards_.size(), 1), counters_(positions.size()) {}

  // Adds the day of each position. REQUIRES: called once, before the others. Errors: Cancelled.
  absl::Status add(std::span<const std::uint32_t> days, const WorkBudget& budget) {
    assert(begins_.empty());
    StepWatch watch(budget, kBoardsOfLook);
    begins_.reserve(boards_.size() + 1);
    for (std::uint32_t board = 0; board < boards_.size(); ++board) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      begins_.push_back(days_.size());
      boards_.for_each_target(board,
                              [&](std::uint32_t position) { days_.push_back(days[position]); });
      const std::span<std::uint32_t> of_board = std::span(days_).subspan(begins_.back());
      std::ranges::sort(of_board);
      latest_ = std::max(latest_, of_board.back());
      days_.erase(
          std::unique(days_.begin() + static_cast<std::ptrdiff_t>(begins_.back()), days_.end()),
          days_.end());
      boards_.for_each_target(board, [&](std::uint32_t position) {
        counters_[position] = counter_after(days[position] - 1, board, days_.size());
      });
    }
    begins_.push_back(days_.size());
    return absl::OkStatus();
  }

  const TargetBoards& boards() const { return boards_; }
  std::span<const unsigned> plies() const { return plies_; }
  std::uint32_t latest_day() const { return latest_; }

  // Returns the number of counters: one for each day of each board, of the games before that day
  // that are not before an earlier one.
  std::size_t counters() const { return days_.size(); }
  // Returns the counter of a game; kTooLate if there is none.
  std::size_t counter(std::uint32_t board, std::uint32_t last_day) const {
    const std::size_t found = counter_after(last_day, board, begins_[board + 1]);
    return found == begins_[board + 1] ? kTooLate : found;
  }
  // Adds to each counter those of the earlier days of its board. Returns the sums by position.
  std::vector<EarlierGames> sums(std::vector<EarlierGames> counted) const {
    for (std::uint32_t board = 0; board < boards_.size(); ++board) {
      for (std::size_t day = begins_[board] + 1; day < begins_[board + 1]; ++day) {
        counted[day] += counted[day - 1];
      }
    }
    std::vector<EarlierGames> by_position;
    by_position.reserve(counters_.size());
    for (const std::size_t counter : counters_) by_position.push_back(counted[counter]);
    return by_position;
  }

 private:
  // Returns the first counter of a board whose day is after this one; `end` if there is none.
  std::size_t counter_after(std::uint32_t day, std::uint32_t board, std::size_t end) const {
    const auto begin = days_.begin() + static_cast<std::ptrdiff_t>(begins_[board]);
    const auto after =
        std::upper_bound(begin, days_.begin() + static_cast<std::ptrdiff_t>(end), day);
    return static_cast<std::size_t>(after - days_.begin());
  }

  const TargetBoards boards_;
  const std::vector<unsigned> plies_;  // for TargetHits: the caller needs none after a hit
  std::vector<std::uint32_t> days_;    // board by board, ascending, each once
  std::vector<std::size_t> begins_;    // by board: where its days begin; then the end
  std::vector<std::size_t> counters_;  // by position
  std::uint32_t latest_ = 0;
};

// The part of one thread.
class EarlierCounter {
 public:
  EarlierCounter(const Database& database, std::uint32_t part, const DatedBoards& asked,
                 const ScanSignatures& marks, GameFile::Check check, const WorkBudget& budget)
      : database_(database),
        part_(part),
        asked_(asked),
        marks_(marks),
        records_(database, check, budget),
        hits_(asked.boards(), asked.plies(), TargetHits::Which::First),
        counted_(asked.counters()) {}

  std::span<const EarlierGames> counted() const { return counted_; }

  absl::Status count(std::size_t block, const BlockMask& mask) {
    const BlockGames games(block, mask);
    rows_.read(database_.index(), block, games);
    choose(block);
    return records_.for_each_game(chosen_,
                                  [this](std::size_t i, Bytes record, const RecordHead& head) {
                                    count_game(i, record, head);
                                  });
  }

 private:
  // Leaves out the games of the rows that need no replay.
  void choose(std::size_t block) {
    chosen_.clear();
    facts_.clear();
    const BlockMask verified = marks_.verified(block);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      Facts facts{
          .date = rows_.date(row), .last_day = codec::last_day_of(rows_.date(row)), .last = {}};
      if (facts.last_day >= asked_.latest_day()) continue;
      const GameIndex game = rows_.games()[row];
      if (is_in(verified, game)) {
        const IndexSignature& marks = marks_.of(game);
        if (!marks.tells_nothing()) {
          const std::optional<TargetBoards::LastPlace> last = asked_.boards().last_place(marks);
          if (!last.has_value()) continue;
          facts.last = *last;
        }
      }
      chosen_.push_back(game);
      facts_.push_back(facts);
    }
  }

  void count_game(std::size_t i, Bytes record, const RecordHead& head) {
    const GameIndex game = chosen_[i];
    const Facts& facts = facts_[i];
    const std::span<const TargetHits::Hit> hits = hits_.find(game, record, head, facts.last);
    if (hits.empty()) return;
    const std::uint32_t plies = hits_.right_plies(database_.sizes(), game, record, head);
    const EarlierGames one = {.games = 1,
                              .last = {.date = facts.date, .game = {.part = part_, .game = game}}};
    for (const TargetHits::Hit& hit : hits) {
      if (hit.ply > plies) break;
      const std::size_t counter = asked_.counter(hit.board, facts.last_day);
      if (counter != DatedBoards::kTooLate) counted_[counter] += one;
    }
  }

  struct Facts {
    std::uint32_t date = 0;
    std::uint32_t last_day = 0;
    TargetBoards::LastPlace last;
  };

  const Database& database_;
  const std::uint32_t part_;
  const DatedBoards& asked_;
  const ScanSignatures& marks_;
  GameRecords records_;
  TargetHits hits_;
  ColumnBatch rows_{PackedIndex::Column::Date};
  std::vector<GameIndex> chosen_;
  std::vector<Facts> facts_;  // of the chosen games
  std::vector<EarlierGames> counted_;
};

// Adds the games of the database of part `part` to `counted`.
absl::Status count_part(const Database& database, std::uint32_t part, const DatedBoards& asked,
                        std::size_t one_in, const WorkBudget& budget,
                        std::vector<EarlierGames>& counted) {
  const GameList shown = database.shown();
  RETURN_IF_ERROR(begin_decoding(database, shown, budget));
  GameBitmap games(database.games());
  games.add(shown);
  ASSIGN_OR_RETURN(const ScanSignatures marks, ScanSignatures::of(database, games.count(), budget));
  using Counters = std::vector<std::unique_ptr<EarlierCounter>>;
  ASSIGN_OR_RETURN(
      const Counters counters,
      scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Counters> {
        // A thread without work needs no counter.
        Counters of_threads(scan_workers(budget));
        RETURN_IF_ERROR(scan_blocks(
            games, budget, [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
              if (block % one_in != 0) return absl::OkStatus();
              std::unique_ptr<EarlierCounter>& counter = of_threads[worker];
              if (counter == nullptr) {
                counter =
                    std::make_unique<EarlierCounter>(database, part, asked, marks, check, budget);
              }
              return counter->count(block, mask);
            }));
        return of_threads;
      }));
  for (const std::unique_ptr<EarlierCounter>& counter : counters) {
    if (counter == nullptr) continue;
    for (std::size_t i = 0; i < counted.size(); ++i) counted[i] += counter->counted()[i];
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<EarlierGames>> count_earlier(const GameSet& parts,
                                                        std::span<const TargetPosition> positions,
                                                        std::span<const std::uint32_t> days,
                                                        std::size_t one_in,
                                                        const WorkBudget& budget) {
  assert(days.size() == positions.size());
  assert(std::ranges::none_of(positions, &TargetPosition::with_rights));
  DatedBoards asked(positions, budget);
  RETURN_IF_ERROR(asked.add(days, budget));
  std::vector<EarlierGames> counted(asked.counters());
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    RETURN_IF_ERROR(count_part(*parts[part].database(), part, asked, one_in, budget, counted));
  }
  return asked.sums(std::move(counted));
}

}  // namespace scidfs::fs
