// people/ka/Kasparov,_Garry/: the games of a person under all spellings, and those with one color;
// people/_unresolved.tsv: the names that are certainly no person's. Requires a spelling file.
#include <optional>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/group_names.h"
#include "fs/tables/person_text.h"
#include "fs/tables/unresolved_table.h"
#include "fs/views/all.h"
#include "fs/views/grouped_view.h"
#include "fs/views/sides.h"

namespace scidfs::fs {
namespace {

using codec::Color;

// Returns the persons; none without a spelling file.
const NamedSet& people_of(const Version& version) {
  static const NamedSet kNobody;
  const People* const people = version.database()->people();
  return people == nullptr ? kNobody : people->set();
}

// The directories people/ and its shards.
class PeopleView : public GroupedView {
 public:
  PeopleView() : GroupedView(kPeopleView) {}

  std::string_view name() const override { return "people"; }
  bool is_known(const Reference& reference) const override { return reference.spelling != nullptr; }
  bool has_content(const Database& database) const override {
    return is_known(database.reference()) && !database.shown().empty();
  }
  bool exists(const Version& version, LocalId place) const override {
    if (place == kUnresolved) return has_content_in_any(version);
    return has_content(*version.database()) && GroupedView::exists(version, place);
  }
  bool is_table(LocalId file) const override { return file.entry == kUnresolved.entry; }
  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget& budget, EmitChild emit) const override {
    if (directory != LocalId{.view = kPeopleView}) {
      return GroupedView::list(version, directory, first, budget, emit);
    }
    if (first == 0) {
      RETURN_IF_ERROR(prepare(version, budget));
      if (!emit(unresolved_file(), 1)) return absl::OkStatus();
    }
    return GroupedView::list(
        version, directory, first == 0 ? 0 : first - 1, budget,
        [&emit](Child child, std::uint64_t next) { return emit(std::move(child), next + 1); });
  }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId,
                                                const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(const CommonPlayersPtr players, players_with_people(version, budget));
    ASSIGN_OR_RETURN(std::string table, unresolved_table(*players, budget));
    return std::make_unique<TextContent>(std::move(table));
  }

 protected:
  absl::Status prepare(const Version& version, const WorkBudget& budget) const override {
    return version.database()->people(budget).status();
  }
  const NamedSet& named(const Version& version) const override { return people_of(version); }
  CommonSetOr common(const Version& together, const WorkBudget& budget) const override {
    return share(players_with_people(together, budget),
                 [](const CommonPlayers& all) -> const CommonSet& { return all.people()->set(); });
  }
  const SetView& members() const override { return person_view(); }
  Finder finder() const override { return {.facet = "person", .groups = "By first letters"}; }
  void for_each(const Version& version, VisitGames visit) const override {
    const People& people = *version.database()->people();
    for (const std::uint32_t person : people.persons()) {
      if (!visit(person, people.games(person))) return;
    }
  }
  std::string group_name(std::uint32_t shard) const override { return shard_name(shard); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    if (name.size() != 2) return std::nullopt;
    return shard_key(name);
  }
  std::optional<Child> find_other(std::string_view name) const override {
    if (name != kUnresolvedName) return std::nullopt;
    return unresolved_file();
  }

 private:
  static constexpr std::string_view kUnresolvedName = "_unresolved.tsv";
  static constexpr LocalId kUnresolved = {.view = kPeopleView, .entry = 2};

  static Child unresolved_file() {
    return {.name = std::string(kUnresolvedName), .place = kUnresolved};
  }
};

const PeopleView& people() {
  static const PeopleView kView;
  return kView;
}

class PersonSet : public SideSet {
 public:
  PersonSet(const Version& version, const Where& where, GameList games, std::uint32_t person)
      : SideSet(version, where, games), person_(person) {}

  Identities::Of players_are() const override { return Identities::Of::Persons; }
  absl::StatusOr<std::string> introduction(const Version& whole,
                                           const WorkBudget& budget) const override {
    if (side().has_value()) return std::string();
    ASSIGN_OR_RETURN(const CommonPlayersPtr all, players_with_people(whole, budget));
    // Counts a person's games by spelling.
    for (std::size_t part = 0; part < whole.parts(); ++part) {
      const GameList games = all->people()->part(part).games(person_);
      if (!budget.is_unlimited() &&
          !budget.spend(games.count((budget.left() + 1) * kPlayerEntriesOfGame) /
                        kPlayerEntriesOfGame)) {
        return WorkBudget::exceeded();
      }
    }
    return person_text(whole.databases, *all, person_);
  }

 protected:
  Subject player() const override {
    const People& people = *database().people();
    std::vector<bool> ids(database().names()[codec::scid::NameKind::Player].size());
    for (const std::uint32_t player : people.spellings(person_)) ids[player] = true;
    return {.players = NameIds(std::move(ids)),
            .color = side(),
            .people = &people,
            .identities = NameIds(people.identity_at(person_))};
  }
  std::string own_name() const override { return people_of(version()).of(person_).name; }
  std::string own_title() const override {
    return std::string(database().people()->spelling().person(person_).name);
  }
  LocalId own_parent() const override { return people().group_of(version(), directory().key); }
  bool has_games(Color color) const override {
    return !database().people()->games(person_, tag_of(color)).empty();
  }
  const SetView& with(Side side) const override {
    if (!side.has_value()) return person_view();
    return *side == Color::White ? person_white_view() : person_black_view();
  }

 private:
  const std::uint32_t person_;
};

// Keys are those of People::set().
template <ViewNumber kNumber>
SetPtr bind_person(const Version& version, LocalId directory) {
  const std::optional<std::uint32_t> person = people_of(version).find_key(directory.key);
  if (!person.has_value()) return nullptr;
  const Side side = kNumber == kPersonView        ? Side()
                    : kNumber == kPersonWhiteView ? Side(Color::White)
                                                  : Side(Color::Black);
  const GameList games = version.database()->people()->games(*person, tag_of(side));
  if (games.empty()) return nullptr;
  const SideSet::Where where{.directory = directory, .files = kNumber, .side = side};
  return std::make_unique<PersonSet>(version, where, games, *person);
}

}  // namespace

const View& people_view() { return people(); }

const SetView& person_view() {
  static const SetView kView(kPersonView, &bind_person<kPersonView>);
  return kView;
}

const SetView& person_white_view() {
  static const SetView kView(kPersonWhiteView, &bind_person<kPersonWhiteView>);
  return kView;
}

const SetView& person_black_view() {
  static const SetView kView(kPersonBlackView, &bind_person<kPersonBlackView>);
  return kView;
}

}  // namespace scidfs::fs
