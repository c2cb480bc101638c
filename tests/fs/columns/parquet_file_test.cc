// Parquet files of random columns, read by a reader that knows only the format.
#include "fs/columns/parquet_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/library.h"
#include "tests/support/parquet_reader.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using tests::ParquetFile;
using tests::Random;

// The cells of a column in one group.
struct RandomCells {
  std::vector<bool> is_null;
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;
  std::vector<std::vector<std::int64_t>> lists;
};

std::int64_t random_number(Random& random, ParquetType type) {
  switch (type) {
    case ParquetType::Bool:
      return static_cast<std::int64_t>(random.below(2));
    case ParquetType::Int64:
      return random.one_in(20) ? std::numeric_limits<std::int64_t>::min()
                               : static_cast<std::int64_t>(random.below(1'000'000'000'000));
    case ParquetType::UInt64:
      return static_cast<std::int64_t>(random.below(1'000'000) << (random.below(40) + 4));
    case ParquetType::Double:
      return std::bit_cast<std::int64_t>((static_cast<double>(random.below(2000)) - 1000) / 100);
    default:
      return static_cast<std::int64_t>(random.below(100'000)) - 5000;
  }
}

std::string cell_of(const ParquetColumn& column, const RandomCells& cells, std::size_t row) {
  if (column.has_nulls && cells.is_null[row]) return "";
  switch (column.type) {
    case ParquetType::Text:
      return cells.texts[row];
    case ParquetType::Lists:
      return fmt::format("{}", fmt::join(cells.lists[row], " "));
    case ParquetType::UInt64:
      return std::to_string(static_cast<std::uint64_t>(cells.numbers[row]));
    case ParquetType::Double:
      return fmt::format("{:.2f}", std::bit_cast<double>(cells.numbers[row]));
    default:
      return std::to_string(cells.numbers[row]);
  }
}

class RandomTable : public ParquetTable {
 public:
  RandomTable(Random& random, std::vector<ParquetColumn> columns, bool is_by_column)
      : ParquetTable(std::move(columns)), is_by_column_(is_by_column) {
    const std::size_t groups = random.below(4);
    for (std::size_t group = 0; group < groups; ++group) {
      rows_.push_back(1 + random.below(random.one_in(2) ? 9 : 3000));
      for (const ParquetColumn& column : this->columns()) {
        cells_.push_back(make(random, column, rows_.back()));
      }
    }
  }

  std::size_t groups() const override { return rows_.size(); }
  std::uint64_t rows_of(std::size_t group) const override { return rows_[group]; }
  std::uint64_t rows() const override {
    return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0});
  }
  bool is_by_column() const override { return is_by_column_; }
  std::size_t rows_of_game() const override { return 10; }
  absl::Status fill(std::size_t group, std::size_t first, std::span<ChunkValues> columns,
                    const WorkBudget&) const override {
    EXPECT_TRUE(is_by_column_ || columns.size() == this->columns().size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const RandomCells& cells = of(group, first + i);
      for (std::size_t row = 0; row < rows_[group]; ++row) {
        add(this->columns()[first + i], cells, row, columns[i]);
      }
    }
    return absl::OkStatus();
  }

  const RandomCells& of(std::size_t group, std::size_t column) const {
    return cells_[group * columns().size() + column];
  }

 private:
  static RandomCells make(Random& random, const ParquetColumn& column, std::size_t rows) {
    RandomCells cells;
    const std::size_t different = 1 + random.below(random.one_in(3) ? 3 : 4000);
    const bool is_all_null = random.one_in(8);
    for (std::size_t row = 0; row < rows; ++row) {
      cells.is_null.push_back(is_all_null || random.one_in(5));
      cells.numbers.push_back(random_number(random, column.type));
      cells.texts.push_back(
          fmt::format("{}\xC3\xA9{}", random.below(different), std::string(random.below(4), '\t')));
      auto& list = cells.lists.emplace_back();
      for (std::size_t i = random.below(4); i > 0; --i) {
        list.push_back(static_cast<std::int64_t>(random.below(different)));
      }
    }
    return cells;
  }
  static void add(const ParquetColumn& column, const RandomCells& cells, std::size_t row,
                  ChunkValues& out) {
    if (column.has_nulls && cells.is_null[row]) return out.add_null();
    switch (column.type) {
      case ParquetType::Text:
        return out.add(std::string_view(cells.texts[row]));
      case ParquetType::Lists:
        return out.add_list(cells.lists[row]);
      default:
        return out.add(cells.numbers[row]);
    }
  }

  const bool is_by_column_;
  std::vector<std::size_t> rows_;
  std::vector<RandomCells> cells_;
};

std::vector<ParquetColumn> random_columns(Random& random) {
  std::vector<ParquetColumn> columns;
  for (std::size_t i = 1 + random.below(20); i > 0; --i) {
    const auto type = static_cast<ParquetType>(random.below(8));
    columns.push_back({.name = fmt::format("column {}", i),
                       .type = type,
                       .has_nulls = type != ParquetType::Lists && random.one_in(2),
                       .is_distinct = random.one_in(3)});
  }
  return columns;
}

void expect_bounds(const ParquetColumn& column, const RandomCells& cells, std::size_t rows,
                   const ParquetFile::Chunk& chunk) {
  if (column.type == ParquetType::Lists) return;
  std::size_t nulls = 0;
  std::vector<std::size_t> present;
  for (std::size_t row = 0; row < rows; ++row) {
    column.has_nulls&& cells.is_null[row] ? ++nulls : (present.push_back(row), 0U);
  }
  EXPECT_EQ(chunk.nulls, nulls);
  if (present.empty()) {
    EXPECT_EQ(chunk.least + chunk.most, "");
    return;
  }
  const auto is_less = [&](std::size_t a, std::size_t b) {
    switch (column.type) {
      case ParquetType::Text:
        return cells.texts[a] < cells.texts[b];
      case ParquetType::UInt64:
        return static_cast<std::uint64_t>(cells.numbers[a]) <
               static_cast<std::uint64_t>(cells.numbers[b]);
      case ParquetType::Double:
        return std::bit_cast<double>(cells.numbers[a]) < std::bit_cast<double>(cells.numbers[b]);
      default:
        return cells.numbers[a] < cells.numbers[b];
    }
  };
  const auto [least, most] = std::ranges::minmax_element(present, is_less);
  EXPECT_EQ(chunk.least, cell_of(column, cells, *least));
  EXPECT_EQ(chunk.most, cell_of(column, cells, *most));
}

absl::StatusOr<MadeChunksPtr> keep_none(std::size_t, const WorkBudget&,
                                        absl::FunctionRef<absl::StatusOr<MadeChunksPtr>()> make) {
  return make();
}

TEST(ParquetFileTest, AReaderGetsBackAnyColumns) {
  Random random(54);
  for (int round = 0; round < 60; ++round) {
    const auto table =
        std::make_shared<const RandomTable>(random, random_columns(random), random.one_in(2));
    const auto layout = measure_parquet(*table, {{"key", "value"}}, tests::unlimited_budget());
    ASSERT_TRUE(layout.ok()) << layout.status();
    const std::unique_ptr<Content> content = open_parquet(table, *layout, &keep_none);
    std::string bytes;
    ASSERT_TRUE(content->read(0, content->size(), bytes).ok());
    ASSERT_EQ(bytes.size(), content->size());
    for (int i = 0; i < 20; ++i) {
      const std::size_t offset = random.below(bytes.size());
      const std::size_t length = random.below(bytes.size() - offset + 1);
      std::string part;
      ASSERT_TRUE(content->read(offset, length, part).ok());
      EXPECT_TRUE(part == bytes.substr(offset, length)) << offset << " " << length;
    }
    const ParquetFile file = tests::read_parquet(bytes);
    ASSERT_EQ(file.error, "");
    EXPECT_EQ(file.metadata.at(0).second, "value");
    ASSERT_EQ(file.rows.size(), table->groups());
    for (std::size_t column = 0; column < table->columns().size(); ++column) {
      const ParquetColumn& of = table->columns()[column];
      EXPECT_EQ(file.names.at(column), of.name);
      std::size_t at = 0;
      for (std::size_t group = 0; group < table->groups(); ++group) {
        const RandomCells& cells = table->of(group, column);
        ASSERT_EQ(file.rows[group], table->rows_of(group));
        for (std::size_t row = 0; row < file.rows[group]; ++row) {
          ASSERT_EQ(file.columns[column][at++], cell_of(of, cells, row));
        }
        expect_bounds(of, cells, file.rows[group], file.groups[group][column]);
      }
    }
  }
}

TEST(ParquetFileTest, MeasuringObeysTheBudget) {
  const auto large = [] {
    for (std::uint64_t seed = 1; true; ++seed) {
      Random random(seed);
      auto table = std::make_unique<RandomTable>(random, random_columns(random), true);
      if (table->groups() != 0 && table->rows_of(0) > 100) return table;
    }
  }();
  const WorkBudget stopped = WorkBudget::unlimited([] { return true; });
  EXPECT_TRUE(absl::IsCancelled(measure_parquet(*large, {}, stopped).status()));
  EXPECT_TRUE(absl::IsUnavailable(measure_parquet(*large, {}, WorkBudget::limited(1)).status()));
}

}  // namespace
}  // namespace scidfs::fs
