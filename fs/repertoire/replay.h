// Where the games of a set leave the lines of a repertoire, and what they play in them.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/eco.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/move_table.h"
#include "fs/repertoire/side_lines.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"

namespace scidfs::fs {

// Who left the lines, where a game was in them for the last time: the side whose move it was, if
// moves stand there and the game goes on.
enum class LeftBy : std::uint8_t { Me, Opponent, End };
inline constexpr std::array<std::string_view, 3> kLeftBy = {"me", "opponent", "end"};

// The last position of a game that is in the lines.
struct Leave {
  GameOfPart game;
  std::uint32_t ply = 0;  // moves before it
  SideLines::Place place = 0;
  LeftBy by{};
  std::optional<codec::Move> next{};  // the move played there
};

// Which games count, and what of them is kept.
struct ReplayedGames {
  // Of subjects: those that they play with the side of the lines, or against it.
  bool are_against = false;
  // Keeps the leaves by End from this ply on, of however many games, and no others.
  std::optional<std::uint32_t> ends_from{};
};

// The most games of a set of which the leaves are kept.
inline constexpr std::size_t kMostLeaves = 1'000'000;

// The games of a set against the lines of a side, found in one pass. Immutable.
class RepertoireReplay {
 public:
  static constexpr std::size_t kMostDepth = 1000;  // deeper games count as this deep

  // Of games with one ECO code that came to the lines: by ply at which they left, how many.
  using Depths = std::vector<std::uint32_t>;

  // Replays each game of a set once; with subjects, those that a subject has with the side of the
  // lines. Position by position counts a game once, where it comes there first, as moves.tsv does.
  // Errors: Unavailable if that exceeds the budget; those of begin_decoding(); Cancelled; those of
  // GameFile::read() and of WorkBudget::take_memory().
  static absl::StatusOr<std::shared_ptr<const RepertoireReplay>> make(
      const GameSet& parts, const Subjects& subjects, std::shared_ptr<const SideLines> lines,
      const WorkBudget& budget, const ReplayedGames& which = {});

  const SideLines& lines() const { return *lines_; }
  // Returns the scores of all games that count, and of those that left the lines so, of my side.
  const Score& all() const { return all_; }
  const Score& left(LeftBy by) const { return left_[static_cast<std::size_t>(by)]; }
  // Returns by codec::eco_base(), codec::kEcoBases for games without a code.
  std::span<const Depths> depths() const { return depths_; }
  // Returns the moves that the games play in a position; null if none comes to it.
  const MoveTable* played(SideLines::Place place) const {
    return table_of_[place] == kNoTable ? nullptr : &tables_[table_of_[place]];
  }
  // Returns the score, as White's, of the games that come to a position.
  Score score(SideLines::Place place) const {
    const MoveTable* const table = played(place);
    return table == nullptr ? Score() : table->all().score;
  }
  // Returns the leaves of all games that came to the lines, in the order of the set; of more than
  // kMostLeaves games none.
  std::span<const Leave> leaves() const { return leaves_; }

  std::size_t memory() const;

 private:
  friend class RepertoireCounter;
  static constexpr std::uint32_t kNoTable = ~std::uint32_t{0};

  explicit RepertoireReplay(std::shared_ptr<const SideLines> lines)
      : lines_(std::move(lines)), depths_(codec::kEcoBases + std::size_t{1}) {}

  const std::shared_ptr<const SideLines> lines_;
  Score all_;
  std::array<Score, kLeftBy.size()> left_{};
  std::vector<Depths> depths_;
  std::vector<std::uint32_t> table_of_;  // by place
  std::vector<MoveTable> tables_;
  std::vector<Leave> leaves_;
};

// Returns whether a game of the subject counts for the lines of a side; each game does without a
// subject.
inline bool counts_for(const Subject* subject, const PackedIndex& index, GameIndex game,
                       codec::Color side) {
  return subject == nullptr || subject->is(index, game, side);
}

}  // namespace scidfs::fs
