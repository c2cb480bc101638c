#include "fs/positions/opening_lines.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace scidfs::fs {

using codec::Move;
using codec::TargetPosition;

class LineFinder {
 public:
  LineFinder(const LineLimits& limits, TableOfPosition table_of)
      : limits_(limits), table_of_(table_of) {}

  FoundLines run(const TargetPosition& root) && {
    places_.push_back({.target = root});
    add_position(0);
    while (!waiting_.empty() && found_.lines.lines_.size() <= limits_.lines) {
      const Candidate next = waiting_.top();
      waiting_.pop();
      list(next);
    }
    return std::move(found_);
  }

 private:
  // The end of a listed line.
  struct Place {
    TargetPosition target;
    std::string path{};  // SAN separated by blanks, which sort before all other characters
    unsigned plies = 0;
  };
  struct Candidate {
    std::uint32_t games = 0;
    std::uint32_t line = 0;  // the line before it
    std::string path{};      // including it
    const PlayedMove* move = nullptr;

    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tie(a.games, b.path) < std::tie(b.games, a.path);
    }
  };

  // Adds the end of a line that has just been listed.
  void add_position(std::uint32_t line) {
    const Place& place = places_[line];
    found_.positions.push_back(codec::position_name(place.target));
    const MoveTable* const table = table_of_(found_.positions.back(), place.target);
    if (table == nullptr) {
      found_.missing.push_back({.target = place.target, .plies = limits_.plies - place.plies});
      return;
    }
    if (line == 0) root_games_ = table->all().score.all();
    if (place.plies == limits_.plies) return;
    constexpr std::uint64_t kOneIn = 100;
    for (const PlayedMove& move : table->moves()) {
      const std::uint32_t games = move.games.score.all();
      if (games * kOneIn < root_games_) break;
      waiting_.push(
          {.games = games, .line = line, .path = place.path + ' ' + move.san, .move = &move});
    }
  }

  void list(const Candidate& candidate) {
    const Place& before = places_[candidate.line];
    const auto& [move, san, games] = *candidate.move;
    // Games may contain invalid moves; a listed move must be found by lookup.
    if (move.kind == codec::MoveKind::Null) return;
    const std::optional<Move> named = before.target.parse_move(san);
    if (!named.has_value() || number_of(*named) != number_of(move)) return;
    std::vector<OpeningLines::Line>& lines = found_.lines.lines_;
    const auto line = static_cast<std::uint32_t>(lines.size());
    OpeningLines::Line& parent = lines[candidate.line];
    parent.names.push_back(san);
    parent.numbers.push_back(number_of(move));
    parent.lines.push_back(line);
    lines.emplace_back();
    places_.push_back(
        {.target = before.target.after(*named), .path = candidate.path, .plies = before.plies + 1});
    add_position(line);
  }

  const LineLimits limits_;
  const TableOfPosition table_of_;
  FoundLines found_;
  std::vector<Place> places_;  // by line
  std::uint64_t root_games_ = 0;
  std::priority_queue<Candidate> waiting_;
};

std::span<const std::string> OpeningLines::after(std::span<const Move> line) const {
  const Line* at = lines_.data();
  for (const Move& move : line) {
    const auto found = std::ranges::find(at->numbers, number_of(move));
    if (found == at->numbers.end()) return {};
    at = &lines_[at->lines[static_cast<std::size_t>(found - at->numbers.begin())]];
  }
  return at->names;
}

std::size_t OpeningLines::memory() const {
  std::size_t bytes = lines_.capacity() * sizeof(Line);
  for (const Line& line : lines_) {
    bytes += line.names.capacity() * sizeof(std::string) +
             line.numbers.capacity() * sizeof(MoveNumber) +
             line.lines.capacity() * sizeof(std::uint32_t);
  }
  return bytes;
}

FoundLines find_lines(const TargetPosition& root, const LineLimits& limits,
                      TableOfPosition table_of) {
  return LineFinder(limits, table_of).run(root);
}

}  // namespace scidfs::fs
