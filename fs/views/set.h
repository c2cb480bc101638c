// A set of games: the directories that stand for one all have the same files.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/search/query.h"
#include "fs/tables/identities.h"
#include "fs/views/numbers.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Which files a set lists (fs/views/set_files.cc). The others are found by name.
enum class Listing : std::uint8_t {
  Games,     // a file of its games, under the name games.pgn
  AllGames,  // the same under the name all.pgn: parts of the games lie beside it
  Tables,    // no games: they are listed in the sets below, or above
  Database,  // everything
  Position,  // what is known of the position alone
};

// What a set is besides a list of games: the class that it has.
enum class SetKind : std::uint8_t {
  Usual,
  Event,     // EventSet
  Position,  // PositionSet
  Opening,
  Database,
};

// One set of one version, bound for the time of a request (SetView::bind()), so that the whole
// request sees one question and one list of games. Used by one thread; the version outlives it.
class Set {
 public:
  // `directory`: of the set, with the entry kSet. `files`: the number of the view that its files
  // belong to, another one where the directory is but another way to them.
  Set(const Version& version, LocalId directory, std::uint8_t files)
      : version_(version), directory_(directory), files_(files) {}
  Set(const Version& version, LocalId directory) : Set(version, directory, directory.view) {}
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;
  virtual ~Set() = default;

  const Version& version() const { return version_; }
  const DatabasePtr& database_ptr() const { return version_.database; }
  const Database& database() const { return *version_.database; }
  // Its directory, and an entry of that.
  LocalId directory() const { return directory_; }
  LocalId file(SetEntry entry) const {
    return {.view = files_, .entry = entry, .key = directory_.key};
  }
  LocalId below(SetEntry entry) const {
    return {.view = directory_.view, .entry = entry, .key = directory_.key};
  }

  virtual SetKind kind() const { return SetKind::Usual; }
  virtual Listing listing() const { return Listing::Games; }

  // Unavailable, Cancelled, and other errors as search() if the games have to be found first.
  virtual absl::StatusOr<GameSet> games(const WorkBudget& budget) const = 0;
  // Whose games they are, if they are one player's. Errors as those of games().
  virtual bool has_subject() const { return false; }
  virtual absl::StatusOr<std::optional<Subject>> subject(const WorkBudget&) const {
    return std::nullopt;
  }
  // Whom the tables of players and opponents count as one.
  virtual Identities::Of players_are() const { return Identities::Of::Spellings; }
  // The name of its directory; the directory that this lies in; and the set as people would call
  // it.
  virtual std::string name() const = 0;
  virtual LocalId parent() const = 0;
  virtual std::string title() const = 0;
  // What summary.txt says first of it, in lines.
  virtual absl::StatusOr<std::string> introduction(const WorkBudget&) const {
    return std::string();
  }
  // Tells the answers to this set from those to all others of the version.
  virtual std::string answer_key() const;
  // What has been asked to come to it; of a set that no question led to, one without conditions.
  virtual QueryPtr asked() const;

  // Its directory: the files that it lists, then its own children. Errors: see Snapshot::list().
  virtual absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const;
  // A name in it, listed or not.
  std::optional<Child> find(std::string_view name) const;

  // The file of its games, and the table of them. `games` is what games() says.
  virtual absl::StatusOr<std::unique_ptr<Content>> open_games_file(GameSet games,
                                                                   const WorkBudget& budget) const;
  virtual absl::StatusOr<std::unique_ptr<Content>> open_index(const WorkBudget& budget) const;

 protected:
  // What else its directory holds: `count` positions, of which some may be empty; and by name, what
  // is not listed too.
  virtual std::uint64_t child_count() const { return 0; }
  virtual std::optional<Child> child(std::uint64_t) const { return {}; }
  virtual std::optional<Child> find_child(std::string_view) const { return {}; }

 private:
  const Version& version_;
  const LocalId directory_;
  const std::uint8_t files_;
};
using SetPtr = std::unique_ptr<const Set>;

// A set of which the database keeps the list.
class ListedSet : public Set {
 public:
  ListedSet(const Version& version, LocalId directory, std::uint8_t files, GameList games)
      : Set(version, directory, files), games_(games) {}
  ListedSet(const Version& version, LocalId directory, GameList games)
      : ListedSet(version, directory, directory.view, games) {}

  absl::StatusOr<GameSet> games(const WorkBudget&) const final {
    return GameSet(database_ptr(), games_);
  }

 private:
  const GameList games_;
};

}  // namespace scidfs::fs
