// Index files damaged at random, in ways that their checksums tell.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "tests/support/index_sections.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {

struct DamagedIndex {
  std::string bytes;
  std::string what;
};

// Changes a file in one of eight ways; the same number gives the same result. `other` is the file
// of another database.
inline DamagedIndex damaged_index(const std::string& good, const std::string& other,
                                  std::uint64_t number) {
  tests::Random random(number);
  DamagedIndex damaged{.bytes = good, .what = {}};
  std::string& bytes = damaged.bytes;
  const std::size_t at = random.below(bytes.size());
  switch (number % 8) {
    case 0: {
      const std::size_t count = 1 + random.below(random.one_in(2) ? 3 : 200);
      for (std::size_t i = 0; i < count; ++i) {
        bytes[random.below(bytes.size())] ^= static_cast<char>(1U << random.below(8));
      }
      damaged.what = fmt::format("{} bits flipped", count);
      break;
    }
    case 1:
      bytes.resize(at);
      damaged.what = fmt::format("cut to {} bytes", at);
      break;
    case 2:
      bytes.append(1 + random.below(5000), static_cast<char>(random.next()));
      damaged.what = "extended";
      break;
    case 3: {  // rows of the table of sections
      constexpr std::size_t kRow = tests::IndexSections::kRowOfTable;
      const auto row = [&bytes](std::size_t place) {
        return bytes.begin() +
               static_cast<std::ptrdiff_t>(tests::IndexSections::kTableAt + place * kRow);
      };
      const std::size_t one = random.below(8);
      const std::size_t next = one + 1 + random.below(8);
      std::swap_ranges(row(one) + 8, row(one) + kRow, row(next) + 8);
      damaged.what = fmt::format("sections {} and {} swapped", one, next);
      break;
    }
    case 4:
      bytes = other;
      if (random.one_in(2)) std::copy_n(good.begin(), 24, bytes.begin());
      damaged.what = "another database's";
      break;
    case 5: {
      constexpr std::size_t kPage = 4096;
      const std::size_t page = at / kPage * kPage;
      const std::size_t size = std::min((1 + random.below(3)) * kPage, bytes.size() - page);
      bytes.replace(page, size, size, '\0');
      damaged.what = fmt::format("zeros from {}", page);
      break;
    }
    case 6:
      bytes[tests::IndexSections::kLayoutAt] ^= static_cast<char>(1 + random.below(255));
      damaged.what = "of another layout";
      break;
    default: {
      const std::size_t size = std::min(1 + random.below(100'000), bytes.size() - at);
      const std::size_t from = random.below(bytes.size() - size + 1);
      bytes.replace(at, size, good, from, size);
      damaged.what = fmt::format("{} bytes of {} at {}", size, from, at);
    }
  }
  damaged.what = fmt::format("damaged file {}: {}", number, damaged.what);
  return damaged;
}

}  // namespace scidfs::fs
