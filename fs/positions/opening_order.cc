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

// Games whose lines have their first `bytes` bytes in common.
struct AlikeGames {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t bytes = 0;

  std::size_t size() const { return end - begin; }
};

// Sorts such games by their next byte. Appends the groups that this makes.
void split(const Lines& lines, AlikeGames all, std::vector<GameIndex>& games,
           std::vector<AlikeGames>& groups) {
  constexpr std::size_t kValues = 256;
  const auto byte_of = [&](GameIndex game) { return lines.lines[game][all.bytes]; };
  const std::vector<GameIndex> before(games.begin() + static_cast<std::ptrdiff_t>(all.begin),
                                      games.begin() + static_cast<std::ptrdiff_t>(all.end));
  std::array<std::size_t, kValues + 1> begins{};
  for (const GameIndex game : before) ++begins[byte_of(game) + 1U];
  begins[0] = all.begin;
  for (std::size_t value = 0; value < kValues; ++value) {
    begins[value + 1] += begins[value];
    const AlikeGames group{
        .begin = begins[value], .end = begins[value + 1], .bytes = all.bytes + 1};
    if (group.size() != 0) groups.push_back(group);
  }
  for (const GameIndex game : before) games[begins[byte_of(game)]++] = game;
}

// Returns the games in order. No step takes so long that a cancelled budget waits for it.
absl::StatusOr<std::vector<GameIndex>> sorted_games(const Lines& lines, const WorkBudget& budget) {
  constexpr std::size_t kFewGames = 50'000;
  std::vector<GameIndex> games;
  for (std::size_t game = 0; game < lines.kinds.size(); ++game) {
    if (lines.kinds[game] == Kind::InOrder) games.push_back(static_cast<GameIndex>(game));
  }
  std::vector<AlikeGames> to_split = {{.begin = 0, .end = games.size(), .bytes = 0}};
  std::vector<AlikeGames> groups;
  while (!to_split.empty()) {
    const AlikeGames next = to_split.back();
    to_split.pop_back();
    if (next.size() <= kFewGames || next.bytes == kLineBytes) {
      groups.push_back(next);
      continue;
    }
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    split(lines, next, games, to_split);
  }
  const auto sort_group = [&](std::size_t, std::size_t number) {
    const AlikeGames& group = groups[number];
    std::sort(
        games.begin() + static_cast<std::ptrdiff_t>(group.begin),
        games.begin() + static_cast<std::ptrdiff_t>(group.end), [&lines](GameIndex a, GameIndex b) {
          const int order = std::memcmp(lines.lines[a].data(), lines.lines[b].data(), kLineBytes);
          return order != 0 ? order < 0 : a < b;
        });
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(run_tasks(groups.size(), scan_workers(budget), budget, sort_group));
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
