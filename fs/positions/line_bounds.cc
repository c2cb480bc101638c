#include "fs/positions/line_bounds.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <limits>

#include "fs/base/file_bounds.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kMostGames = std::numeric_limits<std::uint32_t>::max();
constexpr auto kSides = std::to_array<std::string_view>({"white", "black"});  // by codec::Color
constexpr auto kKeys =
    std::to_array<FileBound>({{.key = "plies", .least = 1, .most = LineBounds::kMostPlies},
                              {.key = "games", .least = 1, .most = kMostGames},
                              {.key = "best", .least = 1, .most = kMostGames},
                              {.key = "side", .words = kSides}});

}  // namespace

absl::StatusOr<LineBounds> parse_line_bounds(std::string_view text) {
  const absl::StatusOr<FileBounds> numbers = parse_file_bounds(text, kKeys);
  if (absl::IsNotFound(numbers.status())) {
    return absl::InvalidArgumentError("the keys are plies, games, best and side");
  }
  if (!numbers.ok()) return numbers.status();
  LineBounds bounds;
  bounds.plies = (*numbers)[0].value_or(bounds.plies);
  bounds.games = (*numbers)[1].value_or(bounds.games);
  bounds.best = (*numbers)[2].value_or(bounds.best);
  if ((*numbers)[3].has_value()) bounds.side = static_cast<codec::Color>(*(*numbers)[3]);
  if (bounds.best != 0 && !bounds.side.has_value()) {
    return absl::InvalidArgumentError("best needs side=white or side=black");
  }
  return bounds;
}

std::string line_bounds_text(const LineBounds& bounds) {
  std::string text = fmt::format("plies={}", bounds.plies);
  if (bounds.games != 0) text += fmt::format(",games={}", bounds.games);
  if (bounds.best != 0) text += fmt::format(",best={}", bounds.best);
  if (bounds.side.has_value()) {
    text += fmt::format(",side={}", kSides[static_cast<std::size_t>(*bounds.side)]);
  }
  return text;
}

}  // namespace scidfs::fs
