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
constexpr std::size_t kLengthBytes = 4;  // of a text

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

// Appends a level of each value, below two, with its length before it.
template <class LevelAt>
void append_level(std::size_t count, const LevelAt& level_at, std::string& page) {
  std::string level;
  append_packed(count, 1, level_at, level);
  append_little(level.size(), kLengthBytes, page);
  page += level;
}

void append_page_header(PageType type, std::size_t bytes, std::size_t values,
                        ParquetEncoding encoding, std::string& out) {
  ThriftWriter header(out);
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

std::uint64_t ChunkValues::count_values() const {
  if (column_.type != ParquetType::Lists) return column_.has_nulls ? is_null_.size() : present();
  std::uint64_t begin = 0;
  std::uint64_t empty = 0;
  for (const std::uint64_t end : list_ends_) empty += std::exchange(begin, end) == end ? 1 : 0;
  return numbers_.size() + empty;
}

std::uint64_t ChunkValues::plain_bytes() const {
  if (has_texts()) return texts_.size() + kLengthBytes * ends_.size();
  return numbers_.size() * bytes_of(column_.type);
}

// Appends a value as PLAIN writes it.
void ChunkValues::append_plain(std::size_t i, std::string& out) const {
  if (!is_text()) {
    append_little(static_cast<std::uint64_t>(numbers_[i]), bytes_of(column_.type), out);
    return;
  }
  append_little(text(i).size(), kLengthBytes, out);
  out += text(i);
}

void ChunkValues::append_all_plain(std::string& out) const {
  if (column_.type == ParquetType::Bool) {
    std::string groups;
    append_bits(
        numbers_.size(), 1,
        [this](std::size_t i) { return static_cast<std::uint64_t>(numbers_[i]); }, groups);
    out += groups;
    return;
  }
  for (std::size_t i = 0; i < present(); ++i) append_plain(i, out);
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
    if (!is_text()) made.bytes = made.firsts.size() * bytes_of(column_.type);
    return made;
  }
  absl::flat_hash_map<std::string_view, std::uint32_t> codes;
  for (std::uint32_t i = 0; i < made.codes.size(); ++i) {
    const auto [found, is_new] =
        codes.try_emplace(text(i), static_cast<std::uint32_t>(made.firsts.size()));
    made.codes[i] = found->second;
    if (!is_new) continue;
    made.firsts.push_back(i);
    made.bytes += text(i).size() + kLengthBytes;
  }
  return made;
}

// Appends the levels that say which value begins a list, and which is none but an empty list.
void ChunkValues::append_list_levels(std::string& page) const {
  std::vector<std::uint8_t> begins;
  std::vector<std::uint8_t> exists;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : list_ends_) {
    for (std::uint64_t i = begin; i < std::max(end, begin + 1); ++i) {
      begins.push_back(i == begin ? 0 : 1);
      exists.push_back(begin == end ? 0 : 1);
    }
    begin = end;
  }
  append_level(
      begins.size(), [&](std::size_t i) { return begins[i]; }, page);
  append_level(
      exists.size(), [&](std::size_t i) { return exists[i]; }, page);
}

// Appends the levels that say which values are missing: a short run if none is.
void ChunkValues::append_levels(std::string& page) const {
  if (column_.type == ParquetType::Lists) return append_list_levels(page);
  if (!column_.has_nulls) return;
  if (present() != is_null_.size()) {
    return append_level(
        is_null_.size(), [this](std::size_t i) { return 1U - is_null_[i]; }, page);
  }
  std::string level;
  add_varint(is_null_.size() << 1, level);
  level += '\1';
  append_little(level.size(), kLengthBytes, page);
  page += level;
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
  append_little(std::bit_cast<std::uint64_t>(least), bytes_of(column_.type), facts.least);
  append_little(std::bit_cast<std::uint64_t>(most), bytes_of(column_.type), facts.most);
}

void ChunkValues::find_bounds(ChunkFacts& facts) const {
  if (present() == 0 || column_.type == ParquetType::Lists) return;
  if (column_.type == ParquetType::UInt64) return find_bounds_as<std::uint64_t>(facts);
  if (column_.type == ParquetType::Double) return find_bounds_as<double>(facts);
  if (!is_text()) return find_bounds_as<std::int64_t>(facts);
  if (!has_texts()) return;  // by append_dictionary()
  std::string_view least = text(0);
  std::string_view most = least;
  for (std::size_t i = 1; i < ends_.size(); ++i) {
    least = std::min(least, text(i));
    most = std::max(most, text(i));
  }
  facts.least = least;
  facts.most = most;
}

void ChunkValues::append_dictionary(const Dictionary& dictionary, std::string& out,
                                    ChunkFacts& facts) const {
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
  const std::size_t begin = out.size();
  append_page_header(PageType::Dictionary, values.size(), dictionary.firsts.size(),
                     ParquetEncoding::Plain, out);
  out += values;
  facts.dictionary_bytes = out.size() - begin;
}

ChunkFacts ChunkValues::append_pages(std::string& out) const {
  ChunkFacts facts;
  facts.values = count_values();
  facts.nulls = column_.has_nulls ? facts.values - present() : 0;
  find_bounds(facts);
  const std::size_t begin = out.size();
  std::string page;
  append_levels(page);
  ParquetEncoding encoding = ParquetEncoding::Plain;
  if (!column_.is_distinct && column_.type != ParquetType::Bool && present() != 0) {
    const Dictionary dictionary = make_dictionary();
    const auto bits = static_cast<unsigned>(
        std::max(1, static_cast<int>(std::bit_width(dictionary.firsts.size() - 1))));
    if (dictionary.bytes == 0 ||
        dictionary.bytes + (std::uint64_t{bits} * present() + 7) / 8 < plain_bytes()) {
      encoding = ParquetEncoding::RleDictionary;
      append_dictionary(dictionary, out, facts);
      page += static_cast<char>(bits);
      append_packed(
          present(), bits, [&](std::size_t i) { return dictionary.codes[i]; }, page);
    }
  }
  if (encoding == ParquetEncoding::Plain) append_all_plain(page);
  append_page_header(PageType::Data, page.size(), facts.values, encoding, out);
  out += page;
  facts.bytes = out.size() - begin;
  return facts;
}

}  // namespace scidfs::fs
