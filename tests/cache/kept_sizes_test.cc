#include "cache/kept_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace scidfs::cache {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kKey = 0x0123456789abcdef;

// Returns the bytes of a file.
std::vector<std::uint8_t> file_of(std::vector<std::uint32_t> sizes) {
  swap_kept_sizes(sizes);
  const KeptSizesHeader header = kept_sizes_header(kKey, sizes);
  const std::size_t length = sizes.size() * sizeof(std::uint32_t);
  std::vector<std::uint8_t> bytes(header.size() + length);
  std::memcpy(bytes.data(), header.data(), header.size());
  if (length != 0) std::memcpy(bytes.data() + header.size(), sizes.data(), length);
  return bytes;
}

// Checks the bytes of a file that should have `count` sizes of `key`.
absl::Status check(const std::vector<std::uint8_t>& bytes, std::uint64_t key, std::size_t count) {
  const std::span<const std::uint8_t> all(bytes);
  const std::span<const std::uint8_t> front = all.first(std::min(all.size(), kKeptSizesHeaderSize));
  absl::Status status = check_kept_sizes_header(front, key, count, all.size());
  if (!status.ok()) return status;
  KeptSizesHeader header{};
  std::memcpy(header.data(), front.data(), header.size());
  std::vector<std::uint32_t> sizes(count);
  std::memcpy(sizes.data(), all.data() + header.size(), all.size() - header.size());
  return check_kept_sizes(header, sizes);
}

const std::vector<std::uint32_t>& some_sizes() {
  static const std::vector<std::uint32_t> kSizes = {700, 0, 1, 0xffffffff, 0x01020304};
  return kSizes;
}

// Earlier versions have written files of this layout.
TEST(KeptSizes, EncodedBytesMatchTheLayout) {
  const std::vector<std::uint8_t> bytes = file_of({0x01020304, 5});
  ASSERT_EQ(bytes.size(), 48U);
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_EQ(text.substr(0, 8), "scidfsSZ");
  EXPECT_EQ(text.substr(8, 8), std::string("\2\0\0\0\2\0\0\0", 8));
  EXPECT_EQ(text.substr(16, 8), "\xef\xcd\xab\x89\x67\x45\x23\x01");
  EXPECT_EQ(text.substr(40), std::string("\4\3\2\1\5\0\0\0", 8));
}

TEST(KeptSizes, EncodedFileIsAccepted) {
  EXPECT_EQ(check(file_of(some_sizes()), kKey, 5), absl::OkStatus());
  EXPECT_EQ(check(file_of({}), kKey, 0), absl::OkStatus());
}

TEST(KeptSizes, OtherKeyOrLayoutIsFailedPrecondition) {
  std::vector<std::uint8_t> bytes = file_of(some_sizes());
  EXPECT_TRUE(absl::IsFailedPrecondition(check(bytes, kKey + 1, 5)));
  bytes[8] = 3;
  const absl::Status status = check(bytes, kKey, 5);
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("layout 3, expected 2"));
}

TEST(KeptSizes, WrongCountIsDataLossEvenIfHuge) {
  const std::vector<std::uint8_t> bytes = file_of(some_sizes());
  for (const std::size_t count : {std::size_t{0}, std::size_t{4}, std::size_t{6},
                                  std::size_t{5} + (std::size_t{1} << 32), ~std::size_t{0}}) {
    EXPECT_TRUE(absl::IsDataLoss(check(bytes, kKey, count))) << count;
  }
}

TEST(KeptSizes, EveryFlippedBitIsDetected) {
  const std::vector<std::uint8_t> good = file_of(some_sizes());
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::vector<std::uint8_t> bad = good;
    bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ 1 << bit % 8);
    const bool in_version = bit / 8 >= 8 && bit / 8 < 12;
    EXPECT_EQ(check(bad, kKey, 5).code(),
              in_version ? absl::StatusCode::kFailedPrecondition : absl::StatusCode::kDataLoss)
        << "bit " << bit;
  }
}

TEST(KeptSizes, EveryWrongLengthIsDetected) {
  const std::vector<std::uint8_t> good = file_of(some_sizes());
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
}  // namespace scidfs::cache
