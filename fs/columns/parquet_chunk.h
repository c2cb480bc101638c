// Column chunks of Parquet files: the values of one column in one group of rows.
// Source: https://github.com/apache/parquet-format (README.md, Encodings.md, parquet.thrift)
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/text_buffer.h"

namespace scidfs::fs {

enum class ParquetType : std::uint8_t {
  Bool,
  Int32,
  Int64,
  UInt64,
  Date,  // days since 1970-01-01
  Double,
  Text,   // UTF-8
  Lists,  // of Int32
};

// Numbers of parquet.thrift.
enum class ParquetEncoding : std::int32_t { Plain = 0, Rle = 3, RleDictionary = 8 };

struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::Int32;
  bool has_nulls = false;    // whether rows may have no value; not of Lists
  bool is_distinct = false;  // whether most values are different, so that no dictionary pays off
};

// What the footer says about a chunk. `least` and `most` are empty without values, and of Lists.
struct ChunkFacts {
  std::uint64_t bytes = 0;
  std::uint64_t dictionary_bytes = 0;  // 0: no dictionary
  std::uint64_t values = 0;            // with nulls and empty lists
  std::uint64_t nulls = 0;
  std::string least, most;  // as PLAIN writes them, without the length of a text
};

// Texts of up to eight bytes without NUL, as numbers, and back.
std::int64_t short_text(std::string_view text);
std::string text_of_short(std::int64_t number);

// The values of a chunk, in the order of the rows. Used by one thread.
class ChunkValues {
 public:
  // Begins a chunk of a column, which must outlive this, with room for some rows.
  void begin(const ParquetColumn& column, std::size_t rows);

  void add(std::int64_t number) { add_run(number, 1); }
  // Adds a number so many times.
  void add_run(std::int64_t number, std::size_t count) {
    if (column_->has_nulls) is_null_.insert(is_null_.end(), count, 0);
    numbers_.insert(numbers_.end(), count, number);
  }
  void add_double(double number) { add(std::bit_cast<std::int64_t>(number)); }
  void add(std::string_view text) {
    add_written(text.size(), [text](char* out) { return std::ranges::copy(text, out).out; });
  }
  // Adds a text of at most so many bytes that write(begin) writes, which returns its end.
  template <class Write>
  void add_written(std::size_t most, const Write& write) {
    if (column_->has_nulls) is_null_.push_back(0);
    char* const begin = texts_.room(kLengthBytes + most) + kLengthBytes;
    const char* const end = write(begin);
    const auto length = static_cast<std::uint64_t>(end - begin);
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
      *(begin - kLengthBytes + i) = static_cast<char>(length >> (8 * i));
    }
    texts_.commit(end);
    ends_.push_back(texts_.size());
  }
  void add_null(std::size_t count = 1) { is_null_.insert(is_null_.end(), count, 1); }
  void add_list(std::span<const std::int64_t> list) {
    numbers_.insert(numbers_.end(), list.begin(), list.end());
    list_ends_.push_back(numbers_.size());
  }
  // Says that the texts of this chunk were added as numbers, which stand for different ones.
  void set_texts(std::function<std::string(std::int64_t number)> text_of) {
    text_of_ = std::move(text_of);
  }

  // Returns what the footer says about the pages, without making them.
  ChunkFacts facts() const { return plan().facts; }
  // Appends the pages of the chunk: the same bytes for the same values. One of texts or numbers has
  // a dictionary where that takes less room, and always for texts that are numbers.
  void append_pages(std::string& out) const;

 private:
  static constexpr std::size_t kLengthBytes = 4;  // before each text
  // The different values in the order of their first rows, and which each row has.
  struct Dictionary {
    std::vector<std::uint32_t> firsts;  // the first row of each value
    std::vector<std::uint32_t> codes;
    unsigned bits() const {  // of a code
      return firsts.size() <= 2 ? 1 : static_cast<unsigned>(std::bit_width(firsts.size() - 1));
    }
  };
  // All that is known of the pages before they are written.
  struct Pages {
    ChunkFacts facts;
    Dictionary dictionary;
    bool has_dictionary = false;
    std::string dictionary_page;  // with its header
    std::string header;           // of the page of the rows
  };

  bool is_text() const { return column_->type == ParquetType::Text; }
  bool has_texts() const { return is_text() && text_of_ == nullptr; }
  std::size_t present() const { return has_texts() ? ends_.size() : numbers_.size(); }
  std::string_view text(std::size_t i) const {
    const std::size_t begin = (i == 0 ? 0 : ends_[i - 1]) + kLengthBytes;
    return texts_.view().substr(begin, ends_[i] - begin);
  }
  std::uint64_t count_values() const;
  std::uint64_t plain_bytes() const;
  std::uint64_t levels_bytes() const;

  Pages plan() const;
  Dictionary make_dictionary() const;
  void code_numbers(Dictionary& made) const;
  // Returns the values of a dictionary, and finds the bounds of texts that are numbers.
  std::string dictionary_values(const Dictionary& dictionary, ChunkFacts& facts) const;
  void append_plain(std::size_t i, std::string& out) const;
  void append_all_plain(std::string& out) const;
  void append_levels(std::string& out) const;
  void append_list_levels(std::string& out) const;
  void find_bounds(ChunkFacts& facts) const;
  template <class Number>
  void find_bounds_as(ChunkFacts& facts) const;

  const ParquetColumn* column_ = nullptr;
  std::vector<std::int64_t> numbers_;
  codec::TextBuffer texts_;               // as PLAIN writes them
  std::vector<std::uint64_t> ends_;       // of each text
  std::vector<std::uint8_t> is_null_;     // by row, if the column has nulls
  std::vector<std::uint64_t> list_ends_;  // of each row of Lists
  std::function<std::string(std::int64_t)> text_of_;
};

}  // namespace scidfs::fs
