// What `within=` asks of a game: `my.pgn,white`, `my.pgn,black,to=12`.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::fs {

// The game leaves the lines of a repertoire at an end of them, or with its own, after so many plies
// or more. A plain value.
struct WithinLines {
  static constexpr std::uint32_t kUsualPlies = 4;
  static constexpr std::uint32_t kMostPlies = 999;

  std::string repertoire{};            // its name, see fs/repertoire/sources.h
  std::optional<codec::Color> side{};  // nothing: that of the subject in each game
  std::uint32_t to = kUsualPlies;

  // Errors: InvalidArgument, with a reason for users.
  static absl::StatusOr<WithinLines> parse(std::string_view text);
  std::string text() const;
};

}  // namespace scidfs::fs
