// Conditions of facets, bound to a database: what is to be looked up in which column.
#pragma once

#include <memory>
#include <optional>

#include "codec/scid/index.h"
#include "codec/types.h"
#include "fs/scan/subject.h"
#include "fs/search/column_filter.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// Where the answer to a facet stands.
enum class FacetSource : std::uint8_t {
  Names,     // in the index in memory, by ids of names that must be found first
  Persons,   // there too, by names and dates
  Openings,  // in the openings of all games, which must be found first
  Memory,    // in the index in memory
  File,      // in the file of the index
  Moves,     // in the records of games, in their moves
  Texts,     // there too, in their comments
};
FacetSource source_of(FacetKey key);

// The dictionary of a key. REQUIRES: source_of(key) == FacetSource::Names.
codec::scid::NameKind dictionary_of(FacetKey key);

// Games with one of these names. REQUIRES: as above; for Opponent test_opponent() is meant.
std::unique_ptr<ColumnFilter> test_names(FacetKey key, const NameIds& ids);
// Games between the subject and one of these players; without a subject, of one of these players.
std::unique_ptr<ColumnFilter> test_opponent(const std::optional<Subject>& subject,
                                            const NameIds& opponents);
// REQUIRES: source_of(facet.key) == FacetSource::Memory.
std::unique_ptr<ColumnFilter> test_memory(const Facet& facet);

// Whether a game meets a facet. REQUIRES: source_of(facet.key) == FacetSource::File.
bool meets(const Facet& facet, const codec::scid::IndexEntry& entry);

}  // namespace scidfs::fs
