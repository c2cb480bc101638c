// Conditions of facets, bound to what the index says of games: which column holds the answer.
#pragma once

#include <memory>
#include <optional>

#include "codec/scid/index.h"
#include "codec/types.h"
#include "fs/scan/subject.h"
#include "fs/search/column_filter.h"
#include "fs/search/condition.h"

namespace scidfs::fs {

// Games of one of these players, with a colour or either.
std::unique_ptr<ColumnFilter> filter_players(const NameIds& ids, std::optional<codec::Color> color);
// Games between the subject and one of these players; without a subject, of one of these players.
std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const NameIds& opponents);
// Games with one of these names in a column.
std::unique_ptr<ColumnFilter> filter_ids(PackedIndex::Column column, const NameIds& ids);

// By the value of the condition, which is the one that the facet of this name has.
std::unique_ptr<ColumnFilter> filter_year(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_month(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_date(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_result(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_eco(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_elo(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_white_elo(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_black_elo(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_elo_difference(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_number(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_flags(const Condition& condition);
std::unique_ptr<ColumnFilter> filter_start(const Condition& condition);

bool meets_plies(const Condition& condition, const codec::scid::IndexEntry& entry);
bool meets_annotation(const Condition& condition, const codec::scid::IndexEntry& entry);
bool meets_material(const Condition& condition, const codec::scid::IndexEntry& entry);

}  // namespace scidfs::fs
