// A part of a set as users name it: `17of64`.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace scidfs::fs {

// One of the parts that a set is cut into. A plain value.
struct SetPart {
  static constexpr std::uint32_t kMostParts = 65'536;

  std::uint32_t number = 1;  // from 1
  std::uint32_t of = 1;      // how many parts there are

  // Parses `17of64`. Errors: InvalidArgument, with a reason for users.
  static absl::StatusOr<SetPart> parse(std::string_view text);
  // Parses the number of parts. Errors: as above.
  static absl::StatusOr<std::uint32_t> parse_count(std::string_view text);
  std::string text() const;
};

}  // namespace scidfs::fs
