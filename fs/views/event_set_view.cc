#include "fs/views/event_set_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fs/database/game_content.h"
#include "fs/sets/paths.h"
#include "fs/views/crosstable_tsv.h"
#include "fs/views/round_order.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// Levels, and by these the names.
constexpr std::uint8_t kCrosstable = kOwnLevel;
constexpr std::uint8_t kStandingsTsv = kCrosstable + 1;
constexpr std::uint8_t kCrosstableTsv = kStandingsTsv + 1;
static_assert(kCrosstableTsv < 1U << kLevelBits);
constexpr std::array<std::string_view, 3> kTables = {"crosstable.txt", "standings.tsv",
                                                     "crosstable.tsv"};

// A database that says nothing of events has one for all its games. A table of so many would keep
// whoever asks for its size waiting, and would need all of them in memory at once.
constexpr std::size_t kMaxTableGames = 500'000;

}  // namespace

std::string EventSetView::round(const Database& database, std::uint32_t round_id) const {
  return std::string(database.names()[NameKind::Round].text(round_id));
}

EventSetView::Player EventSetView::player(const Database& database, std::uint32_t name_id,
                                          codec::Date) const {
  return {.id = name_id, .name = database.names()[NameKind::Player].text(name_id)};
}

void EventSetView::append_path(const Database& database, std::uint32_t id, std::string& out) const {
  append_player_path(database, id, out);
}

std::uint64_t EventSetView::own_count(const Version&, std::uint32_t) const {
  return kTables.size();
}

std::optional<Child> EventSetView::own_child(const Version&, std::uint32_t key,
                                             std::uint64_t i) const {
  return Child{.name = std::string(kTables[i]),
               .place = place(static_cast<std::uint8_t>(kOwnLevel + i), key)};
}

std::optional<Child> EventSetView::find_own(const Version& version, std::uint32_t key,
                                            std::string_view name) const {
  const auto found = std::ranges::find(kTables, name);
  if (found == kTables.end()) return std::nullopt;
  return own_child(version, key, static_cast<std::uint64_t>(found - kTables.begin()));
}

bool EventSetView::own_exists(const Version&, Place place) const {
  return place.level < kOwnLevel + kTables.size();
}

absl::StatusOr<EventSetView::Played> EventSetView::played(const GameSet& set,
                                                          const Effort& effort) const {
  constexpr std::size_t kGamesOfGame = 10;                // that are counted in its time
  constexpr std::size_t kBetween = std::size_t{1} << 12;  // two looks at whether it is over
  const Database& database = *set.database();
  Played played;
  GameList::Cursor list = set.begin();
  for (GameIndex game = list.next(); game != kNoGame; game = list.next()) {
    if (played.games.size() % kBetween == kBetween - 1) {
      if (!effort.spend(kBetween / kGamesOfGame)) return Effort::too_little();
      if (effort.is_over()) return Effort::over();
    }
    const codec::scid::GameEntry entry = database.entry(game);
    const auto [round, is_new] = played.rounds.try_emplace(entry.round);
    if (is_new) round->second = this->round(database, entry.round);
    const Player white = player(database, entry.white, entry.date);
    const Player black = player(database, entry.black, entry.date);
    played.games.push_back({.white = white.name,
                            .black = black.name,
                            .white_id = white.id,
                            .black_id = black.id,
                            .white_elo = entry.white_rating.value,
                            .black_elo = entry.black_rating.value,
                            .round = round->second,
                            .result = entry.result,
                            .date = entry.date});
  }
  return played;
}

absl::StatusOr<std::unique_ptr<Content>> EventSetView::open_own(const Version& version, Place file,
                                                                const Effort& effort) const {
  const absl::StatusOr<GameSet> set = games(version, file.key, effort);
  if (!set.ok()) return set.status();
  if (absl::Status status = prepare_tables(*version.database, effort); !status.ok()) return status;
  const bool is_text = file.level == kCrosstable;
  const CrosstableInfo info = heading(version, file.key);
  Played played;
  if (set->count(kMaxTableGames + 1) <= kMaxTableGames) {
    absl::StatusOr<Played> found = this->played(*set, effort);
    if (!found.ok()) return found.status();
    played = *std::move(found);
  } else if (is_text) {
    return std::make_unique<TextContent>(fmt::format("{}\n{}\nmore than {} games: no table\n",
                                                     info.event, info.site, kMaxTableGames));
  }
  if (is_text) return std::make_unique<TextContent>(format_crosstable(info, played.games));
  if (file.level == kCrosstableTsv) {
    return std::make_unique<TextContent>(crosstable_tsv(played.games));
  }
  const auto append_path_of = [&](std::uint32_t id, std::string& out) {
    append_path(*version.database, id, out);
  };
  return std::make_unique<TextContent>(standings_tsv(played.games, append_path_of));
}

absl::StatusOr<std::unique_ptr<Content>> EventSetView::open_games_file(const Version& version,
                                                                       std::uint32_t key,
                                                                       GameSet set,
                                                                       const Effort& effort) const {
  if (!version.database->options().by_round) {
    return SetView::open_games_file(version, key, std::move(set), effort);
  }
  if (absl::Status status = prepare_tables(*version.database, effort); !status.ok()) return status;
  absl::StatusOr<GameOrder> order = order_by_round(
      set, [&](std::uint32_t id) { return round(*version.database, id); }, effort);
  if (!order.ok()) return order.status();
  return open_games(*std::move(order), effort);
}

}  // namespace scidfs::fs
