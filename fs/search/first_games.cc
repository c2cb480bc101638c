#include "fs/search/first_games.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

// What follows the number, by order.
constexpr std::array<std::string_view, 4> kOrders = {"", ",by=elo", ",by=date", ",by=plies"};

}  // namespace

absl::StatusOr<FirstGames> FirstGames::parse(std::string_view text, End end) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto order = std::ranges::find(kOrders, text.substr(comma));
  if (order == kOrders.end()) {
    return absl::InvalidArgumentError(
        "behind the number may stand ,by=elo or ,by=date or ,by=plies");
  }
  const auto count = codec::parse_number<std::uint32_t>(text.substr(0, comma));
  if (!count.has_value() || *count == 0) {
    return absl::InvalidArgumentError("it takes 1 to 4294967295 games");
  }
  return FirstGames{
      .count = *count, .order = static_cast<Order>(order - kOrders.begin()), .end = end};
}

std::string FirstGames::text() const {
  return fmt::format("{}{}", count, kOrders[static_cast<std::size_t>(order)]);
}

}  // namespace scidfs::fs
