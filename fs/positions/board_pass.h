// Passes over the boards that the games of a database come to.
#pragma once

#include <absl/status/status.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "codec/scid/board_key.h"
#include "codec/scid/main_line.h"
#include "codec/scid/replay.h"
#include "fs/positions/early_boards.h"
#include "fs/positions/opening_order.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {

// Which plies of a game a pass visits.
enum class PassPlies : std::uint8_t { First, All };

// Calls on_board(worker, rank, ply, key, marks) for boards of all games: of games in order only
// those that the game before them does not come to by the same moves, of the others all; up to ply
// kStoredPlies, or all. It returns whether it wants later boards of the game, if the game begins in
// the standard position; of others it gets all. Then calls on_end(worker, rank) for each game.
// Damaged games are followed as far as a walk follows them. Several threads call both, each with
// its own number below scan_workers(). Errors: Cancelled; those of GameFile::read().
template <class OnBoard, class OnEnd>
absl::Status visit_boards(const Database& database, const OpeningOrder& order, PassPlies plies,
                          GameFile::Check check, const WorkBudget& budget, const OnBoard& on_board,
                          const OnEnd& on_end);

// The part of visit_boards() of one thread.
template <class OnBoard>
class BoardPass {
 public:
  BoardPass(const Database& database, const OpeningOrder& order, PassPlies plies,
            GameFile::Check check, const WorkBudget& budget, const OnBoard& on_board,
            std::size_t worker)
      : database_(database),
        order_(order),
        last_(plies == PassPlies::First ? kStoredPlies : ~std::uint32_t{0}),
        on_board_(on_board),
        worker_(worker),
        records_(database, check, budget) {}

  template <class OnEnd>
  absl::Status visit(std::span<const GameIndex> games, const OnEnd& on_end) {
    return records_.for_each_game(
        games, [&](std::size_t i, codec::Bytes record, const codec::scid::RecordHead& head) {
          const std::uint32_t rank = order_.ranks[games[i]];
          if (rank == OpeningOrder::kNoRank) return;
          visit_game(games[i], rank, record, head);
          on_end(worker_, rank);
        });
  }

 private:
  class Visitor {
   public:
    Visitor(const BoardPass& pass, std::uint32_t rank, std::uint32_t first)
        : pass_(pass), rank_(rank), first_(first) {}

    bool start(const codec::scid::ReplayBoard& board, codec::Color to_move) {
      key_.start(board, to_move);
      return look();
    }
    template <codec::Color kUs>
    bool move(const codec::scid::ReplayBoard& after, const codec::Move& move, const std::uint8_t*) {
      key_.move<kUs>(after, move);
      ++ply_;
      marks_.home = static_cast<HomePawns>(marks_.home & kStayHome[move.from] & kStayHome[move.to]);
      if (move.captured != codec::PieceType::None) --marks_.men;
      return look();
    }

   private:
    bool look() {
      if (ply_ < first_) return ply_ < pass_.last_;
      return pass_.on_board_(pass_.worker_, rank_, ply_, key_.get(), marks_) && ply_ < pass_.last_;
    }

    const BoardPass& pass_;
    const std::uint32_t rank_;
    const std::uint32_t first_;
    std::uint32_t ply_ = 0;
    codec::scid::ReplayKey key_;
    BoardMarks marks_;
  };

  void visit_game(GameIndex game, std::uint32_t rank, codec::Bytes record,
                  const codec::scid::RecordHead& head) {
    if (head.fen.has_value() || !database_.sizes().is_whole(game)) {
      walk_positions(
          walker_, record, record, head, [&](std::uint32_t ply, const codec::Position& position) {
            if (ply > last_) return;
            const auto men = std::popcount(position.occupied());
            on_board_(
                worker_, rank, ply, codec::scid::key_of_board(position),
                BoardMarks{.home = home_pawns_of(position), .men = static_cast<std::uint8_t>(men)});
          });
      return;
    }
    // The first game is the one before no other, and its start is that of all in order.
    const bool has_before = order_.is_in_order(rank) && rank != 0;
    Visitor visitor(*this, rank, has_before ? order_.common[rank] + 1U : 0U);
    replay_.run(record, head, visitor);
  }

  const Database& database_;
  const OpeningOrder& order_;
  const std::uint32_t last_;
  const OnBoard& on_board_;
  const std::size_t worker_;
  GameRecords records_;
  codec::scid::Replay replay_;
  codec::scid::Walker walker_;
};

template <class OnBoard, class OnEnd>
absl::Status visit_boards(const Database& database, const OpeningOrder& order, PassPlies plies,
                          GameFile::Check check, const WorkBudget& budget, const OnBoard& on_board,
                          const OnEnd& on_end) {
  std::vector<std::unique_ptr<BoardPass<OnBoard>>> passes(scan_workers(budget));
  GameBitmap all(database.games());
  all.add(GameList::all_but(database.games(), {}));
  return scan_blocks(all, budget,
                     [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
                       if (passes[worker] == nullptr) {
                         passes[worker] = std::make_unique<BoardPass<OnBoard>>(
                             database, order, plies, check, budget, on_board, worker);
                       }
                       return passes[worker]->visit(BlockGames(block, mask), on_end);
                     });
}

}  // namespace scidfs::fs
