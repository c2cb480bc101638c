#include "fs/columns/parquet_file.h"

#include <algorithm>
#include <string_view>

#include "codec/bytes.h"
#include "fs/base/status_macros.h"
#include "fs/columns/thrift_writer.h"
#include "fs/content/memory_claim.h"
#include "fs/content/run_tasks.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kMagic = "PAR1";

// Numbers of parquet.thrift.
enum PhysicalType : std::int32_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kDouble = 5,
  kByteArray = 6
};
enum Repetition : std::int32_t { kRequired = 0, kOptional = 1, kRepeated = 2 };
enum ConvertedType : std::int32_t { kUtf8 = 0, kList = 3, kDate = 6, kUInt64 = 14 };
enum LogicalType : std::int32_t { kString = 1, kListOf = 3, kDateOf = 6, kInteger = 10 };
constexpr std::string_view kListName = "list";
constexpr std::string_view kElementName = "element";

PhysicalType physical_type(ParquetType type) {
  switch (type) {
    case ParquetType::Bool:
      return kBoolean;
    case ParquetType::Int64:
    case ParquetType::UInt64:
      return kInt64;
    case ParquetType::Double:
      return kDouble;
    case ParquetType::Text:
      return kByteArray;
    default:
      return kInt32;
  }
}

void write_logical_type(ParquetType type, ThriftWriter& out) {
  constexpr int kConverted = 6;
  constexpr int kLogical = 10;
  const auto write = [&](ConvertedType converted, LogicalType logical) {
    out.i32(kConverted, converted);
    out.begin_struct(kLogical);
    out.begin_struct(logical);
    if (logical == kInteger) {
      out.i8(1, 64);
      out.boolean(2, false);
    }
    out.end();
    out.end();
  };
  if (type == ParquetType::Text) write(kUtf8, kString);
  if (type == ParquetType::Date) write(kDate, kDateOf);
  if (type == ParquetType::UInt64) write(kUInt64, kInteger);
}

void write_leaf(std::string_view name, ParquetType type, Repetition repetition, ThriftWriter& out) {
  out.begin();
  out.i32(1, physical_type(type));
  out.i32(3, repetition);
  out.text(4, name);
  write_logical_type(type, out);
  out.end();
}

void write_list(std::string_view name, ThriftWriter& out) {
  out.begin();
  out.i32(3, kRequired);
  out.text(4, name);
  out.i32(5, 1);
  out.i32(6, kList);
  out.begin_struct(10);
  out.begin_struct(kListOf);
  out.end();
  out.end();
  out.end();
  out.begin();
  out.i32(3, kRepeated);
  out.text(4, kListName);
  out.i32(5, 1);
  out.end();
  write_leaf(kElementName, ParquetType::Int32, kRequired, out);
}

void write_schema(const std::vector<ParquetColumn>& columns, ThriftWriter& out) {
  const auto lists = static_cast<std::size_t>(
      std::ranges::count(columns, ParquetType::Lists, &ParquetColumn::type));
  out.structs(2, 1 + columns.size() + 2 * lists);
  out.begin();
  out.text(4, "games");
  out.i32(5, static_cast<std::int32_t>(columns.size()));
  out.end();
  for (const ParquetColumn& column : columns) {
    if (column.type == ParquetType::Lists) {
      write_list(column.name, out);
    } else {
      write_leaf(column.name, column.type, column.has_nulls ? kOptional : kRequired, out);
    }
  }
}

void write_statistics(const ChunkFacts& facts, ThriftWriter& out) {
  out.begin_struct(12);
  out.i64(3, static_cast<std::int64_t>(facts.nulls));
  if (facts.values != facts.nulls) {
    out.text(5, facts.most);
    out.text(6, facts.least);
  }
  out.end();
}

void write_chunk(const ParquetColumn& column, const ChunkFacts& facts, std::uint64_t begin,
                 ThriftWriter& out) {
  const bool is_list = column.type == ParquetType::Lists;
  const bool has_dictionary = facts.dictionary_bytes != 0;
  out.begin();
  out.i64(2, static_cast<std::int64_t>(begin));
  out.begin_struct(3);
  out.i32(1, physical_type(column.type));
  out.numbers(2, has_dictionary ? 3 : 2);
  const auto add = [&out](ParquetEncoding encoding) {
    out.element(static_cast<std::int32_t>(encoding));
  };
  add(ParquetEncoding::Plain);
  add(ParquetEncoding::Rle);
  if (has_dictionary) add(ParquetEncoding::RleDictionary);
  out.texts(3, is_list ? 3 : 1);
  out.element(column.name);
  if (is_list) {
    out.element(kListName);
    out.element(kElementName);
  }
  out.i32(4, 0);  // not compressed
  out.i64(5, static_cast<std::int64_t>(facts.values));
  out.i64(6, static_cast<std::int64_t>(facts.bytes));
  out.i64(7, static_cast<std::int64_t>(facts.bytes));
  out.i64(9, static_cast<std::int64_t>(begin + facts.dictionary_bytes));
  if (has_dictionary) out.i64(11, static_cast<std::int64_t>(begin));
  if (!is_list) write_statistics(facts, out);
  out.end();
  out.end();
}

using GroupFacts = std::vector<ChunkFacts>;

void write_group(const ParquetTable& table, std::size_t group, const GroupFacts& chunks,
                 std::uint64_t begin, ThriftWriter& out) {
  std::uint64_t bytes = 0;
  out.begin();
  out.structs(1, chunks.size());
  for (std::size_t column = 0; column < chunks.size(); ++column) {
    write_chunk(table.columns()[column], chunks[column], begin + bytes, out);
    bytes += chunks[column].bytes;
  }
  out.i64(2, static_cast<std::int64_t>(bytes));
  out.i64(3, static_cast<std::int64_t>(table.rows_of(group)));
  out.i64(5, static_cast<std::int64_t>(begin));
  out.i64(6, static_cast<std::int64_t>(bytes));
  out.end();
}

// Returns the footer, with its length and the magic number.
std::string footer_of(const ParquetTable& table, const std::vector<GroupFacts>& groups,
                      const ParquetMetadata& metadata) {
  std::string text;
  ThriftWriter out(text);
  out.begin();
  out.i32(1, 2);
  write_schema(table.columns(), out);
  out.i64(3, static_cast<std::int64_t>(table.rows()));
  out.structs(4, groups.size());
  std::uint64_t begin = kMagic.size();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    write_group(table, group, groups[group], begin, out);
    for (const ChunkFacts& chunk : groups[group]) begin += chunk.bytes;
  }
  out.structs(5, metadata.size());
  for (const auto& [key, value] : metadata) {
    out.begin();
    out.text(1, key);
    out.text(2, value);
    out.end();
  }
  out.text(6, "scidfs version " SCIDFS_VERSION);
  out.structs(7, table.columns().size());
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    out.begin();
    out.begin_struct(1);  // the order of its type
    out.end();
    out.end();
  }
  out.end();
  codec::append_little(text.size(), 4, text);
  return text.append(kMagic);
}

// Fills columns of a group, from `first` on.
absl::Status fill(const ParquetTable& table, std::size_t group, std::size_t first,
                  std::span<ChunkValues> values, const WorkBudget& budget) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i].begin(table.columns()[first + i], table.rows_of(group));
  }
  return table.fill(group, first, values, budget);
}

// Finds the facts of the chunks of a group. A table that is filled by column has a few at a time.
absl::Status measure_group(const ParquetTable& table, std::size_t group, const WorkBudget& budget,
                           GroupFacts& facts) {
  constexpr std::size_t kColumnsAtOnce = 8;
  constexpr std::size_t kBytesOfCell = 24;
  constexpr std::size_t kBytesOfWideCells = 176;  // a path, or two lists
  const std::size_t columns = table.columns().size();
  const std::size_t at_once = table.is_by_column() ? std::min(kColumnsAtOnce, columns) : columns;
  MemoryClaim memory(budget);
  RETURN_IF_ERROR(
      memory.add(table.rows_of(group) *
                 (kBytesOfCell * at_once + (table.is_by_column() ? kBytesOfWideCells : 0))));
  std::vector<ChunkValues> values(at_once);
  for (std::size_t first = 0; first < columns; first += at_once) {
    const auto some = std::span(values).first(std::min(at_once, columns - first));
    RETURN_IF_ERROR(fill(table, group, first, some, budget));
    for (const ChunkValues& column : some) {
      if (budget.is_cancelled()) return WorkBudget::cancelled();
      facts.push_back(column.facts());
    }
  }
  return absl::OkStatus();
}

// The sections of a file are the magic number, the chunks and the footer.
class ParquetContent : public Content {
 public:
  ParquetContent(std::shared_ptr<const ParquetTable> table,
                 std::shared_ptr<const ParquetLayout> layout, KeepChunks keep)
      : table_(std::move(table)), layout_(std::move(layout)), keep_(std::move(keep)) {}

  std::uint64_t size() const override { return layout_->ends->back(); }
  std::size_t cost(std::uint64_t offset, std::size_t length) const override {
    if (length == 0) return 0;
    const std::size_t sections =
        section_at(layout_->ends, offset + length - 1) + 1 - section_at(layout_->ends, offset);
    return sections * (kRowsOfGroup / table_->rows_of_game()) / (is_by_column() ? columns() : 1);
  }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    return read_sections(
        layout_->ends, offset, length, out,
        [this](std::size_t section, std::uint64_t bytes) -> absl::StatusOr<SectionText> {
          ASSIGN_OR_RETURN(SectionText made, make_section(section));
          if (made.text.size() == bytes) return made;
          return absl::DataLossError("the length of a column changed");
        });
  }
  // The chunks are kept elsewhere, and the layout is shared.
  std::size_t memory() const override { return sizeof *this; }

 private:
  bool is_by_column() const { return table_->is_by_column(); }
  std::size_t columns() const { return table_->columns().size(); }
  absl::StatusOr<SectionText> make_section(std::size_t section) const {
    if (section == 0) return SectionText{.text = kMagic, .owner = nullptr};
    const std::size_t group = (section - 1) / columns();
    const std::size_t column = (section - 1) % columns();
    if (group == table_->groups()) return SectionText{.text = layout_->footer, .owner = nullptr};
    const WorkBudget budget = WorkBudget::unlimited(nullptr);
    ASSIGN_OR_RETURN(MadeChunksPtr made, keep_(is_by_column() ? section : group, budget, [&] {
                       return is_by_column() ? make_chunks(group, column, 1, budget)
                                             : make_chunks(group, 0, columns(), budget);
                     }));
    const std::string& chunk = made->chunks[is_by_column() ? 0 : column];
    return SectionText{.text = chunk, .owner = std::move(made)};
  }
  absl::StatusOr<MadeChunksPtr> make_chunks(std::size_t group, std::size_t first, std::size_t count,
                                            const WorkBudget& budget) const {
    std::vector<ChunkValues> values(count);
    RETURN_IF_ERROR(fill(*table_, group, first, values, budget));
    MadeChunks made;
    made.chunks.reserve(count);
    for (const ChunkValues& column : values) column.append_pages(made.chunks.emplace_back());
    return std::make_shared<const MadeChunks>(std::move(made));
  }

  const std::shared_ptr<const ParquetTable> table_;
  const std::shared_ptr<const ParquetLayout> layout_;
  const KeepChunks keep_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const ParquetLayout>> measure_parquet(
    const ParquetTable& table, const ParquetMetadata& metadata, const WorkBudget& budget) {
  std::vector<GroupFacts> groups(table.groups());
  if (!budget.spend(table.rows() / table.rows_of_game())) return WorkBudget::exceeded();
  RETURN_IF_ERROR(run_tasks(groups.size(), workers_for(budget, groups.size()), budget,
                            [&](std::size_t, std::size_t group) {
                              return measure_group(table, group, budget, groups[group]);
                            }));
  std::vector<std::uint64_t> ends = {kMagic.size()};
  for (const GroupFacts& group : groups) {
    for (const ChunkFacts& chunk : group) ends.push_back(ends.back() + chunk.bytes);
  }
  std::string footer = footer_of(table, groups, metadata);
  ends.push_back(ends.back() + footer.size());
  return std::make_shared<const ParquetLayout>(
      ParquetLayout{.ends = std::make_shared<const std::vector<std::uint64_t>>(std::move(ends)),
                    .footer = std::move(footer)});
}

std::unique_ptr<Content> open_parquet(std::shared_ptr<const ParquetTable> table,
                                      std::shared_ptr<const ParquetLayout> layout,
                                      KeepChunks keep) {
  return std::make_unique<ParquetContent>(std::move(table), std::move(layout), std::move(keep));
}

}  // namespace scidfs::fs
