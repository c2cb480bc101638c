// What there is to know of a key of facets: one row of a table for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/position.h"
#include "codec/scid/index.h"
#include "codec/types.h"
#include "fs/scan/subject.h"
#include "fs/search/column_filter.h"
#include "fs/search/condition.h"
#include "fs/search/moves_filter.h"

namespace scidfs::fs {

// What a game is held against, the cheapest first.
enum class FacetStage : std::uint8_t {
  Names,     // the index in memory, by ids of names that must be found first
  Persons,   // the same, by names and dates
  Openings,  // the openings of all games, which must be found first
  Memory,    // the index in memory
  File,      // the file of the index
  Moves,     // the moves of records
  Texts,     // the comments of records
};

// What a facet says of the others of its group.
enum class FacetRole : std::uint8_t {
  Plain,
  Player,    // whose games they are
  Opponent,  // the other player of these games
};

// What a value means, and its one form.
struct ParsedValue {
  Condition::Value value;
  std::string canonical;
};

struct FacetRow {
  std::string_view name;
  std::string_view needs;  // what values are, for people
  std::optional<ParsedValue> (*parse)(std::string_view value) = nullptr;
  // Says more than `needs` of a text that is no value; null: there is no more to say.
  std::string (*explain)(std::string_view text) = nullptr;

  FacetStage stage = FacetStage::Memory;
  FacetRole role = FacetRole::Plain;
  std::optional<codec::Color> color{};  // Names and Persons: of the player; nothing: either
  codec::scid::NameKind dictionary = codec::scid::NameKind::Player;  // Names

  // How the condition is held against games: the one of these that belongs to the stage. Persons,
  // Openings and Texts have none: there is one way for each.
  std::unique_ptr<ColumnFilter> (*filter_names)(const FacetRow& row, const NameIds& ids) = nullptr;
  std::unique_ptr<ColumnFilter> (*filter)(const Condition& condition) = nullptr;  // Memory
  bool (*meets)(const Condition& condition,
                const codec::scid::IndexEntry& entry) = nullptr;  // File
  // Moves; `rule` is that of the database's records.
  std::unique_ptr<MovesFilter> (*filter_moves)(const Condition& condition,
                                               codec::CastlingRule rule) = nullptr;
};

// In the order in which messages name them.
std::span<const FacetRow> facet_rows();

}  // namespace scidfs::fs
