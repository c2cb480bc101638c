#include "fs/views/repertoires.h"

#include <absl/functional/function_ref.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/database/game_bitmap.h"
#include "fs/pages/tables_page.h"
#include "fs/repertoire/prepare.h"
#include "fs/repertoire/stored_scores.h"
#include "fs/repertoire/tables.h"
#include "fs/search/condition.h"
#include "fs/search/query.h"
#include "fs/views/directory_pages.h"
#include "fs/views/query_directory.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {
namespace {

using codec::Color;

constexpr std::array<std::string_view, 2> kSides = {"white", "black"};

std::string_view name_of(Color side) { return kSides[static_cast<std::size_t>(side)]; }

absl::Status with_name(std::string_view name, const absl::Status& status) {
  return absl::Status(
      status.code(), fmt::format("{}: {}", codec::clean_line(name), std::string(status.message())));
}

absl::StatusOr<std::shared_ptr<const Repertoire>> read_repertoire(const RepertoireSource& source,
                                                                  std::string_view name,
                                                                  const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Database> database, source.read(budget));
  absl::StatusOr<std::shared_ptr<const Repertoire>> read = Repertoire::read(*database, budget);
  if (absl::IsUnimplemented(read.status())) return with_name(name, read.status());
  return read;
}

std::optional<Child> query_child(const Set& set, absl::StatusOr<Query> query, std::string_view name,
                                 SetEntry entry) {
  std::optional<Child> child = query_directory(set.version(), std::move(query), name);
  if (child.has_value() && child->refusal.ok()) child->place.entry = entry;
  return child;
}

std::optional<Child> find_in(const Set& set, std::string_view directory, std::string_view name,
                             SetEntry entry) {
  if (set.version().repertoires->find(name) == nullptr) return std::nullopt;
  return query_child(set, asked_about(*set.asked(), directory, name), name, entry);
}

// Opens a text that is made of the replay of a set.
absl::StatusOr<std::unique_ptr<Content>> open_of_side(
    const Set& set, std::string_view name, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<std::string>(const RepertoireReplay& replay)> make) {
  const absl::StatusOr<std::shared_ptr<const RepertoireReplay>> replay = replay_of(set, budget);
  absl::StatusOr<std::string> text = replay.ok() ? make(**replay) : replay.status();
  if (absl::IsUnimplemented(text.status())) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Query, name,
                                                std::string(text.status().message()));
  }
  if (!text.ok()) return text.status();
  return std::make_unique<TextContent>(*std::move(text));
}

// Returns the games of a set against the lines that a query asks about. `are_against`: those that
// its subject has with the other side.
absl::StatusOr<std::shared_ptr<const RepertoireReplay>> replay_against(const Query& asked,
                                                                       const Set& set,
                                                                       bool are_against,
                                                                       const WorkBudget& budget) {
  const Version& version = set.version();
  return version.searches->results.get<RepertoireReplay>(
      fmt::format("{}:{}:{}{}:{}", version.id, set.answer_key(), are_against ? "not-" : "",
                  name_of(*asked.side), asked.repertoire),
      budget, [&]() -> absl::StatusOr<std::shared_ptr<const RepertoireReplay>> {
        ASSIGN_OR_RETURN(std::shared_ptr<const SideLines> lines,
                         lines_of(version, asked.repertoire, *asked.side, budget));
        ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
        ASSIGN_OR_RETURN(const std::vector<Subject> subject, set.subject(budget));
        return RepertoireReplay::make(games, subject, std::move(lines), budget,
                                      {.are_against = are_against});
      });
}

// Returns the games of the user, as a set of the version; null if the user is not known. A name of
// no person is a player's.
absl::StatusOr<SetPtr> set_of_me(const Version& version, const WorkBudget& budget) {
  const std::string& me = version.options().me;
  if (me.empty()) return nullptr;
  const auto set_of = [&](std::string_view key) -> SetPtr {
    absl::StatusOr<Query> query = asked_in_search(Query(), fmt::format("{}={}", key, me));
    if (!query.ok()) return nullptr;
    const LocalId place = query_place(version.searches->queries.number_of(*std::move(query)));
    return find_view(place.view)->sets()->set_of(version, place);
  };
  if (version.reference().spelling != nullptr) {
    SetPtr person = set_of("person");
    if (person != nullptr) {
      ASSIGN_OR_RETURN(const GameSet games, person->games(budget));
      if (!games.empty()) return person;
    }
  }
  return set_of("player");
}

// Returns the scores of all games of a version at places of the lines that a query asks about: by
// positions files, or a replay, which is kept.
absl::StatusOr<std::vector<Score>> scores_of_all(const Query& asked, const Set& all,
                                                 std::span<const SideLines::Place> places,
                                                 const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const SideLines> lines,
                   lines_of(all.version(), asked.repertoire, *asked.side, budget));
  ASSIGN_OR_RETURN(const GameSet games, all.games(budget));
  ASSIGN_OR_RETURN(std::optional<std::vector<Score>> stored,
                   stored_scores(games, lines, places, budget));
  if (stored.has_value()) return *std::move(stored);
  ASSIGN_OR_RETURN(const std::shared_ptr<const RepertoireReplay> replay,
                   replay_against(asked, all, false, budget));
  std::vector<Score> scores;
  for (const SideLines::Place place : places) scores.push_back(replay->score(place));
  return scores;
}

absl::StatusOr<PreparedGames> prepared_games(const Set& set, const WorkBudget& budget) {
  const QueryPtr asked = set.asked();
  PreparedGames games;
  ASSIGN_OR_RETURN(games.theirs, replay_against(*asked, set, true, budget));
  games.all = [asked, all = find_view(kDatabaseView)->sets()->set_of(set.version(), {}),
               &budget](std::span<const SideLines::Place> places) {
    return scores_of_all(*asked, *all, places, budget);
  };
  ASSIGN_OR_RETURN(const SetPtr me, set_of_me(set.version(), budget));
  if (me != nullptr) {
    ASSIGN_OR_RETURN(games.mine, replay_against(*asked, *me, false, budget));
  }
  return games;
}

TablesPage page_of(const Set& set, std::span<const Crumb> crumbs, std::string_view title,
                   LocalId directory) {
  constexpr std::size_t kAboveSide = 3;
  return {.title = title,
          .crumbs = crumbs,
          .text = {},
          .seen_from = *set.asked()->side,
          .set = Link().up(kAboveSide),
          .database = Link().up(levels_of(set.version(), directory))};
}

}  // namespace

std::optional<Child> find_repertoire(const Set& set, std::string_view name) {
  return find_in(set, "repertoire", name, kSetRepertoire);
}

std::optional<Child> find_prepared(const Set& set, std::string_view name) {
  return find_in(set, "prepare", name, kSetPrepare);
}

std::optional<Child> find_side(const Set& set, std::string_view name, SetEntry side) {
  return query_child(set, asked_for_side(*set.asked(), name), name, side);
}

absl::StatusOr<std::shared_ptr<const SideLines>> lines_of(const Version& version,
                                                          std::string_view repertoire, Color side,
                                                          const WorkBudget& budget) {
  const RepertoireSourcePtr source = version.repertoires->find(repertoire);
  if (source == nullptr) {
    return absl::NotFoundError(fmt::format("{}: no such file", codec::clean_line(repertoire)));
  }
  ResultCache& results = version.searches->results;
  const std::string key = fmt::format("{:016x}:{}", source->fingerprint, source->path);
  return results.get<SideLines>(fmt::format("{}:{}", name_of(side), key), budget,
                                [&]() -> absl::StatusOr<std::shared_ptr<const SideLines>> {
                                  ASSIGN_OR_RETURN(std::shared_ptr<const Repertoire> all,
                                                   results.get<Repertoire>(key, budget, [&] {
                                                     return read_repertoire(*source, repertoire,
                                                                            budget);
                                                   }));
                                  return SideLines::make(std::move(all), side, budget);
                                });
}

absl::StatusOr<std::shared_ptr<const RepertoireReplay>> replay_of(const Set& set,
                                                                  const WorkBudget& budget) {
  return replay_against(*set.asked(), set, false, budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_left(const Set& set, const WorkBudget& budget) {
  return open_of_side(set, "left.tsv", budget,
                      [&](const RepertoireReplay& replay) -> absl::StatusOr<std::string> {
                        ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
                        ASSIGN_OR_RETURN(const std::vector<Subject> subject, set.subject(budget));
                        return left_table(replay, games, subject, budget);
                      });
}

absl::StatusOr<std::unique_ptr<Content>> open_gaps(const Set& set, const WorkBudget& budget) {
  return open_of_side(set, "gaps.tsv", budget,
                      [&](const RepertoireReplay& replay) { return gap_table(replay, budget); });
}

absl::StatusOr<std::unique_ptr<Content>> open_choices(const Set& set, const WorkBudget& budget) {
  return open_of_side(set, "choices.tsv", budget,
                      [&](const RepertoireReplay& replay) { return choice_table(replay, budget); });
}

absl::StatusOr<std::unique_ptr<Content>> open_unused(const Set& set, const WorkBudget& budget) {
  return open_of_side(set, "unused.tsv", budget,
                      [&](const RepertoireReplay& replay) { return unused_table(replay, budget); });
}

absl::StatusOr<std::unique_ptr<Content>> open_lines_summary(const Set& set,
                                                            const WorkBudget& budget) {
  return open_of_side(set, "summary.txt", budget, [&](const RepertoireReplay& replay) {
    return lines_summary(replay, codec::clean_line(set.title()), budget);
  });
}

absl::StatusOr<std::unique_ptr<Content>> open_lines_page(const Set& set, const WorkBudget& budget) {
  return open_of_side(set, "index.html", budget,
                      [&](const RepertoireReplay& replay) -> absl::StatusOr<std::string> {
                        ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
                        ASSIGN_OR_RETURN(const std::vector<Subject> subject, set.subject(budget));
                        const std::string title = codec::clean_line(set.title());
                        const LocalId directory = set.below(kSetRepertoireSide);
                        const std::vector<Crumb> crumbs = crumbs_of(set.version(), directory);
                        TablesPage page = page_of(set, crumbs, title, directory);
                        std::array<PageTable, 4> tables = {{{.caption = "Gaps"},
                                                            {.caption = "Choices"},
                                                            {.caption = "Unused"},
                                                            {.caption = "Left"}}};
                        ASSIGN_OR_RETURN(page.text, lines_summary(replay, title, budget));
                        ASSIGN_OR_RETURN(tables[0].text, gap_table(replay, budget));
                        ASSIGN_OR_RETURN(tables[1].text, choice_table(replay, budget));
                        ASSIGN_OR_RETURN(tables[2].text, unused_table(replay, budget));
                        ASSIGN_OR_RETURN(tables[3].text,
                                         left_table(replay, games, subject, budget));
                        return tables_page(page, tables);
                      });
}

absl::StatusOr<std::unique_ptr<Content>> open_prepare_table(const Set& set,
                                                            const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PreparedGames games, prepared_games(set, budget));
  ASSIGN_OR_RETURN(std::string text, prepare_table(games, budget));
  return std::make_unique<TextContent>(std::move(text));
}

absl::StatusOr<std::unique_ptr<Content>> open_prepare_text(const Set& set,
                                                           const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PreparedGames games, prepared_games(set, budget));
  ASSIGN_OR_RETURN(std::string text, prepare_text(games, codec::clean_line(set.title()), budget));
  return std::make_unique<TextContent>(std::move(text));
}

absl::StatusOr<std::unique_ptr<Content>> open_prepare_page(const Set& set,
                                                           const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PreparedGames games, prepared_games(set, budget));
  const std::string title = codec::clean_line(set.title());
  const LocalId directory = set.below(kSetPrepareSide);
  const std::vector<Crumb> crumbs = crumbs_of(set.version(), directory);
  const TablesPage page = page_of(set, crumbs, title, directory);
  std::array<PageTable, 1> tables = {{{.caption = "Positions of the lines in their games"}}};
  ASSIGN_OR_RETURN(tables[0].text, prepare_table(games, budget));
  return std::make_unique<TextContent>(tables_page(page, tables));
}

absl::StatusOr<DeltaList> games_within(const Version& version, const DatabaseGames& games,
                                       const std::optional<Subject>& subject, const Facet& facet,
                                       const WorkBudget& budget) {
  const auto& asked = facet.condition().as<WithinLines>();
  const Database& database = *games.database();
  GameBitmap within(database.games());
  for (const Color side : {Color::White, Color::Black}) {
    if (asked.side.value_or(side) != side) continue;
    ASSIGN_OR_RETURN(std::shared_ptr<const SideLines> lines,
                     lines_of(version, asked.repertoire, side, budget));
    ASSIGN_OR_RETURN(
        const std::shared_ptr<const RepertoireReplay> replay,
        RepertoireReplay::make(games, subject, std::move(lines), budget, {.ends_from = asked.to}));
    for (const Leave& leave : replay->leaves()) within.add(leave.game.game);
  }
  const auto counts = [&](GameIndex game, Color side) {
    return asked.side.value_or(side) == side &&
           counts_for(subject.has_value() ? &*subject : nullptr, database.index(), game, side);
  };
  DeltaList found;
  DatabaseGames::Cursor rest = games.begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    if (within.contains(game) == facet.is_negated) continue;
    if (!facet.is_negated || counts(game, Color::White) || counts(game, Color::Black)) {
      found.add(game);
    }
  }
  return found;
}

}  // namespace scidfs::fs
