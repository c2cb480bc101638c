#include "fs/positions/eval_table.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

#include "codec/scid/move_notes.h"
#include "fs/base/tsv.h"
#include "fs/database/decoding.h"
#include "fs/positions/move_table.h"
#include "fs/scan/listed_records.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::Move;
using codec::Position;
using codec::scid::MoveNotes;

// A position of a main line, and the move to it.
struct NotedPly {
  GameIndex game = kNoGame;
  std::uint32_t ply = 0;  // moves before the position
  Position before;        // the move; unspecified at ply 0
  Position after;
  Move move;
  MoveNotes notes;
};

void append_eval(std::int32_t eval, std::string& out) {
  constexpr int kHundred = 100;
  const int size = std::abs(eval);
  fmt::format_to(std::back_inserter(out), "{}{}.{:02}", eval < 0 ? "-" : "", size / kHundred,
                 size % kHundred);
}

constexpr TsvColumns kEvalColumns{
    TsvColumn{"number", [](const NotedPly& row) { return row.game + 1; }},
    TsvColumn{"ply", [](const NotedPly& row) { return row.ply; }},
    TsvColumn{"move",
              [](const NotedPly& row, std::string& out) {
                if (row.ply != 0) out += san_without_marks(row.before, row.move);
              }},
    TsvColumn{"eval",
              [](const NotedPly& row, std::string& out) {
                if (row.notes.eval.has_value()) append_eval(*row.notes.eval, out);
              }},
    TsvColumn{"clock", [](const NotedPly& row) { return row.notes.clock; }},
};

// Writes the rows of one game of a part: what codec::scid::walk_notes() shows.
class RowWriter {
 public:
  RowWriter(const GameSet& part, GameIndex game, std::string& out)
      : part_(part), begin_(out.size()), out_(out) {
    row_.game = game;
  }

  void start(const Position& position) {
    out_.resize(begin_);
    row_.ply = 0;
    row_.after = position;
  }
  void move(const Position& after, const Move& move) {
    ++row_.ply;
    row_.before = row_.after;
    row_.after = after;
    row_.move = move;
  }
  void notes(const MoveNotes& notes) {
    if (!notes.eval.has_value() && !notes.clock.has_value()) return;
    row_.notes = notes;
    kEvalColumns.append_row(row_, out_);
    add_database(part_, out_);
  }

 private:
  const GameSet& part_;
  const std::size_t begin_;
  std::string& out_;
  NotedPly row_;
};

struct NotesReader {
  NotesReader(const Database& database, const WorkBudget& budget)
      : records(database, GameFile::Check::Now, budget) {}

  GameRecords records;
  codec::scid::Walker walker;
};

absl::Status append_rows(const GameSet& set, const WorkBudget& budget, std::string& out) {
  const Database& database = *set.database();
  if (absl::Status status = begin_decoding(database, set.list(), budget); !status.ok()) {
    return status;
  }
  std::vector<GameIndex> games;
  GameSet::Cursor rest = set.begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) games.push_back(game);
  // One reader: the rows come in order.
  std::vector<NotesReader> readers;
  readers.emplace_back(database, budget);
  return for_each_record(
      games.size(), [&games](std::size_t i) { return games[i]; }, readers, budget,
      [&](NotesReader& reader, std::size_t i, codec::Bytes record,
          const codec::scid::RecordHead& head) {
        RowWriter writer(set, games[i], out);
        walk_notes(reader.walker, record, head, writer);
      });
}

}  // namespace

absl::StatusOr<std::string> eval_table(SetParts parts, const WorkBudget& budget) {
  if (parts.count(kMostGamesOfEvals + 1) > kMostGamesOfEvals) {
    return absl::UnimplementedError(
        fmt::format("more than {} games: too many to show their evaluations", kMostGamesOfEvals));
  }
  std::string text = kEvalColumns.header();
  add_database_column(parts, text);
  for (const GameSet& part : parts) {
    if (absl::Status status = append_rows(part, budget, text); !status.ok()) return status;
  }
  return text;
}

}  // namespace scidfs::fs
