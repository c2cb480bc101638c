#include "fs/database/people.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "fs/base/parallel.h"
#include "fs/database/game_lists.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

// The number of names that a thread looks up at once.
constexpr std::uint32_t kNamesOfTask = 1U << 12;
// A worker that goes through fewer blocks costs more than it saves.
constexpr std::size_t kBlocksOfWorker = 256;

bool is_somebody(const Spelling::Found& found) {
  return found.kind == Spelling::Found::Kind::Person ||
         found.kind == Spelling::Found::Kind::Namesakes;
}

}  // namespace

PlayerOfGame player_of(const codec::scid::GameEntry& entry, codec::Color color) {
  const bool is_white = color == codec::Color::White;
  return {.player = is_white ? entry.white : entry.black,
          .date = codec::pack_date(entry.date),
          .elo = (is_white ? entry.white_rating : entry.black_rating).elo()};
}

PlayerOfGame player_of(const PackedIndex& index, GameIndex game, codec::Color color) {
  const bool is_white = color == codec::Color::White;
  return {.player = index.value(game, is_white ? Column::White : Column::Black),
          .date = index.value(game, Column::Date),
          .elo = PackedIndex::elo_of(
              index.value(game, is_white ? Column::WhiteRating : Column::BlackRating))};
}

People::People(const LoadedIndex& index, const codec::scid::NameTable& players,
               std::shared_ptr<const Spelling> spelling, Evidence evidence)
    : spelling_(std::move(spelling)), evidence_(evidence), place_of_(players.size(), kNobody) {
  const std::vector<Found> found = look_up(players);
  std::vector<std::uint32_t> exact;
  for (const Found& one : found) {
    exact.insert(exact.end(), one.candidates.begin(), one.candidates.end());
  }
  set_persons(std::move(exact));
  std::vector<std::vector<std::uint32_t>> fitting(players.size());
  group_players(found, fitting);
  if (evidence_ == Evidence::AgeAndElo) {
    std::vector<std::uint32_t> persons = persons_;
    for (const std::uint32_t player : find_contradicted(index)) {
      fitting[player] = spelling_->find_fitting(players.text(player));
      persons.insert(persons.end(), fitting[player].begin(), fitting[player].end());
    }
    if (persons.size() != persons_.size()) {
      set_persons(std::move(persons));
      group_players(found, fitting);
    }
  }
  list_games(index);
  list_spellings(index, found);
}

// Sets the persons, and their facts.
void People::set_persons(std::vector<std::uint32_t> persons) {
  std::ranges::sort(persons);
  persons.erase(std::unique(persons.begin(), persons.end()), persons.end());
  persons_.assign(persons.begin(), persons.end());
  facts_.clear();
  facts_.reserve(persons_.size());
  for (const std::uint32_t person : persons_) facts_.push_back(facts_of(person));
}

People::Facts People::facts_of(std::uint32_t person) const {
  const SpellingIndex::Person of = spelling_->person(person);
  Facts facts{.first = codec::pack_date(of.born),
              .last = codec::last_day_of(codec::pack_date(of.died))};
  if (evidence_ == Evidence::Lifetime) return facts;
  if (of.born.year != 0) facts.first += kLeastAge << codec::kYearShift;
  if (of.best != 0) facts.first_elo_too_high = of.best + kTooStrong;
  return facts;
}

// Sets what each player's name means, by the persons of exactly this name and those whom it fits.
void People::group_players(std::span<const Found> found,
                           std::span<const std::vector<std::uint32_t>> fitting) {
  groups_.clear();
  for (std::uint32_t player = 0; player < found.size(); ++player) {
    if (found[player].candidates.empty()) continue;
    Group group;
    for (const std::uint32_t person : found[player].candidates) {
      group.exact.push_back(*find(person));
    }
    for (const std::uint32_t person : fitting[player]) {
      const std::uint32_t place = *find(person);
      if (!std::ranges::binary_search(group.exact, place)) group.fitting.push_back(place);
    }
    if (group.exact.size() == 1 && group.fitting.empty()) {
      place_of_[player] = group.exact.front();
    } else {
      place_of_[player] = kGroups + static_cast<std::uint32_t>(groups_.size());
      groups_.push_back(std::move(group));
    }
  }
}

// Returns the result for each player; nothing for those who certainly are no known person.
std::vector<Spelling::Found> People::look_up(const codec::scid::NameTable& players) const {
  std::vector<Found> found(players.size());
  const std::size_t tasks = (found.size() + kNamesOfTask - 1) / kNamesOfTask;
  run_parallel(tasks, thread_count(0, tasks), [&](std::size_t task) {
    const auto first = static_cast<std::uint32_t>(task * kNamesOfTask);
    for (std::uint32_t id = first; id < std::min(first + kNamesOfTask, players.size()); ++id) {
      if (!players.contains(id)) continue;
      Found one = spelling_->find_player(players.text(id));
      if (is_somebody(one)) found[id] = std::move(one);
    }
  });
  return found;
}

// Returns the players who have persons of exactly their names, but in some game, deleted or not,
// are none of them, ascending.
std::vector<std::uint32_t> People::find_contradicted(const LoadedIndex& index) const {
  const PackedIndex& packed = index.packed();
  const std::size_t blocks = (index.games() + PackedIndex::kBlock - 1) / PackedIndex::kBlock;
  const unsigned workers = thread_count(0, blocks / kBlocksOfWorker + 1);
  std::vector<std::vector<bool>> found(workers, std::vector<bool>(players()));
  run_parallel(workers, workers, [&](std::size_t worker) {
    PackedIndex::Values names, dates, ratings;
    const std::size_t end = blocks * (worker + 1) / workers;
    for (std::size_t block = blocks * worker / workers; block < end; ++block) {
      const std::size_t first = block * PackedIndex::kBlock;
      const std::size_t count = std::min<std::size_t>(PackedIndex::kBlock, index.games() - first);
      packed.values(block, Column::Date, dates);
      for (const auto& [name, rating] : {std::pair(Column::White, Column::WhiteRating),
                                         std::pair(Column::Black, Column::BlackRating)}) {
        packed.values(block, name, names);
        packed.values(block, rating, ratings);
        for (std::size_t i = 0; i < count; ++i) {
          if (names[i] >= players() || place_of_[names[i]] == kNobody) continue;
          const PlayerOfGame in{names[i], dates[i], PackedIndex::elo_of(ratings[i])};
          if (place_of(in) == kNobody) found[worker][names[i]] = true;
        }
      }
    }
  });
  std::vector<std::uint32_t> contradicted;
  for (std::uint32_t player = 0; player < players(); ++player) {
    if (std::ranges::any_of(found, [player](const auto& some) { return some[player]; })) {
      contradicted.push_back(player);
    }
  }
  return contradicted;
}

// Lists the players who are a person: all of exactly this name, and those whose name only fits if
// some game is of this person.
void People::list_spellings(const LoadedIndex& index, std::span<const Found> found) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // place, player
  for (std::uint32_t player = 0; player < found.size(); ++player) {
    for (const std::uint32_t person : found[player].candidates) {
      pairs.emplace_back(*find(person), player);
    }
  }
  absl::flat_hash_set<std::uint32_t> fitting;  // places
  for (const Group& group : groups_) fitting.insert(group.fitting.begin(), group.fitting.end());
  for (const std::uint32_t place : fitting) {
    absl::flat_hash_set<std::uint32_t> names;
    for (const auto& [tag, column] : {std::pair(GameLists::kWhiteTag, Column::White),
                                      std::pair(GameLists::kBlackTag, Column::Black)}) {
      GameList::Cursor games = games_.games(place, tag).begin();
      for (GameIndex game = games.next(); game != kNoGame; game = games.next()) {
        names.insert(index.packed().value(game, column));
      }
    }
    for (const std::uint32_t player : names) pairs.emplace_back(place, player);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  spelling_ends_.resize(persons_.size());
  spellings_.reserve(pairs.size());
  for (const auto& [place, player] : pairs) {
    spellings_.push_back(player);
    ++spelling_ends_[place];
  }
  std::partial_sum(spelling_ends_.begin(), spelling_ends_.end(), spelling_ends_.begin());
}

void People::list_games(const LoadedIndex& index) {
  constexpr unsigned kColorBits = 1;
  games_ = Postings(static_cast<std::uint32_t>(persons_.size()), kColorBits, index.games(),
                    [&](GameIndex first, GameIndex last, const auto& put) {
                      index.for_each_shown(
                          first, last,
                          std::array{Column::White, Column::Black, Column::Date,
                                     Column::WhiteRating, Column::BlackRating},
                          [&](GameIndex game, const auto& row) {
                            const auto place = [&](std::uint32_t player, std::uint32_t rating) {
                              return place_of({player, row[2], PackedIndex::elo_of(rating)});
                            };
                            put(place(row[0], row[3]), game, GameLists::kWhiteTag);
                            put(place(row[1], row[4]), game, GameLists::kBlackTag);
                          });
                    });
  std::vector<std::uint32_t> shown;
  for (std::uint32_t place = 0; place < persons_.size(); ++place) {
    if (!games_.games(place).empty()) shown.push_back(persons_[place]);
  }
  set_ = NamedSet(shown, naming_by_shard([spelling = spelling_](std::uint32_t person) {
                    return spelling->person(person).name;
                  }));
}

People::Possible People::possible(std::span<const std::uint32_t> places,
                                  const PlayerOfGame& in) const {
  Possible possible;
  for (const std::uint32_t place : places) {
    if (facts_[place].against(in).has_value()) continue;
    possible.only = possible.count++ == 0 ? place : kNobody;
  }
  return possible;
}

std::uint32_t People::place_in(const Group& group, const PlayerOfGame& in) const {
  const Possible exact = possible(group.exact, in);
  if (exact.count != 0) return exact.only;
  // A game after a person's death says nothing about others.
  const bool is_after_death = std::ranges::any_of(group.exact, [&](std::uint32_t place) {
    return facts_[place].against(in) == Against::Lifetime;
  });
  return is_after_death ? kNobody : possible(group.fitting, in).only;
}

People::Against People::against(const PlayerOfGame& in) const {
  assert(place_of_[in.player] != kNobody && place_of(in) == kNobody);
  const std::uint32_t place = place_of_[in.player];
  const std::span<const std::uint32_t> exact =
      place < kGroups ? std::span(&place, 1) : std::span(groups_[place - kGroups].exact);
  if (possible(exact, in).count > 1) return Against::Namesakes;
  if (evidence_ == Evidence::Lifetime) return Against::Lifetime;
  return facts_[exact.front()].against(in).value_or(Against::Namesakes);
}

std::optional<std::uint32_t> People::find(std::uint32_t person) const {
  const auto found = std::ranges::lower_bound(persons_, person);
  if (found == persons_.end() || *found != person) return std::nullopt;
  return static_cast<std::uint32_t>(found - persons_.begin());
}

std::span<const std::uint32_t> People::spellings(std::uint32_t person) const {
  const std::optional<std::uint32_t> place = find(person);
  if (!place.has_value()) return {};
  const std::uint32_t begin = *place == 0 ? 0 : spelling_ends_[*place - 1];
  return std::span(spellings_).subspan(begin, spelling_ends_[*place] - begin);
}

GameList People::games(std::uint32_t person, std::optional<unsigned> tag) const {
  const std::optional<std::uint32_t> place = find(person);
  return place.has_value() ? games_.games(*place, tag) : GameList();
}

std::size_t People::memory() const {
  std::size_t bytes = (place_of_.capacity() + persons_.capacity() + spellings_.capacity() +
                       spelling_ends_.capacity()) *
                          sizeof(std::uint32_t) +
                      facts_.capacity() * sizeof(Facts) + groups_.capacity() * sizeof(Group) +
                      games_.memory() + set_.memory();
  for (const Group& group : groups_) {
    bytes += (group.exact.capacity() + group.fitting.capacity()) * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace scidfs::fs
