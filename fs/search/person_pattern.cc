#include "fs/search/person_pattern.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fs/search/name_filters.h"

namespace scidfs::fs {
namespace {

using codec::Color;

// What tells the persons of the games of a block.
class SidesOfBlock {
 public:
  // Reads no more than `colors` need; nothing: both.
  SidesOfBlock(const PackedIndex& index, std::size_t block, std::optional<Color> colors)
      : first_(static_cast<GameIndex>(block * PackedIndex::kBlock)) {
    using Column = PackedIndex::Column;
    index.values(block, Column::Date, dates_);
    index.values(block, Column::Event, events_);
    if (colors != Color::Black) {
      index.values(block, Column::White, white_.players);
      index.values(block, Column::WhiteRating, white_.ratings);
    }
    if (colors != Color::White) {
      index.values(block, Column::Black, black_.players);
      index.values(block, Column::BlackRating, black_.ratings);
    }
  }

  PlayerOfGame player(std::size_t i, Color color) const {
    const Side& side = color == Color::White ? white_ : black_;
    return {.player = side.players[i],
            .date = dates_[i],
            .elo = PackedIndex::elo_of(side.ratings[i]),
            .event = events_[i],
            .game = first_ + static_cast<GameIndex>(i),
            .color = color};
  }

 private:
  struct Side {
    PackedIndex::Values players{}, ratings{};
  };
  const GameIndex first_;
  PackedIndex::Values dates_{}, events_{};
  Side white_, black_;
};

// A filter that finds candidates by their names, then decides by the games.
class PersonFilter : public ColumnFilter {
 public:
  PersonFilter(const People& people, const MatchedPersons& persons, std::optional<Color> color)
      : people_(people),
        identities_(persons.identities),
        color_(color),
        names_(filter_players(persons.spellings.ids, color)) {}

  void narrow(const PackedIndex& index, std::size_t block, BlockMask& mask) const override {
    names_->narrow(index, block, mask);
    const std::size_t left = count_of(mask);
    if (left == 0) return;
    if (left < kManyOfBlock) {
      const auto first = static_cast<GameIndex>(block * PackedIndex::kBlock);
      keep_sides(mask, [&](std::size_t i, Color color) {
        return player_of(index, first + static_cast<GameIndex>(i), color);
      });
    } else {
      const SidesOfBlock sides(index, block, color_);
      keep_sides(mask, [&](std::size_t i, Color color) { return sides.player(i, color); });
    }
  }

 private:
  // Decides by side(i, color).
  template <class GetSide>
  void keep_sides(BlockMask& mask, const GetSide& side) const {
    keep_if(mask, false, [&](std::size_t i) {
      const auto is_meant = [&](Color color) {
        return identities_.contains(people_.identity_of(side(i, color)));
      };
      return (color_ != Color::Black && is_meant(Color::White)) ||
             (color_ != Color::White && is_meant(Color::Black));
    });
  }

  const People& people_;
  const NameIds identities_;
  const std::optional<Color> color_;
  const std::unique_ptr<ColumnFilter> names_;
};

// A filter for games whose players are known, and none of some persons.
class OtherPersonsFilter : public ColumnFilter {
 public:
  OtherPersonsFilter(const codec::scid::NameTable& names, const People& people,
                     const MatchedPersons& persons, std::optional<Color> color)
      : known_(filter_players(OtherNames(names, MatchedNames()), color)),
        persons_(people, persons, color) {}

  void narrow(const PackedIndex& index, std::size_t block, BlockMask& mask) const override {
    known_->narrow(index, block, mask);
    BlockMask excluded = mask;
    persons_.narrow(index, block, excluded);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= ~excluded[i];
  }

 private:
  const std::unique_ptr<ColumnFilter> known_;
  const PersonFilter persons_;
};

}  // namespace

absl::StatusOr<MatchedPersons> collect_persons(
    const People& people, const codec::scid::NameTable& names,
    absl::FunctionRef<bool(std::uint32_t person)> is_meant, const WorkBudget& budget) {
  MatchedPersons matched;
  std::vector<bool> identities(people.identities());
  std::vector<bool> is_spelling(names.size());
  std::vector<std::uint32_t> few;
  constexpr std::uint32_t kLook = 1U << 12;  // check the budget after so many persons
  for (std::uint32_t identity = names.size() + 1; identity < people.identities(); ++identity) {
    if (identity % kLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
    const std::uint32_t person = people.person_at(identity);
    if (!is_meant(person)) continue;
    identities[identity] = true;
    for (const std::uint32_t player : people.spellings(person)) {
      if (!is_spelling[player]) few.push_back(player);
      is_spelling[player] = true;
    }
  }
  matched.identities = NameIds(std::move(identities));
  matched.spellings.ids = NameIds(std::move(is_spelling));
  std::ranges::sort(few);
  matched.spellings.few.reset();
  if (few.size() <= MatchedNames::kFew) matched.spellings.few = std::move(few);
  return matched;
}

absl::StatusOr<MatchedPersons> find_persons(const PlayersOfPart& players,
                                            const NamePattern& pattern, const WorkBudget& budget) {
  const CommonPeople* const all = players.all.people();
  if (all == nullptr) return MatchedPersons();
  const People& people = all->part(players.part);
  const codec::scid::NameTable& names = players.all.names().part(players.part);
  if (!budget.spend(games_of_names(names, pattern))) return WorkBudget::exceeded();
  NameMatcher matcher(pattern);
  const auto is_meant = [&](std::uint32_t person) {
    if (pattern.only().has_value() && pattern.only() != person) return false;
    return matcher.matches(people.spelling().person(person).name) ||
           all->has_name(person, [&](std::uint32_t player) {
             return matcher.matches(players.all.names().text(player));
           });
  };
  return collect_persons(people, names, is_meant, budget);
}

std::unique_ptr<ColumnFilter> filter_persons(const Database& database,
                                             const MatchedPersons& persons,
                                             std::optional<Color> color) {
  const People* const people = database.people();
  if (people == nullptr) return filter_players(NameIds(), std::nullopt);
  return std::make_unique<PersonFilter>(*people, persons, color);
}

std::unique_ptr<ColumnFilter> filter_other_persons(const Database& database,
                                                   const MatchedPersons& persons,
                                                   std::optional<Color> color) {
  const People* const people = database.people();
  if (people == nullptr) return filter_players(NameIds(), std::nullopt);
  const codec::scid::NameTable& names = database.names()[codec::scid::NameKind::Player];
  return std::make_unique<OtherPersonsFilter>(names, *people, persons, color);
}

}  // namespace scidfs::fs
