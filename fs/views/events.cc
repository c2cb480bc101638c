// events/2013/World_Championship--Chennai_IND/{games.pgn,crosstable.txt}; each event is a set.
#include <fmt/format.h>

#include "fs/database/group_names.h"
#include "fs/views/all.h"
#include "fs/views/crosstable.h"
#include "fs/views/grouped_view.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// Keys: of a year itself, of all else the key of the event.
// Of an event's own.
constexpr std::uint8_t kCrosstable = kOwnLevel;
constexpr std::string_view kCrosstableName = "crosstable.txt";

const NamedSet& events_of(const Version& version) { return version.database->lists().event_set(); }

// A database that says nothing of events has one for all its games. A table of so many would keep
// whoever asks for its size waiting, and would need all of them in memory at once.
constexpr std::size_t kMaxCrosstableGames = 500'000;

std::string crosstable_text(const Database& database, std::uint32_t event) {
  const EventKey& key = database.lists().events()[event];
  const codec::scid::NameTable& players = database.names()[NameKind::Player];
  if (database.lists().event_games().games(event).count(kMaxCrosstableGames + 1) >
      kMaxCrosstableGames) {
    return fmt::format("{}\n{}\nmore than {} games: no table\n",
                       database.names()[NameKind::Event].text(key.event),
                       database.names()[NameKind::Site].text(key.site), kMaxCrosstableGames);
  }
  std::vector<CrosstableGame> games;
  GameList::Cursor list = database.lists().event_games().games(event).begin();
  for (GameIndex game = list.next(); game != kNoGame; game = list.next()) {
    const codec::scid::GameEntry entry = database.entry(game);
    games.push_back({.white = players.text(entry.white),
                     .black = players.text(entry.black),
                     .white_id = entry.white,
                     .black_id = entry.black,
                     .white_elo = entry.white_rating.value,
                     .black_elo = entry.black_rating.value,
                     .round = database.names()[NameKind::Round].text(entry.round),
                     .result = entry.result,
                     .date = entry.date});
  }
  return format_crosstable({.event = database.names()[NameKind::Event].text(key.event),
                            .site = database.names()[NameKind::Site].text(key.site)},
                           games);
}

// events/ and its years.
class EventsView : public GroupedView {
 public:
  EventsView() : GroupedView(kEventsView) {}

  std::string_view name() const override { return "events"; }

 protected:
  const NamedSet& named(const Version& version) const override { return events_of(version); }
  const SetView& members() const override { return event_view(); }
  std::string group_name(std::uint32_t year) const override { return year_name(year); }
  std::optional<std::uint32_t> parse_group(std::string_view name) const override {
    return parse_year(name);
  }
};

const EventsView& events() {
  static const EventsView kView;
  return kView;
}

// Keys are those of the event set.
class EventView : public ListedSetView {
 public:
  EventView() : ListedSetView(kEventView) {}

  std::string directory_name(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    return event.has_value() ? events_of(version).of(*event).name : "";
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    if (!event.has_value()) return "";
    const Database& database = *version.database;
    const EventKey& names = database.lists().events()[*event];
    std::string title = fmt::format("{}, {}", database.names()[NameKind::Event].text(names.event),
                                    database.names()[NameKind::Site].text(names.site));
    if (names.year != 0) title += fmt::format(", {}", names.year);
    return title;
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    return events().group_of(version, key);
  }
  GameList list_of(const Version& version, std::uint32_t key) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(key);
    return event.has_value() ? version.database->lists().event_games().games(*event) : GameList();
  }
  std::uint64_t own_count(const Version&, std::uint32_t) const override { return 1; }
  std::optional<Child> own_child(const Version&, std::uint32_t key, std::uint64_t) const override {
    return Child{.name = std::string(kCrosstableName), .place = place(kCrosstable, key)};
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    if (name != kCrosstableName) return std::nullopt;
    return own_child(version, key, 0);
  }
  bool own_exists(const Version&, Place place) const override { return place.level == kCrosstable; }
  absl::StatusOr<std::unique_ptr<Content>> open_own(const Version& version, Place file,
                                                    const Effort&) const override {
    const std::optional<std::uint32_t> event = events_of(version).find_key(file.key);
    if (!event.has_value()) return absl::NotFoundError("no such event");
    return std::make_unique<TextContent>(crosstable_text(*version.database, *event));
  }
};

}  // namespace

const View& events_view() { return events(); }

const SetView& event_view() {
  static const EventView kView;
  return kView;
}

}  // namespace scidfs::fs
