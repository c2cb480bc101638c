#include "fs/duplicates/double_lines.h"

#include <algorithm>
#include <bit>

#include "codec/scid/line_hash.h"
#include "codec/scid/main_line.h"
#include "codec/scid/replay.h"
#include "fs/base/status_macros.h"
#include "fs/duplicates/double_candidates.h"
#include "fs/duplicates/numbered_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::Move;
using codec::scid::LineHash;
using codec::scid::RecordHead;

// A visitor, for a replay or a walk, that calls `see` with the hash after each move of a main line.
template <class See>
class LineVisitor {
 public:
  LineVisitor(const LineHash& start, See& see) : hash_(start), see_(see) {}

  const LineHash& hash() const { return hash_; }

  bool start(codec::scid::ReplayBoard, Color) { return true; }
  template <Color kUs>
  [[gnu::always_inline]] bool move(codec::scid::ReplayBoard, const Move& move,
                                   const std::uint8_t*) {
    add(move);
    return true;
  }

  void start(const codec::Position&) {}
  void move(const codec::Position&, const Move& move) { add(move); }

 private:
  void add(const Move& move) {
    hash_.add(move);
    see_(hash_);
  }

  LineHash hash_;
  See& see_;
};

// The hashes of the starts of lines, with one seed for all that are compared. It is made from the
// whole databases, so an attacker cannot choose moves whose hashes collide.
class LineStarts {
 public:
  explicit LineStarts(const GameNumbers& numbers)
      : seed_(seed_of(numbers)), standard_(seed_, RecordHead()) {}

  LineHash of(const RecordHead& head) const {
    return head.fen.has_value() ? LineHash(seed_, head) : standard_;
  }

 private:
  static std::uint64_t seed_of(const GameNumbers& numbers) {
    std::uint64_t seed = numbers.part(0)->fingerprint();
    for (std::size_t part = 1; part < numbers.parts(); ++part) {
      seed = std::rotl(seed, 1) ^ numbers.part(part)->fingerprint();
    }
    return seed;
  }

  std::uint64_t seed_;
  LineHash standard_;
};

// The part of one thread.
class LineReader {
 public:
  LineReader(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget), database_(&database) {}

  GameRecords records;

  // Follows the main line of a game as far as it goes. Uses a replay only for undamaged games, in
  // which it is correct.
  template <class See>
  LineHash read(const LineHash& start, GameIndex game, Bytes record, const RecordHead& head,
                See see) {
    LineVisitor<See> visitor(start, see);
    if (database_->sizes().is_whole(game)) {
      replay_.run(record, head, visitor);
    } else {
      walk_main_line(walker_, record, record, head, visitor);
    }
    return visitor.hash();
  }

 private:
  const Database* database_;
  codec::scid::Replay replay_;
  codec::scid::Walker walker_;
};

// A search for the longest line that a game begins with, by the ends of the lines.
class BeginningSearch {
 public:
  explicit BeginningSearch(std::span<const LineEnd> ends) : ends_(ends) {}

  std::uint32_t found() const { return found_; }

  void see(const LineHash& hash) {
    if (next_ == ends_.size() || ends_[next_].plies != hash.plies()) return;
    const LineEnd here = {.plies = hash.plies(), .whole = hash.value()};
    const auto rest = ends_.subspan(next_);
    const auto end = std::ranges::lower_bound(rest, here);
    if (end != rest.end() && *end == here) {
      found_ = static_cast<std::uint32_t>(end - ends_.begin());
    }
    const auto after = std::ranges::upper_bound(rest, here.plies, {}, &LineEnd::plies);
    next_ = static_cast<std::size_t>(after - ends_.begin());
  }

 private:
  std::span<const LineEnd> ends_;
  std::size_t next_ = 0;
  std::uint32_t found_ = kNoLine;
};

}  // namespace

absl::StatusOr<std::vector<GameLine>> read_lines(const GameNumbers& numbers,
                                                 std::span<const GameIndex> games,
                                                 const WorkBudget& budget) {
  std::vector<GameLine> lines(games.size());
  RETURN_IF_ERROR(for_each_numbered_record<LineReader>(
      numbers, games.size(), [&](std::size_t i) { return games[i]; }, budget,
      [&, starts = LineStarts(numbers)](LineReader& reader, std::size_t i, GameIndex game,
                                        Bytes record, const RecordHead& head) {
        GameLine& line = lines[i];
        const LineHash end =
            reader.read(starts.of(head), game, record, head, [&](const LineHash& hash) {
              if (hash.plies() == kFewestPlies) line.head = hash.value();
            });
        line.whole = end.value();
        line.plies = end.plies();
      }));
  return lines;
}

absl::StatusOr<std::vector<std::uint32_t>> find_beginnings(const GameNumbers& numbers,
                                                           std::span<const LongerGame> games,
                                                           const WorkBudget& budget) {
  std::vector<std::uint32_t> found(games.size(), kNoLine);
  RETURN_IF_ERROR(for_each_numbered_record<LineReader>(
      numbers, games.size(), [&](std::size_t i) { return games[i].game; }, budget,
      [&, starts = LineStarts(numbers)](LineReader& reader, std::size_t i, GameIndex game,
                                        Bytes record, const RecordHead& head) {
        BeginningSearch search(games[i].shorter);
        reader.read(starts.of(head), game, record, head,
                    [&](const LineHash& hash) { search.see(hash); });
        found[i] = search.found();
      }));
  return found;
}

}  // namespace scidfs::fs
