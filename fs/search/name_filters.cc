#include "fs/search/name_filters.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace scidfs::fs {
namespace {

using codec::Color;
using Column = PackedIndex::Column;
using Range = PackedIndex::Range;

// A test whether the players of both colors pass a test.
template <class Test>
struct AreBoth {
  Test test;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    return test(white) && test(black);
  }
  ZoneMatch of(Range whites, Range blacks) const {
    const ZoneMatch white = test.of(whites);
    const ZoneMatch black = test.of(blacks);
    if (white == ZoneMatch::None || black == ZoneMatch::None) return ZoneMatch::None;
    return white == ZoneMatch::All ? black : ZoneMatch::Some;
  }
};

// Returns what a block says if neither of its players can be an opponent.
template <class Test>
ZoneMatch unless_none(const Test& opponent, Range whites, Range blacks) {
  const bool neither =
      opponent.of(whites) == ZoneMatch::None && opponent.of(blacks) == ZoneMatch::None;
  return neither ? ZoneMatch::None : ZoneMatch::Some;
}

struct IsBetween {
  Subject subject;
  IsNamed opponent;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    return (subject.has_name(white, Color::White) && opponent(black)) ||
           (subject.has_name(black, Color::Black) && opponent(white));
  }
  ZoneMatch of(Range whites, Range blacks) const { return unless_none(opponent, whites, blacks); }
};

// A test whether all opponents of the subject pass a test, and there is one.
template <class Test>
struct IsOnlyBetween {
  Subject subject;
  Test opponent;

  bool operator()(std::uint32_t white, std::uint32_t black) const {
    const bool is_white = subject.has_name(white, Color::White);
    const bool is_black = subject.has_name(black, Color::Black);
    return (is_white || is_black) && (!is_white || opponent(black)) &&
           (!is_black || opponent(white));
  }
  ZoneMatch of(Range whites, Range blacks) const { return unless_none(opponent, whites, blacks); }
};

Column column_of(Color color) { return color == Color::White ? Column::White : Column::Black; }

}  // namespace

ZoneMatch IsNamed::of(Range range) const {
  if (range.least == range.most) return verdict_of(ids.contains(range.least));
  const std::optional<std::uint32_t> one = ids.one();
  const bool is_out = one.has_value() && (*one < range.least || *one > range.most);
  return is_out ? ZoneMatch::None : ZoneMatch::Some;
}

ZoneMatch IsNoneOf::of(Range range) const {
  if (range.least == range.most) return verdict_of((*this)(range.least));
  const bool are_others = range.most < end && std::ranges::none_of(ids, [range](std::uint32_t id) {
                            return id >= range.least && id <= range.most;
                          });
  return are_others ? ZoneMatch::All : ZoneMatch::Some;
}

OtherNames::OtherNames(const codec::scid::NameTable& names, const MatchedNames& matched) {
  std::vector<std::uint32_t> excluded;
  const auto is_excluded = [&](std::uint32_t id) {
    return matched.ids.contains(id) || !has_known_name(names, id);
  };
  for (std::uint32_t id = 0; id < names.size() && excluded.size() <= IsNoneOf::kFew; ++id) {
    if (is_excluded(id)) excluded.push_back(id);
  }
  if (excluded.size() <= IsNoneOf::kFew) {
    IsNoneOf test{.end = names.size()};
    std::ranges::copy(excluded, test.ids.begin());
    test_ = test;
    return;
  }
  std::vector<bool> others(names.size());
  for (std::uint32_t id = 0; id < names.size(); ++id) others[id] = !is_excluded(id);
  test_ = IsNamed{NameIds(std::move(others))};
}

std::unique_ptr<ColumnFilter> filter_ids(Column column, const NameIds& ids) {
  return test_column(column, IsNamed{ids});
}

std::unique_ptr<ColumnFilter> filter_ids(Column column, const OtherNames& others) {
  return others.visit([&](const auto& test) { return test_column(column, test); });
}

std::unique_ptr<ColumnFilter> filter_players(const NameIds& ids, std::optional<Color> color) {
  if (color.has_value()) return filter_ids(column_of(*color), ids);
  return test_columns(Column::White, Column::Black, IsEither<IsNamed>{ids});
}

std::unique_ptr<ColumnFilter> filter_players(const OtherNames& others, std::optional<Color> color) {
  if (color.has_value()) return filter_ids(column_of(*color), others);
  return others.visit([](const auto& test) {
    return test_columns(Column::White, Column::Black, AreBoth<std::decay_t<decltype(test)>>{test});
  });
}

std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const NameIds& opponents) {
  if (!subject.has_value()) return filter_players(opponents, std::nullopt);
  return test_columns(Column::White, Column::Black, IsBetween{*subject, {opponents}});
}

std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const OtherNames& others) {
  if (!subject.has_value()) return filter_players(others, std::nullopt);
  return others.visit([&](const auto& test) {
    return test_columns(Column::White, Column::Black,
                        IsOnlyBetween<std::decay_t<decltype(test)>>{*subject, test});
  });
}

}  // namespace scidfs::fs
