#include "fs/positions/line_bounds.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>

#include "fs/base/file_bounds.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kMostGames = std::numeric_limits<std::uint32_t>::max();
// The keys of all lines, then that of a repertoire.
constexpr auto kKeys =
    std::to_array<FileBound>({{.key = "plies", .least = 1, .most = LineBounds::kMostPlies},
                              {.key = "games", .least = 1, .most = kMostGames},
                              {.key = "best", .least = 1, .most = kMostGames}});

}  // namespace

absl::StatusOr<LineBounds> parse_line_bounds(std::string_view text,
                                             std::optional<codec::Color> side) {
  const std::span keys = std::span(kKeys).first(side.has_value() ? 3 : 2);
  const absl::StatusOr<FileBounds> numbers = parse_file_bounds(text, keys);
  if (absl::IsNotFound(numbers.status())) {
    return absl::InvalidArgumentError("the keys are plies and games, and best for one side");
  }
  if (!numbers.ok()) return numbers.status();
  LineBounds bounds{.side = side};
  bounds.plies = (*numbers)[0].value_or(bounds.plies);
  bounds.games = (*numbers)[1].value_or(bounds.games);
  if (side.has_value()) bounds.best = (*numbers)[2].value_or(bounds.best);
  return bounds;
}

std::string line_bounds_text(const LineBounds& bounds) {
  std::string text = fmt::format("plies={}", bounds.plies);
  if (bounds.games != 0) text += fmt::format(",games={}", bounds.games);
  if (bounds.best != 0) text += fmt::format(",best={}", bounds.best);
  return text;
}

}  // namespace scidfs::fs
