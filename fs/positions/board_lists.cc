#include "fs/positions/board_lists.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <span>

#include "fs/base/varint.h"
#include "fs/database/stored_positions.h"

namespace scidfs::fs {
namespace {

// A run of ranks without its board.
struct RankRun {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// The games of one board.
struct BoardGames {
  std::vector<RankRun> runs;  // ascending, with ranks between them
  std::uint64_t count = 0;    // of games
  // The place among them of one that does not come late, if there is one.
  bool has_witness = false;
  std::uint64_t witness = 0;
};

// Joins the runs of one board, which are ascending by their first rank.
void join(std::span<const BoardRun> of_board, BoardGames& games) {
  games.runs.clear();
  games.count = 0;
  games.has_witness = false;
  for (const BoardRun& run : of_board) {
    const std::uint64_t first = run.rank;
    const std::uint64_t end = first + run.count;
    if (games.runs.empty() || games.runs.back().end < first) {
      games.runs.push_back({.first = first, .end = first});
    }
    RankRun& last = games.runs.back();
    if (run.is_late == 0 && !games.has_witness) {
      games.has_witness = true;
      games.witness = games.count - (last.end - first);
    }
    if (end > last.end) {
      games.count += end - last.end;
      last.end = end;
    }
  }
}

// Returns the first of the longest runs of a board that are not late. REQUIRES: there is one.
BoardPlaceInGame usual_place(std::span<const BoardRun> of_board) {
  const BoardRun* longest = nullptr;
  for (const BoardRun& run : of_board) {
    if (run.is_late == 0 && (longest == nullptr || run.count > longest->count)) longest = &run;
  }
  return {.rank = longest->rank, .ply = longest->ply};
}

void add_list(const BoardGames& games, std::vector<std::uint8_t>& lists) {
  add_varint(games.count, lists);
  add_varint(games.witness, lists);
  std::uint64_t before = 0;
  for (const RankRun& run : games.runs) {
    const std::uint64_t count = run.end - run.first;
    add_varint((run.first - before) * 2 + (count > 1 ? 1 : 0), lists);
    if (count > 1) add_varint(count - 2, lists);
    before = run.end;
  }
}

}  // namespace

BoardLists make_board_lists(std::vector<BoardRun>& runs, std::uint64_t frequent) {
  std::ranges::sort(runs, std::less<>());
  BoardLists made;
  BoardGames games;
  for (auto begin = runs.begin(); begin != runs.end();) {
    const auto end =
        std::find_if(begin, runs.end(), [&](const BoardRun& run) { return run.key != begin->key; });
    join({begin, end}, games);
    if (games.has_witness) {
      made.keys.push_back(begin->key);
      if (games.count >= frequent) made.frequent.push_back(usual_place({begin, end}));
      if (games.count == 1) {
        made.values.push_back(static_cast<std::uint32_t>(games.runs.front().first));
      } else {
        assert(made.lists.size() < kListedBit);
        made.values.push_back(static_cast<std::uint32_t>(made.lists.size()) | kListedBit);
        add_list(games, made.lists);
      }
    }
    begin = end;
  }
  return made;
}

}  // namespace scidfs::fs
