#include "fs/reference/rating_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace scidfs::fs {
namespace {

constexpr unsigned kBits = 7;
constexpr std::uint32_t kMore = 1U << kBits;

void put_number(std::uint32_t number, std::string& bytes) {
  for (; number >= kMore; number >>= kBits) bytes += static_cast<char>(number % kMore + kMore);
  bytes += static_cast<char>(number);
}

// Takes a number from the front; the highest bits of one that is too long are lost.
std::uint32_t take_number(std::string_view& bytes) {
  std::uint32_t number = 0;
  for (unsigned shift = 0; !bytes.empty(); shift += kBits) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (shift < std::numeric_limits<std::uint32_t>::digits) number |= byte % kMore << shift;
    if (byte < kMore) break;
  }
  return number;
}

}  // namespace

void tidy_history(std::vector<MonthRating>& ratings) {
  std::ranges::stable_sort(ratings, {}, &MonthRating::month);
  std::size_t kept = 0;
  for (const MonthRating& rating : ratings) {
    if (kept != 0 && ratings[kept - 1].month == rating.month) --kept;
    const bool is_between = kept >= 2 && ratings[kept - 1].elo == rating.elo &&
                            ratings[kept - 2].elo == rating.elo &&
                            rating.month - ratings[kept - 2].month <= int{kMonthsOfRating};
    if (is_between) --kept;
    ratings[kept++] = rating;
  }
  ratings.resize(kept);
}

void pack_history(const std::vector<MonthRating>& ratings, std::string& bytes) {
  MonthRating last;
  for (const MonthRating& rating : ratings) {
    put_number(std::uint32_t{rating.month} - last.month, bytes);
    const int change = rating.elo - last.elo;
    put_number(static_cast<std::uint32_t>(change < 0 ? -2 * change - 1 : 2 * change), bytes);
    last = rating;
  }
}

void unpack_history(std::string_view bytes, std::vector<MonthRating>& ratings) {
  MonthRating last;
  while (!bytes.empty()) {
    const std::uint32_t months = take_number(bytes);
    const std::uint32_t change = take_number(bytes);
    if (months == 0 || months > std::uint32_t{0xFFFF} - last.month) return;
    last.month = static_cast<std::uint16_t>(last.month + months);
    last.elo = static_cast<std::uint16_t>(change % 2 != 0 ? last.elo - (change / 2 + 1)
                                                          : last.elo + change / 2);
    ratings.push_back(last);
  }
}

}  // namespace scidfs::fs
