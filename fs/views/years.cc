// years/2013/{all,01,...,12}.pgn by the dates of the games.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codec/number.h"
#include "fs/base/names.h"
#include "fs/database/filename.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

// Keys: of a year and its all.pgn the year, of a month year * 16 + month.
enum Level : std::uint8_t { kDirectory, kYear, kAll, kMonth };

constexpr std::uint32_t kYears = 2048;
constexpr std::uint32_t kMonths = 16;

GameList games_of(const Database& database, std::uint32_t month_key) {
  return database.lists().month_games().games(month_key);
}

// Those of all months, in database order.
GameDeltas games_of_year(const Database& database, std::uint32_t year) {
  std::vector<GameIndex> games;
  for (std::uint32_t month = 0; month < kMonths; ++month) {
    GameList::Cursor part = games_of(database, year * kMonths + month).begin();
    for (GameIndex game = part.next(); game != kNoGame; game = part.next()) games.push_back(game);
  }
  std::sort(games.begin(), games.end());
  GameDeltas all;
  for (const GameIndex game : games) all.add(game);
  return all;
}

bool has_year(const Database& database, std::uint32_t year) {
  if (year >= kYears) return false;
  for (std::uint32_t month = 0; month < kMonths; ++month) {
    if (!games_of(database, year * kMonths + month).empty()) return true;
  }
  return false;
}

Child year_directory(std::uint32_t year) {
  return {.name = year_name(year), .place = {.level = kYear, .key = year}, .is_directory = true};
}

Child all_child(std::uint32_t year) {
  return {.name = "all.pgn", .place = {.level = kAll, .key = year}};
}

// Nothing if the month would be empty.
std::optional<Child> month_child(const Database& database, std::uint32_t year,
                                 std::uint32_t month) {
  const std::uint32_t key = year * kMonths + month;
  if (games_of(database, key).empty()) return std::nullopt;
  return Child{.name = month == 0 ? "_unknown.pgn" : fmt::format("{:02}.pgn", month),
               .place = {.level = kMonth, .key = key}};
}

class YearsView : public View {
 public:
  std::string_view name() const override { return "years"; }
  bool is_directory(Place place) const override { return place.level <= kYear; }

  bool exists(const Database& database, Place place) const override {
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kYear:
      case kAll:
        return has_year(database, place.key);
      case kMonth:
        return !games_of(database, place.key).empty();
      default:
        return false;
    }
  }

  void list(const Database& database, Place directory, std::uint64_t first,
            EmitChild emit) const override {
    if (directory.level == kDirectory) {
      list_children(
          first, kYears,
          [&](std::uint64_t i) -> std::optional<Child> {
            const auto year = static_cast<std::uint32_t>(i);
            if (!has_year(database, year)) return std::nullopt;
            return year_directory(year);
          },
          emit);
      return;
    }
    list_children(
        first, 1 + kMonths,
        [&](std::uint64_t i) -> std::optional<Child> {
          if (i == 0) return all_child(directory.key);
          // Months first, the games without a month last.
          const auto month = static_cast<std::uint32_t>(i % kMonths);
          return month_child(database, directory.key, month);
        },
        emit);
  }

  std::optional<Child> lookup(const Database& database, Place directory,
                              std::string_view name) const override {
    if (directory.level == kDirectory) {
      const std::optional<std::uint32_t> year = parse_year(name);
      if (!year.has_value() || !has_year(database, *year)) return std::nullopt;
      return year_directory(*year);
    }
    if (!has_year(database, directory.key)) return std::nullopt;
    if (name == "all.pgn") return all_child(directory.key);
    if (name == "_unknown.pgn") return month_child(database, directory.key, 0);
    const std::optional<std::string_view> digits = strip_suffix(name, ".pgn");
    if (!digits.has_value()) return std::nullopt;
    const auto month = codec::parse_number<std::uint32_t>(*digits);
    if (digits->size() != 2 || !month.has_value() || *month == 0 || *month >= kMonths)
      return std::nullopt;
    return month_child(database, directory.key, *month);
  }

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    if (file.level == kMonth) return GameSet(database, games_of(*database, file.key));
    return GameSet(database, games_of_year(*database, file.key));
  }
};

}  // namespace

const View& years_view() {
  static const YearsView kView;
  return kView;
}

}  // namespace scidfs::fs
