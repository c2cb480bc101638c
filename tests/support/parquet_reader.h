// A reader of Parquet files, as far as scidfs writes them.
// Source: https://github.com/apache/parquet-format
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// The cells of a file as text. A cell without a value is empty, as in tables; a list is its
// elements with blanks between; a boolean is "0" or "1".
struct ParquetFile {
  struct Chunk {
    std::uint64_t nulls = 0;
    std::string least, most;  // as cells
  };

  std::vector<std::string> names;                 // of the columns
  std::vector<std::vector<std::string>> columns;  // the cells of each
  std::vector<std::size_t> rows;                  // of each group
  std::vector<std::vector<Chunk>> groups;         // of each group, the chunk of each column
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string error;  // not empty: the file cannot be read

  std::size_t all_rows() const;
  const std::vector<std::string>& column(std::string_view name) const;
};

// Reads a file. Of any bytes that are no such file, returns an error.
ParquetFile read_parquet(std::string_view file);

}  // namespace scidfs::tests
