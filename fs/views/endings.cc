// endings/rook/: games by the classes of endings that they come to (codec/ending_classes.h). Each
// class is a set, and endings/ is the set of the games of all.
#include "fs/views/endings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "codec/ending_classes.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/game_bitmap.h"
#include "fs/views/all.h"
#include "fs/views/kept_parts.h"

namespace scidfs::fs {
namespace {

using codec::EndingClass;
using codec::kEndingClasses;
using codec::kEndings;
using EndingsPtr = std::shared_ptr<const SetEndings>;

constexpr std::string_view kDirectoryOfEndings = "endings";

// The key of a class is its number from 1, that of endings/ is 0.
class EndingSet : public Set {
 public:
  using Set::Set;

  // The sets of the classes already list all games.
  Listing listing() const override { return is_top() ? Listing::Tables : Listing::Games; }
  absl::StatusOr<GameSet> games(const WorkBudget& budget) const override {
    ASSIGN_OR_RETURN(const EndingsPtr endings, of_database(budget));
    if (!is_top()) {
      return DatabaseGames(database_ptr(), std::shared_ptr<const DeltaList>(
                                               endings, &endings->games(directory().key - 1)));
    }
    if (!budget.spend(database().games() / kMemoryEntriesOfGame)) return WorkBudget::exceeded();
    GameBitmap games(database().games());
    for (std::size_t ending = 0; ending < kEndings; ++ending) {
      games.add(GameList::of(endings->games(ending).bytes()));
    }
    return DatabaseGames(database_ptr(), games.to_deltas());
  }
  std::string name() const override {
    return std::string(is_top() ? kDirectoryOfEndings : of_key().name);
  }
  std::string title() const override {
    if (is_top()) return "Games with an ending";
    std::string words = name();
    std::ranges::replace(words, '-', ' ');
    return "Endings: " + words;
  }
  LocalId parent() const override { return is_top() ? LocalId{} : endings_view().directory_of(0); }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override {
    absl::Status status = is_top() ? of_database(budget).status() : absl::OkStatus();
    return status.ok() ? Set::list(first, budget, emit) : status;
  }

 protected:
  // One position for each class, empty if it has no games.
  std::uint64_t child_count() const override { return is_top() ? kEndings : 0; }
  std::optional<Child> child(std::uint64_t i) const override {
    const EndingsPtr endings = version().endings->made();  // by list()
    if (endings == nullptr || endings->games(i).size() == 0) return std::nullopt;
    return endings_view().set_directory(std::string(kEndingClasses[i].name),
                                        static_cast<std::uint32_t>(i + 1));
  }
  std::optional<Child> find_child(std::string_view name) const override {
    const auto found = std::ranges::find(kEndingClasses, name, &EndingClass::name);
    if (!is_top() || found == kEndingClasses.end()) return std::nullopt;
    const auto number = std::distance(kEndingClasses.begin(), found);
    return endings_view().set_directory(std::string(name), static_cast<std::uint32_t>(number + 1));
  }

 private:
  bool is_top() const { return directory().key == 0; }
  const EndingClass& of_key() const { return kEndingClasses[directory().key - 1]; }
  absl::StatusOr<EndingsPtr> of_database(const WorkBudget& budget) const {
    return endings_of(*database_view().set_of(version(), 0), budget);
  }
};

// All classes exist; those with games are listed.
SetPtr bind_ending(const Version& version, LocalId directory) {
  if (directory.key > kEndings || version.database()->shown().empty()) return nullptr;
  return std::make_unique<EndingSet>(version, directory);
}

class EndingsView : public SetView {
 public:
  EndingsView() : SetView(kEndingsView, &bind_ending) {}

  std::string_view name() const override { return kDirectoryOfEndings; }
};

// Adds up the endings of a set's games in each of several databases.
absl::StatusOr<EndingsPtr> endings_together(const Set& set, const GameSet& games,
                                            const WorkBudget& budget) {
  const Version& version = set.version();
  auto all = std::make_shared<SetEndings>();
  if (set.directory() != LocalId{}) {
    RETURN_IF_ERROR(add_kept_parts<SetEndings>(
        set, set.answer_key(), games, budget,
        [&](const DatabaseGames& part) { return SetEndings::find(part, budget); },
        [&all](std::uint32_t, const SetEndings& part) { *all += part; }));
    return all;
  }
  for (std::size_t part = 0; part < version.parts(); ++part) {
    ASSIGN_OR_RETURN(const EndingsPtr own,
                     endings_of(*database_view().set_of(version.part(part), 0), budget));
    *all += *own;
  }
  return all;
}

}  // namespace

absl::StatusOr<EndingsPtr> endings_of(const Set& set, const WorkBudget& budget) {
  const Version& version = set.version();
  const auto find = [&]() -> absl::StatusOr<EndingsPtr> {
    ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
    if (!version.is_together()) return SetEndings::find(games.only(), budget);
    return endings_together(set, games, budget);
  };
  if (set.is_database()) return version.endings->get(budget, find);
  return version.searches->results.get<SetEndings>(
      fmt::format("{}:{}", version.id, set.answer_key()), budget, find);
}

const SetView& endings_view() {
  static const EndingsView kView;
  return kView;
}

}  // namespace scidfs::fs
