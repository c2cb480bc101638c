// events/2013/World_Championship--Chennai_IND/{games.pgn,crosstable.txt}
#include <fmt/format.h>

#include "fs/database/filename.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"
#include "fs/views/crosstable.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// Keys: of a year itself, of all else the key of the event.
enum Level : std::uint8_t { kDirectory, kYear, kEvent, kGames, kCrosstable };

Child year_directory(std::uint32_t year) {
  return {.name = year_name(year), .place = {.level = kYear, .key = year}, .is_directory = true};
}

Child event_directory(std::string name, std::uint32_t key) {
  return {.name = std::move(name), .place = {.level = kEvent, .key = key}, .is_directory = true};
}

Child file_child(Level level, std::uint32_t key) {
  return {.name = level == kGames ? "games.pgn" : "crosstable.txt",
          .place = {.level = level, .key = key}};
}

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

class EventsView : public View {
 public:
  std::string_view name() const override { return "events"; }
  bool is_directory(Place place) const override { return place.level <= kEvent; }

  bool exists(const Database& database, Place place) const override {
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kYear:
        return database.lists().event_set().find_group(place.key) != nullptr;
      case kEvent:
      case kGames:
      case kCrosstable:
        return database.lists().event_set().find_key(place.key).has_value();
      default:
        return false;
    }
  }

  Place parent(const Database& database, Place directory) const override {
    if (directory.level != kEvent) return {};
    const NamedSet& events = database.lists().event_set();
    const std::optional<std::uint32_t> event = events.find_key(directory.key);
    if (!event.has_value()) return {};
    return {.level = kYear, .key = events.group_of(*event)};
  }

  void list(const Database& database, Place directory, std::uint64_t first,
            EmitChild emit) const override {
    const NamedSet& events = database.lists().event_set();
    if (directory.level == kDirectory) {
      list_children(
          first, events.groups().size(),
          [&](std::uint64_t i) { return year_directory(events.groups()[i].group); }, emit);
    } else if (directory.level == kYear) {
      const NamedSet::Group* const year = events.find_group(directory.key);
      if (year == nullptr) return;
      list_children(
          first, year->end - year->begin,
          [&](std::uint64_t i) {
            NamedSet::Listed event = events.at(*year, static_cast<std::uint32_t>(year->begin + i));
            return event_directory(std::move(event.name), event.key);
          },
          emit);
    } else {
      list_children(
          first, 2,
          [&](std::uint64_t i) { return file_child(i == 0 ? kGames : kCrosstable, directory.key); },
          emit);
    }
  }

  std::optional<Child> lookup(const Database& database, Place directory,
                              std::string_view name) const override {
    const NamedSet& events = database.lists().event_set();
    if (directory.level == kDirectory) {
      const std::optional<std::uint32_t> year = parse_year(name);
      if (!year.has_value() || events.find_group(*year) == nullptr) return std::nullopt;
      return year_directory(*year);
    }
    if (directory.level == kYear) {
      const NamedSet::Group* const year = events.find_group(directory.key);
      if (year == nullptr) return std::nullopt;
      const std::optional<NamedSet::Listed> event = events.find(*year, name);
      if (!event.has_value()) return std::nullopt;
      return event_directory(std::string(name), event->key);
    }
    if (name == "games.pgn") return file_child(kGames, directory.key);
    if (name == "crosstable.txt") return file_child(kCrosstable, directory.key);
    return std::nullopt;
  }

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    if (file.level != kGames) return std::nullopt;
    const std::optional<std::uint32_t> event = database->lists().event_set().find_key(file.key);
    if (!event.has_value()) return std::nullopt;
    return GameSet(database, database->lists().event_games().games(*event));
  }

 private:
  absl::StatusOr<std::unique_ptr<Content>> open_other(const DatabasePtr& database, Place file,
                                                      const Effort&) const override {
    const std::optional<std::uint32_t> event = database->lists().event_set().find_key(file.key);
    if (!event.has_value()) return absl::NotFoundError("no such event");
    return std::make_unique<TextContent>(crosstable_text(*database, *event));
  }
};

}  // namespace

const View& events_view() {
  static const EventsView kView;
  return kView;
}

}  // namespace scidfs::fs
