#include "fs/search/search.h"

#include <absl/status/status.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/scan/narrow.h"
#include "fs/search/facet_filters.h"
#include "fs/search/facet_row.h"
#include "fs/search/moves_search.h"
#include "fs/search/name_filters.h"
#include "fs/search/opening_filter.h"
#include "fs/search/person_facts.h"
#include "fs/search/person_pattern.h"
#include "fs/search/start_search.h"
#include "fs/search/tag_search.h"
#include "fs/search/text_search.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;

// Returns the facet that defines the subject; null if none does. A player's facet takes precedence
// over a person's.
const Facet* find_subject(const FacetGroup& group) {
  const Facet* found = nullptr;
  for (const Facet& facet : group) {
    if (role_of(facet) != FacetRole::Player) continue;
    if (found == nullptr || facet.row->stage == FacetStage::Names) found = &facet;
  }
  return found;
}

bool meets(const Facet& facet, const IndexEntry& entry) {
  const bool meets_any = std::ranges::any_of(*facet.alternatives, [&](const Condition& condition) {
    return facet.row->meets(condition, entry);
  });
  return meets_any != facet.is_negated;
}

// Counts whole blocks, since they are read as a whole even for one game.
std::size_t entries_to_read(const GameList& games) {
  std::size_t blocks = 0;
  std::size_t last = ~std::size_t{0};
  GameList::Cursor cursor = games.begin();
  for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) {
    if (game / PackedIndex::kBlock != last) ++blocks;
    last = game / PackedIndex::kBlock;
  }
  return blocks * PackedIndex::kBlock;
}

absl::StatusOr<DeltaList> narrow_by_file(const Database& database, const GameList& games,
                                         std::span<const Facet* const> facets,
                                         const WorkBudget& budget) {
  if (!budget.is_unlimited() && !budget.spend(entries_to_read(games) / kFileEntriesOfGame)) {
    return WorkBudget::exceeded();
  }
  std::vector<std::vector<IndexEntry>> buffers(scan_workers(budget));
  const auto keep = [&](std::size_t worker, std::size_t block, BlockMask& mask) {
    ASSIGN_OR_RETURN(const auto entries,
                     database.files().index_file().read_block(block, buffers[worker]));
    keep_if(mask, false, [&](std::size_t i) {
      return std::ranges::all_of(
          facets, [&](const Facet* facet) { return meets(*facet, entries.entries[i]); });
    });
    return absl::OkStatus();
  };
  return narrow(games, database.games(), budget, keep);
}

// A step of a search: narrows a list of games by all facets of a stage.
struct SearchStep {
  FacetStage stage;
  absl::StatusOr<DeltaList> (*narrow)(const Database& database, const GameList& games,
                                      std::span<const Facet* const> facets,
                                      const WorkBudget& budget);
};

// Those after the one in memory, the cheapest first.
constexpr std::array<SearchStep, 5> kSteps = {{{FacetStage::File, narrow_by_file},
                                               {FacetStage::Starts, narrow_by_start},
                                               {FacetStage::Tags, narrow_by_tags},
                                               {FacetStage::Moves, narrow_by_moves},
                                               {FacetStage::Texts, narrow_by_text}}};

// One search, from the cheapest conditions to the most expensive. Refuses each step before it
// begins if the step would exceed the budget.
class Search {
 public:
  Search(const DatabaseGames& set, const PlayersOfPart& players, const WorkBudget& budget)
      : set_(set), database_(*set.database()), players_(players), budget_(budget) {}

  absl::StatusOr<DeltaList> run(const std::optional<Subject>& subject, FacetGroups groups) {
    RETURN_IF_ERROR(bind(subject, groups));
    // With a limited budget, not even a list of too many games may be read.
    if (!budget_.is_unlimited() && filters_.empty() &&
        !budget_.spend(set_.count(most_entries()) / kMemoryEntriesOfGame)) {
      return WorkBudget::exceeded();
    }
    // The games left so far. The first step that narrows the set's own list reads it.
    GameList list = set_.list();
    DeltaList games;
    if (!filters_.empty() || facets_.empty()) {
      ASSIGN_OR_RETURN(games, narrow_in_memory());
      list = GameList::of(games.bytes());
    }
    for (const SearchStep& step : kSteps) {
      const auto facets = facets_.find(step.stage);
      if (facets == facets_.end()) continue;
      ASSIGN_OR_RETURN(games, step.narrow(database_, list, facets->second, budget_));
      list = GameList::of(games.bytes());
    }
    return games;
  }

 private:
  // Some players' games with one color or either: the search can begin with these instead of all
  // games of the set.
  struct Beginning {
    std::vector<std::uint32_t> players;
    std::optional<unsigned> tag;
  };

  absl::Status bind(const std::optional<Subject>& of_set, FacetGroups groups) {
    std::optional<Subject> subject = of_set;
    for (const FacetGroup& group : groups) {
      // The other facets of the group refer to the player, if there is one.
      const Facet* const of_group = find_subject(group);
      if (of_group != nullptr) {
        ASSIGN_OR_RETURN(NameIds players, of_group->row->stage == FacetStage::Persons
                                              ? bind_persons(*of_group)
                                              : bind_names(*of_group, std::nullopt));
        subject = Subject{.players = std::move(players)};
      }
      for (const Facet& facet : group) {
        if (&facet == of_group) continue;
        RETURN_IF_ERROR(bind_facet(facet, subject));
      }
    }
    return absl::OkStatus();
  }

  absl::Status bind_facet(const Facet& facet, const std::optional<Subject>& subject) {
    switch (facet.row->stage) {
      case FacetStage::Bases:
      case FacetStage::Parts:
      case FacetStage::Firsts:
      case FacetStage::Lines:
        break;
      case FacetStage::Names:
        return bind_names(facet, subject).status();
      case FacetStage::Persons:
        return bind_persons(facet).status();
      case FacetStage::Facts:
        return bind_facts(facet);
      case FacetStage::Openings:
        return bind_opening(facet);
      case FacetStage::Memory:
        bind_columns(facet);
        break;
      case FacetStage::Starts:
        bind_start(facet);
        break;
      case FacetStage::File:
      case FacetStage::Tags:
      case FacetStage::Moves:
      case FacetStage::Texts:
        facets_[facet.row->stage].push_back(&facet);
    }
    return absl::OkStatus();
  }

  // A game is none of the alternatives if each of them says so.
  void bind_columns(const Facet& facet) {
    std::vector<std::unique_ptr<ColumnFilter>> filters;
    for (const Condition& condition : *facet.alternatives) {
      filters.push_back(facet.row->filter(condition, facet.is_negated));
    }
    more_passes_ += filters.size() - 1;
    if (facet.is_negated) {
      std::ranges::move(filters, std::back_inserter(filters_));
    } else {
      filters_.push_back(any_of(std::move(filters)));
    }
  }

  void bind_start(const Facet& facet) {
    filters_.push_back(filter_start(facet));
    if (!depends_on_fen(facet)) return;
    // One pass finds the games with a FEN, and another one decides.
    more_passes_ += 2;
    facets_[FacetStage::Starts].push_back(&facet);
  }

  absl::Status bind_opening(const Facet& facet) {
    ASSIGN_OR_RETURN(
        std::unique_ptr<ColumnFilter> filter,
        filter_opening(database_, facet.condition().as<NamePattern>(), facet.is_negated, budget_));
    filters_.push_back(std::move(filter));
    return absl::OkStatus();
  }

  // Returns the ids of the names that match.
  absl::StatusOr<NameIds> bind_names(const Facet& facet, const std::optional<Subject>& subject) {
    const FacetRow& row = *facet.row;
    const NamePattern& pattern = facet.condition().as<NamePattern>();
    const codec::scid::NameTable& names = database_.names()[row.dictionary];
    const bool is_of_players = row.dictionary == codec::scid::NameKind::Player;
    ASSIGN_OR_RETURN(MatchedNames matched, is_of_players ? find_players(players_, pattern, budget_)
                                                         : find_names(names, pattern, budget_));
    filters_.push_back(facet.is_negated ? filter_names(row, OtherNames(names, matched), subject)
                                        : filter_names(row, matched.ids, subject));
    NameIds ids = matched.ids;
    if (is_of_players && !facet.is_negated) begin_with(std::move(matched), row.color);
    return ids;
  }

  // `names` are those that match, or the others.
  template <class Names>
  static std::unique_ptr<ColumnFilter> filter_names(const FacetRow& row, const Names& names,
                                                    const std::optional<Subject>& subject) {
    if (row.dictionary != codec::scid::NameKind::Player) return filter_ids(row.column, names);
    if (row.role == FacetRole::Opponent) return filter_opponents(subject, names);
    return filter_players(names, row.color);
  }

  absl::StatusOr<NameIds> bind_persons(const Facet& facet) {
    ASSIGN_OR_RETURN(MatchedPersons matched,
                     find_persons(players_, facet.condition().as<NamePattern>(), budget_));
    const std::optional<codec::Color> color = facet.row->color;
    filters_.push_back(facet.is_negated ? filter_other_persons(database_, matched, color)
                                        : filter_persons(database_, matched, color));
    NameIds ids = matched.spellings.ids;
    if (!facet.is_negated) begin_with(std::move(matched.spellings), color);
    return ids;
  }

  // Without a color, a game is in a negated facet if both of its players are.
  absl::Status bind_facts(const Facet& facet) {
    ASSIGN_OR_RETURN(MatchedPersons matched, find_persons(database_, facet, budget_));
    const std::optional<codec::Color> color = facet.row->color;
    if (facet.is_negated && !color.has_value()) {
      for (const codec::Color one : {codec::Color::White, codec::Color::Black}) {
        filters_.push_back(filter_persons(database_, matched, one));
      }
      return absl::OkStatus();
    }
    filters_.push_back(filter_persons(database_, matched, color));
    begin_with(std::move(matched.spellings), color);
    return absl::OkStatus();
  }

  void begin_with(MatchedNames matched, std::optional<codec::Color> color) {
    if (!matched.few.has_value()) return;
    Beginning& beginning = beginnings_.emplace_back();
    beginning.players = *std::move(matched.few);
    if (color.has_value()) {
      beginning.tag = *color == codec::Color::White ? GameLists::kWhiteTag : GameLists::kBlackTag;
    }
  }

  // Returns the games of the set that some players have, if these are few; nothing if not. Uses the
  // lists of players' games only if they have been made. They contain only shown games.
  std::optional<GameBitmap> begin_with_players(std::size_t games) const {
    const Postings* const lists = database_.lists().made_player_games();
    if (lists == nullptr || set_.part() != Part::Shown) return std::nullopt;
    constexpr std::size_t kWorthwhile = 8;
    std::size_t fewest = games / kWorthwhile;
    const Beginning* best = nullptr;
    for (const Beginning& beginning : beginnings_) {
      std::size_t count = 0;
      for (const std::uint32_t player : beginning.players) {
        count += lists->games(player, beginning.tag).count(fewest);
        if (count >= fewest) break;
      }
      if (count < fewest) {
        fewest = count;
        best = &beginning;
      }
    }
    if (best == nullptr) return std::nullopt;
    GameBitmap bits(database_.games());
    for (const std::uint32_t player : best->players) bits.add(lists->games(player, best->tag));
    GameBitmap of_set(database_.games());
    of_set.add(set_.list());
    bits &= of_set;
    return bits;
  }

  // Returns a number of entries that exceeds a limited budget in any case.
  std::size_t most_entries() const {
    return budget_.is_unlimited() ? database_.games() : (budget_.left() + 1) * kMemoryEntriesOfGame;
  }

  absl::StatusOr<DeltaList> narrow_in_memory() {
    const auto keep = [this](std::size_t, std::size_t block, BlockMask& mask) {
      for (const auto& filter : filters_) {
        filter->narrow(database_.index(), block, mask);
        if (mask == BlockMask{}) break;
      }
      return absl::OkStatus();
    };
    const std::size_t games = set_.count(most_entries());
    std::optional<GameBitmap> players;
    if (games > kFewGames) {
      players = begin_with_players(games);
      order_filters();
    }
    const std::size_t entries = players.has_value() ? players->count() : games;
    if (!budget_.spend(entries * (1 + more_passes_) / kMemoryEntriesOfGame)) {
      return WorkBudget::exceeded();
    }
    if (players.has_value()) return narrow(*std::move(players), budget_, keep);
    return narrow(set_.list(), database_.games(), budget_, keep);
  }

  // Puts the filters first that leave the fewest games in a sample of blocks.
  void order_filters() {
    constexpr std::size_t kSample = 32;
    const std::size_t blocks = database_.games() / PackedIndex::kBlock;
    if (filters_.size() < 2 || blocks == 0) return;
    std::vector<std::pair<std::size_t, std::unique_ptr<ColumnFilter>>> ordered;
    for (auto& filter : filters_) {
      std::size_t left = 0;
      for (std::size_t i = 0; i < kSample; ++i) {
        BlockMask mask;
        mask.fill(~std::uint64_t{0});
        filter->narrow(database_.index(), i * blocks / kSample, mask);
        left += count_of(mask);
      }
      ordered.emplace_back(left, std::move(filter));
    }
    std::ranges::stable_sort(ordered, {}, [](const auto& filter) { return filter.first; });
    std::ranges::transform(ordered, filters_.begin(),
                           [](auto& filter) { return std::move(filter.second); });
  }

  // With fewer games than this, no preparation saves time.
  static constexpr std::size_t kFewGames = 2000;

  const DatabaseGames& set_;
  const Database& database_;
  const PlayersOfPart players_;
  const WorkBudget& budget_;
  std::vector<std::unique_ptr<ColumnFilter>> filters_;
  std::size_t more_passes_ = 0;  // for alternatives after the first, and for starts
  std::vector<Beginning> beginnings_;
  std::map<FacetStage, std::vector<const Facet*>> facets_;  // of the steps after that in memory
};

}  // namespace

std::string canonical_text(FacetGroups groups) {
  // Facets that do not depend on a player apply to all games, in whichever group they are. The
  // others follow in order, an opponent after the player that it refers to.
  std::vector<std::string_view> plain;
  std::string text;
  const std::string* last_player = nullptr;
  for (const FacetGroup& group : groups) {
    const Facet* const player = find_subject(group);
    if (player != nullptr && (last_player == nullptr || *last_player != player->canonical)) {
      text += "//" + player->canonical;
      last_player = &player->canonical;
    }
    std::vector<std::string_view> opponents;
    for (const Facet& facet : group) {
      if (&facet == player) continue;
      (role_of(facet) == FacetRole::Opponent ? opponents : plain).push_back(facet.canonical);
    }
    std::ranges::sort(opponents);
    for (const std::string_view opponent : opponents) text.append("/").append(opponent);
  }
  std::ranges::sort(plain);
  plain.erase(std::unique(plain.begin(), plain.end()), plain.end());
  std::string all;
  for (const std::string_view facet : plain) {
    if (!all.empty()) all += '/';
    all += facet;
  }
  return all + text;
}

bool knows_name(const Database& database, const Facet& facet) {
  const NamePattern* const pattern = facet.condition().find<NamePattern>();
  if (pattern == nullptr || !pattern->only().has_value()) return true;
  if (facet.row->stage != FacetStage::Persons) {
    return find_only(database.names()[facet.row->dictionary], *pattern).has_value();
  }
  const auto& load = database.reference().spelling;
  if (load == nullptr) return false;
  if (!load->is_ready()) return true;  // a lookup does not wait for it
  const std::shared_ptr<const Spelling> spelling = load->get();
  return *pattern->only() < spelling->persons() &&
         NameMatcher(*pattern).matches(spelling->person(*pattern->only()).name);
}

absl::StatusOr<std::optional<Subject>> subject_of(const PlayersOfPart& players,
                                                  std::optional<Subject> of_set, FacetGroups groups,
                                                  const WorkBudget& budget) {
  const auto last = std::find_if(groups.rbegin(), groups.rend(), [](const FacetGroup& group) {
    return find_subject(group) != nullptr;
  });
  if (last == groups.rend()) return of_set;
  const Facet& facet = *find_subject(*last);
  const NamePattern& pattern = facet.condition().as<NamePattern>();
  if (facet.row->stage == FacetStage::Persons) {
    ASSIGN_OR_RETURN(const MatchedPersons persons, find_persons(players, pattern, budget));
    const CommonPeople* const people = players.all.people();
    return Subject{.players = persons.spellings.ids,
                   .people = people == nullptr ? nullptr : &people->part(players.part),
                   .identities = persons.identities};
  }
  ASSIGN_OR_RETURN(const MatchedNames matched, find_players(players, pattern, budget));
  return Subject{.players = matched.ids};
}

absl::StatusOr<DeltaList> search(const DatabaseGames& set, const PlayersOfPart& players,
                                 const std::optional<Subject>& subject, FacetGroups groups,
                                 const WorkBudget& budget) {
  return Search(set, players, budget).run(subject, groups);
}

absl::StatusOr<DeltaList> search(const DatabaseGames& set, const std::optional<Subject>& subject,
                                 FacetGroups groups, const WorkBudget& budget) {
  const CommonPlayers players(set.database());
  return search(set, {.all = players}, subject, groups, budget);
}

}  // namespace scidfs::fs
