// Which people the players of a database are, by the spelling file and FIDE's list of players.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/types.h"
#include "fs/database/database_options.h"
#include "fs/database/game_ids.h"
#include "fs/database/game_list.h"
#include "fs/database/loaded_index.h"
#include "fs/database/named_set.h"
#include "fs/database/packed_index.h"
#include "fs/database/person_claims.h"
#include "fs/database/person_evidence.h"
#include "fs/database/person_table.h"
#include "fs/database/postings.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// One side of a game.
struct PlayerOfGame {
  std::uint32_t player = 0;  // the id of a name
  std::uint32_t date = 0;    // codec::pack_date()
  std::uint32_t elo = 0;     // 0: unknown; other ratings are no evidence
  std::uint32_t event = 0;   // its id
  // By which the tags are found that have a FIDE id.
  GameIndex game = kNoGame;
  codec::Color color = codec::Color::White;

  SideFacts facts() const { return {.date = date, .elo = elo}; }
};

// Return a side of a game.
PlayerOfGame player_of(const codec::scid::GameEntry& entry, GameIndex game, codec::Color color);
PlayerOfGame player_of(const PackedIndex& index, GameIndex game, codec::Color color);

// The people of a database: who each player is in each game, by the FIDE id in the tags of the game
// if it is that of one person who was alive then, else by the name and by what speaks for and
// against each person whom it can mean. Persons are numbers of the spelling file. Immutable; any
// number of threads may use it.
class People {
 public:
  static constexpr std::uint32_t kNobody = Spelling::kNobody;

  // Looks up all names and goes through the index, on all processors where that pays. `ids`: those
  // of all games; null: they do not count.
  People(const LoadedIndex& index, const codec::scid::NameTable& players,
         std::shared_ptr<const Spelling> spelling, Evidence evidence,
         std::shared_ptr<const GameIds> ids);

  const Spelling& spelling() const { return *spelling_; }

  // Returns the person of a player in a game. Accepts any id.
  std::uint32_t person_of(const PlayerOfGame& in) const {
    const std::uint32_t place = place_of(in);
    return place == kNobody ? kNobody : persons()[place];
  }
  // Why a game is of no person, although the spelling file knows the name.
  struct Reason {
    enum class Of : std::uint8_t {
      Name,       // it tells too little
      Namesakes,  // several of them lived then
      Lifetime,   // what speaks against the only person of this name
      Age,
      Rating,
      Candidates,  // the Elo does not decide between them
      NoElo,       // nor do their lives
      Event,       // other games of the name in the event are another person's
    };
    Of of{};
    // Of candidates: to whose ratings the Elo is near, and whose rating then is unknown.
    std::uint32_t near = 0;
    std::uint32_t unknown = 0;

    auto operator<=>(const Reason&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  // REQUIRES: the player has no person in this game.
  Reason reason(const PlayerOfGame& in) const;
  // Appends the persons to whose ratings the Elo of a game is near, of several whom the name can
  // mean.
  void append_near(const PlayerOfGame& in, std::vector<std::uint32_t>& persons) const;
  // Returns one number for each player or person, the same for all spellings of a person. Players
  // whom the file does not know, or not certainly, have their own ids. All ids that the names lack
  // have the same number. Less than identities().
  std::uint32_t identity_of(const PlayerOfGame& in) const {
    const std::uint32_t place = place_of(in);
    return place == kNobody ? std::min(in.player, players()) : players() + 1 + place;
  }
  std::uint32_t identities() const { return players() + 1 + table_.size(); }
  // Returns the person of an identity; kNobody if the identity is that of a spelling, which is then
  // the id of a player.
  std::uint32_t person_at(std::uint32_t identity) const {
    return identity <= players() ? kNobody : persons()[identity - players() - 1];
  }

  // Returns the identity of a person. REQUIRES: persons() has the person.
  std::uint32_t identity_at(std::uint32_t person) const {
    return players() + 1 + table_.place(person);
  }

  // Returns all persons whom a player's name can mean, ascending. Some may have no game.
  std::span<const std::uint32_t> persons() const { return table_.persons(); }
  // Returns the players who are a person in some games or all, ascending; empty for an unknown
  // person.
  std::span<const std::uint32_t> spellings(std::uint32_t person) const;
  // Returns whether a name can mean a person: by itself, or if no person has it, by an id in a
  // game. A slip of an id makes the name of one person no name of another.
  bool can_mean(std::uint32_t player, std::uint32_t person) const;
  // Returns the shown games of a person, of one color (tags of GameLists) or both.
  GameList games(std::uint32_t person, std::optional<unsigned> tag = std::nullopt) const;
  // Returns the persons who have shown games, by the shards of their correct names.
  const NamedSet& set() const { return set_; }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  // What a name means, by places in the table: its games are of the only person of exactly this
  // name whom nothing speaks against; if something speaks against all, they are the candidates'.
  struct Group {
    std::vector<std::uint32_t> exact;
    Candidates candidates;
  };
  using PlaceAndPlayer = std::pair<std::uint32_t, std::uint32_t>;
  struct Decision {
    std::uint32_t place = kNobody;
    bool is_weak = false;  // games of the same event may tell more
  };

  std::uint32_t players() const { return static_cast<std::uint32_t>(place_of_.size()); }
  // Returns the place of the person in the table.
  std::uint32_t place_of(const PlayerOfGame& in) const {
    if (in.player >= place_of_.size()) return kNobody;
    if (const std::uint32_t place = place_by_id(in); place != kNobody) return place;
    const std::uint32_t place = place_of_[in.player];
    if (place < kListed) return table_.facts()[place].against(in.facts()) ? kNobody : place;
    if (place == kNobody) return kNobody;
    if (place >= kGroups) return place_in(groups_[place - kGroups], in);
    return against_listed(place - kListed, in.facts()) ? kNobody : place - kListed;
  }
  // Returns the place of the person whose FIDE id the tags of the game have.
  std::uint32_t place_by_id(const PlayerOfGame& in) const {
    const std::uint32_t number =
        place_of_id_.empty() ? GameIds::kNone : ids_->number(in.game, in.color);
    if (number == GameIds::kNone) return kNobody;
    const std::uint32_t place = place_of_id_[number];
    return place == kNobody || !table_.facts()[place].may_play(in.facts()) ? kNobody : place;
  }
  // Returns what speaks against the only person of a name in the list.
  std::optional<Against> against_listed(std::uint32_t place, const SideFacts& game) const;
  std::uint32_t place_in(const Group& group, const PlayerOfGame& in) const;
  Decision decide(const Group& group, const SideFacts& game) const;
  // The places of persons whom nothing speaks against.
  struct Possible {
    std::size_t count = 0;
    std::uint32_t only = kNobody;  // if there is one
  };
  Possible possible(std::span<const std::uint32_t> places, const SideFacts& game) const;

  // What the spelling file says about a name, or else the list.
  struct Name {
    Spelling::Found found;
    Spelling::Meant meant;
    std::vector<std::uint32_t> fitting;  // if something speaks against the persons found
    bool is_listed = false;              // the name is of the list alone
  };
  Name name_of(std::string_view text) const;
  void look_up(const codec::scid::NameTable& players, std::span<Name> names) const;
  void set_table(std::span<const Name> names, std::span<const std::uint32_t> persons_of_ids);
  void group_players(std::span<const Name> names);
  Group group_of(const Name& name) const;
  std::vector<std::uint32_t> find_contradicted(const LoadedIndex& index) const;
  std::vector<Claim> find_claims(const LoadedIndex& index) const;
  std::vector<PlaceAndPlayer> find_named_by_id(const LoadedIndex& index) const;
  void list_spellings(std::span<const Name> names, std::span<const Claim> claims,
                      std::span<const PlaceAndPlayer> named_by_id);
  void list_games(const LoadedIndex& index);

  // The values of place_of_; kNobody: none.
  //
  //  bits   field   width  meaning
  //  31     group       1  several people may be meant
  //  30     listed      1  the name is of the list alone
  //  29..0  place      30  in the table; of several people, their group in groups_
  static constexpr std::uint32_t kGroups = 1U << 31;
  static constexpr std::uint32_t kListed = 1U << 30;

  std::shared_ptr<const Spelling> spelling_;
  Evidence evidence_;
  std::shared_ptr<const GameIds> ids_;      // null: they do not count
  std::vector<std::uint32_t> place_of_id_;  // by number in ids_; empty if none is a person's
  std::vector<std::uint32_t> place_of_;     // by player
  PersonTable table_;
  std::vector<Group> groups_;
  absl::flat_hash_set<NameInEvent> disputed_;
  std::vector<std::uint32_t> spellings_;  // players, by place
  std::vector<std::uint32_t> spelling_ends_;
  Postings games_;  // by place, tagged by color
  NamedSet set_;
};

}  // namespace scidfs::fs
