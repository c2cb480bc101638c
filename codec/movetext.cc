#include "codec/movetext.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <string>

#include "codec/text.h"

namespace scidfs::codec {
namespace {

constexpr std::size_t kMaxDigits = 10;

char* write_text(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* write_number(std::uint32_t value, char* out) {
  return std::to_chars(out, out + kMaxDigits, value).ptr;
}

constexpr std::array<ShortText, internal::kNumberTexts> make_move_numbers() {
  std::array<ShortText, internal::kNumberTexts> texts{};
  for (unsigned number = 0; number < texts.size(); ++number) {
    texts[number].append(' ');
    if (number >= 100) texts[number].append(static_cast<char>('0' + number / 100));
    if (number >= 10) texts[number].append(static_cast<char>('0' + number / 10 % 10));
    texts[number].append(static_cast<char>('0' + number % 10));
    texts[number].append('.');
  }
  return texts;
}

// A line that began with one of these could be taken for a tag or for an escaped line.
constexpr bool must_not_begin_line(char c) { return c == '[' || c == '%'; }

// Blanks, tabs, line ends and other control characters: a run of them becomes one character.
constexpr bool is_blank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7F;
}

// Number of bytes at the front that are written as they are and take one column each: ASCII without
// control characters and `}`, with single blanks only. A blank is not the last of them, so that
// what follows it is known.
std::size_t plain_length(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  // The high bits of the bytes that equal one; exact for bytes below 80.
  const auto equal = [](std::uint64_t block, unsigned char byte) {
    return ~(((block ^ byte * kOnes) | kHigh) - kOnes) & kHigh;
  };
  std::uint64_t blank_before = 0;
  std::size_t length = 0;
  while (length < text.size()) {
    // After the end comes NUL, a control character.
    std::uint64_t block = 0;
    if (text.size() - length >= sizeof block) {
      std::memcpy(&block, text.data() + length, sizeof block);
    } else {
      std::memcpy(&block, text.data() + length, text.size() - length);
    }
    const std::uint64_t blanks = equal(block, ' ');
    const std::uint64_t control = ~((block | kHigh) - ' ' * kOnes) & kHigh;
    // `}` and DEL differ in one bit.
    const std::uint64_t other = (block & kHigh) | control | equal(block | 2 * kOnes, 0x7F) |
                                (blanks & (blanks << 8 | blank_before));
    if (other != 0) {
      length += static_cast<std::size_t>(std::countr_zero(other)) / 8;
      break;
    }
    blank_before = blanks >> 56;
    length += sizeof block;
  }
  if (length != 0 && text[length - 1] == ' ') --length;
  return length;
}

// Calls `use` with the bytes as valid UTF-8.
template <class Use>
void with_utf8(Bytes bytes, Use&& use) {
  if (is_utf8(bytes)) {
    use(as_text(bytes));
  } else {
    std::string repaired;
    append_utf8(bytes, repaired);
    use(std::string_view(repaired));
  }
}

}  // namespace

namespace internal {
constinit const std::array<ShortText, kNumberTexts> kMoveNumbers = make_move_numbers();
}

void MovetextWriter::begin(char* out, unsigned width) {
  // The first token's blank overwrites the line end before the movetext; end() puts it back.
  start_ = out - 1;
  out_ = start_;
  break_ = nullptr;
  width_ = width == 0 ? kNoWrap : width;
  limit_ = limit_of(out);
  break_extra_ = 0;
  plain_ = false;
  opened_ = false;
}

void MovetextWriter::start_token() {
  break_ = out_;
  break_extra_ = 0;
  put(' ');
  if (opened_) {
    put('(');
    opened_ = false;
  }
}

void MovetextWriter::put(std::string_view text) { out_ = write_text(text, out_); }

void MovetextWriter::start_line(Color us, std::uint32_t number) {
  start_token();
  out_ = write_number(number, out_);
  put(us == Color::White ? "." : "...");
}

void MovetextWriter::break_line() {
  if (break_ == nullptr) return;
  *break_ = '\n';
  limit_ = limit_of(break_ + 1) + break_extra_;
  break_ = nullptr;
}

void MovetextWriter::nag(unsigned value) {
  start_token();
  put('$');
  out_ = write_number(value, out_);
  wrap();
}

void MovetextWriter::comment(Bytes text) {
  start_token();
  put('{');
  const std::string_view raw = as_text(text);
  const std::size_t plain = plain_length(raw);
  put_plain(raw.substr(0, plain));
  if (plain != raw.size()) {
    with_utf8(text.subspan(plain), [this](std::string_view clean) { put_comment_text(clean); });
  }
  put('}');
  wrap();
  plain_ = false;
}

void MovetextWriter::put_plain(std::string_view text) {
  char* done = out_;  // the blanks before it have been dealt with
  out_ = write_text(text, out_);
  const auto break_at = [this](char* blank) {
    if (must_not_begin_line(blank[1])) return false;
    break_ = blank;
    break_extra_ = 0;
    return true;
  };
  const auto break_before = [&](char* end) {
    for (char* blank = end; blank != done;) {
      if (*--blank == ' ' && break_at(blank)) return;
    }
  };
  // From one blank after a word that does not fit to the next: what lies between fits.
  while (reinterpret_cast<std::uintptr_t>(out_) > limit_) {
    const std::size_t over = reinterpret_cast<std::uintptr_t>(out_) - limit_ - 1;
    char* const from = out_ - std::min(over, static_cast<std::size_t>(out_ - done));
    char* const blank = std::find(from, out_, ' ');
    if (blank == out_) break;
    break_before(blank);
    break_line();
    break_at(blank);
    done = blank + 1;
  }
  break_before(out_);
}

void MovetextWriter::put_comment_text(std::string_view text) {
  const bool one_line = width_ == kNoWrap;
  const char* in = text.data();
  const char* const end = in + text.size();
  while (true) {
    const std::size_t plain = plain_length({in, end});
    put_plain({in, plain});
    in += plain;
    // A word with other characters, or what is left of it.
    for (; in != end && !is_blank(*in); ++in) {
      if ((static_cast<unsigned char>(*in) & 0xC0) == 0x80) {
        ++limit_;
        ++break_extra_;
      }
      put(*in == '}' ? ')' : *in);
    }
    if (in == end) return;
    // A run of blanks, tabs, line ends and control characters: one line end if it holds one, else a
    // tab if it holds one, else a blank.
    bool line_end = false;
    bool tab = false;
    for (; in != end && is_blank(*in); ++in) {
      line_end |= *in == '\n' && !one_line;
      tab |= *in == '\t';
    }
    wrap();
    const bool breakable = in == end || !must_not_begin_line(*in);
    if (line_end && breakable && in != end) {
      put('\n');
      limit_ = limit_of(out_);
      break_ = nullptr;
      break_extra_ = 0;
      continue;
    }
    if (tab && !line_end && in != end) {
      put('\t');
      continue;
    }
    if (breakable) {
      break_ = out_;
      break_extra_ = 0;
    }
    put(' ');
  }
}

void MovetextWriter::open_variation() {
  opened_ = true;
  was_plain_ = plain_;
  plain_ = false;
}

void MovetextWriter::close_variation() {
  if (opened_) {
    opened_ = false;
    plain_ = was_plain_;
    return;
  }
  put(')');
  wrap();
  plain_ = false;
}

char* MovetextWriter::end(Result result) {
  start_token();
  put(result_token(result));
  wrap();
  *start_ = '\n';
  put("\n\n");
  return out_;
}

void MovetextMeter::start_token() {
  length_ += opened_ ? 2 : 1;
  opened_ = false;
}

void MovetextMeter::start_line(Color us, std::uint32_t number) {
  start_token();
  std::array<char, kMaxDigits> digits;
  length_ += static_cast<std::size_t>(write_number(number, digits.data()) - digits.data());
  length_ += us == Color::White ? 1 : 3;
}

void MovetextMeter::nag(unsigned value) {
  start_token();
  length_ += value < 10 ? 2 : value < 100 ? 3 : 4;
}

void MovetextMeter::comment(Bytes text) {
  start_token();
  length_ += 2;
  const std::size_t plain = plain_length(as_text(text));
  length_ += plain;
  if (plain != text.size()) {
    with_utf8(text.subspan(plain), [this](std::string_view clean) {
      bool in_run = false;
      for (const char c : clean) {
        length_ += in_run && is_blank(c) ? 0 : 1;
        in_run = is_blank(c);
      }
    });
  }
  plain_ = false;
}

void MovetextMeter::open_variation() {
  opened_ = true;
  was_plain_ = plain_;
  plain_ = false;
}

void MovetextMeter::close_variation() {
  if (opened_) {
    opened_ = false;
    plain_ = was_plain_;
    return;
  }
  ++length_;
  plain_ = false;
}

std::size_t MovetextMeter::end(Result result) {
  start_token();
  length_ += result_token(result).size() + 2;
  return length_ - 1;  // the first token's blank takes the place of the line end before it
}

}  // namespace scidfs::codec
