// years/2013/{all,01,...,12}.pgn by the dates of the games. Years are sets, and so are their
// months, years/2013/11/.
#include <fmt/format.h>

#include "codec/number.h"
#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/database/game_bits.h"
#include "fs/database/group_names.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kYears = 2048;
constexpr std::uint32_t kMonths = 16;

// A month's key is year * kMonths + month; a year's is the year.
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

class YearsView : public View {
 public:
  std::string_view name() const override { return "years"; }
  bool is_directory(Place place) const override { return place.level == 0; }
  bool exists(const Version&, Place place) const override { return place == Place{kYearsView}; }
  Place parent(const Version&, Place) const override { return {}; }

  absl::Status list(const Version& version, Place, std::uint64_t first, const Effort&,
                    EmitChild emit) const override {
    return list_children(
        first, kYears,
        [&](std::uint64_t i) { return year_directory(version, static_cast<std::uint32_t>(i)); },
        emit);
  }

  std::optional<Child> lookup(const Version& version, Place, std::string_view name) const override {
    const std::optional<std::uint32_t> year = parse_year(name);
    return year.has_value() ? year_directory(version, *year) : std::nullopt;
  }

 private:
  static std::optional<Child> year_directory(const Version& version, std::uint32_t year) {
    if (!has_year(*version.database, year)) return std::nullopt;
    return year_view().set_directory(year_name(year), year);
  }
};

class YearView : public SetView {
 public:
  YearView() : SetView(kYearView) {}

  bool has_set(const Version& version, std::uint32_t key) const override {
    return has_year(*version.database, key);
  }
  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t key,
                                const Effort&) const override {
    GameBits games(version.database->games());
    for (std::uint32_t month = 0; month < kMonths; ++month) {
      games.add(games_of(*version.database, key * kMonths + month));
    }
    return GameSet(version.database, games.to_deltas());
  }
  std::string directory_name(const Version&, std::uint32_t key) const override {
    return year_name(key);
  }
  std::string title(const Version&, std::uint32_t key) const override {
    return key == 0 ? "Games without a year" : fmt::format("{}", key);
  }

 protected:
  Place directory_above(const Version&, std::uint32_t) const override {
    return {.view = kYearsView};
  }
  std::string_view games_name() const override { return "all.pgn"; }
  // Months first, the games without a month last.
  std::uint64_t own_count(const Version&, std::uint32_t) const override { return kMonths; }
  std::optional<Child> own_child(const Version& version, std::uint32_t key,
                                 std::uint64_t i) const override {
    const auto month = static_cast<std::uint32_t>((i + 1) % kMonths);
    const std::uint32_t month_key = key * kMonths + month;
    if (!month_view().has_set(version, month_key)) return std::nullopt;
    return month_view().games_file(month_name(month) + ".pgn", month_key);
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
    const std::optional<std::uint32_t> month = parse_month(stem.value_or(name));
    if (!month.has_value()) return std::nullopt;
    const std::uint32_t month_key = key * kMonths + *month;
    if (!month_view().has_set(version, month_key)) return std::nullopt;
    return stem.has_value() ? month_view().games_file(std::string(name), month_key)
                            : month_view().set_directory(std::string(name), month_key);
  }
};

class MonthView : public ListedSetView {
 public:
  MonthView() : ListedSetView(kMonthView) {}

  std::string directory_name(const Version&, std::uint32_t key) const override {
    return month_name(key % kMonths);
  }
  std::string title(const Version&, std::uint32_t key) const override {
    const std::uint32_t year = key / kMonths;
    const std::uint32_t month = key % kMonths;
    if (year == 0 && month == 0) return "Games without a year";
    return fmt::format("{}.{}", year == 0 ? "????" : fmt::format("{}", year),
                       month == 0 ? "??" : fmt::format("{:02}", month));
  }

 protected:
  Place directory_above(const Version&, std::uint32_t key) const override {
    return year_view().set_directory("", key / kMonths).place;
  }
  GameList list_of(const Version& version, std::uint32_t key) const override {
    return games_of(*version.database, key);
  }
};

}  // namespace

const View& years_view() {
  static const YearsView kView;
  return kView;
}

const SetView& year_view() {
  static const YearView kView;
  return kView;
}

const SetView& month_view() {
  static const MonthView kView;
  return kView;
}

}  // namespace scidfs::fs
