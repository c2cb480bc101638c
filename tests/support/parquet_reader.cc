#include "tests/support/parquet_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <stdexcept>

namespace scidfs::tests {
namespace {

constexpr std::string_view kMagic = "PAR1";

[[noreturn]] void refuse(std::string_view reason) { throw std::runtime_error(std::string(reason)); }

// Bytes that are read in order.
class In {
 public:
  explicit In(std::string_view bytes) : bytes_(bytes) {}

  bool is_at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) refuse("it ends early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::uint64_t little(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::string_view taken = take(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      value |= std::uint64_t{static_cast<std::uint8_t>(taken[i])} << (8 * i);
    }
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7FU} << shift;
      if (next < 0x80) return value;
    }
    refuse("a number is too long");
  }
  std::int64_t zigzag() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
  }

 private:
  std::string_view bytes_;
};

// A value of Thrift's compact protocol.
struct Value {
  std::int64_t number = 0;
  std::string_view text;
  std::vector<Value> list;
  std::map<int, Value> fields;

  const Value& at(int id) const {
    const auto found = fields.find(id);
    if (found == fields.end()) refuse(fmt::format("field {} is missing", id));
    return found->second;
  }
  bool has(int id) const { return fields.contains(id); }
};

Value read_value(In& in, unsigned type, unsigned depth = 0);

Value read_struct(In& in, unsigned depth) {
  Value value;
  for (int id = 0; true;) {
    const std::uint8_t head = in.byte();
    if (head == 0) return value;
    id = head >> 4 == 0 ? static_cast<int>(in.zigzag()) : id + (head >> 4);
    value.fields[id] = read_value(in, head & 0xF, depth + 1);
  }
}

Value read_value(In& in, unsigned type, unsigned depth) {
  if (depth > 20) refuse("too deep");
  Value value;
  switch (type) {
    case 1:
      value.number = 1;
      return value;
    case 2:
      return value;
    case 3:
      value.number = static_cast<std::int8_t>(in.byte());
      return value;
    case 5:
    case 6:
      value.number = in.zigzag();
      return value;
    case 8:
      value.text = in.take(in.varint());
      return value;
    case 9: {
      const std::uint8_t head = in.byte();
      const std::uint64_t count = head >> 4 == 15 ? in.varint() : head >> 4;
      if (count > in.left()) refuse("a list is too long");
      for (std::uint64_t i = 0; i < count; ++i) {
        value.list.push_back(read_value(in, head & 0xF, depth + 1));
      }
      return value;
    }
    case 12:
      return read_struct(in, depth);
    default:
      refuse(fmt::format("type {}", type));
  }
}

// The hybrid of runs and packed groups.
std::vector<std::uint32_t> read_hybrid(In& in, unsigned bits, std::size_t count) {
  std::vector<std::uint32_t> values;
  while (values.size() < count) {
    const std::uint64_t head = in.varint();
    if ((head & 1) == 0) {
      const auto value = static_cast<std::uint32_t>(in.little((bits + 7) / 8));
      values.insert(values.end(), std::min<std::uint64_t>(head >> 1, count - values.size()), value);
      continue;
    }
    const std::string_view packed = in.take((head >> 1) * bits);
    for (std::size_t i = 0; i < (head >> 1) * 8; ++i) {
      std::uint32_t value = 0;
      for (unsigned bit = 0; bit < bits; ++bit) {
        const std::size_t at = i * bits + bit;
        value |= (static_cast<std::uint8_t>(packed[at / 8]) >> at % 8 & 1U) << bit;
      }
      values.push_back(value);
    }
  }
  values.resize(count);
  return values;
}

std::vector<std::uint32_t> read_levels(In& page, std::size_t count) {
  In level(page.take(page.little(4)));
  return read_hybrid(level, 1, count);
}

struct Leaf {
  std::int64_t type = 0;  // of parquet.thrift
  std::int64_t converted = -1;
  bool is_optional = false;
  bool is_list = false;
};

std::string plain_cell(In& in, const Leaf& leaf, bool has_length = true) {
  constexpr std::int64_t kUnsigned = 14;
  switch (leaf.type) {
    case 0:
      return in.byte() == 0 ? "0" : "1";
    case 1:
      return std::to_string(static_cast<std::int32_t>(in.little(4)));
    case 2: {
      const std::uint64_t value = in.little(8);
      return leaf.converted == kUnsigned ? std::to_string(value)
                                         : std::to_string(static_cast<std::int64_t>(value));
    }
    case 5:
      return fmt::format("{:.2f}", std::bit_cast<double>(in.little(8)));
    case 6:
      return std::string(in.take(has_length ? in.little(4) : in.left()));
    default:
      refuse("physical type");
  }
}

std::vector<std::string> read_values(In& page, const Leaf& leaf, std::int64_t encoding,
                                     const std::vector<std::string>& dictionary,
                                     std::size_t count) {
  std::vector<std::string> cells;
  if (encoding == 8) {
    const unsigned bits = page.byte();
    for (const std::uint32_t code : read_hybrid(page, bits, count)) {
      if (code >= dictionary.size()) refuse("no such value in the dictionary");
      cells.push_back(dictionary[code]);
    }
  } else if (leaf.type == 0) {
    const std::string_view packed = page.take((count + 7) / 8);
    for (std::size_t i = 0; i < count; ++i) {
      cells.emplace_back((static_cast<std::uint8_t>(packed[i / 8]) >> i % 8 & 1) == 0 ? "0" : "1");
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) cells.push_back(plain_cell(page, leaf));
  }
  if (!page.is_at_end()) refuse("a page has more bytes than values");
  return cells;
}

std::vector<std::string> read_page(In page, const Leaf& leaf, const Value& header,
                                   const std::vector<std::string>& dictionary) {
  const auto count = static_cast<std::size_t>(header.at(1).number);
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> exists(count, 1);
  if (leaf.is_list) begins = read_levels(page, count);
  if (leaf.is_list || leaf.is_optional) exists = read_levels(page, count);
  const auto present = static_cast<std::size_t>(std::ranges::count(exists, 1U));
  const std::vector<std::string> values =
      read_values(page, leaf, header.at(2).number, dictionary, present);
  std::vector<std::string> cells;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string value = exists[i] == 1 ? values[next++] : std::string();
    if (leaf.is_list && begins[i] == 1) {
      cells.back() += " " + value;
    } else {
      cells.push_back(value);
    }
  }
  return cells;
}

// Returns the cells of a chunk. Its pages lie where the footer says.
std::vector<std::string> read_chunk(std::string_view file, const Leaf& leaf, const Value& chunk) {
  const bool has_dictionary = chunk.has(11);
  const auto begin = static_cast<std::uint64_t>(chunk.at(has_dictionary ? 11 : 9).number);
  const auto bytes = static_cast<std::uint64_t>(chunk.at(7).number);
  if (begin > file.size() || bytes > file.size() - begin) refuse("a chunk lies outside");
  In in(file.substr(begin, bytes));
  std::vector<std::string> dictionary;
  while (true) {
    const std::size_t at = begin + bytes - in.left();
    const Value header = read_struct(in, 0);
    In page(in.take(static_cast<std::uint64_t>(header.at(3).number)));
    if (header.at(1).number == 2) {
      for (std::int64_t i = 0; i < header.at(7).at(1).number; ++i) {
        dictionary.push_back(plain_cell(page, leaf));
      }
      if (!page.is_at_end()) refuse("a dictionary has more bytes than values");
      continue;
    }
    if (at != static_cast<std::uint64_t>(chunk.at(9).number)) refuse("the page lies elsewhere");
    if (header.at(5).at(1).number != chunk.at(5).number) refuse("the page has not all values");
    if (!in.is_at_end()) refuse("bytes after the page");
    return read_page(page, leaf, header.at(5), dictionary);
  }
}

std::vector<Leaf> read_schema(const Value& footer, ParquetFile& out) {
  std::vector<Leaf> leaves;
  const std::vector<Value>& schema = footer.at(2).list;
  for (std::size_t i = 1; i < schema.size(); ++i) {
    Leaf leaf;
    out.names.emplace_back(schema.at(i).at(4).text);
    if (schema[i].has(5)) {
      leaf.is_list = true;
      i += 2;
    }
    const Value& element = schema.at(i);
    leaf.type = element.at(1).number;
    leaf.is_optional = element.at(3).number == 1;
    if (element.has(6)) leaf.converted = element.at(6).number;
    leaves.push_back(leaf);
  }
  if (static_cast<std::int64_t>(leaves.size()) != schema.at(0).at(5).number) refuse("children");
  return leaves;
}

ParquetFile::Chunk facts_of(const Value& chunk, const Leaf& leaf) {
  ParquetFile::Chunk facts;
  if (!chunk.has(12)) return facts;
  const Value& statistics = chunk.at(12);
  facts.nulls = static_cast<std::uint64_t>(statistics.at(3).number);
  const auto cell = [&](int id) {
    if (!statistics.has(id)) return std::string();
    In in(statistics.at(id).text);
    return plain_cell(in, leaf, false);
  };
  facts.most = cell(5);
  facts.least = cell(6);
  return facts;
}

void read_groups(std::string_view file, const Value& footer, const std::vector<Leaf>& leaves,
                 ParquetFile& out) {
  out.columns.resize(leaves.size());
  for (const Value& group : footer.at(4).list) {
    const auto rows = static_cast<std::size_t>(group.at(3).number);
    out.rows.push_back(rows);
    out.groups.emplace_back();
    if (group.at(1).list.size() != leaves.size()) refuse("chunks are missing");
    for (std::size_t column = 0; column < leaves.size(); ++column) {
      const Value& chunk = group.at(1).list[column].at(3);
      std::vector<std::string> cells = read_chunk(file, leaves[column], chunk);
      if (cells.size() != rows) refuse("a chunk has other rows");
      out.groups.back().push_back(facts_of(chunk, leaves[column]));
      out.columns[column].insert(out.columns[column].end(), cells.begin(), cells.end());
    }
  }
  if (static_cast<std::size_t>(footer.at(3).number) != out.all_rows()) refuse("rows of the file");
}

}  // namespace

std::size_t ParquetFile::all_rows() const {
  return std::accumulate(rows.begin(), rows.end(), std::size_t{0});
}

const std::vector<std::string>& ParquetFile::column(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? none : columns.at(static_cast<std::size_t>(found - names.begin()));
}

ParquetFile read_parquet(std::string_view file) {
  ParquetFile out;
  try {
    constexpr std::size_t kTail = 8;
    if (file.size() < kMagic.size() + kTail || !file.starts_with(kMagic) ||
        !file.ends_with(kMagic)) {
      refuse("no magic number");
    }
    const std::uint64_t length = In(file.substr(file.size() - kTail)).little(4);
    if (length > file.size() - kTail) refuse("the footer is too long");
    In in(file.substr(file.size() - kTail - length, length));
    const Value footer = read_struct(in, 0);
    if (!in.is_at_end()) refuse("bytes after the footer");
    const std::vector<Leaf> leaves = read_schema(footer, out);
    for (const Value& pair : footer.at(5).list) {
      out.metadata.emplace_back(pair.at(1).text, pair.at(2).text);
    }
    if (footer.at(7).list.size() != leaves.size()) refuse("column orders");
    read_groups(file, footer, leaves, out);
  } catch (const std::exception& error) {
    out.error = error.what();
  }
  return out;
}

}  // namespace scidfs::tests
