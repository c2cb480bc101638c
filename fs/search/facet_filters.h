// Conditions of facets, bound to the columns and entries of the index.
#pragma once

#include <memory>
#include <optional>

#include "codec/scid/index.h"
#include "codec/types.h"
#include "fs/scan/subject.h"
#include "fs/search/column_filter.h"
#include "fs/search/condition.h"

namespace scidfs::fs {

// Matches games of any of these players, with `color` or, without one, with either color.
std::unique_ptr<ColumnFilter> filter_players(const NameIds& ids, std::optional<codec::Color> color);
// Matches games between the subject and any of these players; without a subject, games of any of
// these players.
std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const NameIds& opponents);
// Matches games that have any of these names in a column.
std::unique_ptr<ColumnFilter> filter_ids(PackedIndex::Column column, const NameIds& ids);

// Make a filter from the value of a condition. REQUIRES: the facet of this name made the value.
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
