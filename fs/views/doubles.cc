// doubles/: the games that are the same, doubles.tsv and all.pgn; and doubles/unique/, the set of
// all games with only one of each such group. Those of together/ are found among all databases.
//
// The first request for one of these files finds the doubles; the version then keeps them.
#include "fs/duplicates/doubles.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/database/game_content.h"
#include "fs/database/game_order.h"
#include "fs/duplicates/double_table.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

using DoublesPtr = std::shared_ptr<const Doubles>;

absl::StatusOr<DoublesPtr> doubles_of(const Version& version, const WorkBudget& budget) {
  return version.doubles->get(budget, [&]() -> absl::StatusOr<DoublesPtr> {
    ASSIGN_OR_RETURN(const CommonPlayersPtr players, players_of(version, budget));
    return Doubles::find(players, budget);
  });
}

std::vector<DatabaseGames> shown_games(const Version& version) {
  std::vector<DatabaseGames> parts;
  for (const DatabasePtr& database : version.databases) {
    parts.emplace_back(database, database->shown());
  }
  return parts;
}

bool has_games(const Version& version) {
  return !std::ranges::all_of(shown_games(version), &DatabaseGames::empty);
}

class DoublesView : public PlacesView {
 public:
  std::string_view name() const override { return "doubles"; }
  bool is_directory(LocalId place) const override { return place.entry == kDirectory; }
  bool exists(const Version& version, LocalId place) const override {
    return place.entry <= kGames && place.key == 0 && has_games(version);
  }
  bool is_table(LocalId file) const override { return file.entry == kTable; }

  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget&, EmitChild emit) const override {
    return list_children(
        first, kNames.size(), [&](std::uint64_t i) { return find(version, directory, kNames[i]); },
        emit);
  }

  std::optional<Child> find(const Version&, LocalId, std::string_view name) const override {
    if (name == kUnique) return unique_view().set_directory(std::string(name), 0);
    for (const std::uint8_t entry : {kTable, kGames}) {
      if (name != kNames[entry - kTable]) continue;
      return Child{.name = std::string(name), .place = {.view = kDoublesView, .entry = entry}};
    }
    return std::nullopt;
  }

  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(DoublesPtr doubles, doubles_of(version, budget));
    if (file.entry == kTable) {
      ASSIGN_OR_RETURN(GameSet shown, game_set(version, shown_games(version), budget));
      return open_double_table(std::move(doubles), std::move(shown), budget);
    }
    std::vector<GameIndex> games;
    games.reserve(doubles->games().size());
    for (const Double& game : doubles->games()) games.push_back(game.game);
    return open_games(GameOrder(doubles->numbers(), std::move(games)), budget);
  }

 private:
  enum Entry : std::uint8_t { kDirectory, kTable, kGames };
  static constexpr std::string_view kUnique = "unique";
  // The names of the files by entry.
  static constexpr std::array<std::string_view, 3> kNames = {"doubles.tsv", "all.pgn", kUnique};
};

class UniqueSet : public Set {
 public:
  using Set::Set;

  absl::StatusOr<GameSet> games(const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(const DoublesPtr doubles, doubles_of(version(), budget));
    std::vector<DatabaseGames> parts;
    for (std::size_t part = 0; part < version().parts(); ++part) {
      parts.push_back(
          DatabaseGames::all_but(version().databases[part], {doubles, &doubles->left_out(part)}));
    }
    return game_set(version(), std::move(parts), budget);
  }
  bool is_sum_of_parts() const override { return version().parts() == 1; }
  std::string name() const override { return "unique"; }
  std::string title() const override { return "Each game once"; }
  LocalId parent() const override { return {.view = kDoublesView}; }
};

SetPtr bind_unique(const Version& version, LocalId directory) {
  if (directory.key != 0 || !has_games(version)) return nullptr;
  return std::make_unique<UniqueSet>(version, directory);
}

}  // namespace

const View& doubles_view() {
  static const DoublesView kView;
  return kView;
}

const SetView& unique_view() {
  static const SetView kView(kUniqueView, &bind_unique);
  return kView;
}

}  // namespace scidfs::fs
