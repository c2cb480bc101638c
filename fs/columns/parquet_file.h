// Parquet files that are made when they are read.
// Source: https://github.com/apache/parquet-format (README.md, parquet.thrift)
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fs/columns/parquet_chunk.h"
#include "fs/content/content.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// The rows of each group, but for the last ones of a file or a database.
inline constexpr std::size_t kRowsOfGroup = 122'880;

// The values of a table, in groups of rows. Immutable; any number of threads may use it.
class ParquetTable {
 public:
  virtual ~ParquetTable() = default;

  const std::vector<ParquetColumn>& columns() const { return columns_; }
  virtual std::size_t groups() const = 0;
  virtual std::uint64_t rows_of(std::size_t group) const = 0;
  // Returns those of all groups.
  virtual std::uint64_t rows() const = 0;
  // Returns whether a column is filled without the others at the cost of one, not of all.
  virtual bool is_by_column() const = 0;
  // Adds the values of a group to some columns, from `first` on, which have begun: to all, if the
  // table is not by column. The same values whenever it is asked. Errors: Cancelled; those of
  // reading the games.
  virtual absl::Status fill(std::size_t group, std::size_t first, std::span<ChunkValues> columns,
                            const WorkBudget& budget) const = 0;
  // Returns how many rows take as long as the decoding of one game (fs/content/work_cost.h).
  virtual std::size_t rows_of_game() const = 0;

 protected:
  explicit ParquetTable(std::vector<ParquetColumn> columns) : columns_(std::move(columns)) {}

 private:
  std::vector<ParquetColumn> columns_;
};

// Where the chunks of a file end, and its footer: what is kept of it.
struct ParquetLayout {
  SectionEnds ends;  // of the magic number, of the chunks, group by group, and of the footer
  std::string footer;

  std::size_t memory() const {
    return sizeof *this + footer.capacity() + ends->capacity() * sizeof((*ends)[0]);
  }
};

using ParquetMetadata = std::vector<std::pair<std::string, std::string>>;  // keys and values

// Finds the layout, for which it fills all columns once. Errors: Unavailable if that exceeds the
// budget; those of run_tasks() and of fill().
absl::StatusOr<std::shared_ptr<const ParquetLayout>> measure_parquet(
    const ParquetTable& table, const ParquetMetadata& metadata, const WorkBudget& budget);

// One chunk of a group, or all: most are larger than a read.
struct MadeChunks {
  std::vector<std::string> chunks;

  std::size_t memory() const {
    std::size_t bytes = sizeof *this;
    for (const std::string& chunk : chunks) bytes += chunk.capacity();
    return bytes;
  }
};
using MadeChunksPtr = std::shared_ptr<const MadeChunks>;
// Returns what make() returns, or has returned before for the same number of the same file. It
// keeps these for the reads that follow, as long as there is room.
using KeepChunks = std::function<absl::StatusOr<MadeChunksPtr>(
    std::size_t number, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<MadeChunksPtr>()> make)>;

// Returns the file. REQUIRES: the layout is that of the table.
std::unique_ptr<Content> open_parquet(std::shared_ptr<const ParquetTable> table,
                                      std::shared_ptr<const ParquetLayout> layout, KeepChunks keep);

}  // namespace scidfs::fs
