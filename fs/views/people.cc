// people/ka/Kasparov,_Garry/: the games of a person under all his spellings, and those with either
// colour; people/_unresolved.tsv: the names that are nobody's for sure. Only with a spelling file.
#include <optional>

#include "fs/database/group_names.h"
#include "fs/sets/person_text.h"
#include "fs/sets/unresolved_table.h"
#include "fs/views/all.h"
#include "fs/views/grouped_view.h"
#include "fs/views/sides.h"

namespace scidfs::fs {
namespace {

using codec::Color;

// Without a spelling file there is nobody.
const NamedSet& people_of(const Version& version) {
  static const NamedSet kNobody;
  const People* const people = version.database->people();
  return people == nullptr ? kNobody : people->set();
}

// people/ and its shards.
class PeopleView : public GroupedView {
 public:
  PeopleView() : GroupedView(kPeopleView) {}

  std::string_view name() const override { return "people"; }
  bool is_known(const Reference& reference) const override { return reference.spelling != nullptr; }
  bool has_content(const Database& database) const override {
    return is_known(database.reference()) && !database.shown().empty();
  }
  bool exists(const Version& version, Place place) const override {
    if (!has_content(*version.database)) return false;
    return place == kUnresolved || GroupedView::exists(version, place);
  }
  absl::Status list(const Version& version, Place directory, std::uint64_t first,
                    const Effort& effort, EmitChild emit) const override {
    if (directory != Place{.view = kPeopleView}) {
      return GroupedView::list(version, directory, first, effort, emit);
    }
    if (absl::Status status = prepare(version, effort); !status.ok()) return status;
    if (first == 0 && !emit(unresolved_file(), 1)) return absl::OkStatus();
    return GroupedView::list(
        version, directory, first == 0 ? 0 : first - 1, effort,
        [&emit](Child child, std::uint64_t next) { return emit(std::move(child), next + 1); });
  }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, Place,
                                                const Effort& effort) const override {
    absl::StatusOr<std::string> table = unresolved_table(*version.database, effort);
    if (!table.ok()) return table.status();
    return std::make_unique<TextContent>(*std::move(table));
  }

 protected:
  absl::Status prepare(const Version& version, const Effort& effort) const override {
    return version.database->prepare_people(effort);
  }
  const NamedSet& named(const Version& version) const override { return people_of(version); }
  const SetView& members() const override { return person_view(); }
  std::string group_name(std::uint32_t shard) const override { return shard_name(shard); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    if (name.size() != 2) return std::nullopt;
    return shard_key(name);
  }
  std::optional<Child> find_other(const Version&, std::string_view name) const override {
    if (name != kUnresolvedName) return std::nullopt;
    return unresolved_file();
  }

 private:
  static constexpr std::string_view kUnresolvedName = "_unresolved.tsv";
  static constexpr Place kUnresolved = {.view = kPeopleView, .level = 2};

  static Child unresolved_file() {
    return {.name = std::string(kUnresolvedName), .place = kUnresolved};
  }
};

const PeopleView& people() {
  static const PeopleView kView;
  return kView;
}

// Keys are those of People::set().
class PersonView : public SideView {
 public:
  PersonView(ViewNumber number, std::optional<Color> color) : SideView(number, number, color) {}

  Identities::Of players_are(const Version&, std::uint32_t) const override {
    return Identities::Of::Persons;
  }

 protected:
  std::optional<NameIds> players(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> person = people_of(version).find_key(key);
    if (!person.has_value()) return std::nullopt;
    const Database& database = *version.database;
    std::vector<bool> ids(database.names()[codec::scid::NameKind::Player].size());
    for (const std::uint32_t player : database.people()->spellings(*person)) ids[player] = true;
    return NameIds(std::move(ids));
  }
  std::string own_name(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> person = people_of(version).find_key(key);
    return person.has_value() ? people_of(version).of(*person).name : "";
  }
  std::string own_title(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> person = people_of(version).find_key(key);
    if (!person.has_value()) return "";
    return std::string(version.database->people()->spelling().person(*person).name);
  }
  GameList own_games(const Version& version, std::uint32_t key,
                     std::optional<unsigned> tag) const override {
    const std::optional<std::uint32_t> person = people_of(version).find_key(key);
    return person.has_value() ? version.database->people()->games(*person, tag) : GameList();
  }
  Place own_directory_above(const Version& version, std::uint32_t key) const override {
    return people().group_of(version, key);
  }
  const SetView& with(std::optional<Color> color) const override {
    if (!color.has_value()) return person_view();
    return *color == Color::White ? person_white_view() : person_black_view();
  }
  absl::StatusOr<std::string> introduction(const Version& version, std::uint32_t key,
                                           const Effort& effort) const override {
    const std::optional<std::uint32_t> person = people_of(version).find_key(key);
    if (!person.has_value() || color().has_value()) return std::string();
    // The games of a person are counted by spelling.
    constexpr std::size_t kGamesOfGame = 20;
    const GameList games = version.database->people()->games(*person);
    if (!effort.is_whole() &&
        !effort.spend(games.count((effort.left() + 1) * kGamesOfGame) / kGamesOfGame)) {
      return Effort::too_little();
    }
    return person_text(*version.database, *person);
  }
};

}  // namespace

const View& people_view() { return people(); }

const SetView& person_view() {
  static const PersonView kView(kPersonView, std::nullopt);
  return kView;
}

const SetView& person_white_view() {
  static const PersonView kView(kPersonWhiteView, Color::White);
  return kView;
}

const SetView& person_black_view() {
  static const PersonView kView(kPersonBlackView, Color::Black);
  return kView;
}

}  // namespace scidfs::fs
