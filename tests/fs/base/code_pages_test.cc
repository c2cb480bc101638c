// The code pages that are linked in, held against iconv.
#include "fs/base/code_pages.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace scidfs::fs {
namespace {

using codec::PageTable;

// One code page of the C library.
class Decoder {
 public:
  explicit Decoder(unsigned number)
      : decoder_(::iconv_open("UTF-8", fmt::format("CP{}", number).c_str())) {}
  ~Decoder() {
    if (is_known()) ::iconv_close(decoder_);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  bool is_known() const { return decoder_ != reinterpret_cast<iconv_t>(-1); }  // NOLINT
  bool has_ascii() const {
    for (char c = ' '; c < '\x7F'; ++c) {
      if (decode({&c, 1}) != static_cast<unsigned char>(c)) return false;
    }
    return true;
  }

  // Returns the one character that some bytes are, kPair if they begin one, else kHole.
  char32_t decode(std::span<char> bytes) const {
    std::array<char, 16> room{};
    char* in = bytes.data();
    char* out = room.data();
    std::size_t in_left = bytes.size();
    std::size_t out_left = room.size();
    ::iconv(decoder_, nullptr, nullptr, nullptr, nullptr);
    const std::size_t result = ::iconv(decoder_, &in, &in_left, &out, &out_left);
    if (result == static_cast<std::size_t>(-1)) {
      return errno == EINVAL ? PageTable::kPair : PageTable::kHole;
    }
    ::iconv(decoder_, nullptr, nullptr, &out, &out_left);
    std::string_view text(room.data(), room.size() - out_left);
    if (text.empty()) return PageTable::kHole;
    const char32_t code = codec::take_code_point(text);
    return text.empty() && !codec::is_control(code) ? code : PageTable::kHole;
  }

 private:
  iconv_t decoder_;
};

// Returns what iconv makes of the pairs of a page.
std::vector<char32_t> decode_pairs(const Decoder& decoder, const PageTable& table) {
  constexpr std::size_t kSeconds = 256;
  std::vector<char32_t> pairs(table.characters.size() * kSeconds, PageTable::kHole);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (table.characters[i / kSeconds] != PageTable::kPair || i % kSeconds == 0) continue;
    std::array<char, 2> pair = {static_cast<char>(0x80 + i / kSeconds),
                                static_cast<char>(i % kSeconds)};
    const char32_t code = decoder.decode(pair);
    if (code != PageTable::kPair) pairs[i] = code;
  }
  return pairs;
}

TEST(CodePagesTest, AreThoseOfIconv) {
  std::size_t known = 0;
  std::size_t with_pairs = 0;
  for (unsigned number = 1; number <= std::numeric_limits<std::uint16_t>::max(); ++number) {
    const auto page = find_code_page(static_cast<std::uint16_t>(number));
    const PageTable* const table = page ? page->table() : nullptr;
    if (page && table == nullptr) continue;  // one of codec
    const Decoder decoder(number);
    ASSERT_EQ(table != nullptr, decoder.is_known() && decoder.has_ascii()) << number;
    if (table == nullptr) continue;
    ++known;
    for (std::size_t i = 0; i < table->characters.size(); ++i) {
      char byte = static_cast<char>(0x80 + i);
      ASSERT_EQ(table->characters[i], decoder.decode({&byte, 1})) << number << ", byte " << i;
    }
    if (table->pairs.empty()) continue;
    ++with_pairs;
    ASSERT_EQ(table->pairs, decode_pairs(decoder, *table)) << number;
  }
  EXPECT_GE(known, 50U);
  EXPECT_GE(with_pairs, 4U);
}

}  // namespace
}  // namespace scidfs::fs
