// Tables of tab-separated values: a header line, and a line for each row. A value that is not known
// is an empty field; in the first column it is kUnknownName, so that each row has a key.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "fs/base/filename.h"

namespace scidfs::fs {

// A number with one decimal: 55 is "5.5".
struct Tenths {
  std::uint64_t value = 0;
};

// Returns nothing for 0, which the tables leave empty.
template <std::unsigned_integral Number>
constexpr std::optional<Number> known(Number number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

// Returns an empty name for `?`, the name of what is not known.
constexpr std::string_view known_name(std::string_view name) {
  return name == "?" ? std::string_view() : name;
}

// Appends a field. Texts have neither tabs nor line feeds.
inline void append_field(std::string_view text, std::string& out) { out += text; }
template <std::unsigned_integral Number>
void append_field(Number number, std::string& out) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}
inline void append_field(Tenths tenths, std::string& out) {
  append_field(tenths.value / 10, out);
  out += '.';
  out += static_cast<char>('0' + tenths.value % 10);
}
template <class Value>
void append_field(const std::optional<Value>& value, std::string& out) {
  if (value.has_value()) append_field(*value, out);
}

// A column: its name in the header line, and a function that returns the field of a row, a value
// for append_field(), or appends the field: write(row, out).
template <class Write>
struct TsvColumn {
  std::string_view name;
  Write write;
};
template <class Write>
TsvColumn(std::string_view, Write) -> TsvColumn<Write>;

// The columns of a table. Immutable; most are constants. Bases, one for each, because what a tuple
// asks of its elements costs a compiler seconds.
template <class... Writes>
class TsvColumns : TsvColumn<Writes>... {
 public:
  constexpr explicit TsvColumns(TsvColumn<Writes>... columns) : TsvColumn<Writes>(columns)... {}

  std::string header() const {
    std::string out;
    for_each([&out](const auto& column) { out += column.name; }, out);
    return out;
  }
  template <class Row>
  void append_row(const Row& row, std::string& out) const {
    const std::size_t begin = out.size();
    for_each(
        [&row, &out, begin](const auto& column) {
          if constexpr (std::is_invocable_v<decltype(column.write), const Row&, std::string&>) {
            column.write(row, out);
          } else {
            append_field(column.write(row), out);
          }
          // Later columns follow a tab.
          if (out.size() == begin) out += kUnknownName;
        },
        out);
  }

  // Returns these columns followed by `others`.
  template <class... Others>
  constexpr TsvColumns<Writes..., Others...> operator+(const TsvColumns<Others...>& others) const {
    return TsvColumns<Writes..., Others...>(static_cast<const TsvColumn<Writes>&>(*this)...,
                                            static_cast<const TsvColumn<Others>&>(others)...);
  }

 private:
  template <class... Others>
  friend class TsvColumns;

  // Calls `write_one` for each column. Puts tabs between the columns, and ends the line.
  template <class WriteOne>
  void for_each(const WriteOne& write_one, std::string& out) const {
    ((write_one(static_cast<const TsvColumn<Writes>&>(*this)), out += '\t'), ...);
    out.back() = '\n';
  }
};
template <class... Writes>
TsvColumns(TsvColumn<Writes>...) -> TsvColumns<Writes...>;

}  // namespace scidfs::fs
