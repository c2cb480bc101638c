#include "fs/search/person_pattern.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fs/search/name_filters.h"

namespace scidfs::fs {
namespace {

using codec::Color;

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
    if (mask == BlockMask{}) return;
    const auto first = static_cast<GameIndex>(block * PackedIndex::kBlock);
    keep_if(mask, false, [&](std::size_t i) {
      const GameIndex game = first + static_cast<GameIndex>(i);
      const auto is_meant = [&](Color color) {
        return identities_.contains(people_.identity_of(player_of(index, game, color)));
      };
      return (color_ != Color::Black && is_meant(Color::White)) ||
             (color_ != Color::White && is_meant(Color::Black));
    });
  }

 private:
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

absl::StatusOr<MatchedPersons> find_persons(const PlayersOfPart& players,
                                            const NamePattern& pattern, const WorkBudget& budget) {
  MatchedPersons matched;
  matched.spellings.few.emplace();
  const CommonPeople* const all = players.all.people();
  if (all == nullptr) return matched;
  const People& people = all->part(players.part);
  const codec::scid::NameTable& names = players.all.names().part(players.part);
  if (!budget.spend(games_of_names(names, pattern))) return WorkBudget::exceeded();
  std::vector<bool> identities(people.identities());
  std::vector<bool> is_spelling(names.size());
  std::vector<std::uint32_t> few;
  NameMatcher matcher(pattern);
  constexpr std::uint32_t kLook = 1U << 12;  // check the budget after so many persons
  for (std::uint32_t identity = names.size() + 1; identity < people.identities(); ++identity) {
    if (identity % kLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
    const std::uint32_t person = people.person_at(identity);
    if (pattern.only().has_value() && pattern.only() != person) continue;
    const bool matches = matcher.matches(people.spelling().person(person).name) ||
                         std::ranges::any_of(all->spellings(person), [&](std::uint32_t player) {
                           return matcher.matches(players.all.names().text(player));
                         });
    if (!matches) continue;
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
