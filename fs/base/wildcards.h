// Wildcards among the bytes of a text. They are control characters, which no text from a name or a
// value contains.
#pragma once

namespace scidfs::fs {

inline constexpr char kAnyCharacter = '\x01';   // `?`
inline constexpr char kAnyCharacters = '\x02';  // `*`

}  // namespace scidfs::fs
