// Counts of games by ECO code.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scidfs::fs {

// Games by the base of their codes, ignoring extensions. There may be thousands of positions, and
// most have games of only a few codes. So this takes 8 bytes for each of up to 32 codes, 2 KB for
// more. A value.
class EcoCounts {
 public:
  // REQUIRES: base < codec::kEcoBases.
  void add(unsigned base, std::uint32_t games = 1);
  EcoCounts& operator+=(const EcoCounts& other);

  // Calls visit(base, games) for each code that has games, in no particular order.
  void for_each(absl::FunctionRef<void(unsigned base, std::uint32_t games)> visit) const;

  // Returns the bytes of memory besides those of the object.
  std::size_t memory() const {
    return few_.capacity() * sizeof(Count) + all_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t kFew = 32;
  struct Count {
    unsigned base = 0;
    std::uint32_t games = 0;
  };

  std::vector<Count> few_;          // empty if there are more than that
  std::vector<std::uint32_t> all_;  // by base; empty if there are few
};

}  // namespace scidfs::fs
