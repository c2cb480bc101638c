// years/2013/{all,01,...,12}.pgn: games by their dates. Years are sets, and so are their months,
// years/2013/11/.
#include <fmt/format.h>

#include "codec/number.h"
#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kYears = 2048;
constexpr std::uint32_t kMonths = 16;

// The key of a month is year * kMonths + month; that of a year is the year.
GameList games_of(const Database& database, std::uint32_t month_key) {
  return database.lists().month_games(month_key);
}

bool has_year(const Database& database, std::uint32_t year) {
  if (year >= kYears) return false;
  for (std::uint32_t month = 0; month < kMonths; ++month) {
    if (!games_of(database, year * kMonths + month).empty()) return true;
  }
  return false;
}

std::string month_name(std::uint32_t month) {
  return month == 0 ? std::string(kUnknownName) : fmt::format("{:02}", month);
}

std::optional<std::uint32_t> parse_month(std::string_view name) {
  if (name == kUnknownName) return 0;
  const auto month = codec::parse_number<std::uint32_t>(name);
  if (name.size() != 2 || !month.has_value() || *month == 0 || *month >= kMonths) {
    return std::nullopt;
  }
  return month;
}

class YearsView : public PlacesView {
 public:
  std::string_view name() const override { return "years"; }
  bool is_directory(LocalId place) const override { return place.entry == 0; }
  bool exists(const Version&, LocalId place) const override { return place == LocalId{kYearsView}; }

  absl::Status list(const Version& version, LocalId, std::uint64_t first, const WorkBudget&,
                    EmitChild emit) const override {
    return list_children(
        first, kYears,
        [&](std::uint64_t i) { return year_directory(version, static_cast<std::uint32_t>(i)); },
        emit);
  }

  std::optional<Child> find(const Version& version, LocalId, std::string_view name) const override {
    const std::optional<std::uint32_t> year = parse_year(name);
    return year.has_value() ? year_directory(version, *year) : std::nullopt;
  }

 private:
  static std::optional<Child> year_directory(const Version& version, std::uint32_t year) {
    if (!has_year(*version.database(), year)) return std::nullopt;
    return year_view().set_directory(year_name(year), year);
  }
};

class YearSet : public Set {
 public:
  using Set::Set;

  Listing listing() const override { return Listing::AllGames; }
  absl::StatusOr<GameSet> games(const WorkBudget&) const override {
    GameBitmap games(database().games());
    for (std::uint32_t month = 0; month < kMonths; ++month) {
      games.add(games_of(database(), year() * kMonths + month));
    }
    return DatabaseGames(database_ptr(), games.to_deltas());
  }
  std::string name() const override { return year_name(year()); }
  std::string title() const override {
    return year() == 0 ? "Games without a year" : fmt::format("{}", year());
  }
  LocalId parent() const override { return {.view = kYearsView}; }

 protected:
  // One position for each month, the games without a month last.
  std::uint64_t child_count() const override { return kMonths; }
  std::optional<Child> child(std::uint64_t i) const override {
    return month_file(static_cast<std::uint32_t>((i + 1) % kMonths));
  }
  std::optional<Child> find_child(std::string_view name) const override {
    const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
    const std::optional<std::uint32_t> month = parse_month(stem.value_or(name));
    if (!month.has_value()) return std::nullopt;
    std::optional<Child> file = month_file(*month);
    if (!file.has_value() || stem.has_value()) return file;
    return month_view().set_directory(std::string(name), file->place.key);
  }

 private:
  std::uint32_t year() const { return directory().key; }
  std::optional<Child> month_file(std::uint32_t month) const {
    const std::uint32_t key = year() * kMonths + month;
    if (games_of(database(), key).empty()) return std::nullopt;
    return month_view().games_file(month_name(month) + ".pgn", key);
  }
};

SetPtr bind_year(const Version& version, LocalId directory) {
  if (!has_year(*version.database(), directory.key)) return nullptr;
  return std::make_unique<YearSet>(version, directory);
}

class MonthSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  std::string name() const override { return month_name(month()); }
  std::string title() const override {
    if (year() == 0 && month() == 0) return "Games without a year";
    return fmt::format("{}.{}", year() == 0 ? "????" : fmt::format("{}", year()),
                       month() == 0 ? "??" : fmt::format("{:02}", month()));
  }
  LocalId parent() const override { return year_view().directory_of(year()); }

 private:
  std::uint32_t year() const { return directory().key / kMonths; }
  std::uint32_t month() const { return directory().key % kMonths; }
};

SetPtr bind_month(const Version& version, LocalId directory) {
  const GameList games = games_of(*version.database(), directory.key);
  if (games.empty()) return nullptr;
  return std::make_unique<MonthSet>(version, directory, games);
}

}  // namespace

const View& years_view() {
  static const YearsView kView;
  return kView;
}

const SetView& year_view() {
  static const SetView kView(kYearView, &bind_year);
  return kView;
}

const SetView& month_view() {
  static const SetView kView(kMonthView, &bind_month);
  return kView;
}

}  // namespace scidfs::fs
