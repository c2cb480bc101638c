#include "fs/database/derived_data.h"

namespace scidfs::fs {

using codec::scid::NameKind;

// Returns whether the budget allows a lookup of all names of a kind in the spelling file, and a
// look at all games.
bool DerivedData::allows_spelling(NameKind kind, const WorkBudget& budget) const {
  // The numbers that take as long as the decoding of a game.
  constexpr std::size_t kGames = 1000;
  constexpr std::size_t kNames = 200;
  return budget.is_unlimited() ||
         (reference_.spelling->is_ready() &&
          budget.spend(index_.games() / kGames + files_.names()[kind].size() / kNames));
}

absl::StatusOr<const People*> DerivedData::people(const WorkBudget& budget) const {
  if (reference_.spelling == nullptr) return nullptr;
  return people_.get(budget, [&]() -> absl::StatusOr<People> {
    if (!allows_spelling(NameKind::Player, budget)) return WorkBudget::exceeded();
    return People(index_, files_.names()[NameKind::Player], reference_.spelling->get());
  });
}

absl::StatusOr<const Tournaments*> DerivedData::tournaments(const WorkBudget& budget) const {
  if (reference_.spelling == nullptr) return nullptr;
  return tournaments_.get(budget, [&]() -> absl::StatusOr<Tournaments> {
    if (!allows_spelling(NameKind::Event, budget)) return WorkBudget::exceeded();
    return Tournaments(lists_, files_.names(), *reference_.spelling->get());
  });
}

absl::StatusOr<const SignatureTable*> DerivedData::signatures(const WorkBudget& budget) const {
  return signatures_.get(budget,
                         [&] { return read_signatures(files_.index_file(), sizes_, budget); });
}

std::size_t DerivedData::memory() const {
  return lists_.memory() + people_.memory() + tournaments_.memory() + signatures_.memory() +
         openings_.memory();
}

}  // namespace scidfs::fs
