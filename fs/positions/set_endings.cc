#include "fs/positions/set_endings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "codec/scid/ending_seek.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/work_cost.h"
#include "fs/database/decoding.h"
#include "fs/database/game_bitmap.h"
#include "fs/positions/scan_signatures.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

using codec::EndingClass;
using codec::kEndingClasses;

// The most pieces, without king and pawns, that a side has in an ending.
constexpr std::size_t kMostPieces = [] {
  std::size_t most = 0;
  for (const EndingClass& ending : kEndingClasses) {
    for (const std::string_view pieces : ending.pieces) most = std::max(most, pieces.size());
  }
  return most;
}();

struct EndingTally {
  SetEndings::Scores scores{};
  SetEndings::Lists lists{};
};

// The data of one thread.
struct EndingWorker {
  EndingWorker(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget) {}

  GameRecords records;
  codec::scid::EndingSeeker seeker;
  ColumnBatch rows{ColumnBatch::Column::Result};
  std::vector<GameIndex> to_replay;
  EndingTally tally;
};

// A pass over games of one database.
class EndingPass {
 public:
  EndingPass(const Database& database, ScanSignatures marks) : database_(database), marks_(marks) {}

  absl::Status add_block(EndingWorker& worker, std::size_t block,
                         std::span<const GameIndex> games) const {
    choose(block, games, worker.to_replay);
    worker.rows.read(database_.index(), block, worker.to_replay);
    return worker.records.for_each_game(worker.to_replay, [&](std::size_t i, codec::Bytes record,
                                                              const codec::scid::RecordHead& head) {
      const GameIndex game = worker.to_replay[i];
      const bool is_whole = database_.sizes().is_whole(game);
      const Outcome outcome = outcome_of(worker.rows.result(i), codec::Color::White);
      for (const auto& [ending, plies] : worker.seeker.seek(record, head, is_whole)) {
        worker.tally.scores[ending].score.add(outcome);
        worker.tally.scores[ending].plies.add(plies);
        worker.tally.lists[ending].add(game);
      }
    });
  }

 private:
  // Chooses the games that may come to an ending.
  void choose(std::size_t block, std::span<const GameIndex> games,
              std::vector<GameIndex>& chosen) const {
    const BlockMask verified = marks_.verified(block);
    chosen.clear();
    for (const GameIndex game : games) {
      const bool may_come = !is_in(verified, game) || marks_.of(game).most_pieces() <= kMostPieces;
      if (may_come) chosen.push_back(game);
    }
  }

  const Database& database_;
  const ScanSignatures marks_;
};

// Joins the lists of several threads, whose games alternate.
EndingTally join(std::span<EndingWorker> workers, GameIndex games) {
  EndingTally all = std::move(workers[0].tally);
  for (std::size_t ending = 0; workers.size() > 1 && ending < codec::kEndings; ++ending) {
    GameBitmap bits(games);
    bits.add(GameList::of(all.lists[ending].bytes()));
    for (const EndingWorker& worker : workers.subspan(1)) {
      all.scores[ending] += worker.tally.scores[ending];
      bits.add(GameList::of(worker.tally.lists[ending].bytes()));
    }
    all.lists[ending] = bits.to_deltas();
  }
  return all;
}

struct EndingRow {
  std::string_view name;
  EndingScore games;
  std::size_t of_set = 0;
};

constexpr TsvColumns kEndingColumns{
    TsvColumn{"class", [](const EndingRow& row) { return row.name; }},
    TsvColumn{"games", [](const EndingRow& row) { return row.games.score.all(); }},
    TsvColumn{"share",
              [](const EndingRow& row) { return percent(row.games.score.all(), row.of_set); }},
    TsvColumn{"white_wins", [](const EndingRow& row) { return row.games.score[Outcome::Win]; }},
    TsvColumn{"draws", [](const EndingRow& row) { return row.games.score[Outcome::Draw]; }},
    TsvColumn{"black_wins", [](const EndingRow& row) { return row.games.score[Outcome::Loss]; }},
    TsvColumn{"score", [](const EndingRow& row) { return percent_of(row.games.score); }},
    TsvColumn{"average_plies", [](const EndingRow& row) { return row.games.plies.value(); }},
    TsvColumn{"path", [](const EndingRow& row) { return fmt::format("endings/{}", row.name); }},
};

}  // namespace

absl::StatusOr<std::shared_ptr<const SetEndings>> SetEndings::find(const DatabaseGames& set,
                                                                   const WorkBudget& budget) {
  const Database& database = *set.database();
  RETURN_IF_ERROR(begin_decoding(database, set.list(), budget));
  ASSIGN_OR_RETURN(const GameScan scan, GameScan::over(set.list(), kMemoryEntriesOfGame, budget));
  ASSIGN_OR_RETURN(ScanSignatures marks, ScanSignatures::of(database, scan.games(), budget));
  const EndingPass pass(database, marks);
  const std::size_t most = std::max<std::size_t>(1, workers_for(budget, scan.chunks()));
  ASSIGN_OR_RETURN(
      EndingTally found,
      scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<EndingTally> {
        std::vector<EndingWorker> workers;
        workers.reserve(most);
        for (std::size_t i = 0; i < most; ++i) workers.emplace_back(database, check, budget);
        RETURN_IF_ERROR(scan.visit_all(
            most, budget,
            [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
              return pass.add_block(workers[worker], block, games);
            }));
        return join(workers, database.games());
      }));
  auto endings = std::make_shared<SetEndings>();
  endings->games_ = scan.games();
  endings->scores_ = found.scores;
  endings->lists_ = std::move(found.lists);
  return endings;
}

SetEndings& SetEndings::operator+=(const SetEndings& part) {
  games_ += part.games_;
  for (std::size_t ending = 0; ending < codec::kEndings; ++ending) {
    scores_[ending] += part.scores_[ending];
  }
  return *this;
}

std::string SetEndings::table() const {
  std::vector<EndingRow> rows;
  for (std::size_t ending = 0; ending < codec::kEndings; ++ending) {
    if (scores_[ending].score.all() == 0) continue;
    rows.push_back(
        {.name = kEndingClasses[ending].name, .games = scores_[ending], .of_set = games_});
  }
  std::ranges::stable_sort(rows, std::greater(),
                           [](const EndingRow& row) { return row.games.score.all(); });
  std::string text = kEndingColumns.header();
  for (const EndingRow& row : rows) kEndingColumns.append_row(row, text);
  return text;
}

std::size_t SetEndings::memory() const {
  std::size_t bytes = sizeof *this;
  for (const DeltaList& games : lists_) bytes += games.bytes().size();
  return bytes;
}

}  // namespace scidfs::fs
