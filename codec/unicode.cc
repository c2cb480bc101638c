#include "codec/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

#include "codec/text.h"

namespace scidfs::codec {
namespace {

constexpr auto kFold =
    static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD);
constexpr auto kStrip =
    static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK);

// Appends characters, none of which is ASCII, folded. Returns false if they are not UTF-8.
bool append_folded(std::string_view text, std::string& out) {
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = static_cast<utf8proc_ssize_t>(text.size());
  constexpr std::size_t kRoom = 256;
  std::array<utf8proc_int32_t, kRoom> room;
  std::vector<utf8proc_int32_t> more_room;
  utf8proc_int32_t* codes = room.data();
  utf8proc_ssize_t count = utf8proc_decompose(bytes, size, codes, kRoom, kFold);
  if (count > static_cast<utf8proc_ssize_t>(kRoom)) {
    more_room.resize(static_cast<std::size_t>(count));
    codes = more_room.data();
    count = utf8proc_decompose(bytes, size, codes, count, kFold);
  }
  if (count < 0) return false;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    append_code_point(static_cast<char32_t>(codes[i]), out);
  }
  return true;
}

// Folds each run beyond ASCII separately: accents are reordered only between letters.
[[gnu::noinline]] void fold_beyond_ascii(std::string& text) {
  std::string folded;
  folded.reserve(text.size());
  for (auto at = text.cbegin(); at != text.cend();) {
    const auto beyond = std::find_if_not(at, text.cend(), is_ascii);
    folded.append(at, beyond);
    at = std::find_if(beyond, text.cend(), is_ascii);
    const std::string_view run(beyond, at);
    if (!append_folded(run, folded)) folded += run;
  }
  text = std::move(folded);
}

}  // namespace

void fold_case_in_place(std::string& text) {
  unsigned char all = 0;
  for (char& c : text) {
    all |= static_cast<unsigned char>(c);
    c = to_ascii_lower(c);
  }
  if (all >= 0x80) [[unlikely]]
    fold_beyond_ascii(text);
}

std::string fold_case(std::string_view text) {
  std::string folded(text);
  fold_case_in_place(folded);
  return folded;
}

char32_t without_accents(char32_t letter) {
  // The longest decomposition has four.
  std::array<utf8proc_int32_t, 4> codes{};
  const utf8proc_ssize_t count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(letter), codes.data(), codes.size(), kStrip, nullptr);
  if (count < 0) return letter;
  return count == 0 ? U'\0' : static_cast<char32_t>(codes[0]);
}

bool is_letter_or_digit(char32_t character) {
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(character));
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

std::size_t columns_of(char32_t character) {
  const int columns = utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
  return columns < 0 ? 0 : static_cast<std::size_t>(columns);
}

}  // namespace scidfs::codec
