#include "fs/columns/parquet_chunk.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <type_traits>

#include "codec/bytes.h"
#include "fs/base/varint.h"
#include "fs/columns/thrift_writer.h"

namespace scidfs::fs {
namespace {

using codec::append_little;

enum class PageType : std::int32_t { Data = 0, Dictionary = 2 };
constexpr std::size_t kLevelLengthBytes = 4;

std::size_t bytes_of(ParquetType type) {
  switch (type) {
    case ParquetType::Bool:
      return 1;
    case ParquetType::Int64:
    case ParquetType::UInt64:
    case ParquetType::Double:
      return 8;
    default:
      return 4;
  }
}

// Appends values of a few bits, the first ones lowest, up to a whole group of eight.
template <class ValueAt>
void append_bits(std::size_t count, unsigned bits, const ValueAt& value_at, std::string& out) {
  const std::size_t begin = out.size();
  const std::size_t bytes = (count + 7) / 8 * bits;
  out.resize(begin + bytes + sizeof(std::uint64_t));  // room for the last word
  char* at = out.data() + begin;
  std::uint64_t word = 0;
  unsigned used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = value_at(i);
    word |= value << used;
    used += bits;
    if (used < 64) continue;
    codec::store_little_word(word, at);
    at += sizeof word;
    used -= 64;
    word = used == 0 ? 0 : value >> (bits - used);
  }
  codec::store_little_word(word, at);
  out.resize(begin + bytes);
}

// Appends values of the hybrid of runs and packed groups, all in one run of groups.
template <class ValueAt>
void append_packed(std::size_t count, unsigned bits, const ValueAt& value_at, std::string& out) {
  add_varint((count + 7) / 8 << 1 | 1, out);
  append_bits(count, bits, value_at, out);
}
// Returns the bytes of that.
std::uint64_t packed_bytes(std::uint64_t count, unsigned bits) {
  const std::uint64_t groups = (count + 7) / 8;
  return varint_length(groups << 1 | 1) + groups * bits;
}

// Appends a level of each value, below two, with its length before it.
template <class LevelAt>
void append_level(std::size_t count, const LevelAt& level_at, std::string& out) {
  append_little(packed_bytes(count, 1), kLevelLengthBytes, out);
  append_packed(count, 1, level_at, out);
}

std::string page_header(PageType type, std::size_t bytes, std::size_t values,
                        ParquetEncoding encoding) {
  std::string text;
  ThriftWriter header(text);
  header.begin();
  header.i32(1, static_cast<std::int32_t>(type));
  header.i32(2, static_cast<std::int32_t>(bytes));
  header.i32(3, static_cast<std::int32_t>(bytes));
  header.begin_struct(type == PageType::Data ? 5 : 7);
  header.i32(1, static_cast<std::int32_t>(values));
  header.i32(2, static_cast<std::int32_t>(encoding));
  if (type == PageType::Data) {
    header.i32(3, static_cast<std::int32_t>(ParquetEncoding::Rle));
    header.i32(4, static_cast<std::int32_t>(ParquetEncoding::Rle));
  }
  header.end();
  header.end();
  return text;
}

template <class Number>
Number number_as(std::int64_t bits) {
  if constexpr (std::is_same_v<Number, double>) return std::bit_cast<double>(bits);
  return static_cast<Number>(bits);
}

}  // namespace

std::int64_t short_text(std::string_view text) {
  std::array<char, sizeof(std::uint64_t)> word{};
  assert(text.size() <= word.size());
  std::copy(text.begin(), text.end(), word.begin());
  return static_cast<std::int64_t>(codec::load_little_word(word.data()));
}

std::string text_of_short(std::int64_t number) {
  std::array<char, sizeof number> word{};
  codec::store_little_word(static_cast<std::uint64_t>(number), word.data());
  return {word.begin(), std::ranges::find(word, '\0')};
}

void ChunkValues::begin(const ParquetColumn& column, std::size_t rows) {
  column_ = &column;
  numbers_.clear();
  texts_.clear();
  ends_.clear();
  is_null_.clear();
  list_ends_.clear();
  text_of_ = nullptr;
  if (column.has_nulls) is_null_.reserve(rows);
  if (column.type == ParquetType::Lists) {
    list_ends_.reserve(rows);
  } else if (column.type == ParquetType::Text && column.is_distinct) {
    ends_.reserve(rows);
  } else {
    numbers_.reserve(rows);
  }
}

std::uint64_t ChunkValues::count_values() const {
  if (column_->type != ParquetType::Lists) {
    return column_->has_nulls ? is_null_.size() : present();
  }
  std::uint64_t begin = 0;
  std::uint64_t empty = 0;
  for (const std::uint64_t end : list_ends_) empty += std::exchange(begin, end) == end ? 1 : 0;
  return numbers_.size() + empty;
}

std::uint64_t ChunkValues::plain_bytes() const {
  if (has_texts()) return texts_.size();
  if (column_->type == ParquetType::Bool) return (numbers_.size() + 7) / 8;
  return numbers_.size() * bytes_of(column_->type);
}

// Appends a value as PLAIN writes it.
void ChunkValues::append_plain(std::size_t i, std::string& out) const {
  if (has_texts()) {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    out += texts_.view().substr(begin, ends_[i] - begin);
  } else {
    append_little(static_cast<std::uint64_t>(numbers_[i]), bytes_of(column_->type), out);
  }
}

void ChunkValues::append_all_plain(std::string& out) const {
  if (has_texts()) {
    out += texts_.view();
  } else if (column_->type == ParquetType::Bool) {
    append_bits(
        numbers_.size(), 1,
        [this](std::size_t i) { return static_cast<std::uint64_t>(numbers_[i]); }, out);
  } else {
    const std::size_t width = bytes_of(column_->type);
    const std::size_t end = out.size() + numbers_.size() * width;
    out.resize(end + sizeof(std::uint64_t));  // room for the last word
    char* at = out.data() + end - numbers_.size() * width;
    for (const std::int64_t number : numbers_) {
      codec::store_little_word(static_cast<std::uint64_t>(number), at);
      at += width;
    }
    out.resize(end);
  }
}

// Numbers that lie close together have their codes in a table.
void ChunkValues::code_numbers(Dictionary& made) const {
  const auto [least, most] = std::ranges::minmax(numbers_);
  const std::uint64_t range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const auto code_all = [&](const auto& code_of) {
    for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
      std::uint32_t& code = code_of(numbers_[i]);
      if (code == kNone) {
        code = static_cast<std::uint32_t>(made.firsts.size());
        made.firsts.push_back(i);
      }
      made.codes[i] = code;
    }
  };
  constexpr std::uint64_t kMostSpread = 16;
  if (range < kMostSpread * numbers_.size() + 4096) {
    std::vector<std::uint32_t> codes(range + 1, kNone);
    code_all([&, low = least](std::int64_t number) -> std::uint32_t& {
      return codes[static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(low)];
    });
    return;
  }
  absl::flat_hash_map<std::int64_t, std::uint32_t> codes;
  code_all([&](std::int64_t number) -> std::uint32_t& {
    return codes.try_emplace(number, kNone).first->second;
  });
}

ChunkValues::Dictionary ChunkValues::make_dictionary() const {
  Dictionary made;
  made.codes.resize(present());
  if (!has_texts()) {
    code_numbers(made);
    return made;
  }
  absl::flat_hash_map<std::string_view, std::uint32_t> codes;
  for (std::uint32_t i = 0; i < made.codes.size(); ++i) {
    const auto [found, is_new] =
        codes.try_emplace(text(i), static_cast<std::uint32_t>(made.firsts.size()));
    made.codes[i] = found->second;
    if (is_new) made.firsts.push_back(i);
  }
  return made;
}

// Appends the levels that say which value begins a list, and which is none but an empty list.
void ChunkValues::append_list_levels(std::string& out) const {
  std::vector<std::uint8_t> begins;
  std::vector<std::uint8_t> exists;
  const std::uint64_t values = count_values();
  begins.reserve(values);
  exists.reserve(values);
  std::uint64_t begin = 0;
  for (const std::uint64_t end : list_ends_) {
    begins.push_back(0);
    exists.push_back(begin == end ? 0 : 1);
    if (end > begin + 1) {
      begins.insert(begins.end(), end - begin - 1, 1);
      exists.insert(exists.end(), end - begin - 1, 1);
    }
    begin = end;
  }
  append_level(
      values, [&](std::size_t i) { return begins[i]; }, out);
  append_level(
      values, [&](std::size_t i) { return exists[i]; }, out);
}

// Appends the levels that say which values are missing: a short run if none is.
void ChunkValues::append_levels(std::string& out) const {
  if (column_->type == ParquetType::Lists) return append_list_levels(out);
  if (!column_->has_nulls) return;
  if (present() != is_null_.size()) {
    return append_level(
        is_null_.size(), [this](std::size_t i) { return 1U - is_null_[i]; }, out);
  }
  append_little(varint_length(is_null_.size() << 1) + 1, kLevelLengthBytes, out);
  add_varint(is_null_.size() << 1, out);
  out += '\1';
}

std::uint64_t ChunkValues::levels_bytes() const {
  const auto bytes_of_level = [](std::uint64_t count) {
    return kLevelLengthBytes + packed_bytes(count, 1);
  };
  if (column_->type == ParquetType::Lists) return 2 * bytes_of_level(count_values());
  if (!column_->has_nulls) return 0;
  if (present() != is_null_.size()) return bytes_of_level(is_null_.size());
  return kLevelLengthBytes + varint_length(is_null_.size() << 1) + 1;
}

template <class Number>
void ChunkValues::find_bounds_as(ChunkFacts& facts) const {
  Number least = number_as<Number>(numbers_.front());
  Number most = least;
  for (const std::int64_t bits : numbers_) {
    const Number number = number_as<Number>(bits);
    least = std::min(least, number);
    most = std::max(most, number);
  }
  append_little(std::bit_cast<std::uint64_t>(least), bytes_of(column_->type), facts.least);
  append_little(std::bit_cast<std::uint64_t>(most), bytes_of(column_->type), facts.most);
}

void ChunkValues::find_bounds(ChunkFacts& facts) const {
  if (present() == 0 || column_->type == ParquetType::Lists) return;
  if (column_->type == ParquetType::UInt64) return find_bounds_as<std::uint64_t>(facts);
  if (column_->type == ParquetType::Double) return find_bounds_as<double>(facts);
  if (!is_text()) return find_bounds_as<std::int64_t>(facts);
  if (!has_texts()) return;  // by dictionary_values()
  std::string_view least = text(0);
  std::string_view most = least;
  for (std::size_t i = 1; i < ends_.size(); ++i) {
    least = std::min(least, text(i));
    most = std::max(most, text(i));
  }
  facts.least = least;
  facts.most = most;
}

std::string ChunkValues::dictionary_values(const Dictionary& dictionary, ChunkFacts& facts) const {
  std::string values;
  for (const std::uint32_t first : dictionary.firsts) {
    if (text_of_ == nullptr) {
      append_plain(first, values);
      continue;
    }
    const std::string text = text_of_(numbers_[first]);
    append_little(text.size(), kLengthBytes, values);
    values += text;
    if (first == 0 || text < facts.least) facts.least = text;
    if (first == 0 || text > facts.most) facts.most = text;
  }
  return values;
}

ChunkValues::Pages ChunkValues::plan() const {
  Pages pages;
  ChunkFacts& facts = pages.facts;
  facts.values = count_values();
  facts.nulls = column_->has_nulls ? facts.values - present() : 0;
  find_bounds(facts);
  std::uint64_t bytes = plain_bytes();
  if (!column_->is_distinct && column_->type != ParquetType::Bool && present() != 0) {
    Dictionary& dictionary = pages.dictionary;
    dictionary = make_dictionary();
    const std::string values = dictionary_values(dictionary, facts);
    const std::uint64_t packed = std::uint64_t{dictionary.bits()} * present();
    if (text_of_ != nullptr || values.size() + (packed + 7) / 8 < bytes) {
      pages.has_dictionary = true;
      pages.dictionary_page = page_header(PageType::Dictionary, values.size(),
                                          dictionary.firsts.size(), ParquetEncoding::Plain);
      pages.dictionary_page += values;
      bytes = 1 + packed_bytes(present(), dictionary.bits());
    }
  }
  bytes += levels_bytes();
  pages.header =
      page_header(PageType::Data, bytes, facts.values,
                  pages.has_dictionary ? ParquetEncoding::RleDictionary : ParquetEncoding::Plain);
  facts.dictionary_bytes = pages.dictionary_page.size();
  facts.bytes = facts.dictionary_bytes + pages.header.size() + bytes;
  return pages;
}

void ChunkValues::append_pages(std::string& out) const {
  const Pages pages = plan();
  const std::size_t begin = out.size();
  out.reserve(begin + pages.facts.bytes + sizeof(std::uint64_t));  // append_bits() needs the word
  out += pages.dictionary_page;
  out += pages.header;
  append_levels(out);
  if (pages.has_dictionary) {
    const Dictionary& dictionary = pages.dictionary;
    out += static_cast<char>(dictionary.bits());
    append_packed(
        present(), dictionary.bits(), [&](std::size_t i) { return dictionary.codes[i]; }, out);
  } else {
    append_all_plain(out);
  }
  assert(out.size() - begin == pages.facts.bytes);
}

}  // namespace scidfs::fs
