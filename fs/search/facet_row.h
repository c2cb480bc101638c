// A table of the facets: one row for each key.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position.h"
#include "codec/scid/index.h"
#include "codec/types.h"
#include "fs/database/packed_index.h"
#include "fs/reference/spelling_index.h"
#include "fs/search/column_filter.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"
#include "fs/search/moves_filter.h"

namespace scidfs::fs {

// What a facet tests in a game, the cheapest first.
enum class FacetStage : std::uint8_t {
  Bases,     // the database; the caller of the search chooses these
  Parts,     // the place in the set to which the group applies; chosen by the caller, too
  Firsts,    // the place among those that all else in the group leaves; chosen by the caller, too
  Names,     // the index in memory, by ids of names; the search finds these first
  Persons,   // the same, by names and dates
  Facts,     // the same, by what is known of persons
  Openings,  // the openings of all games; the search finds these first
  Memory,    // the index in memory
  File,      // the file of the index
  Starts,    // the index in memory, and the FENs of records that have one
  Tags,      // the tags of records
  Moves,     // the moves of records
  Texts,     // the comments of records
  Lines,     // the lines of a repertoire; chosen by the caller, too
};

// How a facet relates to the other facets of its group.
enum class FacetRole : std::uint8_t {
  Plain,
  Player,    // whose games they are
  Opponent,  // the other player of these games
};

// The meaning of a value, and its canonical form.
struct ParsedValue {
  Condition::Value value;
  std::string canonical;
};

struct FacetRow {
  std::string_view name;
  std::string_view valid_values;  // in words, for users
  // The key under which its facets have their canonical form; empty: its own.
  std::string_view canonical_key{};
  std::optional<ParsedValue> (*parse)(std::string_view value) = nullptr;
  // Explains to users, in more detail than `valid_values`, why a text is no value. Null if there
  // are no details.
  std::string (*explain)(std::string_view text) = nullptr;
  // Orders the alternatives of a list, and merges those with the same meaning, so that lists with
  // the same meaning become equal. Null if the key takes no list, since commas belong to its
  // values.
  void (*combine)(std::vector<ParsedValue>& alternatives) = nullptr;

  FacetStage stage = FacetStage::Memory;
  FacetRole role = FacetRole::Plain;
  // Names, Persons and Facts: the player's color; nothing: either
  std::optional<codec::Color> color{};
  codec::scid::NameKind dictionary = codec::scid::NameKind::Player;  // Names
  PackedIndex::Column column{};                                      // Names of no players

  bool takes_not = true;  // whether there is the key with `not-`

  // The test of the condition: the row sets the function that belongs to its stage. Rows of Names,
  // Persons, Openings, Starts, Tags and Texts set none: search() has one test for each of these
  // stages.
  //
  // Memory; if it is negated, the filter keeps the games that certainly do not meet the condition.
  std::unique_ptr<ColumnFilter> (*filter)(const Condition& condition, bool is_negated) = nullptr;
  // Facts: whether a player who is this person meets the condition; nothing if it is unknown.
  std::optional<bool> (*meets_person)(const Condition& condition,
                                      const SpellingIndex::Person& person) = nullptr;
  bool (*meets)(const Condition& condition,
                const codec::scid::IndexEntry& entry) = nullptr;  // File
  // Moves; `rule` is the castling rule of the database's records.
  std::unique_ptr<MovesFilter> (*filter_moves)(const Condition& condition,
                                               codec::CastlingRule rule) = nullptr;
  bool has_moment = true;  // whether a game meets it in one of its positions
};

// Returns the role of a facet: a negated one is no player whose games they are.
inline FacetRole role_of(const Facet& facet) {
  const bool is_other = facet.is_negated && facet.row->role == FacetRole::Player;
  return is_other ? FacetRole::Plain : facet.row->role;
}

// Returns the rows, in the order in which messages name them.
std::span<const FacetRow> facet_rows();

}  // namespace scidfs::fs
