// Conditions of facets, bound to the columns and entries of the index.
#pragma once

#include <memory>
#include <vector>

#include "codec/scid/index.h"
#include "fs/search/column_filter.h"
#include "fs/search/condition.h"

namespace scidfs::fs {

// Keeps the games that at least one of some filters keeps. REQUIRES: there is one.
std::unique_ptr<ColumnFilter> any_of(std::vector<std::unique_ptr<ColumnFilter>> filters);

// Make a filter from the value of a condition. If it is negated, it keeps the games that certainly
// do not meet the condition. REQUIRES: the facet of this name made the value.
std::unique_ptr<ColumnFilter> filter_year(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_month(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_date(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_result(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_eco(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_elo(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_white_elo(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_black_elo(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_elo_difference(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_number(const Condition& condition, bool is_negated);
std::unique_ptr<ColumnFilter> filter_flags(const Condition& condition, bool is_negated);

bool meets_plies(const Condition& condition, const codec::scid::IndexEntry& entry);
bool meets_annotation(const Condition& condition, const codec::scid::IndexEntry& entry);
bool meets_material(const Condition& condition, const codec::scid::IndexEntry& entry);

}  // namespace scidfs::fs
