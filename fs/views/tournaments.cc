// tournaments/2013/World_Championship--Chennai_IND/: by the spelling file, two spellings of a
// tournament are one tournament, and those of a player one player. Requires a spelling file.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"
#include "fs/base/status_macros.h"
#include "fs/database/group_names.h"
#include "fs/tables/event_table.h"
#include "fs/tables/paths.h"
#include "fs/views/all.h"
#include "fs/views/event_set.h"
#include "fs/views/grouped_view.h"

namespace scidfs::fs {
namespace {

// Returns the tournaments; none without a spelling file.
const NamedSet& tournaments_of(const Version& version) {
  static const NamedSet kNone;
  const Tournaments* const tournaments = version.database()->tournaments();
  return tournaments == nullptr ? kNone : tournaments->set();
}

// The directories tournaments/ and its years.
class TournamentsView : public GroupedView {
 public:
  TournamentsView() : GroupedView(kTournamentsView) {}

  std::string_view name() const override { return "tournaments"; }
  bool is_known(const Reference& reference) const override { return reference.spelling != nullptr; }
  bool has_content(const Database& database) const override {
    return is_known(database.reference()) && !database.shown().empty();
  }
  bool exists(const Version& version, LocalId place) const override {
    if (place == kTable) return has_content_in_any(version);
    return has_content(*version.database()) && GroupedView::exists(version, place);
  }
  bool is_table(LocalId file) const override { return file.entry == kTable.entry; }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId,
                                                const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(const CommonPlayersPtr players, players_with_people(version, budget));
    for (std::size_t part = 0; part < version.parts(); ++part) {
      RETURN_IF_ERROR(prepare(version.part(part), budget));
    }
    ASSIGN_OR_RETURN(const CommonEventsPtr common, common_tournaments(version, budget));
    ASSIGN_OR_RETURN(std::string table, tournament_table(players, common.get(), budget));
    return std::make_unique<TextContent>(std::move(table));
  }

 protected:
  absl::Status prepare(const Version& version, const WorkBudget& budget) const override {
    return version.database()->tournaments(budget).status();
  }
  const NamedSet& named(const Version& version) const override { return tournaments_of(version); }
  CommonSetOr common(const Version& together, const WorkBudget& budget) const override {
    return share(common_tournaments(together, budget), &CommonEvents::set);
  }
  const SetView& members() const override { return tournament_view(); }
  Finder finder() const override { return {.facet = "event", .groups = "By year"}; }
  void for_each(const Version& version, VisitGames visit) const override {
    const Tournaments& all = *version.database()->tournaments();
    for (std::uint32_t id = 0; id < all.size() && visit(id, all.games(id)); ++id) continue;
  }
  std::string group_name(std::uint32_t year) const override { return year_name(year); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    return parse_year(name);
  }
  std::optional<Child> find_other(std::string_view name) const override {
    if (name != "events.tsv") return std::nullopt;
    return Child{.name = std::string(name), .place = kTable};
  }

 private:
  static constexpr LocalId kTable = {.view = kTournamentsView, .entry = 2};
};

const TournamentsView& tournaments() {
  static const TournamentsView kView;
  return kView;
}

class TournamentSet : public EventSet {
 public:
  TournamentSet(const Version& version, LocalId directory, GameList games, std::uint32_t tournament)
      : EventSet(version, directory, games), tournament_(tournament) {}

  std::string name() const override { return tournaments_of(version()).of(tournament_).name; }
  std::string title() const override {
    const CrosstableInfo info = heading();
    const std::uint32_t year = database().tournaments()->year(tournament_);
    return year == 0 ? fmt::format("{}, {}", info.event, info.site)
                     : fmt::format("{}, {}, {}", info.event, info.site, year);
  }
  LocalId parent() const override { return tournaments().group_of(version(), directory().key); }

  CrosstableInfo heading() const override {
    const Tournaments& all = *database().tournaments();
    return {.event = all.event(tournament_), .site = all.site(tournament_)};
  }
  // The same spelling file says which players are one.
  Identities::Of tables_count() const override { return Identities::Of::Persons; }

 private:
  const std::uint32_t tournament_;
};

// Keys are those of Tournaments::set().
SetPtr bind_tournament(const Version& version, LocalId directory) {
  const std::optional<std::uint32_t> tournament = tournaments_of(version).find_key(directory.key);
  if (!tournament.has_value()) return nullptr;
  const GameList games = version.database()->tournaments()->games(*tournament);
  if (games.empty()) return nullptr;
  return std::make_unique<TournamentSet>(version, directory, games, *tournament);
}

}  // namespace

const View& tournaments_view() { return tournaments(); }

const SetView& tournament_view() {
  static const SetView kView(kTournamentView, &bind_tournament);
  return kView;
}

}  // namespace scidfs::fs
