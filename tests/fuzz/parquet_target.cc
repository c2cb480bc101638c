// Tables of Parquet: any columns, of which a reader of the format gets back every cell.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/columns/parquet_file.h"
#include "tests/fuzz/target.h"
#include "tests/support/parquet_reader.h"

namespace scidfs::fuzz {
namespace {

using fs::ChunkValues;
using fs::ParquetColumn;
using fs::ParquetType;

// A table whose columns and cells are what bytes say. The first tells the columns.
class BytesTable : public fs::ParquetTable {
 public:
  explicit BytesTable(std::string_view input)
      : ParquetTable(columns_of(input)),
        cells_(input.substr(std::min<std::size_t>(8, input.size()))) {}

  std::size_t groups() const override { return rows() == 0 ? 0 : 1 + (rows() - 1) / kRows; }
  std::uint64_t rows_of(std::size_t group) const override {
    return std::min(kRows, rows() - group * kRows);
  }
  // A cell has up to four bytes.
  std::uint64_t rows() const override { return columns().empty() ? 0 : cells_.size() / 4; }
  bool is_by_column() const override { return rows() % 2 == 0; }
  std::size_t rows_of_game() const override { return 1; }
  absl::Status fill(std::size_t group, std::size_t first, std::span<ChunkValues> columns,
                    const fs::WorkBudget&) const override {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (is_keyed(first + i)) columns[i].set_texts(&fs::text_of_short);
      for (std::size_t row = group * kRows; row < group * kRows + rows_of(group); ++row) {
        add(first + i, row, columns[i]);
      }
    }
    return absl::OkStatus();
  }

  // Returns a cell as the reader shows it.
  std::string cell(std::size_t column, std::size_t row) const;

 private:
  static constexpr std::uint64_t kRows = 37;

  static std::vector<ParquetColumn> columns_of(std::string_view input) {
    std::vector<ParquetColumn> columns;
    for (const char byte : input.substr(0, 8)) {
      const auto bits = static_cast<std::uint8_t>(byte);
      const auto type = static_cast<ParquetType>(bits % 8);
      columns.push_back({.name = "c",
                         .type = type,
                         .has_nulls = type != ParquetType::Lists && (bits & 8) != 0,
                         .is_distinct = (bits & 16) != 0});
    }
    return columns;
  }
  std::string_view bytes(std::size_t column, std::size_t row) const {
    return cells_.substr((row * 4 + column) % cells_.size(), 4);
  }
  bool is_keyed(std::size_t column) const {
    return columns()[column].type == ParquetType::Text && !columns()[column].is_distinct;
  }
  bool is_null(std::size_t column, std::size_t row) const {
    return columns()[column].has_nulls && bytes(column, row)[0] % 3 == 0;
  }
  std::int64_t number(std::size_t column, std::size_t row) const;
  // Without NUL.
  std::string text(std::size_t column, std::size_t row) const {
    std::string text(bytes(column, row));
    std::erase(text, '\0');
    return text;
  }
  std::vector<std::int64_t> list(std::size_t column, std::size_t row) const {
    std::vector<std::int64_t> list;
    const std::string_view cell = bytes(column, row);
    for (const char byte : cell.substr(0, static_cast<std::uint8_t>(cell[0]) % 4)) {
      list.push_back(byte);
    }
    return list;
  }
  void add(std::size_t column, std::size_t row, ChunkValues& out) const {
    if (is_null(column, row)) return out.add_null();
    switch (columns()[column].type) {
      case ParquetType::Text:
        return is_keyed(column) ? out.add(fs::short_text(text(column, row)))
                                : out.add(std::string_view(text(column, row)));
      case ParquetType::Lists:
        return out.add_list(list(column, row));
      default:
        return out.add(number(column, row));
    }
  }

  const std::string_view cells_;
};

std::int64_t BytesTable::number(std::size_t column, std::size_t row) const {
  std::int64_t number = 0;
  for (const char byte : bytes(column, row)) number = number * 256 + byte;
  switch (columns()[column].type) {
    case ParquetType::Bool:
      return number & 1;
    case ParquetType::Double:
      return std::bit_cast<std::int64_t>(static_cast<double>(number) / 100);
    case ParquetType::Int64:
    case ParquetType::UInt64:
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(number) << 20);
    default:
      return static_cast<std::int32_t>(number);
  }
}

std::string BytesTable::cell(std::size_t column, std::size_t row) const {
  if (is_null(column, row)) return "";
  switch (columns()[column].type) {
    case ParquetType::Text:
      return text(column, row);
    case ParquetType::Lists: {
      std::string text;
      for (const std::int64_t value : list(column, row)) {
        text += (text.empty() ? "" : " ") + std::to_string(value);
      }
      return text;
    }
    case ParquetType::Double:
      return fmt::format("{:.2f}", std::bit_cast<double>(number(column, row)));
    case ParquetType::UInt64:
      return std::to_string(static_cast<std::uint64_t>(number(column, row)));
    default:
      return std::to_string(number(column, row));
  }
}

absl::StatusOr<fs::MadeChunksPtr> keep_none(
    std::size_t, const fs::WorkBudget&,
    absl::FunctionRef<absl::StatusOr<fs::MadeChunksPtr>()> make) {
  return make();
}

class ParquetTarget : public Target {
 public:
  std::string_view name() const override { return "parquet"; }

  // The input is a table, and a file.
  void check(std::string_view input) const override {
    (void)tests::read_parquet(input);
    const auto table = std::make_shared<const BytesTable>(input);
    const fs::WorkBudget budget = fs::WorkBudget::unlimited(nullptr, 1);
    const auto layout = fs::measure_parquet(*table, {{"k", std::string(input)}}, budget);
    require(layout.ok(), "a table cannot be measured");
    const std::unique_ptr<fs::Content> content = fs::open_parquet(table, *layout, &keep_none);
    std::string bytes;
    require(content->read(0, content->size(), bytes).ok(), "a file has another size");
    const tests::ParquetFile file = tests::read_parquet(bytes);
    require(file.error.empty(), "a file cannot be read: " + file.error);
    require(file.metadata.at(0).second == input, "other metadata");
    for (std::size_t column = 0; column < file.columns.size(); ++column) {
      for (std::size_t row = 0; row < file.columns[column].size(); ++row) {
        require(file.columns[column][row] == table->cell(column, row), "another cell");
      }
    }
  }

  std::vector<Seed> seeds() const override {
    std::string cells;
    for (int i = 0; i < 600; ++i) cells += static_cast<char>(i * i);
    return {{"all", std::string("\x00\x01\x02\x03\x04\x05\x06\x07", 8) + cells},
            {"nulls", std::string("\x08\x09\x0A\x0B\x0C\x0D\x0E\x1E", 8) + cells},
            {"alike", std::string("\x09\x06\x0E", 3) + std::string(500, 'a')}};
  }

  void mutate(std::string& input, tests::Random&, PlainMutator plain) const override {
    plain(input, most_bytes());
  }
};

}  // namespace

const Target& parquet_target() {
  static const ParquetTarget target;
  return target;
}

}  // namespace scidfs::fuzz
