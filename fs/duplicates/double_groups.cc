#include "fs/duplicates/double_groups.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>
#include <vector>

namespace scidfs::fs {
namespace {

// A group that games may join: the length of its first game, and the known facts of all its games.
struct Group {
  std::uint32_t plies = 0;
  GameIndex first = kNoGame;
  KnownFacts facts;
};

class Grouping {
 public:
  explicit Grouping(std::span<const RelatedLine> lines) : lines_(lines), open_(lines.size()) {}

  std::uint32_t groups() const { return static_cast<std::uint32_t>(groups_.size()); }

  // Adds all games of a line. REQUIRES: the games of all lines with higher numbers have been added.
  void add(std::uint32_t line, std::span<RelatedGame> games) {
    std::ranges::sort(games, {}, [](const RelatedGame& game) {
      return std::pair(-game.facts.known(), game.game);
    });
    for (RelatedGame& game : games) add(line, game);
    // A game that begins with this line also begins with the line's own beginning.
    std::vector<std::uint32_t> open = std::move(open_[line]);
    if (lines_[line].beginning == kNoLine) return;
    std::vector<std::uint32_t>& below = open_[lines_[line].beginning];
    if (below.empty()) {
      below = std::move(open);
    } else {
      open.resize(std::min(open.size(), kMostCompared - std::min(kMostCompared, below.size())));
      below.insert(below.end(), open.begin(), open.end());
    }
  }

 private:
  void add(std::uint32_t line, RelatedGame& game) {
    std::uint32_t best = kNoGroup;
    std::uint32_t second = kNoGroup;
    for (const std::uint32_t group : open_[line]) {
      if (!groups_[group].facts.agrees_with(game.facts)) continue;
      if (best == kNoGroup || comes_before(group, best)) {
        second = std::exchange(best, group);
      } else if (second == kNoGroup || comes_before(group, second)) {
        second = group;
      }
    }
    if (best == kNoGroup) {
      best = groups();
      groups_.push_back({.plies = lines_[line].plies, .first = game.game, .facts = game.facts});
      if (open_[line].size() < kMostCompared) open_[line].push_back(best);
    }
    groups_[best].facts = groups_[best].facts.with(game.facts);
    game.group = best;
    game.other = second == kNoGroup ? kNoGame : groups_[second].first;
  }

  bool comes_before(std::uint32_t a, std::uint32_t b) const {
    const auto place = [this](std::uint32_t group) {
      return std::pair(~groups_[group].plies, groups_[group].first);
    };
    return place(a) < place(b);
  }

  const std::span<const RelatedLine> lines_;
  std::vector<Group> groups_;
  // By line: groups whose first game begins with it.
  std::vector<std::vector<std::uint32_t>> open_;
};

}  // namespace

std::uint32_t group_doubles(std::span<const RelatedLine> lines, std::span<RelatedGame> games) {
  assert(std::ranges::is_sorted(lines, {}, &RelatedLine::plies));
  assert(std::ranges::is_sorted(games, {}, &RelatedGame::line));
  Grouping grouping(lines);
  std::size_t end = games.size();
  for (auto line = static_cast<std::uint32_t>(lines.size()); line-- > 0;) {
    std::size_t begin = end;
    while (begin > 0 && games[begin - 1].line == line) --begin;
    grouping.add(line, games.subspan(begin, end - begin));
    end = begin;
  }
  return grouping.groups();
}

}  // namespace scidfs::fs
