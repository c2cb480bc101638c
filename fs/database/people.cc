#include "fs/database/people.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "fs/base/filename.h"
#include "fs/base/parallel.h"
#include "fs/database/game_lists.h"
#include "fs/database/group_names.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

// The number of names that a thread looks up at once.
constexpr std::uint32_t kNamesOfTask = 1U << 12;

// Returns the last possible day of a partly known date: of a year, or of a month.
std::uint32_t last_day_of(codec::Date date) {
  constexpr std::uint8_t kLastMonth = 15;  // the greatest that an index has room for
  constexpr std::uint8_t kLastDay = 31;
  if (date.month == 0) date.month = kLastMonth;
  if (date.day == 0) date.day = kLastDay;
  return codec::pack_date(date);
}

}  // namespace

People::People(const LoadedIndex& index, const codec::scid::NameTable& players,
               std::shared_ptr<const Spelling> spelling)
    : spelling_(std::move(spelling)), place_of_(players.size(), kNobody) {
  const std::vector<Found> found = look_up(players);
  for (const Found& one : found) {
    if (!is_somebody(one)) continue;
    persons_.insert(persons_.end(), one.candidates.begin(), one.candidates.end());
  }
  std::ranges::sort(persons_);
  persons_.erase(std::unique(persons_.begin(), persons_.end()), persons_.end());
  persons_.shrink_to_fit();
  for (const std::uint32_t person : persons_) {
    const SpellingIndex::Person of = spelling_->person(person);
    lifetimes_.push_back({.first = codec::pack_date(of.born),
                          .last = of.died.year == 0 ? std::numeric_limits<std::uint32_t>::max()
                                                    : last_day_of(of.died)});
  }
  for (std::uint32_t player = 0; player < found.size(); ++player) {
    if (!is_somebody(found[player])) continue;
    std::vector<std::uint32_t> places;
    for (const std::uint32_t person : found[player].candidates) places.push_back(*find(person));
    if (places.size() == 1) {
      place_of_[player] = places.front();
    } else {
      place_of_[player] = kNamesakes + static_cast<std::uint32_t>(namesakes_.size());
      namesakes_.push_back(std::move(places));
    }
  }
  list_spellings(found);
  list_games(index);
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

void People::list_spellings(std::span<const Found> found) {
  spelling_ends_.resize(persons_.size() + 1);
  for (const Found& one : found) {
    for (const std::uint32_t person : one.candidates) ++spelling_ends_[*find(person) + 1];
  }
  std::partial_sum(spelling_ends_.begin(), spelling_ends_.end(), spelling_ends_.begin());
  spellings_.resize(spelling_ends_.back());
  for (std::uint32_t player = 0; player < found.size(); ++player) {
    for (const std::uint32_t person : found[player].candidates) {
      spellings_[spelling_ends_[*find(person)]++] = player;
    }
  }
  // Each begins where the one before it ends.
  spelling_ends_.pop_back();
}

void People::list_games(const LoadedIndex& index) {
  constexpr unsigned kColorBits = 1;
  games_ = Postings(static_cast<std::uint32_t>(persons_.size()), kColorBits, index.games(),
                    [&](GameIndex first, GameIndex last, const auto& put) {
                      index.for_each_shown(
                          first, last, std::array{Column::White, Column::Black, Column::Date},
                          [&](GameIndex game, const auto& row) {
                            put(place_of(row[0], row[2]), game, GameLists::kWhiteTag);
                            put(place_of(row[1], row[2]), game, GameLists::kBlackTag);
                          });
                    });
  std::vector<std::uint32_t> shown;
  for (std::uint32_t place = 0; place < persons_.size(); ++place) {
    if (!games_.games(place).empty()) shown.push_back(persons_[place]);
  }
  set_ = NamedSet(
      shown,
      [spelling = spelling_](std::uint32_t person, std::string& out) {
        append_escaped(spelling->person(person).name, out);
      },
      [](std::uint32_t, std::string_view name) { return shard_key(shard_of(name)); });
}

std::uint32_t People::place_of_namesake(std::uint32_t group, std::uint32_t date) const {
  std::uint32_t found = kNobody;
  for (const std::uint32_t place : namesakes_[group]) {
    if (!lifetimes_[place].contains(date)) continue;
    if (found != kNobody) return kNobody;
    found = place;
  }
  return found;
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
                      lifetimes_.capacity() * sizeof(Lifetime) + games_.memory() + set_.memory();
  for (const auto& group : namesakes_) {
    bytes += sizeof(std::vector<std::uint32_t>) + group.capacity() * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace scidfs::fs
