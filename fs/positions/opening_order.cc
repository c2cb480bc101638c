#include "fs/positions/opening_order.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

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

// A game with its line, which is sorted with it: a line that is somewhere else costs a sort most of
// its time.
struct Line {
  OpeningBytes bytes;
  GameIndex game = kNoGame;  // as long as it is not in order

  friend bool operator<(const Line& a, const Line& b) {
    const int order = std::memcmp(a.bytes.data(), b.bytes.data(), kLineBytes);
    return order != 0 ? order < 0 : a.game < b.game;
  }
};
static_assert(sizeof(Line) == 32);

struct Lines {
  explicit Lines(GameIndex games) : lines(games), is_other(games) {}

  std::vector<Line> lines;             // by game
  std::vector<std::uint8_t> is_other;  // by game: it has moves, but is not in order
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
                             lines.is_other[game] = 1;
                             if (head.fen.has_value() || !database.sizes().is_whole(game)) return;
                             LineOfGame line(lines.lines[game].bytes);
                             reader.replay.run(record, head, line);
                             if (!line.fits()) return;
                             lines.lines[game].game = game;
                             lines.is_other[game] = 0;
                           });
                     });
}

// Lines that have their first `bytes` bytes in common.
struct AlikeLines {
  std::span<Line> lines;
  std::size_t bytes = 0;
};

// Sorts such lines by their next byte, in place. Appends the groups that this makes.
void split(AlikeLines all, std::vector<AlikeLines>& groups) {
  constexpr std::size_t kValues = 256;
  std::array<std::size_t, kValues> ends{};  // by value
  for (const Line& line : all.lines) ++ends[line.bytes[all.bytes]];
  std::array<std::size_t, kValues> next{};  // by value: where its next line goes
  std::size_t begin = 0;
  for (std::size_t value = 0; value < kValues; ++value) {
    next[value] = begin;
    const std::size_t size = ends[value];
    if (size != 0) {
      groups.push_back({.lines = all.lines.subspan(begin, size), .bytes = all.bytes + 1});
    }
    ends[value] = begin += size;
  }
  for (std::size_t value = 0; value < kValues; ++value) {
    while (next[value] != ends[value]) {
      Line& line = all.lines[next[value]];
      const std::uint8_t belongs = line.bytes[all.bytes];
      if (belongs == value) {
        ++next[value];
      } else {
        std::swap(line, all.lines[next[belongs]++]);
      }
    }
  }
}

// Sorts lines. No step takes so long that a cancelled budget waits for it.
absl::Status sort_lines(std::span<Line> lines, const WorkBudget& budget) {
  constexpr std::size_t kFewLines = 50'000;
  std::vector<AlikeLines> to_split = {{.lines = lines, .bytes = 0}};
  std::vector<std::span<Line>> groups;
  while (!to_split.empty()) {
    const AlikeLines next = to_split.back();
    to_split.pop_back();
    if (next.lines.size() <= kFewLines || next.bytes == kLineBytes) {
      groups.push_back(next.lines);
      continue;
    }
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    split(next, to_split);
  }
  return run_tasks(groups.size(), scan_workers(budget), budget,
                   [&](std::size_t, std::size_t number) {
                     std::ranges::sort(groups[number], std::less<>());
                     return absl::OkStatus();
                   });
}

}  // namespace

absl::StatusOr<OpeningOrder> order_by_opening(const Database& database, GameFile::Check check,
                                              const WorkBudget& budget) {
  Lines read(database.games());
  RETURN_IF_ERROR(read_lines(database, check, budget, read));
  std::vector<Line>& lines = read.lines;
  std::erase_if(lines, [](const Line& line) { return line.game == kNoGame; });
  RETURN_IF_ERROR(sort_lines(lines, budget));
  OpeningOrder order;
  order.games.reserve(database.games());
  order.common.resize(lines.size());
  for (std::size_t rank = 0; rank < lines.size(); ++rank) {
    const OpeningBytes& line = lines[rank].bytes;
    order.games.push_back(lines[rank].game);
    if (rank != 0) {
      const auto differ = std::ranges::mismatch(line, lines[rank - 1].bytes).in1;
      order.common[rank] = plies_within(line, static_cast<std::size_t>(differ - line.begin()));
    }
    order.nodes += std::uint64_t{plies_within(line, kLineBytes)} - order.common[rank];
  }
  ++order.nodes;
  for (GameIndex game = 0; game < database.games(); ++game) {
    if (read.is_other[game] != 0) order.games.push_back(game);
  }
  order.ranks.assign(database.games(), OpeningOrder::kNoRank);
  for (std::size_t rank = 0; rank < order.games.size(); ++rank) {
    order.ranks[order.games[rank]] = static_cast<std::uint32_t>(rank);
  }
  return order;
}

}  // namespace scidfs::fs
