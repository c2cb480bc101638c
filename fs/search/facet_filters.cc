#include "fs/search/facet_filters.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;
using Column = PackedIndex::Column;
using Range = PackedIndex::Range;

// Compares a block's range of values with a condition that holds between two bounds.
ZoneMatch between(Range range, std::int64_t first, std::int64_t last) {
  if (range.most < first || range.least > last) return ZoneMatch::None;
  return range.least >= first && range.most <= last ? ZoneMatch::All : ZoneMatch::Some;
}

// A test whether a value lies between two bounds. REQUIRES: first <= last; least <= most.
struct IsIn {
  std::uint32_t first;
  std::uint32_t last;
  // Other values mean that nothing is known.
  std::uint32_t least = 0;
  std::uint32_t most = ~std::uint32_t{0};

  bool operator()(std::uint32_t value) const {
    assert(first <= last);
    return value - first <= last - first;
  }
  ZoneMatch of(Range range) const { return between(range, first, last); }
  bool is_known(std::uint32_t value) const {
    assert(least <= most);
    return value - least <= most - least;
  }
  bool are_known(Range range) const { return range.least >= least && range.most <= most; }
};

struct IsDated {
  DateSpan span;

  bool operator()(std::uint32_t date) const { return span.contains(date); }
  ZoneMatch of(Range range) const {
    if (range.most < span.least() || range.least > span.most()) return ZoneMatch::None;
    return span.contains_all(range.least, range.most) ? ZoneMatch::All : ZoneMatch::Some;
  }
  bool is_known(std::uint32_t date) const { return span.contains(date) || span.excludes(date); }
  bool are_known(Range range) const { return span.excludes_all(range.least, range.most); }
};

struct IsInMonth {
  NumberRange months;

  bool operator()(std::uint32_t date) const {
    return months.contains(codec::unpack_date(date).month);
  }
  ZoneMatch of(Range range) const {
    return range.least == range.most ? verdict_of((*this)(range.least)) : ZoneMatch::Some;
  }
  bool is_known(std::uint32_t date) const { return codec::unpack_date(date).month != 0; }
  bool are_known(Range) const { return false; }
};

struct IsRated {
  NumberRange elos;

  bool operator()(std::uint32_t rating) const { return elos.contains(PackedIndex::elo_of(rating)); }
  ZoneMatch of(Range range) const {
    return between(range, elos.first, std::min<std::int64_t>(elos.last, PackedIndex::kMostElo));
  }
  bool is_known(std::uint32_t rating) const { return PackedIndex::elo_of(rating) != 0; }
  bool are_known(Range range) const {
    return range.least != 0 && range.most <= PackedIndex::kMostElo;
  }
};

struct ElosDiffer {
  NumberRange difference;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    const std::int64_t white_elo = PackedIndex::elo_of(white);
    const std::int64_t black_elo = PackedIndex::elo_of(black);
    return white_elo != 0 && black_elo != 0 && difference.contains(white_elo - black_elo);
  }
  ZoneMatch of(Range whites, Range blacks) const {
    const bool unknown = whites.most == 0 || blacks.most == 0;
    return unknown ? ZoneMatch::None : ZoneMatch::Some;
  }
  bool is_known(std::uint32_t white, std::uint32_t black) const {
    return PackedIndex::elo_of(white) != 0 && PackedIndex::elo_of(black) != 0;
  }
  bool are_known(Range, Range) const { return false; }
};

// A test whether some bits of the flags are set.
struct HasFlags {
  std::uint32_t set = 0;

  bool operator()(std::uint32_t flags) const { return (flags & set) == set; }
  ZoneMatch of(Range range) const {
    return range.least == range.most ? verdict_of((*this)(range.least)) : ZoneMatch::Some;
  }
  bool is_known(std::uint32_t) const { return true; }
  bool are_known(Range) const { return true; }
};

// A condition on the number of a game, which needs no column.
class NumberFilter : public ColumnFilter {
 public:
  NumberFilter(NumberRange numbers, bool is_negated) : numbers_(numbers), is_negated_(is_negated) {}

  void narrow(const PackedIndex& /*index*/, std::size_t block, BlockMask& mask) const override {
    const auto first = static_cast<std::int64_t>(block * PackedIndex::kBlock) + 1;
    const std::int64_t last = first + static_cast<std::int64_t>(PackedIndex::kBlock) - 1;
    const bool are_all_in = numbers_.contains(first) && numbers_.contains(last);
    if (are_all_in && is_negated_) mask = {};
    if (are_all_in) return;
    keep_if(mask, true, [&](std::size_t i) {
      return numbers_.contains(first + static_cast<std::int64_t>(i)) != is_negated_;
    });
  }

 private:
  const NumberRange numbers_;
  const bool is_negated_;
};

// A filter for games that one filter or another keeps.
class AnyFilter : public ColumnFilter {
 public:
  explicit AnyFilter(std::vector<std::unique_ptr<ColumnFilter>> filters)
      : filters_(std::move(filters)) {}

  void narrow(const PackedIndex& index, std::size_t block, BlockMask& mask) const override {
    BlockMask rest = mask;
    for (const auto& filter : filters_) {
      BlockMask kept = rest;
      filter->narrow(index, block, kept);
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] &= ~kept[i];
      if (rest == BlockMask{}) return;
    }
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= ~rest[i];
  }

 private:
  const std::vector<std::unique_ptr<ColumnFilter>> filters_;
};

template <class Predicate>
std::unique_ptr<ColumnFilter> test_one(Column column, Predicate predicate, bool is_negated) {
  if (is_negated) return test_column(column, Excludes<Predicate>{predicate});
  return test_column(column, predicate);
}

template <class Predicate>
std::unique_ptr<ColumnFilter> test_ratings(Predicate predicate, bool is_negated) {
  constexpr Column kWhite = Column::WhiteRating;
  constexpr Column kBlack = Column::BlackRating;
  if (is_negated) return test_columns(kWhite, kBlack, Excludes<Predicate>{predicate});
  return test_columns(kWhite, kBlack, predicate);
}

bool is_annotated(const IndexEntry& entry, Annotation wanted) {
  const bool any = (entry.comment_code | entry.variation_code | entry.nag_code) != 0;
  switch (wanted) {
    case Annotation::Comments:
      return entry.comment_code != 0;
    case Annotation::Variations:
      return entry.variation_code != 0;
    case Annotation::Nags:
      return entry.nag_code != 0;
    case Annotation::Any:
      return any;
    case Annotation::No:
      break;
  }
  return !any;
}

}  // namespace

std::unique_ptr<ColumnFilter> any_of(std::vector<std::unique_ptr<ColumnFilter>> filters) {
  assert(!filters.empty());
  if (filters.size() == 1) return std::move(filters.front());
  return std::make_unique<AnyFilter>(std::move(filters));
}

std::unique_ptr<ColumnFilter> filter_year(const Condition& condition, bool is_negated) {
  const auto& years = condition.as<NumberRange>();
  // Years are the upper bits of dates.
  const auto date_of = [](std::int64_t year) {
    return codec::pack_date({.year = static_cast<std::uint16_t>(year)});
  };
  const std::uint32_t end =
      years.last == NumberRange::kNoEnd ? std::uint32_t{0} : date_of(years.last + 1);
  return test_one(Column::Date,
                  IsIn{.first = date_of(years.first), .last = end - 1, .least = date_of(1)},
                  is_negated);
}

std::unique_ptr<ColumnFilter> filter_month(const Condition& condition, bool is_negated) {
  return test_one(Column::Date, IsInMonth{condition.as<NumberRange>()}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_date(const Condition& condition, bool is_negated) {
  return test_one(Column::Date, IsDated{condition.as<DateSpan>()}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_result(const Condition& condition, bool is_negated) {
  const auto result = static_cast<std::uint32_t>(condition.as<codec::Result>());
  return test_one(Column::Result, IsIn{.first = result, .last = result}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_eco(const Condition& condition, bool is_negated) {
  const auto& codes = condition.as<EcoRange>();
  return test_one(
      Column::Eco,
      IsIn{.first = codes.first, .last = codes.last, .least = 1, .most = codec::kMaxEco},
      is_negated);
}

std::unique_ptr<ColumnFilter> filter_elo(const Condition& condition, bool is_negated) {
  return test_ratings(IsEither<IsRated>{{condition.as<NumberRange>()}}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_white_elo(const Condition& condition, bool is_negated) {
  return test_one(Column::WhiteRating, IsRated{condition.as<NumberRange>()}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_black_elo(const Condition& condition, bool is_negated) {
  return test_one(Column::BlackRating, IsRated{condition.as<NumberRange>()}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_elo_difference(const Condition& condition, bool is_negated) {
  return test_ratings(ElosDiffer{condition.as<NumberRange>()}, is_negated);
}

std::unique_ptr<ColumnFilter> filter_number(const Condition& condition, bool is_negated) {
  return std::make_unique<NumberFilter>(condition.as<NumberRange>(), is_negated);
}

std::unique_ptr<ColumnFilter> filter_flags(const Condition& condition, bool is_negated) {
  return test_one(Column::Flags, HasFlags{.set = condition.as<FlagSet>().flags}, is_negated);
}

bool meets_plies(const Condition& condition, const IndexEntry& entry) {
  return condition.as<NumberRange>().contains(entry.plies);
}

bool meets_annotation(const Condition& condition, const IndexEntry& entry) {
  return is_annotated(entry, condition.as<Annotation>());
}

bool meets_material(const Condition& condition, const IndexEntry& entry) {
  return condition.as<MaterialPattern>().contains(entry.material);
}

}  // namespace scidfs::fs
