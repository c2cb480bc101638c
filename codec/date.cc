#include "codec/date.h"

#include <array>

namespace scidfs::codec {
namespace {

// Writes `value` with exactly `digits` digits; question marks if it is 0 or needs more of them.
char* write_part(unsigned value, int digits, char* out) {
  char* const end = out + digits;
  unsigned rest = value;
  for (char* at = end; at != out; rest /= 10) *--at = static_cast<char>('0' + rest % 10);
  if (value == 0 || rest != 0) {
    for (char* at = out; at != end; ++at) *at = '?';
  }
  return end;
}

}  // namespace

char* write_date(Date date, char* out) {
  out = write_part(date.year, 4, out);
  *out++ = '.';
  out = write_part(date.month, 2, out);
  *out++ = '.';
  return write_part(date.day, 2, out);
}

std::string to_string(Date date) {
  std::array<char, kDateLength> text;
  write_date(date, text.data());
  return std::string(text.data(), text.size());
}

}  // namespace scidfs::codec
