#include "fs/database/common_players.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>
#include <string_view>

#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/database/group_names.h"

namespace scidfs::fs {

using codec::scid::NameKind;

namespace {

// Returns a source without parts, of items in groups by the shards of names.
CommonSet::Source source_by_shard(
    std::function<std::uint32_t(std::size_t part, std::uint32_t id)> id_of,
    std::function<std::string_view(std::uint32_t id)> text_of) {
  return {
      .parts = {},
      .id_of = std::move(id_of),
      .append_name = [text_of = std::move(text_of)](
                         std::uint32_t id, std::string& out) { append_escaped(text_of(id), out); },
      .group_of = [](std::uint32_t, std::string_view name) { return shard_key(shard_of(name)); }};
}

}  // namespace

CommonPeople::CommonPeople(std::vector<const People*> parts, const CommonNames& names)
    : parts_(std::move(parts)) {
  assert(!parts_.empty());
  if (parts_.size() == 1) return;
  for (const People* const part : parts_) {
    persons_.insert(persons_.end(), part->persons().begin(), part->persons().end());
  }
  std::ranges::sort(persons_);
  persons_.erase(std::unique(persons_.begin(), persons_.end()), persons_.end());
  persons_.shrink_to_fit();
  struct PersonName {
    std::uint32_t place = 0;
    std::uint32_t id = 0;
    bool is_by_id = false;  // false comes first: what holds in one part holds

    auto operator<=>(const PersonName&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  std::vector<PersonName> spellings;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    std::vector<std::uint32_t>& places = places_.emplace_back();
    places.reserve(parts_[part]->persons().size());
    for (const std::uint32_t person : parts_[part]->persons()) {
      const auto found = std::ranges::lower_bound(persons_, person);
      places.push_back(static_cast<std::uint32_t>(found - persons_.begin()));
      for (const std::uint32_t id : parts_[part]->spellings(person)) {
        spellings.push_back({.place = places.back(),
                             .id = names.id_of(part, id),
                             .is_by_id = !parts_[part]->can_mean(id, person)});
      }
    }
  }
  std::ranges::sort(spellings);
  const auto is_same = [](const PersonName& a, const PersonName& b) {
    return a.place == b.place && a.id == b.id;
  };
  spellings.erase(std::unique(spellings.begin(), spellings.end(), is_same), spellings.end());
  spelling_ends_.resize(persons_.size());
  spellings_.reserve(spellings.size());
  for (const PersonName& spelling : spellings) {
    spellings_.push_back(spelling.id);
    is_by_id_.push_back(spelling.is_by_id);
    spelling_ends_[spelling.place] = static_cast<std::uint32_t>(spellings_.size());
  }
  // Some persons have no spelling: all games under their names are outside their lifetimes.
  for (std::size_t place = 1; place < spelling_ends_.size(); ++place) {
    spelling_ends_[place] = std::max(spelling_ends_[place], spelling_ends_[place - 1]);
  }
  CommonSet::Source source = source_by_shard(
      [](std::size_t, std::uint32_t person) { return person; },
      [&spelling = spelling()](std::uint32_t person) { return spelling.person(person).name; });
  for (const People* const part : parts_) source.parts.push_back(&part->set());
  set_ = CommonSet(std::move(source));
}

std::span<const std::uint32_t> CommonPeople::spellings(std::uint32_t person) const {
  if (places_.empty()) return parts_.front()->spellings(person);
  const auto found = std::ranges::lower_bound(persons_, person);
  if (found == persons_.end() || *found != person) return {};
  const auto place = static_cast<std::size_t>(found - persons_.begin());
  const std::uint32_t begin = place == 0 ? 0 : spelling_ends_[place - 1];
  return std::span(spellings_).subspan(begin, spelling_ends_[place] - begin);
}

bool CommonPeople::has_name(std::uint32_t person,
                            absl::FunctionRef<bool(std::uint32_t common_id)> is_meant) const {
  const std::span<const std::uint32_t> all = spellings(person);
  if (places_.empty()) {
    return std::ranges::any_of(all, [&](std::uint32_t player) {
      return parts_.front()->can_mean(player, person) && is_meant(player);
    });
  }
  const auto first = all.empty() ? 0 : static_cast<std::size_t>(all.data() - spellings_.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_by_id_[first + i] && is_meant(all[i])) return true;
  }
  return false;
}

bool CommonPeople::is_shown(std::uint32_t person) const {
  return std::ranges::any_of(parts_,
                             [person](const People* part) { return !part->games(person).empty(); });
}

std::size_t CommonPeople::memory() const {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the vector holds pointers.
  std::size_t bytes = parts_.capacity() * sizeof(const People*) +
                      (persons_.capacity() + spellings_.capacity() + spelling_ends_.capacity()) *
                          sizeof(persons_[0]) +
                      set_.memory();
  for (const std::vector<std::uint32_t>& places : places_) {
    bytes += sizeof(std::vector<std::uint32_t>) + places.capacity() * sizeof(places[0]);
  }
  return bytes;
}

CommonPlayers::CommonPlayers(DatabasePtr only)
    : databases_{std::move(only)}, names_(databases_.front()->names()[NameKind::Player]) {}

absl::StatusOr<CommonPlayersPtr> CommonPlayers::merge(std::vector<DatabasePtr> databases,
                                                      const WorkBudget& budget) {
  assert(!databases.empty());
  assert(std::ranges::all_of(databases, [&databases](const DatabasePtr& database) {
    return database->reference().fingerprint == databases.front()->reference().fingerprint;
  }));
  if (databases.size() == 1) {
    return std::make_shared<const CommonPlayers>(std::move(databases.front()));
  }
  std::vector<const CommonNames::NameTable*> tables;
  tables.reserve(databases.size());
  for (const DatabasePtr& database : databases) {
    tables.push_back(&database->names()[NameKind::Player]);
  }
  ASSIGN_OR_RETURN(CommonNames names, CommonNames::merge(std::move(tables), budget));
  return CommonPlayersPtr(new CommonPlayers(std::move(databases), std::move(names)));
}

const CommonPeople* CommonPlayers::people() const {
  if (databases_.front()->people() == nullptr) return nullptr;
  return &people_.get([this] {
    std::vector<const People*> parts;
    for (const DatabasePtr& database : databases_) parts.push_back(database->people());
    return CommonPeople(std::move(parts), names_);
  });
}

bool CommonPlayers::is_shown(std::uint32_t player) const {
  if (parts() == 1) return databases_.front()->loaded().is_shown_player(player);
  return player < names_.size() && shown().is_shown[player];
}

const CommonSet& CommonPlayers::set() const {
  assert(parts() > 1);
  return shown().set;
}

const CommonPlayers::Shown& CommonPlayers::shown() const {
  return shown_.get([this] {
    std::vector<bool> is_shown(names_.size());
    for (std::size_t part = 0; part < parts(); ++part) {
      const Database& database = *databases_[part];
      for (std::uint32_t id = 0; id < database.names()[NameKind::Player].size(); ++id) {
        const std::uint32_t common = names_.id_of(part, id);
        if (common < is_shown.size() && database.loaded().is_shown_player(id)) {
          is_shown[common] = true;
        }
      }
    }
    CommonSet::Source source = source_by_shard(
        [this](std::size_t part, std::uint32_t id) { return names_.id_of(part, id); },
        [this](std::uint32_t id) { return names_.text(id); });
    for (const DatabasePtr& database : databases_) {
      source.parts.push_back(&database->lists().player_set());
    }
    return Shown{.is_shown = std::move(is_shown), .set = CommonSet(std::move(source))};
  });
}

std::size_t CommonPlayers::memory() const {
  return sizeof *this + databases_.capacity() * sizeof(databases_[0]) + names_.memory() +
         people_.memory() + shown_.memory();
}

}  // namespace scidfs::fs
