// ECO codes with Scid's extensions: A00 .. E99, then nothing, a letter, or a letter and a digit
// (A00, A00a, A00a1 .. A00z4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scidfs::codec {

// An ECO code as the index stores it: 0 is none, else 1 + 131 * base + extension (scid/FORMAT.md,
// section 3.2).
using EcoCode = std::uint16_t;

inline constexpr unsigned kEcoBases = 500;                      // A00 .. E99
inline constexpr unsigned kEcoExtensions = 131;                 // none, then a, a1 .. a4, b, ... z4
inline constexpr EcoCode kMaxEco = kEcoBases * kEcoExtensions;  // E99z4
inline constexpr std::size_t kMaxEcoLength = 5;

// Returns the base 0..499 of a code; kEcoBases if there is none (0 or an invalid code).
constexpr unsigned eco_base(EcoCode code) {
  return code == 0 || code > kMaxEco ? kEcoBases : (code - 1U) / kEcoExtensions;
}

// Writes the code ("B90", "C12a1"; nothing for 0 and for invalid codes) to `out`, which has room
// for kMaxEcoLength. Returns the end.
char* write_eco(EcoCode code, char* out);

std::string eco_to_string(EcoCode code);
std::string eco_base_to_string(unsigned base);

// Returns the longest code that a text begins with: B90b2 for "B90b2x". 0 if the first three
// characters are not a code.
EcoCode parse_eco(std::string_view text);

// Returns the base 0..499 named by exactly three characters such as "B90"; kEcoBases if it is none.
unsigned parse_eco_base(std::string_view text);

}  // namespace scidfs::codec
