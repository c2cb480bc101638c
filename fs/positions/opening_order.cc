#include "fs/positions/opening_order.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

#include "codec/scid/replay.h"
#include "fs/base/status_macros.h"
#include "fs/content/run_tasks.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::scid::RecordHead;
using codec::scid::ReplayBoard;

// The first moves of a game as Scid stores them, without anything between: two games have the same
// bytes up to where their moves differ. A diagonal move of a queen is kDiagonal and its square.
// Both bytes stand for marks in a record, so no move has them.
constexpr std::size_t kLineBytes = 28;
constexpr std::uint8_t kDiagonal = 11;
constexpr std::uint8_t kEnd = 12;  // to the end of the line
using OpeningBytes = std::array<std::uint8_t, kLineBytes>;

class LineOfGame {
 public:
  explicit LineOfGame(OpeningBytes& line) : line_(line) { line_.fill(kEnd); }

  // Returns whether the moves have found room.
  bool fits() const { return fits_; }

  static bool start(const ReplayBoard&, Color) { return true; }
  template <Color kUs>
  bool move(const ReplayBoard&, const codec::Move& move, const std::uint8_t* next) {
    const bool is_diagonal = move.piece == codec::PieceType::Queen &&
                             codec::file_of(move.from) != codec::file_of(move.to) &&
                             codec::rank_of(move.from) != codec::rank_of(move.to);
    const std::size_t bytes = is_diagonal ? 2 : 1;
    fits_ = bytes <= kLineBytes - used_;
    if (!fits_) return false;
    if (is_diagonal) line_[used_++] = kDiagonal;
    line_[used_++] = next[-1];
    return ++plies_ < kStoredPlies;
  }

 private:
  OpeningBytes& line_;
  std::size_t used_ = 0;
  std::uint32_t plies_ = 0;
  bool fits_ = true;
};

// Returns how many whole moves lie in the first bytes of a line.
std::uint8_t plies_within(const OpeningBytes& line, std::size_t bytes) {
  std::uint8_t plies = 0;
  for (std::size_t at = 0; at < bytes && line[at] != kEnd;) {
    at += line[at] == kDiagonal ? 2 : 1;
    if (at <= bytes) ++plies;
  }
  return plies;
}

// What becomes of a game.
enum class Kind : std::uint8_t { None, InOrder, Other };

struct Lines {
  explicit Lines(GameIndex games) : lines(games), kinds(games) {}

  std::vector<OpeningBytes> lines;  // by game
  std::vector<Kind> kinds;
};

struct LineReader {
  LineReader(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget) {}

  GameRecords records;
  codec::scid::Replay replay;
};

absl::Status read_lines(const Database& database, GameFile::Check check, const WorkBudget& budget,
                        Lines& lines) {
  std::vector<std::unique_ptr<LineReader>> readers(scan_workers(budget));
  GameBitmap all(database.games());
  all.add(GameList::all_but(database.games(), {}));
  return scan_blocks(all, budget,
                     [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
                       if (readers[worker] == nullptr) {
                         readers[worker] = std::make_unique<LineReader>(database, check, budget);
                       }
                       LineReader& reader = *readers[worker];
                       const BlockGames games(block, mask);
                       const std::span<const GameIndex> numbers = games;
                       return reader.records.for_each_game(
                           games, [&](std::size_t i, Bytes record, const RecordHead& head) {
                             const GameIndex game = numbers[i];
                             lines.kinds[game] = Kind::Other;
                             if (head.fen.has_value() || !database.sizes().is_whole(game)) return;
                             LineOfGame line(lines.lines[game]);
                             reader.replay.run(record, head, line);
                             if (line.fits()) lines.kinds[game] = Kind::InOrder;
                           });
                     });
}

// Returns the games in order: first by their first two bytes, then each such group by the others.
absl::StatusOr<std::vector<GameIndex>> sorted_games(const Lines& lines, const WorkBudget& budget) {
  constexpr std::size_t kGroups = std::size_t{1} << 16;
  const auto group_of = [&](std::size_t game) {
    return std::size_t{lines.lines[game][0]} << 8 | lines.lines[game][1];
  };
  std::vector<std::size_t> ends(kGroups + 1);
  for (std::size_t game = 0; game < lines.kinds.size(); ++game) {
    if (lines.kinds[game] == Kind::InOrder) ++ends[group_of(game) + 1];
  }
  for (std::size_t group = 0; group < kGroups; ++group) ends[group + 1] += ends[group];
  std::vector<GameIndex> games(ends.back());
  std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
  for (std::size_t game = 0; game < lines.kinds.size(); ++game) {
    if (lines.kinds[game] != Kind::InOrder) continue;
    games[next[group_of(game)]++] = static_cast<GameIndex>(game);
  }
  const auto sort_group = [&](std::size_t, std::size_t group) {
    const auto begin = games.begin() + static_cast<std::ptrdiff_t>(ends[group]);
    const auto end = games.begin() + static_cast<std::ptrdiff_t>(ends[group + 1]);
    std::sort(begin, end, [&](GameIndex a, GameIndex b) {
      const int order = std::memcmp(lines.lines[a].data(), lines.lines[b].data(), kLineBytes);
      return order != 0 ? order < 0 : a < b;
    });
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(run_tasks(kGroups, scan_workers(budget), budget, sort_group));
  return games;
}

}  // namespace

absl::StatusOr<OpeningOrder> order_by_opening(const Database& database, GameFile::Check check,
                                              const WorkBudget& budget) {
  Lines lines(database.games());
  RETURN_IF_ERROR(read_lines(database, check, budget, lines));
  OpeningOrder order;
  ASSIGN_OR_RETURN(order.games, sorted_games(lines, budget));
  order.common.resize(order.games.size());
  for (std::size_t rank = 0; rank < order.games.size(); ++rank) {
    const OpeningBytes& line = lines.lines[order.games[rank]];
    if (rank != 0) {
      const OpeningBytes& before = lines.lines[order.games[rank - 1]];
      const auto differ = std::ranges::mismatch(line, before).in1;
      order.common[rank] = plies_within(line, static_cast<std::size_t>(differ - line.begin()));
    }
    order.nodes += std::uint64_t{plies_within(line, kLineBytes)} - order.common[rank];
  }
  ++order.nodes;
  for (GameIndex game = 0; game < database.games(); ++game) {
    if (lines.kinds[game] == Kind::Other) order.games.push_back(game);
  }
  order.ranks.assign(database.games(), OpeningOrder::kNoRank);
  for (std::size_t rank = 0; rank < order.games.size(); ++rank) {
    order.ranks[order.games[rank]] = static_cast<std::uint32_t>(rank);
  }
  return order;
}

}  // namespace scidfs::fs
