// Directories that stand for a list of games: all have the same entries.
#pragma once

#include <array>
#include <span>
#include <string>

#include "fs/database/game_set.h"
#include "fs/sets/identities.h"
#include "fs/sets/subject.h"
#include "fs/views/view.h"

namespace scidfs::fs {

// The levels of a set's places; the key says which set of the view it is. Those from kOwnLevel on
// mean what the view says.
enum SetLevel : std::uint8_t {
  kSet,               // the directory
  kSetGames,          // games.pgn, all.pgn, NAME.pgn
  kSetIndex,          // index.tsv
  kSetSummary,        // summary.txt
  kSetPlayers,        // players.tsv
  kSetOpponents,      // opponents.tsv, where there is a subject
  kSetOpenings,       // openings.tsv
  kSetSearch,         // search/
  kSetSearchHelp,     // search/README.txt
  kSetPositions,      // positions/
  kSetPositionsHelp,  // positions/README.txt
  kSetPeople,         // people.tsv, where there is a spelling file
  kSetAgainst,        // against/, where there is a subject
  kOwnLevel,
};

inline constexpr std::string_view kGamesName = "games.pgn";
inline constexpr std::string_view kTreeName = "tree";
inline constexpr std::string_view kPeopleName = "people.tsv";

// The sets of one kind, each with a key.
class SetView : public View {
 public:
  // `files` is the view that the files of the sets belong to, where the directories are but other
  // ways to them.
  SetView(std::uint8_t number, std::uint8_t files) : number_(number), files_(files) {}
  explicit SetView(std::uint8_t number) : SetView(number, number) {}

  const SetView* sets() const final { return this; }

  // What views say of their sets. REQUIRES for all below: the set exists.
  virtual bool has_set(const Version& version, std::uint32_t key) const = 0;
  // Unavailable, Cancelled, and other errors as search() if the games have to be found first.
  virtual absl::StatusOr<GameSet> games(const Version& version, std::uint32_t key,
                                        const Effort& effort) const = 0;
  virtual bool has_subject(const Version&, std::uint32_t) const { return false; }
  // Errors as those of games().
  virtual absl::StatusOr<std::optional<Subject>> subject(const Version&, std::uint32_t,
                                                         const Effort&) const {
    return std::nullopt;
  }
  // Whom the tables of players and opponents count as one.
  virtual Identities::Of players_are(const Version&, std::uint32_t) const {
    return Identities::Of::Spellings;
  }
  // The name of the set's directory; and the set as people would call it.
  virtual std::string directory_name(const Version& version, std::uint32_t key) const = 0;
  virtual std::string title(const Version& version, std::uint32_t key) const = 0;

  bool is_directory(Place place) const override { return is_directory_level(place.level); }
  bool exists(const Version& version, Place place) const override;
  Place parent(const Version& version, Place directory) const override;
  absl::Status list(const Version& version, Place directory, std::uint64_t first,
                    const Effort& effort, EmitChild emit) const override;
  std::optional<Child> lookup(const Version& version, Place directory,
                              std::string_view name) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, Place file,
                                                const Effort& effort) const override;

  // The directory of a set, and a file in it, as children.
  Child set_directory(std::string name, std::uint32_t key) const {
    return {.name = std::move(name), .place = place(kSet, key), .is_directory = true};
  }
  Child games_file(std::string name, std::uint32_t key) const {
    return {.name = std::move(name), .place = place(kSetGames, key)};
  }

 protected:
  // The directory that a set's directory lies in.
  virtual Place directory_above(const Version& version, std::uint32_t key) const = 0;
  // How the file of games is listed.
  virtual std::string_view games_name() const { return kGamesName; }
  // The entries of every set that are listed; kGamesName stands for games_name().
  virtual std::span<const std::string_view> listed(const Version& version, std::uint32_t key) const;
  // What else the set's directory holds: `count` positions, of which some may be empty, after the
  // entries that all sets have; and by name, what is not listed too.
  virtual std::uint64_t own_count(const Version&, std::uint32_t) const { return 0; }
  virtual std::optional<Child> own_child(const Version&, std::uint32_t, std::uint64_t) const {
    return {};
  }
  virtual std::optional<Child> find_own(const Version&, std::uint32_t, std::string_view) const {
    return {};
  }
  // Of the levels from kOwnLevel on.
  virtual bool own_exists(const Version&, Place) const { return false; }
  virtual absl::StatusOr<std::unique_ptr<Content>> open_own(const Version&, Place,
                                                            const Effort&) const;
  // The file of games. `set` is what games() says.
  virtual absl::StatusOr<std::unique_ptr<Content>> open_games_file(const Version& version,
                                                                   std::uint32_t key, GameSet set,
                                                                   const Effort& effort) const;
  virtual absl::StatusOr<std::unique_ptr<Content>> open_index(const Version& version,
                                                              std::uint32_t key,
                                                              const Effort& effort) const;

  // What summary.txt says first of the set, in lines.
  virtual absl::StatusOr<std::string> introduction(const Version&, std::uint32_t,
                                                   const Effort&) const {
    return std::string();
  }

  // Tells the answers to this set from those to all others of the version.
  virtual std::string answer_key(const Version& version, std::uint32_t key) const;

  Place place(std::uint8_t level, std::uint32_t key) const {
    return {.view = is_directory_level(level) ? number_ : files_, .level = level, .key = key};
  }

 private:
  static bool is_directory_level(std::uint8_t level) {
    return level == kSet || level == kSetSearch || level == kSetPositions || level == kSetAgainst;
  }
  bool has_table(const Version& version, std::uint8_t level, std::uint32_t key) const;
  std::optional<Child> find_entry(const Version& version, std::uint32_t key,
                                  std::string_view name) const;
  absl::StatusOr<std::unique_ptr<Content>> open_players(const Version& version, Place file,
                                                        const Effort& effort) const;

  const std::uint8_t number_;
  const std::uint8_t files_;
};

// Sets of which the database keeps lists. There is a set where the list is not empty.
class ListedSetView : public SetView {
 public:
  using SetView::SetView;

  bool has_set(const Version& version, std::uint32_t key) const final {
    return !list_of(version, key).empty();
  }
  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t key,
                                const Effort&) const final {
    return GameSet(version.database, list_of(version, key));
  }

 protected:
  // Empty for a key that means nothing.
  virtual GameList list_of(const Version& version, std::uint32_t key) const = 0;
};

}  // namespace scidfs::fs
