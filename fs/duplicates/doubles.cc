#include "fs/duplicates/doubles.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "codec/scid/facts.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/sort.h"
#include "fs/content/step_watch.h"
#include "fs/duplicates/double_candidates.h"
#include "fs/duplicates/double_groups.h"
#include "fs/duplicates/double_lines.h"
#include "fs/duplicates/numbered_records.h"
#include "fs/tables/player_identity.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::RecordHead;

// A game of a group with several games.
struct Grouped {
  std::uint32_t group = kNoGroup;
  GameIndex game = kNoGame;
  GameIndex other = kNoGame;
  std::uint32_t plies = 0;
};

// A candidate whose moves have been decoded.
struct Decoded {
  DoubleCandidate candidate;
  GameLine line;

  // Returns a key that is the same for two games if one may begin with the other.
  auto beginning() const { return std::pair(candidate.players, line.head); }
  LineEnd end() const { return {.plies = line.plies, .whole = line.whole}; }
};

// Runs of games that are looked at between two looks at the budget; most have two games.
constexpr std::size_t kRunsOfLook = 1024;

// A search for the groups among the candidates of one part.
class PartSearch {
 public:
  PartSearch(const GameNumbers& numbers, const WorkBudget& budget)
      : numbers_(numbers), budget_(budget) {}

  // Appends the games of groups to `found`; the new groups get numbers from `groups` on.
  absl::Status run(std::vector<DoubleCandidate> candidates, std::uint32_t& groups,
                   std::vector<Grouped>& found) {
    RETURN_IF_ERROR(decode(std::move(candidates)));
    RETURN_IF_ERROR(sort_runs());
    RETURN_IF_ERROR(number_lines());
    RETURN_IF_ERROR(relate_lines());
    StepWatch watch(budget_, kRunsOfLook);
    for (const Run& run : runs_) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      group(run, groups, found);
    }
    return absl::OkStatus();
  }

 private:
  // Games with the same beginning that agree with one another, and their lines.
  struct Run {
    std::size_t begin = 0, end = 0;            // in games_
    std::size_t first_line = 0, end_line = 0;  // in lines_
  };

  absl::Status decode(std::vector<DoubleCandidate> candidates) {
    RETURN_IF_ERROR(sort_while_wanted(
        std::span(candidates), budget_,
        [](const DoubleCandidate& a, const DoubleCandidate& b) { return a.game < b.game; }));
    std::vector<GameIndex> games;
    games.reserve(candidates.size());
    for (const DoubleCandidate& candidate : candidates) games.push_back(candidate.game);
    ASSIGN_OR_RETURN(std::vector<GameLine> lines, read_lines(numbers_, games, budget_));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (lines[i].plies < kFewestPlies) continue;
      games_.push_back({.candidate = candidates[i], .line = lines[i]});
    }
    return absl::OkStatus();
  }

  // Keeps the games that agree with another one with the same beginning; sorts each run by the ends
  // of its games.
  absl::Status sort_runs() {
    RETURN_IF_ERROR(
        sort_while_wanted(std::span(games_), budget_, [](const Decoded& a, const Decoded& b) {
          return std::tuple(a.beginning(), a.candidate.facts, a.candidate.game) <
                 std::tuple(b.beginning(), b.candidate.facts, b.candidate.game);
        }));
    std::size_t kept = 0;
    std::vector<std::size_t> agreeing;
    StepWatch watch(budget_, kRunsOfLook);
    for (std::size_t begin = 0, end = 0; begin < games_.size(); begin = end) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      while (end < games_.size() && games_[end].beginning() == games_[begin].beginning()) ++end;
      agreeing.clear();
      for_each_agreeing(
          end - begin, [&](std::size_t i) { return games_[begin + i].candidate.facts; },
          [&](std::size_t i) { agreeing.push_back(begin + i); });
      if (agreeing.empty()) continue;
      const std::size_t first = kept;
      for (const std::size_t i : agreeing) games_[kept++] = games_[i];
      const auto run = std::span(games_).subspan(first, kept - first);
      std::ranges::sort(
          run, {}, [](const Decoded& game) { return std::pair(game.end(), game.candidate.game); });
      runs_.push_back({.begin = first, .end = kept});
    }
    games_.resize(kept);
    return absl::OkStatus();
  }

  // Numbers the lines; games with the same moves share one line.
  absl::Status number_lines() {
    line_of_.resize(games_.size());
    StepWatch watch(budget_, kRunsOfLook);
    for (Run& run : runs_) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      run.first_line = ends_.size();
      for (std::size_t i = run.begin; i < run.end; ++i) {
        const LineEnd end = games_[i].end();
        if (ends_.size() == run.first_line || ends_.back() != end) {
          ends_.push_back(end);
          examples_.push_back(games_[i].candidate.game);
        }
        line_of_[i] = static_cast<std::uint32_t>(ends_.size() - 1 - run.first_line);
      }
      run.end_line = ends_.size();
    }
    return absl::OkStatus();
  }

  // Finds for each line the longest other line that it begins with.
  absl::Status relate_lines() {
    lines_.resize(ends_.size());
    std::vector<std::pair<LongerGame, std::size_t>> longer;  // with the line of each
    StepWatch watch(budget_, kRunsOfLook);
    for (const Run& run : runs_) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      std::size_t shorter_end = run.first_line;
      for (std::size_t line = run.first_line; line < run.end_line; ++line) {
        while (ends_[shorter_end].plies < ends_[line].plies) ++shorter_end;
        lines_[line] = {.plies = ends_[line].plies, .beginning = kNoLine};
        if (shorter_end == run.first_line) continue;
        const auto shorter =
            std::span<const LineEnd>(ends_).subspan(run.first_line, shorter_end - run.first_line);
        longer.push_back({{.game = examples_[line], .shorter = shorter}, line});
      }
    }
    RETURN_IF_ERROR(sort_while_wanted(std::span(longer), budget_, [](const auto& a, const auto& b) {
      return a.first.game < b.first.game;
    }));
    std::vector<LongerGame> games;
    games.reserve(longer.size());
    for (const auto& [game, line] : longer) games.push_back(game);
    ASSIGN_OR_RETURN(const std::vector<std::uint32_t> beginnings,
                     find_beginnings(numbers_, games, budget_));
    for (std::size_t i = 0; i < longer.size(); ++i) {
      lines_[longer[i].second].beginning = beginnings[i];
    }
    return absl::OkStatus();
  }

  void group(const Run& run, std::uint32_t& groups, std::vector<Grouped>& found) {
    related_.clear();
    for (std::size_t i = run.begin; i < run.end; ++i) {
      related_.push_back({.line = line_of_[i],
                          .facts = games_[i].candidate.facts,
                          .game = games_[i].candidate.game});
    }
    const std::uint32_t count = group_doubles(
        std::span(lines_).subspan(run.first_line, run.end_line - run.first_line), related_);
    sizes_.assign(count, 0);
    for (const RelatedGame& game : related_) ++sizes_[game.group];
    for (const RelatedGame& game : related_) {
      if (sizes_[game.group] < 2) continue;
      found.push_back({.group = groups + game.group,
                       .game = game.game,
                       .other = game.other,
                       .plies = ends_[run.first_line + game.line].plies});
    }
    groups += count;
  }

  const GameNumbers& numbers_;
  const WorkBudget& budget_;
  std::vector<Decoded> games_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> line_of_;  // of each of games_, from the first line of its run
  std::vector<LineEnd> ends_;           // of all lines, run by run, ascending
  std::vector<GameIndex> examples_;     // a game of each line
  std::vector<RelatedLine> lines_;
  std::vector<RelatedGame> related_;
  std::vector<std::uint32_t> sizes_;
};

// A counter of annotations, for one thread.
class NotesReader {
 public:
  NotesReader(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : records(database, check, budget), database_(&database) {}

  GameRecords records;

  // Follows the moves only of games that may be damaged: their marks may lie behind the damage.
  codec::scid::NoteCounts count(GameIndex game, Bytes record, const RecordHead& head) {
    if (database_->sizes().is_whole(game)) return codec::scid::count_notes(record, head);
    const codec::scid::GameFacts facts = facts_of(walker_, record, head);
    return {.variations = facts.variations, .comments = facts.comments, .nags = facts.nags};
  }

 private:
  const Database* database_;
  codec::scid::Walker walker_;
};

std::uint16_t count_of(std::uint32_t notes) {
  return static_cast<std::uint16_t>(
      std::min<std::uint32_t>(notes, std::numeric_limits<std::uint16_t>::max()));
}

// Counts the annotations of the games.
absl::Status count_annotations(const GameNumbers& numbers, const WorkBudget& budget,
                               std::span<Double> games) {
  std::vector<std::uint32_t> order(games.size());
  std::iota(order.begin(), order.end(), 0U);
  RETURN_IF_ERROR(sort_while_wanted(
      std::span(order), budget,
      [&](std::uint32_t a, std::uint32_t b) { return games[a].game < games[b].game; }));
  return for_each_numbered_record<NotesReader>(
      numbers, games.size(), [&](std::size_t i) { return games[order[i]].game; }, budget,
      [&](NotesReader& reader, std::size_t i, GameIndex own, Bytes record, const RecordHead& head) {
        const codec::scid::NoteCounts notes = reader.count(own, record, head);
        Double& game = games[order[i]];
        game.comments = count_of(notes.comments);
        game.variations = count_of(notes.variations);
        game.nags = count_of(notes.nags);
      });
}

// Chooses the kept game: of the longest the one with most annotations, of these the first.
void choose(std::span<Double> group) {
  const auto place = [](const Double& game) {
    return std::tuple(~game.plies, -(game.comments + game.variations + game.nags), game.game);
  };
  Double& kept = *std::ranges::min_element(group, {}, place);
  kept.is_kept = true;
  for (Double& game : group) game.is_longest = game.plies == kept.plies;
}

}  // namespace

Doubles::Doubles(GameNumbers numbers, std::vector<Double> games, std::vector<std::uint32_t> begins)
    : numbers_(std::move(numbers)),
      games_(std::move(games)),
      begins_(std::move(begins)),
      left_out_(numbers_.parts()) {
  std::vector<GameIndex> spare;
  for (const Double& game : games_) {
    if (!game.is_kept) spare.push_back(game.game);
  }
  std::ranges::sort(spare);
  auto next = spare.begin();
  for (std::uint32_t part = 0; part < numbers_.parts(); ++part) {
    const Database& database = *numbers_.part(part);
    const GameList shown = database.shown();
    const auto add_before = [&](GameIndex end) {
      for (; next != spare.end(); ++next) {
        const GameOfPart game = numbers_.at(*next);
        if (game >= GameOfPart{.part = part, .game = end}) return;
        left_out_[part].add(game.game);
      }
    };
    shown.for_each_left_out([&](GameIndex game) {
      add_before(game);
      left_out_[part].add(game);
    });
    add_before(database.games());
  }
}

absl::StatusOr<std::shared_ptr<const Doubles>> Doubles::find(const CommonPlayersPtr& players,
                                                             const WorkBudget& budget) {
  GameNumbers numbers(players->databases());
  if (numbers.size() > kNoGame) return absl::UnimplementedError("too many games for doubles");
  for (const DatabasePtr& database : players->databases()) {
    RETURN_IF_ERROR(begin_decoding(*database, database->shown(), budget));
  }
  // See DoubleCandidates; of a game, what PartSearch has of it.
  constexpr std::size_t kOfSearch = std::size_t{32} << 20;
  constexpr std::size_t kOfGame = 2 * sizeof(Decoded) + sizeof(Grouped) + sizeof(Double);
  MemoryClaim memory(budget);
  RETURN_IF_ERROR(memory.grow_to(
      kOfSearch + kOfGame * std::min<std::size_t>(numbers.size(), DoubleCandidates::kGamesOfPart)));
  ASSIGN_OR_RETURN(const PlayerIdentities identities, PlayerIdentities::find(players, budget));
  ASSIGN_OR_RETURN(const DoubleCandidates candidates,
                   DoubleCandidates::find(numbers, identities, budget));
  std::vector<Grouped> found;
  std::uint32_t groups = 0;
  for (std::size_t part = 0; part < candidates.parts(); ++part) {
    ASSIGN_OR_RETURN(std::vector<DoubleCandidate> of_part, candidates.part(part, budget));
    RETURN_IF_ERROR(PartSearch(numbers, budget).run(std::move(of_part), groups, found));
  }

  // Sorts the groups by their first games.
  std::vector<GameIndex> first(groups, kNoGame);
  for (const Grouped& game : found) first[game.group] = std::min(first[game.group], game.game);
  RETURN_IF_ERROR(
      sort_while_wanted(std::span(found), budget, [&](const Grouped& a, const Grouped& b) {
        return std::pair(first[a.group], a.game) < std::pair(first[b.group], b.game);
      }));
  std::vector<Double> games;
  games.reserve(found.size());
  std::vector<std::uint32_t> begins;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 0 || found[i].group != found[i - 1].group) {
      begins.push_back(static_cast<std::uint32_t>(i));
    }
    games.push_back({.game = found[i].game, .other = found[i].other, .plies = found[i].plies});
  }
  begins.push_back(static_cast<std::uint32_t>(games.size()));
  std::vector<Grouped>().swap(found);
  RETURN_IF_ERROR(count_annotations(numbers, budget, games));
  StepWatch watch(budget, kRunsOfLook);
  for (std::size_t group = 0; group + 1 < begins.size(); ++group) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    choose(std::span(games).subspan(begins[group], begins[group + 1] - begins[group]));
  }
  return std::shared_ptr<const Doubles>(
      new Doubles(std::move(numbers), std::move(games), std::move(begins)));
}

std::size_t Doubles::group_of(std::size_t i) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(begins_, i) - begins_.begin()) - 1;
}

std::size_t Doubles::memory() const {
  std::size_t bytes = sizeof *this + games_.capacity() * sizeof(games_[0]) +
                      begins_.capacity() * sizeof(begins_[0]);
  for (const DeltaList& of_part : left_out_) bytes += sizeof of_part + of_part.bytes().size();
  return bytes;
}

}  // namespace scidfs::fs
