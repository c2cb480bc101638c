// tournaments/2013/World_Championship--Chennai_IND/: the same tournament under two spellings is
// one, by the spelling file, and so is a player. Only with a spelling file.
#include <fmt/format.h>

#include <optional>

#include "fs/database/group_names.h"
#include "fs/database/packed_index.h"
#include "fs/sets/paths.h"
#include "fs/views/all.h"
#include "fs/views/event_set_view.h"
#include "fs/views/grouped_view.h"

namespace scidfs::fs {
namespace {

// Without a spelling file there are none.
const NamedSet& tournaments_of(const Version& version) {
  static const NamedSet kNone;
  const Tournaments* const tournaments = version.database->tournaments();
  return tournaments == nullptr ? kNone : tournaments->set();
}

// tournaments/ and its years.
class TournamentsView : public GroupedView {
 public:
  TournamentsView() : GroupedView(kTournamentsView) {}

  std::string_view name() const override { return "tournaments"; }
  bool is_known(const Reference& reference) const override { return reference.spelling != nullptr; }
  bool has_content(const Database& database) const override {
    return is_known(database.reference()) && !database.shown().empty();
  }
  bool exists(const Version& version, Place place) const override {
    return has_content(*version.database) && GroupedView::exists(version, place);
  }

 protected:
  absl::Status prepare(const Version& version, const Effort& effort) const override {
    return version.database->prepare_tournaments(effort);
  }
  const NamedSet& named(const Version& version) const override { return tournaments_of(version); }
  const SetView& members() const override { return tournament_view(); }
  std::string group_name(std::uint32_t year) const override { return year_name(year); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    return parse_year(name);
  }
};

const TournamentsView& tournaments() {
  static const TournamentsView kView;
  return kView;
}

// Keys are those of Tournaments::set().
class TournamentView : public EventSetView {
 public:
  TournamentView() : EventSetView(kTournamentView) {}

  std::string directory_name(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> tournament = tournaments_of(version).find_key(key);
    return tournament.has_value() ? tournaments_of(version).of(*tournament).name : "";
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> tournament = tournaments_of(version).find_key(key);
    if (!tournament.has_value()) return "";
    const Tournaments& all = *version.database->tournaments();
    std::string title = fmt::format("{}, {}", all.event(*tournament), all.site(*tournament));
    if (all.year(*tournament) != 0) title += fmt::format(", {}", all.year(*tournament));
    return title;
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    return tournaments().group_of(version, key);
  }
  GameList list_of(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> tournament = tournaments_of(version).find_key(key);
    return tournament.has_value() ? version.database->tournaments()->games(*tournament)
                                  : GameList();
  }
  CrosstableInfo heading(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> tournament = tournaments_of(version).find_key(key);
    if (!tournament.has_value()) return {};
    const Tournaments& all = *version.database->tournaments();
    return {.event = all.event(*tournament), .site = all.site(*tournament)};
  }
  absl::Status prepare_tables(const Database& database, const Effort& effort) const override {
    return database.prepare_people(effort);
  }
  std::string round(const Database& database, std::uint32_t round_id) const override {
    return database.reference().spelling->get()->correct_round(
        EventSetView::round(database, round_id));
  }
  Player player(const Database& database, std::uint32_t name_id, codec::Date date) const override {
    const People& people = *database.people();
    const std::uint32_t packed = PackedIndex::pack_date(date);
    const std::uint32_t identity = people.identity_of(name_id, packed);
    const std::uint32_t person = people.person_at(identity);
    if (person == People::kNobody) {
      return {.id = identity, .name = EventSetView::player(database, name_id, date).name};
    }
    return {.id = identity, .name = people.spelling().person(person).name};
  }
  void append_path(const Database& database, std::uint32_t id, std::string& out) const override {
    const People& people = *database.people();
    const std::uint32_t person = people.person_at(id);
    if (person == People::kNobody) {
      append_player_path(database, id, out);
    } else {
      append_person_path(people, person, out);
    }
  }
};

}  // namespace

const View& tournaments_view() { return tournaments(); }

const SetView& tournament_view() {
  static const TournamentView kView;
  return kView;
}

}  // namespace scidfs::fs
