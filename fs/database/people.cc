#include "fs/database/people.h"

#include <algorithm>
#include <array>
#include <cassert>
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

using Found = Spelling::Found;

bool is_somebody(const Found& found) {
  return found.kind == Found::Kind::Person || found.kind == Found::Kind::Namesakes;
}

People::Reason::Of reason_of(std::optional<Against> against) {
  using Of = People::Reason::Of;
  switch (against.value_or(Against::Lifetime)) {
    case Against::Age:
      return Of::Age;
    case Against::Rating:
      return Of::Rating;
    default:
      return Of::Lifetime;
  }
}

NameInEvent name_in_event(const PlayerOfGame& in) {
  return {.player = in.player, .event = in.event, .year = in.date >> codec::kYearShift};
}

// What is known of both sides of a game.
constexpr std::array kColumnsOfSides = {Column::White,       Column::Black,       Column::Date,
                                        Column::WhiteRating, Column::BlackRating, Column::Event};
using RowOfSides = std::array<std::uint32_t, kColumnsOfSides.size()>;

PlayerOfGame side_of(GameIndex game, const RowOfSides& row, codec::Color color) {
  const bool is_white = color == codec::Color::White;
  return {.player = row[is_white ? 0 : 1],
          .date = row[2],
          .elo = PackedIndex::elo_of(row[is_white ? 3 : 4]),
          .event = row[5],
          .game = game,
          .color = color};
}

}  // namespace

PlayerOfGame player_of(const codec::scid::GameEntry& entry, GameIndex game, codec::Color color) {
  const bool is_white = color == codec::Color::White;
  return {.player = is_white ? entry.white : entry.black,
          .date = codec::pack_date(entry.date),
          .elo = (is_white ? entry.white_rating : entry.black_rating).elo(),
          .event = entry.event,
          .game = game,
          .color = color};
}

PlayerOfGame player_of(const PackedIndex& index, GameIndex game, codec::Color color) {
  const bool is_white = color == codec::Color::White;
  return {.player = index.value(game, is_white ? Column::White : Column::Black),
          .date = index.value(game, Column::Date),
          .elo = PackedIndex::elo_of(
              index.value(game, is_white ? Column::WhiteRating : Column::BlackRating)),
          .event = index.value(game, Column::Event),
          .game = game,
          .color = color};
}

People::People(const LoadedIndex& index, const codec::scid::NameTable& players,
               std::shared_ptr<const Spelling> spelling, Evidence evidence,
               std::shared_ptr<const GameIds> ids)
    : spelling_(std::move(spelling)),
      evidence_(evidence),
      ids_(std::move(ids)),
      place_of_(players.size(), kNobody) {
  std::vector<std::uint32_t> persons_of_ids;
  if (ids_ != nullptr) persons_of_ids = spelling_->find_fide_ids(ids_->ids());
  std::vector<Name> names(players.size());
  look_up(players, names);
  set_table(names, persons_of_ids);
  group_players(names);
  std::vector<Claim> claims;
  if (evidence_ == Evidence::AgeAndElo) {
    const std::vector<std::uint32_t> contradicted = find_contradicted(index);
    for (const std::uint32_t player : contradicted) {
      names[player].fitting = spelling_->find_fitting(players.text(player));
    }
    if (!contradicted.empty()) {
      set_table(names, persons_of_ids);
      group_players(names);
    }
    claims = find_claims(index);
    disputed_ = find_disputed(claims);
  }
  list_games(index);
  list_spellings(names, claims, find_named_by_id(index));
}

// Returns what the file says about a name, or else the list; nothing for one that certainly is of
// no known person.
People::Name People::name_of(std::string_view text) const {
  Name name;
  Found found = spelling_->find_player(text);
  if (evidence_ == Evidence::AgeAndElo) {
    name.meant = spelling_->find_meant(text, found);
    if (found.kind == Found::Kind::Nobody) {
      name.meant = {.persons = spelling_->find_listed(text), .are_namesakes = true};
      name.is_listed = !name.meant.persons.empty();
    }
    // Only one of those whose names begin so has this surname.
    if (name.meant.persons.size() == 1) {
      found = {.kind = Found::Kind::Person, .candidates = name.meant.persons};
    }
  }
  if (is_somebody(found)) name.found = std::move(found);
  return name;
}

// Finds what is known about each name.
void People::look_up(const codec::scid::NameTable& players, std::span<Name> names) const {
  const std::size_t tasks = (names.size() + kNamesOfTask - 1) / kNamesOfTask;
  run_parallel(tasks, thread_count(0, tasks), [&](std::size_t task) {
    const auto first = static_cast<std::uint32_t>(task * kNamesOfTask);
    for (std::uint32_t id = first; id < std::min(first + kNamesOfTask, players.size()); ++id) {
      if (players.contains(id)) names[id] = name_of(players.text(id));
    }
  });
}

// Sets the table of all whom names or ids can mean, and who the ids are.
void People::set_table(std::span<const Name> names, std::span<const std::uint32_t> persons_of_ids) {
  std::vector<std::uint32_t> persons(persons_of_ids.begin(), persons_of_ids.end());
  std::erase(persons, kNobody);
  const bool are_ids_known = !persons.empty();
  for (const Name& name : names) {
    for (const auto* const some : {&name.found.candidates, &name.meant.persons, &name.fitting}) {
      persons.insert(persons.end(), some->begin(), some->end());
    }
  }
  table_ = PersonTable(*spelling_, std::move(persons), evidence_);
  place_of_id_.clear();
  if (!are_ids_known) return;
  for (const std::uint32_t person : persons_of_ids) {
    place_of_id_.push_back(person == kNobody ? kNobody : table_.place(person));
  }
}

// Sets what each player's name means.
void People::group_players(std::span<const Name> names) {
  groups_.clear();
  for (std::uint32_t player = 0; player < names.size(); ++player) {
    Group group = group_of(names[player]);
    if (group.exact.size() == 1 && group.candidates.places.empty()) {
      place_of_[player] = group.exact.front() + (names[player].is_listed ? kListed : 0);
    } else if (!group.exact.empty() || !group.candidates.places.empty()) {
      place_of_[player] = kGroups + static_cast<std::uint32_t>(groups_.size());
      groups_.push_back(std::move(group));
    }
  }
}

People::Group People::group_of(const Name& name) const {
  Group group;
  const auto add = [this](std::span<const std::uint32_t> persons, std::vector<std::uint32_t>& to) {
    for (const std::uint32_t person : persons) to.push_back(table_.place(person));
  };
  if (name.meant.persons.size() > 1) {
    add(name.meant.persons, group.candidates.places);
    group.candidates.are_namesakes = name.meant.are_namesakes;
    if (name.meant.named != kNobody) group.candidates.named = table_.place(name.meant.named);
    return group;
  }
  add(name.found.candidates, group.exact);
  add(name.fitting, group.candidates.places);
  std::erase_if(group.candidates.places, [&group](std::uint32_t place) {
    return std::ranges::find(group.exact, place) != group.exact.end();
  });
  return group;
}

// Returns the players who have one person of exactly their name, but in some game, deleted or not,
// are another or none, ascending.
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
      for (const codec::Color color : {codec::Color::White, codec::Color::Black}) {
        const bool is_white = color == codec::Color::White;
        packed.values(block, is_white ? Column::White : Column::Black, names);
        packed.values(block, is_white ? Column::WhiteRating : Column::BlackRating, ratings);
        for (std::size_t i = 0; i < count; ++i) {
          if (names[i] >= players() || place_of_[names[i]] >= kListed) continue;
          const PlayerOfGame in{.player = names[i],
                                .date = dates[i],
                                .elo = PackedIndex::elo_of(ratings[i]),
                                .game = static_cast<GameIndex>(first + i),
                                .color = color};
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

// Returns which shown games of players who can be several persons are whose, by event.
std::vector<Claim> People::find_claims(const LoadedIndex& index) const {
  const std::size_t blocks = (index.games() + PackedIndex::kBlock - 1) / PackedIndex::kBlock;
  const unsigned workers = thread_count(0, blocks / kBlocksOfWorker + 1);
  std::vector<Claims> claims(workers);
  run_parallel(workers, workers, [&](std::size_t worker) {
    const auto add = [&](const PlayerOfGame& in) {
      if (in.player >= players()) return;
      const std::uint32_t place = place_of_[in.player];
      if (place < kGroups || place == kNobody) return;
      const std::uint32_t place_by_id = this->place_by_id(in);
      const Decision is = place_by_id != kNobody ? Decision{.place = place_by_id}
                                                 : decide(groups_[place - kGroups], in.facts());
      if (is.place == kNobody) return;
      claims[worker].add({.in = name_in_event(in), .place = is.place, .is_weak = is.is_weak});
    };
    const auto game_at = [&](std::size_t block) {
      return static_cast<GameIndex>(
          std::min<std::size_t>(block * PackedIndex::kBlock, index.games()));
    };
    index.for_each_shown(game_at(blocks * worker / workers),
                         game_at(blocks * (worker + 1) / workers), kColumnsOfSides,
                         [&](GameIndex game, const auto& row) {
                           add(side_of(game, row, codec::Color::White));
                           add(side_of(game, row, codec::Color::Black));
                         });
  });
  return Claims::joined(claims);
}

// Lists the players who are a person: all of exactly this name, those whose name can mean the
// person if some game is theirs, and those who are the person by an id.
void People::list_spellings(std::span<const Name> names, std::span<const Claim> claims,
                            std::span<const PlaceAndPlayer> named_by_id) {
  std::vector<PlaceAndPlayer> pairs(named_by_id.begin(), named_by_id.end());
  for (std::uint32_t player = 0; player < names.size(); ++player) {
    for (const std::uint32_t person : names[player].found.candidates) {
      pairs.emplace_back(table_.place(person), player);
    }
  }
  for (const Claim& claim : claims) {
    if (claim.is_weak && disputed_.contains(claim.in)) continue;
    pairs.emplace_back(claim.place, claim.in.player);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  spelling_ends_.resize(table_.size());
  spellings_.reserve(pairs.size());
  for (const auto& [place, player] : pairs) {
    spellings_.push_back(player);
    ++spelling_ends_[place];
  }
  std::partial_sum(spelling_ends_.begin(), spelling_ends_.end(), spelling_ends_.begin());
}

void People::list_games(const LoadedIndex& index) {
  constexpr unsigned kColorBits = 1;
  games_ = Postings(
      table_.size(), kColorBits, index.games(),
      [&](GameIndex first, GameIndex last, const auto& put) {
        index.for_each_shown(first, last, kColumnsOfSides, [&](GameIndex game, const auto& row) {
          put(place_of(side_of(game, row, codec::Color::White)), game, GameLists::kWhiteTag);
          put(place_of(side_of(game, row, codec::Color::Black)), game, GameLists::kBlackTag);
        });
      });
  std::vector<std::uint32_t> shown;
  for (std::uint32_t place = 0; place < table_.size(); ++place) {
    if (!games_.games(place).empty()) shown.push_back(persons()[place]);
  }
  set_ = NamedSet(shown, naming_by_shard([spelling = spelling_](std::uint32_t person) {
                    return spelling->person(person).name;
                  }));
}

std::optional<Against> People::against_listed(std::uint32_t place, const SideFacts& game) const {
  const PersonFacts& person = table_.facts()[place];
  if (const auto against = person.against(game)) return against;
  // The list tells no highest rating, but that of its time.
  if (game.elo != 0 && fit_of(person, game) == Fit::Out) return Against::Rating;
  return std::nullopt;
}

People::Possible People::possible(std::span<const std::uint32_t> places,
                                  const SideFacts& game) const {
  Possible possible;
  for (const std::uint32_t place : places) {
    if (table_.facts()[place].against(game).has_value()) continue;
    possible.only = possible.count++ == 0 ? place : kNobody;
  }
  return possible;
}

People::Decision People::decide(const Group& group, const SideFacts& game) const {
  if (!group.exact.empty()) {
    const Possible exact = possible(group.exact, game);
    if (exact.count != 0) return {.place = exact.only};
    // A game after a person's death says nothing about others.
    const bool is_after_death = std::ranges::any_of(group.exact, [&](std::uint32_t place) {
      return table_.facts()[place].against(game) == Against::Lifetime;
    });
    if (is_after_death) return {};
    const Possible other = possible(group.candidates.places, game);
    if (other.count == 1) return {.place = other.only};
  }
  return {.place = verdict(table_.facts(), group.candidates, game).place, .is_weak = game.elo == 0};
}

std::uint32_t People::place_in(const Group& group, const PlayerOfGame& in) const {
  const Decision is = decide(group, in.facts());
  return is.is_weak && disputed_.contains(name_in_event(in)) ? kNobody : is.place;
}

People::Reason People::reason(const PlayerOfGame& in) const {
  assert(place_of(in) == kNobody);
  using Of = Reason::Of;
  const std::uint32_t place = in.player < players() ? place_of_[in.player] : kNobody;
  if (place == kNobody) return {.of = Of::Name};
  const SideFacts game = in.facts();
  if (place >= kListed && place < kGroups) {
    return {.of = reason_of(against_listed(place - kListed, game))};
  }
  const Group* const group = place < kGroups ? nullptr : &groups_[place - kGroups];
  if (group == nullptr || !group->exact.empty()) {
    const std::span<const std::uint32_t> exact =
        group == nullptr ? std::span(&place, 1) : std::span(group->exact);
    if (possible(exact, game).count > 1) return {.of = Of::Namesakes};
    if (evidence_ == Evidence::Lifetime) return {.of = Of::Lifetime};
    return {.of = reason_of(table_.facts()[exact.front()].against(game))};
  }
  if (game.elo == 0) {
    return {.of = decide(*group, game).place == kNobody ? Of::NoElo : Of::Event};
  }
  const PersonVerdict is = verdict(table_.facts(), group->candidates, game);
  return {.of = Of::Candidates, .near = is.near, .unknown = is.unknown};
}

void People::append_near(const PlayerOfGame& in, std::vector<std::uint32_t>& persons) const {
  const std::uint32_t place = in.player < players() ? place_of_[in.player] : kNobody;
  if (place < kGroups || place == kNobody || in.elo == 0) return;
  for (const std::uint32_t candidate : groups_[place - kGroups].candidates.places) {
    if (fit_of(table_.facts()[candidate], in.facts()) != Fit::Near) continue;
    persons.push_back(table_.persons()[candidate]);
  }
}

bool People::can_mean(std::uint32_t player, std::uint32_t person) const {
  const std::uint32_t place = place_of_[player];
  if (place == kNobody) return true;
  const std::uint32_t own = table_.place(person);
  if (place < kGroups) return (place & ~kListed) == own;
  const Group& group = groups_[place - kGroups];
  return std::ranges::count(group.exact, own) != 0 ||
         std::ranges::count(group.candidates.places, own) != 0;
}

std::span<const std::uint32_t> People::spellings(std::uint32_t person) const {
  const std::optional<std::uint32_t> place = table_.find(person);
  if (!place.has_value()) return {};
  const std::uint32_t begin = *place == 0 ? 0 : spelling_ends_[*place - 1];
  return std::span(spellings_).subspan(begin, spelling_ends_[*place] - begin);
}

GameList People::games(std::uint32_t person, std::optional<unsigned> tag) const {
  const std::optional<std::uint32_t> place = table_.find(person);
  return place.has_value() ? games_.games(*place, tag) : GameList();
}

std::size_t People::memory() const {
  std::size_t bytes = (place_of_.capacity() + spellings_.capacity() + spelling_ends_.capacity()) *
                          sizeof(std::uint32_t) +
                      place_of_id_.capacity() * sizeof(std::uint32_t) + table_.memory() +
                      groups_.capacity() * sizeof(Group) +
                      disputed_.capacity() * sizeof(NameInEvent) + games_.memory() + set_.memory();
  for (const Group& group : groups_) {
    bytes += (group.exact.capacity() + group.candidates.places.capacity()) * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace scidfs::fs
