#include "fs/positions/game_openings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/scid/main_line.h"
#include "codec/target_position.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/game_bitmap.h"
#include "fs/file/cache_file.h"
#include "fs/positions/target_boards.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::CastlingHomes;
using codec::Color;
using codec::Move;
using codec::PieceType;
using codec::Position;
using codec::Square;
using codec::scid::RecordHead;
using codec::scid::ReplayBoard;

// Finding the openings of fewer games takes less time than opening a file.
constexpr GameIndex kWorthSaving = 1000;
// Must change when the same files give other openings.
constexpr std::string_view kVersion = "openings 1";

// The parts of a position, other than its board, that decide its opening.
struct Rights {
  std::uint8_t castling = 0;
  Square en_passant = codec::kNoSquare;

  friend bool operator==(const Rights&, const Rights&) = default;
};

// The positions with openings, shared by all threads.
class Positions {
 public:
  explicit Positions(std::span<const Position> positions) : boards_(targets_of(positions)) {
    rights_.reserve(positions.size());
    for (const Position& position : positions) {
      rights_.push_back(
          {.castling = position.castling(), .en_passant = en_passant_for_openings(position)});
    }
  }

  const TargetBoards& boards() const { return boards_; }
  // Returns the last entry of a board with these rights.
  OpeningNumber find(std::uint32_t board, const Rights& rights) const {
    OpeningNumber found = kNoOpening;
    boards_.for_each_target(board, [&](std::uint32_t target) {
      if (rights_[target] == rights) {
        found = std::max(found, static_cast<OpeningNumber>(target + 1));
      }
    });
    return found;
  }

 private:
  static std::vector<codec::TargetPosition> targets_of(std::span<const Position> positions) {
    std::vector<codec::TargetPosition> targets;
    targets.reserve(positions.size());
    for (const Position& position : positions) targets.push_back({.position = position});
    return targets;
  }

  const TargetBoards boards_;
  std::vector<Rights> rights_;
};

struct Named {
  OpeningNumber number = kNoOpening;
  std::uint32_t ply = 0;
};

// Returns whether a pawn may move to a home square: a FEN may have pawns on the first or last rank.
bool may_come_home(const Position& start) {
  const codec::Bitboard pawns =
      start.pieces(Color::White, PieceType::Pawn) | start.pieces(Color::Black, PieceType::Pawn);
  return (pawns & (codec::rank_mask(0) | codec::rank_mask(7))) != 0;
}

// A visitor of the positions of one game.
class Visitor {
 public:
  // Appends the positions that have a name to `named`, in order.
  Visitor(const Positions& positions, const Position& start, std::vector<Named>& named)
      : positions_(positions),
        named_(named),
        start_castling_(start.castling()),
        homes_(start.castling_homes()),
        passed_(en_passant_for_openings(start)),
        men_(static_cast<unsigned>(std::popcount(start.occupied()))),
        home_(home_pawns_of(start)),
        is_bound_(!may_come_home(start)) {}

  bool start(ReplayBoard board, Color to_move) {
    const std::uint32_t found = positions_.boards().find(board, to_move);
    if (found != TargetBoards::kNone) add(found, {.castling = castling(), .en_passant = passed_});
    return goes_on();
  }

  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move& move, const std::uint8_t*) {
    ++ply_;
    touched_ |= codec::bit(move.from) | codec::bit(move.to);
    home_ = static_cast<HomePawns>(home_ & kStayHome[move.from] & kStayHome[move.to]);
    men_ -= move.captured == PieceType::None ? 0 : 1;
    const std::uint32_t board = positions_.boards().find(after, ~kUs);
    if (board != TargetBoards::kNone) [[unlikely]] {
      add(board, {.castling = castling(), .en_passant = en_passant<kUs>(after, move)});
    }
    return goes_on();
  }

 private:
  bool goes_on() const { return !is_bound_ || positions_.boards().may_come(home_, men_); }

  void add(std::uint32_t board, const Rights& rights) {
    const OpeningNumber number = positions_.find(board, rights);
    if (number != kNoOpening) named_.push_back({.number = number, .ply = ply_});
  }

  // Returns the rights as Position::castling() does. Lines from the standard position castle from
  // its squares, so the right of another rook counts as a different right.
  std::uint8_t castling() const {
    std::uint8_t rights = 0;
    std::uint8_t right = codec::kWhiteShort;
    for (const Color us : {Color::White, Color::Black}) {
      for (const bool is_short : {true, false}) {
        const codec::Bitboard homes =
            codec::bit(homes_.king(us)) | codec::bit(homes_.rook(us, is_short));
        if ((start_castling_ & right) != 0 && (touched_ & homes) == 0) {
          rights |= homes_.is_standard(us, is_short) ? right : kOfAnotherRook;
        }
        right = static_cast<std::uint8_t>(right << 1);
      }
    }
    return rights;
  }

  template <Color kUs>
  static Square en_passant(ReplayBoard after, const Move& move) {
    if (move.kind != codec::MoveKind::DoublePush) return codec::kNoSquare;
    const auto passed = static_cast<Square>((move.from + move.to) / 2);
    codec::Bitboard beside = codec::pawn_attacks(kUs, passed) & after.occupied(~kUs);
    for (; beside != 0; beside &= beside - 1) {
      if (after.type_on(~kUs, codec::first_square(beside)) == PieceType::Pawn) return passed;
    }
    return codec::kNoSquare;
  }

  static constexpr std::uint8_t kOfAnotherRook = codec::kAllCastling + 1;

  const Positions& positions_;
  std::vector<Named>& named_;
  const std::uint8_t start_castling_;
  const CastlingHomes homes_;
  const Square passed_;
  codec::Bitboard touched_ = 0;
  unsigned men_;
  HomePawns home_;
  const bool is_bound_;  // whether pawns that have left home never return
  std::uint32_t ply_ = 0;
};

// The part of one thread.
class Classifier {
 public:
  Classifier(const Database& database, const Positions& positions, GameFile::Check check,
             const WorkBudget& budget, std::span<OpeningNumber> openings)
      : sizes_(database.sizes()),
        positions_(positions),
        openings_(openings),
        records_(database, check, budget) {}

  absl::Status classify(std::size_t block, const BlockMask& mask) {
    const BlockGames block_games(block, mask);
    const std::span<const GameIndex> games = block_games;
    return records_.for_each_game(games, [&](std::size_t i, Bytes record, const RecordHead& head) {
      openings_[games[i]] = opening_of(games[i], record, head);
    });
  }

 private:
  OpeningNumber opening_of(GameIndex game, Bytes record, const RecordHead& head) {
    named_.clear();
    Visitor visitor(positions_, head.fen.has_value() ? *head.fen : standard_, named_);
    replay_.run(record, head, visitor);
    if (!sizes_.is_whole(game)) forget_unconfirmed(record, head);
    return named_.empty() ? kNoOpening : named_.back().number;
  }

  // Removes positions that the walk does not reach: a replay is correct as far as the walk goes.
  void forget_unconfirmed(Bytes record, const RecordHead& head) {
    if (named_.empty()) return;
    const std::uint32_t plies = codec::scid::walk_positions(walker_, record, record, head,
                                                            [](std::uint32_t, const Position&) {});
    while (!named_.empty() && named_.back().ply > plies) named_.pop_back();
  }

  const GameSizes& sizes_;
  const Positions& positions_;
  const std::span<OpeningNumber> openings_;
  const Position standard_;
  GameRecords records_;
  codec::scid::Replay replay_;
  codec::scid::Walker walker_;
  std::vector<Named> named_;
};

absl::StatusOr<std::vector<OpeningNumber>> classify(const Database& database,
                                                    const OpeningNames& names,
                                                    const WorkBudget& budget) {
  const Positions positions(names.positions());
  GameBitmap all(database.games());
  all.add(GameList::all_but(database.games(), {}));
  return scan_records(
      database, [&](GameFile::Check check) -> absl::StatusOr<std::vector<OpeningNumber>> {
        std::vector<OpeningNumber> openings(database.games(), kNoOpening);
        std::vector<std::unique_ptr<Classifier>> workers(scan_workers(budget));
        RETURN_IF_ERROR(scan_blocks(
            all, budget, [&](std::size_t number, std::size_t block, const BlockMask& mask) {
              std::unique_ptr<Classifier>& worker = workers[number];
              if (worker == nullptr) {
                worker = std::make_unique<Classifier>(database, positions, check, budget, openings);
              }
              return worker->classify(block, mask);
            }));
        return openings;
      });
}

// The file in the cache folder with the openings of a database. A word for each two games:
//
//  bits    field  width  meaning
//  31..16  odd       16  the OpeningNumber of game 2i + 1; 0 if there is none
//  15..0   even      16  that of game 2i, where i is the index of the word
class SavedOpenings {
 public:
  SavedOpenings(const Database& database, const OpeningNames& names)
      : games_(database.games()),
        file_(database.options().cache_folder,
              fmt::format("{}\nopenings", database.index_path().string()),
              cache::fingerprint(fmt::format("{} {} {}", kVersion, database.fingerprint(),
                                             names.fingerprint()))) {}

  std::optional<std::vector<OpeningNumber>> load(std::size_t most) const {
    if (!is_worthwhile()) return std::nullopt;
    const std::optional<std::vector<std::uint32_t>> words = file_.load(word_count());
    if (!words.has_value()) return std::nullopt;
    std::vector<OpeningNumber> openings(games_);
    for (std::size_t game = 0; game < games_; ++game) {
      openings[game] = static_cast<OpeningNumber>((*words)[game / 2] >> kBits * (game % 2));
      if (openings[game] > most) return std::nullopt;
    }
    return openings;
  }

  void save(std::span<const OpeningNumber> openings) const {
    if (!is_worthwhile()) return;
    std::vector<std::uint32_t> words(word_count());
    for (std::size_t game = 0; game < games_; ++game) {
      words[game / 2] |= std::uint32_t{openings[game]} << kBits * (game % 2);
    }
    file_.save(words, "openings will be found again next time");
  }

 private:
  static constexpr unsigned kBits = 16;

  bool is_worthwhile() const { return file_.is_wanted() && games_ >= kWorthSaving; }
  std::size_t word_count() const { return (std::size_t{games_} + 1) / 2; }

  const GameIndex games_;
  const CacheFile file_;
};

std::vector<GameOpenings::Shown> count_shown(const Database& database, const OpeningGroups& groups,
                                             std::span<const OpeningNumber> openings) {
  std::vector<std::uint32_t> counts(groups.size());
  GameList::Cursor shown = database.shown().begin();
  for (GameIndex game = shown.next(); game != kNoGame; game = shown.next()) {
    if (openings[game] != kNoOpening) ++counts[groups.of(openings[game])];
  }
  // Groups follow their parents; so this adds each to its parent from the last one on.
  for (OpeningGroups::Index group = groups.size(); group-- > 1;) {
    counts[groups[group].parent] += counts[group];
  }
  std::vector<GameOpenings::Shown> with_games;
  for (OpeningGroups::Index group = 0; group < groups.size(); ++group) {
    if (counts[group] != 0) with_games.push_back({.group = group, .games = counts[group]});
  }
  with_games.shrink_to_fit();
  return with_games;
}

}  // namespace

absl::StatusOr<const GameOpenings*> openings_of(const Database& database,
                                                const WorkBudget& budget) {
  assert(database.reference().openings != nullptr);
  return database.openings().get(budget, [&]() -> absl::StatusOr<Derived<GameOpenings>::Ptr> {
    const GameList all = GameList::all_but(database.games(), {});
    RETURN_IF_ERROR(begin_decoding(database, all, budget));
    const OpeningNames& names = *database.reference().openings;
    const SavedOpenings saved(database, names);
    auto openings = std::make_shared<GameOpenings>();
    if (std::optional<std::vector<OpeningNumber>> loaded = saved.load(names.size())) {
      openings->games = *std::move(loaded);
    } else {
      ASSIGN_OR_RETURN(std::vector<OpeningNumber> found, classify(database, names, budget));
      openings->games = std::move(found);
      saved.save(openings->games);
    }
    openings->shown =
        count_shown(database, *database.reference().opening_groups(), openings->games);
    return openings;
  });
}

absl::StatusOr<DatabaseGames> games_of_group(const DatabasePtr& database,
                                             OpeningGroups::Index group, const WorkBudget& budget) {
  if (!budget.spend(database->games() / kMemoryEntriesOfGame)) return WorkBudget::exceeded();
  ASSIGN_OR_RETURN(const GameOpenings* const openings, openings_of(*database, budget));
  const OpeningGroups& groups = *database->reference().opening_groups();
  std::vector<bool> is_wanted(database->reference().openings->size() + 1);
  for (std::size_t number = 1; number < is_wanted.size(); ++number) {
    const OpeningGroups::Index of = groups.of(static_cast<OpeningNumber>(number));
    is_wanted[number] = of >= group && of < groups[group].end;
  }
  DeltaList games;
  GameList::Cursor shown = database->shown().begin();
  for (GameIndex game = shown.next(); game != kNoGame; game = shown.next()) {
    if (is_wanted[openings->games[game]]) games.add(game);
  }
  return DatabaseGames(database, std::move(games));
}

}  // namespace scidfs::fs
