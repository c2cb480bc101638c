// Which games `first=` and `last=` take of a set: `20`, `20,by=elo`.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace scidfs::fs {

// Some games at one end of a set in some order. A plain value.
//
//  Order     first                last
//  Database  as they stand there  those behind all others
//  Elo       the highest sum      the lowest sum of both ratings
//  Date      the oldest           the newest
//  Plies     the shortest         the longest
//
// Games of which that is unknown are taken after all others, from either end; of equal games those
// that stand earlier in the database are taken first.
struct FirstGames {
  enum class Order : std::uint8_t { Database, Elo, Date, Plies };
  enum class End : std::uint8_t { First, Last };

  std::uint32_t count = 1;
  Order order = Order::Database;
  End end = End::First;

  // Parses the value of `first=`, or of `last=`. Errors: InvalidArgument, with a reason for users.
  template <End kEnd>
  static absl::StatusOr<FirstGames> parse(std::string_view text) {
    return parse(text, kEnd);
  }
  std::string text() const;

 private:
  static absl::StatusOr<FirstGames> parse(std::string_view text, End end);
};

}  // namespace scidfs::fs
