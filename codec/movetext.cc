#include "codec/movetext.h"

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
  glue_ = false;
}

void MovetextWriter::start_token() {
  if (glue_) {
    glue_ = false;
    return;
  }
  break_ = out_;
  break_extra_ = 0;
  put(' ');
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
  with_utf8(text, [this](std::string_view clean) { put_comment_text(clean); });
  put('}');
  wrap();
  plain_ = false;
}

void MovetextWriter::put_comment_text(std::string_view text) {
  const bool one_line = width_ == kNoWrap;
  const char* in = text.data();
  const char* const end = in + text.size();
  while (in != end) {
    const auto c = static_cast<unsigned char>(*in);
    if (c > ' ' && c != 0x7F) [[likely]] {
      if ((c & 0xC0) == 0x80) {
        ++limit_;
        ++break_extra_;
      }
      put(c == '}' ? ')' : static_cast<char>(c));
      ++in;
      continue;
    }
    // A run of blanks, tabs, line ends and control characters: one line end if it holds one, else a
    // tab if it holds one, else a blank.
    bool line_end = false;
    bool tab = false;
    for (; in != end; ++in) {
      const auto next = static_cast<unsigned char>(*in);
      if (next > ' ' && next != 0x7F) break;
      line_end |= next == '\n' && !one_line;
      tab |= next == '\t';
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
  start_token();
  put('(');
  glue_ = true;
  plain_ = false;
}

void MovetextWriter::close_variation() {
  put(')');
  wrap();
  glue_ = false;
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
  if (!glue_) ++length_;
  glue_ = false;
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
  with_utf8(text, [this](std::string_view clean) {
    bool in_run = false;
    for (const char c : clean) {
      length_ += in_run && is_blank(c) ? 0 : 1;
      in_run = is_blank(c);
    }
  });
  plain_ = false;
}

void MovetextMeter::open_variation() {
  start_token();
  ++length_;
  glue_ = true;
  plain_ = false;
}

void MovetextMeter::close_variation() {
  ++length_;
  glue_ = false;
  plain_ = false;
}

std::size_t MovetextMeter::end(Result result) {
  start_token();
  length_ += result_token(result).size() + 2;
  return length_ - 1;  // the first token's blank takes the place of the line end before it
}

}  // namespace scidfs::codec
