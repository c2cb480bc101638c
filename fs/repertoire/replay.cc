#include "fs/repertoire/replay.h"

#include <algorithm>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/step_watch.h"
#include "fs/database/decoding.h"
#include "fs/database/game_bitmap.h"
#include "fs/positions/scan_signatures.h"
#include "fs/positions/target_hits.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::RecordHead;
using Place = SideLines::Place;

constexpr std::size_t kPlacesOfLook = 1024;
constexpr std::size_t kBytesOfTally = 640;  // of one position in one thread, and of its table

// What all threads share.
struct Asked {
  const SideLines& lines;
  const ScanSignatures& marks;
  const Subject* subject;
  std::uint32_t part;
  bool keeps_leaves;
  ReplayedGames which;
  std::span<const unsigned> plies;  // for TargetHits: the move after a hit
};

}  // namespace

// The part of one thread.
class RepertoireCounter {
 public:
  RepertoireCounter(const Database& database, const Asked& asked, GameFile::Check check,
                    const WorkBudget& budget)
      : database_(database),
        asked_(asked),
        records_(database, check, budget),
        hits_(asked.lines.boards(), asked.plies, TargetHits::Which::All),
        memory_(budget),
        depths_(codec::kEcoBases + std::size_t{1}) {}

  absl::Status take_memory() {
    const std::size_t places = asked_.lines.size();
    RETURN_IF_ERROR(memory_.grow_to(places * 3 * sizeof(std::uint32_t)));
    tally_of_.assign(places, RepertoireReplay::kNoTable);
    seen_.assign(places, kNoGame);
    return absl::OkStatus();
  }

  absl::Status count(std::size_t block, const BlockMask& mask) {
    const BlockGames games(block, mask);
    rows_.read(database_.index(), block, games);
    choose(block);
    RETURN_IF_ERROR(records_.for_each_game(
        chosen_, [this](std::size_t i, Bytes record, const RecordHead& head) {
          count_game(chosen_rows_[i], lasts_[i], record, head);
        }));
    return memory_.grow_to(tally_of_.size() * 3 * sizeof(std::uint32_t) +
                           tallies_.size() * kBytesOfTally + leaves_.capacity() * sizeof(Leave));
  }

  // Moves the counts into `all`, with the tallies by place.
  absl::Status add_to(RepertoireReplay& all, std::vector<MoveTally>& tallies,
                      const WorkBudget& budget) {
    all.all_ += all_;
    for (std::size_t by = 0; by < left_.size(); ++by) all.left_[by] += left_[by];
    for (std::size_t eco = 0; eco < depths_.size(); ++eco) {
      RepertoireReplay::Depths& depths = all.depths_[eco];
      depths.resize(std::max(depths.size(), depths_[eco].size()));
      for (std::size_t ply = 0; ply < depths_[eco].size(); ++ply) depths[ply] += depths_[eco][ply];
    }
    all.leaves_.insert(all.leaves_.end(), leaves_.begin(), leaves_.end());
    StepWatch watch(budget, kPlacesOfLook);
    for (Place place = 0; place < tally_of_.size(); ++place) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      if (tally_of_[place] == RepertoireReplay::kNoTable) continue;
      std::uint32_t& table = all.table_of_[place];
      if (table == RepertoireReplay::kNoTable) {
        table = static_cast<std::uint32_t>(tallies.size());
        tallies.push_back(std::move(tallies_[tally_of_[place]]));
      } else {
        tallies[table] += tallies_[tally_of_[place]];
      }
    }
    return absl::OkStatus();
  }

 private:
  using Hit = TargetHits::Hit;

  // Chooses the games of the rows that may come to the lines, and counts the others.
  void choose(std::size_t block) {
    chosen_.clear();
    chosen_rows_.clear();
    lasts_.clear();
    const BlockMask verified = asked_.marks.verified(block);
    const codec::Color side = asked_.lines.side();
    const codec::Color played = asked_.which.are_against ? ~side : side;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (asked_.subject != nullptr && !asked_.subject->is(rows_, row, played)) continue;
      all_.add(outcome_of(rows_.result(row), side));
      const GameIndex game = rows_.games()[row];
      TargetBoards::LastPlace last;
      if (is_in(verified, game) && !asked_.marks.of(game).tells_nothing()) {
        const auto found = asked_.lines.boards().last_place(asked_.marks.of(game));
        if (!found.has_value()) continue;
        last = *found;
      }
      chosen_.push_back(game);
      chosen_rows_.push_back(row);
      lasts_.push_back(last);
    }
  }

  void count_game(std::size_t row, TargetBoards::LastPlace last_place, Bytes record,
                  const RecordHead& head) {
    const GameIndex game = rows_.games()[row];
    const std::span<const Hit> hits = hits_.find(game, record, head, last_place);
    if (hits.empty()) return;
    const std::uint32_t plies = hits_.right_plies(database_.sizes(), game, record, head);
    const MoveTally::Game facts = MoveTally::Game::of(rows_, row, asked_.part);
    const Hit* last = nullptr;
    for (const Hit& hit : hits) {
      if (hit.ply > plies) break;
      last = &hit;
      if (std::exchange(seen_[hit.board], game) == game) continue;
      const bool is_mine = asked_.lines.is_mine(hit.board);
      tally(hit.board).add(facts, next_of(hit, plies),
                           is_mine ? asked_.lines.side() : ~asked_.lines.side());
    }
    if (last != nullptr) add_leave(facts, *last, next_of(*last, plies));
  }

  static std::optional<codec::Move> next_of(const Hit& hit, std::uint32_t plies) {
    return hit.ply < plies ? hit.next : std::nullopt;
  }

  MoveTally& tally(Place place) {
    std::uint32_t& tally = tally_of_[place];
    if (tally == RepertoireReplay::kNoTable) {
      tally = static_cast<std::uint32_t>(tallies_.size());
      tallies_.emplace_back();
    }
    return tallies_[tally];
  }

  void add_leave(const MoveTally::Game& facts, const Hit& last,
                 const std::optional<codec::Move>& next) {
    const SideLines& lines = asked_.lines;
    const bool is_end = !next.has_value() || lines.moves(last.board).empty();
    const LeftBy by = is_end                      ? LeftBy::End
                      : lines.is_mine(last.board) ? LeftBy::Me
                                                  : LeftBy::Opponent;
    left_[static_cast<std::size_t>(by)].add(outcome_of(facts.result, lines.side()));
    RepertoireReplay::Depths& depths = depths_[codec::eco_base(facts.eco)];
    const std::size_t depth = std::min<std::size_t>(last.ply, RepertoireReplay::kMostDepth);
    if (depths.size() <= depth) depths.resize(depth + 1);
    ++depths[depth];
    if (asked_.which.ends_from.has_value() ? by != LeftBy::End || last.ply < *asked_.which.ends_from
                                           : !asked_.keeps_leaves) {
      return;
    }
    leaves_.push_back(
        {.game = facts.place, .ply = last.ply, .place = last.board, .by = by, .next = next});
  }

  const Database& database_;
  const Asked& asked_;
  GameRecords records_;
  TargetHits hits_;
  ColumnBatch rows_{PackedIndex::Column::Result,      PackedIndex::Column::WhiteRating,
                    PackedIndex::Column::BlackRating, PackedIndex::Column::Date,
                    PackedIndex::Column::Eco,         PackedIndex::Column::White,
                    PackedIndex::Column::Black,       PackedIndex::Column::Event};
  std::vector<GameIndex> chosen_;
  std::vector<std::size_t> chosen_rows_;
  std::vector<TargetBoards::LastPlace> lasts_;
  MemoryClaim memory_;
  std::vector<GameIndex> seen_;          // by place: the last game that came there
  std::vector<std::uint32_t> tally_of_;  // by place
  std::vector<MoveTally> tallies_;
  std::vector<Leave> leaves_;
  Score all_;
  std::array<Score, kLeftBy.size()> left_{};
  std::vector<RepertoireReplay::Depths> depths_;
};

namespace {

using Counters = std::vector<std::unique_ptr<RepertoireCounter>>;

// Returns the counters of the games of a part.
absl::StatusOr<Counters> count_part(const DatabaseGames& set, Asked& asked,
                                    const WorkBudget& budget) {
  const Database& database = *set.database();
  return scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Counters> {
    // A thread without work needs no counter.
    Counters counters(scan_workers(budget));
    GameBitmap games(database.games());
    games.add(set.list());
    RETURN_IF_ERROR(scan_blocks(
        games, budget, [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
          std::unique_ptr<RepertoireCounter>& counter = counters[worker];
          if (counter == nullptr) {
            counter = std::make_unique<RepertoireCounter>(database, asked, check, budget);
            RETURN_IF_ERROR(counter->take_memory());
          }
          return counter->count(block, mask);
        }));
    return counters;
  });
}

}  // namespace

absl::StatusOr<std::shared_ptr<const RepertoireReplay>> RepertoireReplay::make(
    const GameSet& parts, const Subjects& subjects, std::shared_ptr<const SideLines> lines,
    const WorkBudget& budget, const ReplayedGames& which) {
  std::shared_ptr<RepertoireReplay> replay(new RepertoireReplay(std::move(lines)));
  const SideLines& all = replay->lines();
  replay->table_of_.assign(all.size(), kNoTable);
  const std::vector<unsigned> plies(all.size(), 1);
  std::vector<MoveTally> tallies;
  const bool keeps_leaves = parts.count(kMostLeaves + 1) <= kMostLeaves;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const Database& database = *parts[part].database();
    RETURN_IF_ERROR(begin_decoding(database, parts[part].list(), budget));
    ASSIGN_OR_RETURN(
        const ScanSignatures marks,
        ScanSignatures::of(database, parts[part].count(ScanSignatures::kWorthReading), budget));
    Asked asked{.lines = all,
                .marks = marks,
                .subject = subjects.of(part),
                .part = part,
                .keeps_leaves = keeps_leaves,
                .which = which,
                .plies = plies};
    ASSIGN_OR_RETURN(const Counters counters, count_part(parts[part], asked, budget));
    for (const std::unique_ptr<RepertoireCounter>& counter : counters) {
      if (counter != nullptr) RETURN_IF_ERROR(counter->add_to(*replay, tallies, budget));
    }
  }
  std::ranges::sort(replay->leaves_, {}, &Leave::game);
  replay->tables_.resize(tallies.size());
  StepWatch watch(budget, kPlacesOfLook);
  for (Place place = 0; place < all.size(); ++place) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    const std::uint32_t table = replay->table_of_[place];
    if (table == kNoTable) continue;
    replay->tables_[table] = std::move(tallies[table]).table(all.position(place));
  }
  return replay;
}

std::size_t RepertoireReplay::memory() const {
  std::size_t bytes = sizeof *this + table_of_.capacity() * sizeof(std::uint32_t) +
                      leaves_.capacity() * sizeof(Leave) + depths_.capacity() * sizeof(Depths);
  for (const Depths& depths : depths_) bytes += depths.capacity() * sizeof(std::uint32_t);
  for (const MoveTable& table : tables_) bytes += table.memory();
  return bytes;
}

}  // namespace scidfs::fs
