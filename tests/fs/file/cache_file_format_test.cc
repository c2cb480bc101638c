#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "fs/file/cache_file.h"

namespace scidfs::fs {
namespace {

using ::testing::HasSubstr;

class CacheFileFormat : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kKey = 0x0123456789abcdef;
  static constexpr std::size_t kHeaderSize = sizeof(CacheFileHeader);

  // A file as its bytes.
  static std::vector<std::uint8_t> file_of(const std::vector<std::uint32_t>& words) {
    const CacheFileHeader header = cache_file_header(kKey, words);
    const std::size_t length = words.size() * sizeof(std::uint32_t);
    std::vector<std::uint8_t> bytes(kHeaderSize + length);
    std::memcpy(bytes.data(), &header, kHeaderSize);
    if (length != 0) std::memcpy(bytes.data() + kHeaderSize, words.data(), length);
    return bytes;
  }
  // What is said of the bytes of a file that should have `count` words for `key`.
  static absl::Status check(const std::vector<std::uint8_t>& bytes, std::uint64_t key,
                            std::size_t count) {
    CacheFileHeader header{};
    if (!bytes.empty()) std::memcpy(&header, bytes.data(), std::min(bytes.size(), kHeaderSize));
    absl::Status status = check_cache_file_header(header, key, count, bytes.size());
    if (!status.ok()) return status;
    std::vector<std::uint32_t> words(count);
    if (count != 0) {
      std::memcpy(words.data(), bytes.data() + kHeaderSize, bytes.size() - kHeaderSize);
    }
    return check_cache_file_words(header, words);
  }

  const std::vector<std::uint32_t> words_ = {700, 0, 1, 0xffffffff, 0x01020304};
};

constexpr bool kIsLittleEndian = std::endian::native == std::endian::little;

// The layout is a promise to files written by earlier versions.
TEST_F(CacheFileFormat, TheBytesAreThoseOfTheLayout) {
  if (!kIsLittleEndian) GTEST_SKIP() << "the bytes below are in the order of other machines";
  const std::vector<std::uint8_t> bytes = file_of({0x01020304, 5});
  ASSERT_EQ(bytes.size(), 48U);
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_EQ(text.substr(0, 8), "scidfsSZ");
  EXPECT_EQ(text.substr(8, 8), std::string("\2\0\0\0\2\0\0\0", 8));
  EXPECT_EQ(text.substr(16, 8), "\xef\xcd\xab\x89\x67\x45\x23\x01");
  EXPECT_EQ(text.substr(24, 8), "\xc7\xa8\x88\x18\x59\x4e\xe6\x0d");
  EXPECT_EQ(text.substr(32, 8), "\xcf\xb7\xaf\x3c\xc7\xf2\x76\xce");
  EXPECT_EQ(text.substr(40), std::string("\4\3\2\1\5\0\0\0", 8));
}

TEST_F(CacheFileFormat, WhatWasWrittenIsGood) {
  EXPECT_EQ(check(file_of(words_), kKey, 5), absl::OkStatus());
  EXPECT_EQ(check(file_of({}), kKey, 0), absl::OkStatus());
}

TEST_F(CacheFileFormat, AnotherKeyOrLayoutIsAFailedPrecondition) {
  std::vector<std::uint8_t> bytes = file_of(words_);
  EXPECT_TRUE(absl::IsFailedPrecondition(check(bytes, kKey + 1, 5)));
  bytes[kIsLittleEndian ? 8 : 11] = 3;
  const absl::Status status = check(bytes, kKey, 5);
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("layout 3, expected 2"));
}

TEST_F(CacheFileFormat, AnotherCountIsDataLossHoweverLarge) {
  const std::vector<std::uint8_t> bytes = file_of(words_);
  // 5 when they are cut to 32 bits, or when their bytes are counted in so many.
  constexpr std::size_t kWrapping = std::size_t{1} << (sizeof(std::size_t) < 8 ? 30 : 32);
  for (const std::size_t count : {std::size_t{0}, std::size_t{4}, std::size_t{6},
                                  std::size_t{5} + kWrapping, ~std::size_t{0}}) {
    EXPECT_TRUE(absl::IsDataLoss(check(bytes, kKey, count))) << count;
  }
}

TEST_F(CacheFileFormat, EveryFlippedBitIsDetected) {
  const std::vector<std::uint8_t> good = file_of(words_);
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::vector<std::uint8_t> bad = good;
    bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ 1 << bit % 8);
    const bool in_version = bit / 8 >= 8 && bit / 8 < 12;
    EXPECT_EQ(check(bad, kKey, 5).code(),
              in_version ? absl::StatusCode::kFailedPrecondition : absl::StatusCode::kDataLoss)
        << "bit " << bit;
  }
}

TEST_F(CacheFileFormat, EveryOtherLengthIsDetected) {
  const std::vector<std::uint8_t> good = file_of(words_);
  for (std::size_t length = 0; length < good.size(); ++length) {
    const std::vector<std::uint8_t> front(good.begin(),
                                          good.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_TRUE(absl::IsDataLoss(check(front, kKey, 5))) << length;
  }
  std::vector<std::uint8_t> longer = good;
  longer.push_back(0);
  EXPECT_TRUE(absl::IsDataLoss(check(longer, kKey, 5)));
}

}  // namespace
}  // namespace scidfs::fs
