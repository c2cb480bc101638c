// A writer of Thrift's compact protocol, as far as Parquet needs it.
// Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fs/base/varint.h"

namespace scidfs::fs {

// Appends structs to a string. Fields of a struct come in ascending order of their ids. Used by one
// thread.
class ThriftWriter {
 public:
  explicit ThriftWriter(std::string& out) : out_(out) {}

  // A struct by itself, or as an element of a list.
  void begin() { last_.push_back(0); }
  void end() {
    out_ += '\0';
    last_.pop_back();
  }
  void i8(int id, std::int8_t value) {
    field(id, kByte);
    out_ += static_cast<char>(value);
  }
  void i32(int id, std::int32_t value) {
    field(id, kI32);
    zigzag(value);
  }
  void i64(int id, std::int64_t value) {
    field(id, kI64);
    zigzag(value);
  }
  void boolean(int id, bool value) { field(id, value ? kTrue : kFalse); }
  void text(int id, std::string_view value) {
    field(id, kBinary);
    element(value);
  }
  void begin_struct(int id) {
    field(id, kStruct);
    begin();
  }
  // Begins a list; its elements follow: element(), or begin() and end().
  void structs(int id, std::size_t count) { list(id, kStruct, count); }
  void texts(int id, std::size_t count) { list(id, kBinary, count); }
  void numbers(int id, std::size_t count) { list(id, kI32, count); }
  void element(std::string_view value) {
    add_varint(value.size(), out_);
    out_ += value;
  }
  void element(std::int32_t value) { zigzag(value); }

 private:
  enum Type : std::uint8_t {
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kI32 = 5,
    kI64 = 6,
    kBinary = 8,
    kList = 9,
    kStruct = 12,
  };
  static constexpr int kMostDelta = 15;
  static constexpr std::size_t kFewElements = 15;

  void zigzag(std::int64_t value) {
    add_varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63),
               out_);
  }
  void field(int id, Type type) {
    const int delta = id - last_.back();
    if (delta > 0 && delta <= kMostDelta) {
      out_ += static_cast<char>(delta << 4 | type);
    } else {
      out_ += static_cast<char>(type);
      zigzag(id);
    }
    last_.back() = id;
  }
  void list(int id, Type type, std::size_t count) {
    field(id, kList);
    const std::size_t few = count < kFewElements ? count : kFewElements;
    out_ += static_cast<char>(few << 4 | type);
    if (few == kFewElements) add_varint(count, out_);
  }

  std::string& out_;
  std::vector<int> last_;  // of each open struct: the id of its last field
};

}  // namespace scidfs::fs
