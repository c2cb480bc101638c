#include "codec/movetext.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "codec/text.h"
#include "codec/text_blocks.h"
#include "codec/write.h"

namespace scidfs::codec {
namespace {

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
  break_ = start_;
  plain_end_ = start_;
  width_ = width == 0 ? kNoWrap : width;
  limit_ = limit_of(out);
  break_extra_ = 0;
  plain_ = false;
  opened_ = false;
}

void MovetextWriter::start_token() {
  break_at(out_);
  put(' ');
  if (opened_) {
    put('(');
    opened_ = false;
  }
}

void MovetextWriter::put(std::string_view text) { out_ = write_text(text, out_); }

void MovetextWriter::start_line(Color us, std::uint32_t number) {
  start_token();
  if (number < internal::kNumberTexts) [[likely]] {
    // Its blank takes the place of what comes before it, which is put back.
    char* const before = out_ - 1;
    const char last = *before;
    out_ = internal::kMoveNumbers[number].write(before);
    *before = last;
  } else {
    out_ = write_number(number, out_);
    put('.');
  }
  if (us == Color::Black) put("..");
}

void MovetextWriter::break_lines() {
  do {
    // At the last place that leaves no line too long; if there is none, at the first one.
    char* const over = out_ - (reinterpret_cast<std::uintptr_t>(out_) - limit_) + 1;
    std::size_t extra = 0;
    char* blank = last_break(break_ + 1, std::min(over, plain_end_));
    if (blank == nullptr && *break_ == ' ') {
      blank = break_;
      extra = break_extra_;
    } else if (blank == nullptr) {
      blank = first_break(std::max(over, break_ + 1), plain_end_);
    }
    if (blank == nullptr) {
      break_ = out_ - 1;
      return;
    }
    *blank = '\n';
    break_at(blank);
    limit_ = limit_of(blank + 1) + extra;
  } while (reinterpret_cast<std::uintptr_t>(out_) > limit_);
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
  const std::size_t plain = copy_plain(as_text(text), out_);
  if (plain == text.size()) {
    out_ += plain;
    plain_end_ = out_;
  } else {
    with_utf8(text, [this](std::string_view clean) { put_comment_text(clean); });
  }
  put('}');
  wrap();
  plain_ = false;
}

void MovetextWriter::put_comment_text(std::string_view text) {
  const bool one_line = width_ == kNoWrap;
  const char* in = text.data();
  const char* const end = in + text.size();
  while (true) {
    char* const begin = out_;
    const std::size_t plain = copy_plain({in, end}, out_);
    out_ += plain;
    plain_end_ = out_;
    in += plain;
    wrap();
    if (char* const blank = last_break(std::max(begin, break_ + 1), out_)) break_at(blank);
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
      break_at(out_);
      put('\n');
      limit_ = limit_of(out_);
      continue;
    }
    if (tab && !line_end && in != end) {
      put('\t');
      continue;
    }
    if (breakable) break_at(out_);
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
