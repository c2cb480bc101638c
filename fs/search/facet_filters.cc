#include "fs/search/facet_filters.h"

#include <algorithm>

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::scid::IndexEntry;
using Column = PackedIndex::Column;
using Range = PackedIndex::Range;

constexpr ZoneMatch verdict_of(bool holds) { return holds ? ZoneMatch::All : ZoneMatch::None; }

// Compares a block's range of values with a condition that holds between two bounds.
ZoneMatch between(Range range, std::int64_t first, std::int64_t last) {
  if (range.most < first || range.least > last) return ZoneMatch::None;
  return range.least >= first && range.most <= last ? ZoneMatch::All : ZoneMatch::Some;
}

// A test whether a value lies between two bounds. REQUIRES: first <= last.
struct IsIn {
  std::uint32_t first;
  std::uint32_t last;

  bool operator()(std::uint32_t value) const { return value - first <= last - first; }
  ZoneMatch of(Range range) const { return between(range, first, last); }
};

// A test whether a value is one of some ids. If there is one id, the ranges rule out most blocks.
struct HasId {
  NameIds ids;

  bool operator()(std::uint32_t id) const { return ids.contains(id); }
  ZoneMatch of(Range range) const {
    if (range.least == range.most) return verdict_of(ids.contains(range.least));
    const std::optional<std::uint32_t> one = ids.one();
    const bool is_out = one.has_value() && (*one < range.least || *one > range.most);
    return is_out ? ZoneMatch::None : ZoneMatch::Some;
  }
};

// A test whether a player of either color is one of some ids.
struct HasPlayer {
  HasId player;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    return player(white) || player(black);
  }
  ZoneMatch of(Range whites, Range blacks) const {
    const ZoneMatch white = player.of(whites);
    const ZoneMatch black = player.of(blacks);
    if (white == ZoneMatch::All || black == ZoneMatch::All) return ZoneMatch::All;
    return white == ZoneMatch::None ? black : ZoneMatch::Some;
  }
};

struct IsBetween {
  Subject subject;
  HasId opponent;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    return (subject.is(white, Color::White) && opponent(black)) ||
           (subject.is(black, Color::Black) && opponent(white));
  }
  ZoneMatch of(Range whites, Range blacks) const {
    const bool neither =
        opponent.of(whites) == ZoneMatch::None && opponent.of(blacks) == ZoneMatch::None;
    return neither ? ZoneMatch::None : ZoneMatch::Some;
  }
};

struct IsDated {
  DateSpan span;

  bool operator()(std::uint32_t date) const { return span.contains(date); }
  ZoneMatch of(Range range) const {
    if (range.most < span.least() || range.least > span.most()) return ZoneMatch::None;
    return span.contains_all(range.least, range.most) ? ZoneMatch::All : ZoneMatch::Some;
  }
};

struct IsInMonth {
  NumberRange months;

  bool operator()(std::uint32_t date) const {
    return months.contains(codec::unpack_date(date).month);
  }
  ZoneMatch of(Range range) const {
    return range.least == range.most ? verdict_of((*this)(range.least)) : ZoneMatch::Some;
  }
};

struct IsRated {
  NumberRange elos;

  bool operator()(std::uint32_t rating) const { return elos.contains(PackedIndex::elo_of(rating)); }
  ZoneMatch of(Range range) const {
    return between(range, elos.first, std::min<std::int64_t>(elos.last, PackedIndex::kMostElo));
  }
};

struct HasRated {
  IsRated rated;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    return rated(white) || rated(black);
  }
  ZoneMatch of(Range whites, Range blacks) const {
    const ZoneMatch white = rated.of(whites);
    const ZoneMatch black = rated.of(blacks);
    if (white == ZoneMatch::All || black == ZoneMatch::All) return ZoneMatch::All;
    return white == ZoneMatch::None ? black : ZoneMatch::Some;
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
};

// A test whether some bits of the flags are set and some others are not.
struct HasFlags {
  std::uint32_t set = 0;
  std::uint32_t cleared = 0;

  bool operator()(std::uint32_t flags) const {
    return (flags & set) == set && (flags & cleared) == 0;
  }
  ZoneMatch of(Range range) const {
    return range.least == range.most ? verdict_of((*this)(range.least)) : ZoneMatch::Some;
  }
};

HasFlags flags_of(StartKind start) {
  constexpr std::uint32_t kOwnStart = 1U << codec::scid::kFlagStart;
  switch (start) {
    case StartKind::Chess960:
      return {.set = PackedIndex::kChess960};
    case StartKind::Fen:
      return {.set = kOwnStart, .cleared = PackedIndex::kChess960};
    case StartKind::Standard:
      break;
  }
  return {.cleared = PackedIndex::kChess960 | kOwnStart};
}

// A condition on the number of a game, which needs no column.
class NumberFilter : public ColumnFilter {
 public:
  explicit NumberFilter(NumberRange numbers) : numbers_(numbers) {}

  void narrow(const PackedIndex& /*index*/, std::size_t block, BlockMask& mask) const override {
    const auto first = static_cast<std::int64_t>(block * PackedIndex::kBlock) + 1;
    if (numbers_.contains(first) && numbers_.contains(first + PackedIndex::kBlock - 1)) return;
    keep_if(mask, true,
            [&](std::size_t i) { return numbers_.contains(first + static_cast<std::int64_t>(i)); });
  }

 private:
  NumberRange numbers_;
};

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

std::unique_ptr<ColumnFilter> filter_players(const NameIds& ids,
                                             std::optional<codec::Color> color) {
  if (!color.has_value()) {
    return test_columns(Column::White, Column::Black, HasPlayer{{ids}});
  }
  return filter_ids(*color == Color::White ? Column::White : Column::Black, ids);
}

std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const NameIds& opponents) {
  if (!subject.has_value()) return filter_players(opponents, std::nullopt);
  return test_columns(Column::White, Column::Black, IsBetween{*subject, {opponents}});
}

std::unique_ptr<ColumnFilter> filter_ids(Column column, const NameIds& ids) {
  return test_column(column, HasId{ids});
}

std::unique_ptr<ColumnFilter> filter_year(const Condition& condition) {
  const auto& years = condition.as<NumberRange>();
  // Years are the upper bits of dates.
  const auto date_of = [](std::int64_t year) {
    return codec::pack_date({.year = static_cast<std::uint16_t>(year)});
  };
  const std::uint32_t end =
      years.last == NumberRange::kNoEnd ? std::uint32_t{0} : date_of(years.last + 1);
  return test_column(Column::Date, IsIn{.first = date_of(years.first), .last = end - 1});
}

std::unique_ptr<ColumnFilter> filter_month(const Condition& condition) {
  return test_column(Column::Date, IsInMonth{condition.as<NumberRange>()});
}

std::unique_ptr<ColumnFilter> filter_date(const Condition& condition) {
  return test_column(Column::Date, IsDated{condition.as<DateSpan>()});
}

std::unique_ptr<ColumnFilter> filter_result(const Condition& condition) {
  const auto result = static_cast<std::uint32_t>(condition.as<codec::Result>());
  return test_column(Column::Result, IsIn{.first = result, .last = result});
}

std::unique_ptr<ColumnFilter> filter_eco(const Condition& condition) {
  const auto& codes = condition.as<EcoRange>();
  return test_column(Column::Eco, IsIn{.first = codes.first, .last = codes.last});
}

std::unique_ptr<ColumnFilter> filter_elo(const Condition& condition) {
  return test_columns(Column::WhiteRating, Column::BlackRating,
                      HasRated{{condition.as<NumberRange>()}});
}

std::unique_ptr<ColumnFilter> filter_white_elo(const Condition& condition) {
  return test_column(Column::WhiteRating, IsRated{condition.as<NumberRange>()});
}

std::unique_ptr<ColumnFilter> filter_black_elo(const Condition& condition) {
  return test_column(Column::BlackRating, IsRated{condition.as<NumberRange>()});
}

std::unique_ptr<ColumnFilter> filter_elo_difference(const Condition& condition) {
  return test_columns(Column::WhiteRating, Column::BlackRating,
                      ElosDiffer{condition.as<NumberRange>()});
}

std::unique_ptr<ColumnFilter> filter_number(const Condition& condition) {
  return std::make_unique<NumberFilter>(condition.as<NumberRange>());
}

std::unique_ptr<ColumnFilter> filter_flags(const Condition& condition) {
  return test_column(Column::Flags, HasFlags{.set = condition.as<FlagSet>().flags});
}

std::unique_ptr<ColumnFilter> filter_start(const Condition& condition) {
  return test_column(Column::Flags, flags_of(condition.as<StartKind>()));
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
