#include "fs/views/set_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/database/game_content.h"
#include "fs/sets/player_table.h"
#include "fs/sets/set_tables.h"
#include "fs/views/line_directory.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

struct Entry {
  SetLevel level;
  std::string_view name;
  bool is_directory = false;
};
constexpr std::array<Entry, 9> kEntries = {{
    {kSetIndex, "index.tsv"},
    {kSetSummary, "summary.txt"},
    {kSetPlayers, "players.tsv"},
    {kSetPeople, kPeopleName},
    {kSetOpponents, "opponents.tsv"},
    {kSetOpenings, "openings.tsv"},
    {kSetSearch, "search", true},
    {kSetPositions, "positions", true},
    {kSetAgainst, "against", true},
}};
constexpr std::string_view kSuffix = ".pgn";

constexpr bool wants_subject(std::uint8_t level) {
  return level == kSetOpponents || level == kSetAgainst;
}

absl::StatusOr<std::unique_ptr<Content>> text_content(absl::StatusOr<std::string> text) {
  if (!text.ok()) return text.status();
  return std::make_unique<TextContent>(*std::move(text));
}

}  // namespace

std::span<const std::string_view> SetView::listed(const Version&, std::uint32_t) const {
  static constexpr std::array<std::string_view, 3> kListed = {kGamesName, "index.tsv",
                                                              "summary.txt"};
  return kListed;
}

bool SetView::exists(const Version& version, Place place) const {
  if (!has_set(version, place.key)) return false;
  if (place.level >= kOwnLevel) return own_exists(version, place);
  return has_table(version, place.level, place.key);
}

// Some tables are there in some sets alone.
bool SetView::has_table(const Version& version, std::uint8_t level, std::uint32_t key) const {
  if (level == kSetPeople) return version.database->reference().spelling != nullptr;
  return !wants_subject(level) || has_subject(version, key);
}

Place SetView::parent(const Version& version, Place directory) const {
  if (directory.level == kSet) return directory_above(version, directory.key);
  return place(kSet, directory.key);
}

absl::Status SetView::list(const Version& version, Place directory, std::uint64_t first,
                           const Effort&, EmitChild emit) const {
  const std::uint32_t key = directory.key;
  if (directory.level == kSetSearch) return list_search(version, place(kSet, key), first, emit);
  if (directory.level == kSetPositions) return list_positions(place(kSet, key), first, emit);
  if (directory.level == kSetAgainst) return absl::OkStatus();
  const std::span<const std::string_view> of_all = listed(version, key);
  return list_children(
      first, of_all.size() + own_count(version, key),
      [&](std::uint64_t position) -> std::optional<Child> {
        if (position >= of_all.size()) return own_child(version, key, position - of_all.size());
        const std::string_view name = of_all[position];
        return find_entry(version, key, name == kGamesName ? games_name() : name);
      },
      emit);
}

// An entry that all sets have.
std::optional<Child> SetView::find_entry(const Version& version, std::uint32_t key,
                                         std::string_view name) const {
  for (const Entry& known : kEntries) {
    if (known.name != name) continue;
    if (!has_table(version, known.level, key)) return std::nullopt;
    return Child{.name = std::string(name),
                 .place = place(known.level, key),
                 .is_directory = known.is_directory};
  }
  if (name == kTreeName) return find_tree(version, place(kSet, key));
  const std::optional<std::string_view> stem = strip_suffix(name, kSuffix);
  if (stem.has_value() &&
      (*stem == "games" || *stem == "all" || *stem == directory_name(version, key))) {
    return games_file(std::string(name), key);
  }
  return std::nullopt;
}

std::optional<Child> SetView::lookup(const Version& version, Place directory,
                                     std::string_view name) const {
  if (directory.level == kSetSearch) {
    return find_in_search(version, place(kSet, directory.key), name);
  }
  if (directory.level == kSetPositions) {
    return find_in_positions(version, place(kSet, directory.key), name);
  }
  if (directory.level == kSetAgainst) {
    return find_against(version, place(kSet, directory.key), name);
  }
  std::optional<Child> own = find_own(version, directory.key, name);
  return own.has_value() ? own : find_entry(version, directory.key, name);
}

std::string SetView::answer_key(const Version&, std::uint32_t key) const {
  return fmt::format("{}", pack({.place = place(kSet, key)}));
}

absl::StatusOr<std::unique_ptr<Content>> SetView::open_games_file(const Version&, std::uint32_t,
                                                                  GameSet set,
                                                                  const Effort& effort) const {
  return open_games(std::move(set), effort);
}

absl::StatusOr<std::unique_ptr<Content>> SetView::open_index(const Version& version,
                                                             std::uint32_t key,
                                                             const Effort& effort) const {
  absl::StatusOr<GameSet> set = games(version, key, effort);
  if (!set.ok()) return set.status();
  return open_set_index(*std::move(set), effort);
}

absl::StatusOr<std::unique_ptr<Content>> SetView::open_players(const Version& version, Place file,
                                                               const Effort& effort) const {
  const std::string key =
      fmt::format("players:{}:{}:{}", version.id, file.level, answer_key(version, file.key));
  const absl::StatusOr<std::shared_ptr<const Answer>> table = version.searches->answers.get(
      key, effort, [&]() -> absl::StatusOr<std::shared_ptr<const Answer>> {
        const absl::StatusOr<GameSet> set = games(version, file.key, effort);
        if (!set.ok()) return set.status();
        const PlayerTable::Rows rows = file.level == kSetPeople ? PlayerTable::Rows::Persons
                                       : players_are(version, file.key) == Identities::Of::Persons
                                           ? PlayerTable::Rows::PersonsOrSpellings
                                           : PlayerTable::Rows::Spellings;
        if (file.level != kSetOpponents) {
          return PlayerTable::make(*set, std::nullopt, rows, effort);
        }
        const absl::StatusOr<std::optional<Subject>> against = subject(version, file.key, effort);
        if (!against.ok()) return against.status();
        return PlayerTable::make(*set, *against, rows, effort);
      });
  if (!table.ok()) return table.status();
  return open_player_table(version.database, std::static_pointer_cast<const PlayerTable>(*table));
}

absl::StatusOr<std::unique_ptr<Content>> SetView::open(const Version& version, Place file,
                                                       const Effort& effort) const {
  switch (file.level) {
    case kSetIndex:
      return open_index(version, file.key, effort);
    case kSetPlayers:
    case kSetPeople:
    case kSetOpponents:
      return open_players(version, file, effort);
    case kSetSearchHelp:
      return std::make_unique<TextContent>(search_help(*version.database));
    case kSetPositionsHelp:
      return std::make_unique<TextContent>(positions_help());
    default:
      break;
  }
  if (file.level >= kOwnLevel) return open_own(version, file, effort);
  absl::StatusOr<GameSet> set = games(version, file.key, effort);
  if (!set.ok()) return set.status();
  if (file.level == kSetGames) return open_games_file(version, file.key, *std::move(set), effort);
  if (file.level == kSetOpenings) return text_content(opening_table(*set, effort));
  const absl::StatusOr<std::optional<Subject>> seen_by = subject(version, file.key, effort);
  if (!seen_by.ok()) return seen_by.status();
  const absl::StatusOr<std::string> first = introduction(version, file.key, effort);
  if (!first.ok()) return first.status();
  return text_content(set_summary(*set, *seen_by,
                                  {.title = codec::clean_line(title(version, file.key)),
                                   .introduction = *first,
                                   .players = players_are(version, file.key)},
                                  effort));
}

absl::StatusOr<std::unique_ptr<Content>> SetView::open_own(const Version&, Place,
                                                           const Effort&) const {
  return absl::NotFoundError("no such file");
}

}  // namespace scidfs::fs
