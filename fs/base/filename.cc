#include "fs/base/filename.h"

#include <algorithm>
#include <array>
#include <climits>

#include "codec/number.h"
#include "codec/text.h"
#include "codec/unicode.h"
#include "codec/write.h"

namespace scidfs::fs {
namespace {

using codec::Date;
using codec::kMaxDigits;
using codec::Result;
using codec::write_text;

// The replacement of each byte of a name; 0: a percent escape, or a decision that needs more bytes.
constexpr std::array<char, 256> kReplacements = [] {
  std::array<char, 256> table{};
  for (unsigned byte = 0x20; byte < table.size(); ++byte) table[byte] = static_cast<char>(byte);
  table[' '] = '_';
  table[0x7F] = 0;
  for (const char special : std::string_view("/*?\"<>|:\\'[]{};$~%`")) {
    table[static_cast<unsigned char>(special)] = 0;
  }
  // These bytes begin control characters and characters that change the text direction.
  table[0xC2] = table[0xE2] = 0;
  return table;
}();

// Returns how many bytes at the front of valid UTF-8 must be escaped: none of a printable character
// that begins with C2 or E2, else all bytes of the character.
std::size_t escaped_length(std::string_view text) {
  if (codec::is_ascii(text.front())) return 1;
  std::string_view rest = text;
  const char32_t code = codec::take_code_point(rest);
  return codec::is_control(code) || codec::turns_direction(code) ? text.size() - rest.size() : 0;
}

// The length of an escaped character of three bytes.
constexpr std::size_t kMaxEscape = 9;

char* write_escape(char c, char* out) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  *out++ = '%';
  *out++ = kHex[byte >> 4];
  *out++ = kHex[byte & 15];
  return out;
}

// Returns the longest beginning of an escaped name that fits: a `%` always starts an escape.
std::string_view cut(std::string_view escaped, std::size_t limit) {
  if (escaped.size() <= limit) return escaped;
  std::size_t size = limit;
  if (size >= 1 && escaped[size - 1] == '%') {
    size -= 1;
  } else if (size >= 2 && escaped[size - 2] == '%') {
    size -= 2;
  }
  // At most three steps, so that something is left of bytes that are not UTF-8.
  for (int i = 0; i < 3 && size > 0 && codec::continues_character(escaped[size]); ++i) --size;
  while (size > 0 && escaped[size - 1] == '.') --size;
  return escaped.substr(0, size);
}

// A name, escaped and cut, on the stack.
class EscapedName {
 public:
  explicit EscapedName(std::string_view name) {
    if (name.empty() || name == "?") {
      text_ = kUnknownName;
      return;
    }
    char* out = buffer_.data();
    if (name.front() == '.' || name.front() == '-' || name.front() == '_' || name.front() == ' ') {
      out = write_escape(name.front(), out);
      name.remove_prefix(1);
    }
    const bool escape_last = !name.empty() && (name.back() == '.' || name.back() == ' ');
    const char* const end = name.data() + name.size() - (escape_last ? 1 : 0);
    const char* in = name.data();
    // One byte more than fits, so that cut() sees the next byte.
    const char* const full = buffer_.data() + kMaxNameBytes + 1;
    while (in != end && out < full) {
      const char replacement = kReplacements[static_cast<unsigned char>(*in)];
      if (replacement != 0) [[likely]] {
        *out++ = replacement;
        ++in;
        continue;
      }
      const std::size_t escaped = escaped_length({in, end});
      if (escaped == 0) *out++ = *in++;
      for (std::size_t i = 0; i < escaped; ++i) out = write_escape(*in++, out);
    }
    if (escape_last && out < full) out = write_escape(name.back(), out);
    text_ = cut({buffer_.data(), static_cast<std::size_t>(out - buffer_.data())}, kMaxNameBytes);
  }
  EscapedName(const EscapedName&) = delete;
  EscapedName& operator=(const EscapedName&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::array<char, kMaxNameBytes + 1 + kMaxEscape> buffer_;
  std::string_view text_;
};

// Appends two escaped names that share `room` bytes: a short one leaves its rest to the other.
void append_pair(std::string_view first, std::string_view separator, std::string_view second,
                 std::size_t room, std::string& out) {
  room -= separator.size();
  const std::size_t half = room / 2;
  const std::size_t first_room = std::max(half, room - std::min(room, second.size()));
  first = cut(first, first_room);
  second = cut(second, room - first.size());
  out.append(first).append(separator).append(second);
}

char* write_padded(std::uint32_t number, std::size_t digits, char* out) {
  std::size_t size = 1;
  for (std::uint32_t rest = number; rest >= 10; rest /= 10) ++size;
  char* const end = out + std::max(size, digits);
  for (char* digit = end; digit != out; number /= 10) {
    *--digit = static_cast<char>('0' + number % 10);
  }
  return end;
}

void append_number(std::uint32_t number, std::size_t digits, std::string& out) {
  std::array<char, kMaxDigits> buffer;
  out.append(buffer.data(), write_padded(number, digits, buffer.data()));
}

// Parses `text` as a number of 32 bits: only digits.
std::optional<std::uint32_t> parse_number(std::string_view text) {
  return text.size() <= kMaxDigits ? codec::parse_number<std::uint32_t>(text) : std::nullopt;
}

// Returns whether append_number() would write the digits like that.
bool is_padded_to(std::string_view digits, std::size_t width) {
  return digits.size() == width || (digits.size() > width && digits.front() != '0');
}

char* write_date(Date date, char* out) {
  if (date.year == 0 || date.year > 9999) return write_text(kUnknownName, out);
  out = write_padded(date.year, 4, out);
  for (const unsigned part : {date.month, date.day}) {
    if (part == 0) break;
    *out++ = '.';
    out = write_padded(part, 2, out);
  }
  return out;
}

}  // namespace

std::string escape_name(std::string_view utf8) { return std::string(EscapedName(utf8).text()); }

void append_escaped(std::string_view utf8, std::string& out) {
  out.append(EscapedName(utf8).text());
}

char* write_escaped(std::string_view utf8, char* out) {
  return write_text(EscapedName(utf8).text(), out);
}

std::string shard_of(std::string_view file_name) {
  std::string shard;
  for (const char c : file_name) {
    if (codec::continues_character(c)) continue;
    const char letter = codec::to_ascii_lower(c);
    shard += letter >= 'a' && letter <= 'z' ? letter : '_';
    if (shard.size() == 2) break;
  }
  shard.resize(2, '_');
  return shard;
}

std::string with_collision_suffix(std::string_view name, std::uint32_t id) {
  std::string result(name);
  result += '~';
  append_number(id, 1, result);
  return result;
}

std::optional<std::pair<std::string_view, std::uint32_t>> parse_collision_suffix(
    std::string_view name) {
  const std::size_t tilde = name.find('~');
  if (tilde == 0 || tilde == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(tilde + 1);
  const std::optional<std::uint32_t> id = parse_number(digits);
  if (!id.has_value() || !is_padded_to(digits, 1)) return std::nullopt;
  return std::pair(name.substr(0, tilde), *id);
}

std::string free_name(std::string_view stem, std::string_view ending,
                      absl::FunctionRef<bool(const std::string& name)> is_taken) {
  std::string tail(ending);
  for (std::uint32_t number = 1;; ++number) {
    std::string name(codec::cut_utf8(stem, NAME_MAX - tail.size()));
    name += tail;
    if (!is_taken(name)) return name;
    tail = with_collision_suffix({}, number).append(ending);
  }
}

void append_game_file_name(std::uint32_t number, std::string_view white, std::string_view black,
                           Date date, Result result, std::string& out, std::string_view suffix) {
  std::array<char, 32> buffer;
  char* end = write_date(date, write_text("-", buffer.data()));
  end = write_text(suffix, write_text(result_word(result), write_text("-", end)));
  const std::string_view tail(buffer.data(), static_cast<std::size_t>(end - buffer.data()));

  const std::size_t start = out.size();
  append_number(number, kGameDigits, out);
  out += '-';
  const std::size_t room = kMaxNameBytes + suffix.size() - (out.size() - start) - tail.size();
  append_pair(EscapedName(white).text(), "-", EscapedName(black).text(), room, out);
  out.append(tail);
}

std::string game_file_name(std::uint32_t number, std::string_view white, std::string_view black,
                           Date date, Result result, std::string_view suffix) {
  std::string name;
  append_game_file_name(number, white, black, date, result, name, suffix);
  return name;
}

std::optional<std::uint32_t> parse_game_number(std::string_view file_name, bool* exact_number_only,
                                               std::string_view suffix) {
  if (!file_name.ends_with(suffix)) return std::nullopt;
  const std::string_view stem = file_name.substr(0, file_name.size() - suffix.size());
  const std::size_t digits = std::min(stem.find('-'), stem.size());
  const bool alone = digits == stem.size();
  if (!alone && (!is_padded_to(stem.substr(0, digits), kGameDigits) || digits + 1 == stem.size())) {
    return std::nullopt;
  }
  const std::optional<std::uint32_t> number = parse_number(stem.substr(0, digits));
  if (!number.has_value() || *number == 0) return std::nullopt;
  if (exact_number_only != nullptr) *exact_number_only = alone;
  return number;
}

std::string games_directory_name(std::uint32_t number) {
  std::string name;
  append_number(number / kGamesPerDirectory, kDirectoryDigits, name);
  return name;
}

std::optional<std::uint32_t> parse_games_directory(std::string_view name) {
  const std::optional<std::uint32_t> directory = parse_number(name);
  if (!directory.has_value() || !is_padded_to(name, kDirectoryDigits) ||
      *directory > UINT32_MAX / kGamesPerDirectory) {
    return std::nullopt;
  }
  return directory;
}

std::string event_directory_name(std::string_view event, std::string_view site) {
  std::string place = escape_name(site);
  for (std::size_t dashes = 0; (dashes = place.find("--", dashes)) != std::string::npos;) {
    place.replace(dashes + 1, 1, "%2D");
  }
  std::string name;
  append_pair(EscapedName(event).text(), "--", place, kMaxNameBytes, name);
  return name;
}

}  // namespace scidfs::fs
