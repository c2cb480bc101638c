#include "codec/movetext.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>
#include <utility>

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

// Returns whether `c` is a blank, tab, line end or other control character: a run of them becomes
// one character.
constexpr bool is_blank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7F;
}

// Calls `use` with the bytes as clean UTF-8.
template <class Use>
void with_utf8(Bytes bytes, Use&& use) {
  if (is_clean_utf8(bytes)) {
    use(as_text(bytes));
  } else {
    std::string repaired;
    append_utf8(bytes, repaired);
    use(std::string_view(repaired));
  }
}

// Returns the first `[%...]`, which programs read; an empty view at the end of the text if there is
// none.
std::string_view find_annotation(std::string_view text) {
  const std::size_t begin = text.find("[%");
  const std::size_t end = begin == std::string_view::npos ? begin : text.find(']', begin);
  return end == std::string_view::npos ? text.substr(text.size())
                                       : text.substr(begin, end + 1 - begin);
}

}  // namespace

namespace internal {
constinit const std::array<ShortText, kNumberTexts> kMoveNumbers = make_move_numbers();
}

void MovetextWriter::begin(char* out, unsigned width) {
  assert(out[-1] == '\n');
  // The first token's blank overwrites the line end before the movetext; end() restores it.
  start_ = out - 1;
  out_ = start_;
  break_ = start_;
  plain_end_ = start_;
  unclosed_ = start_;
  closing_ = start_;
  width_ = width == 0 ? kNoWrap : width;
  limit_ = limit_of(out);
  break_extra_ = 0;
  opening_ = {};
  plain_ = false;
  quoted_ = false;
}

void MovetextWriter::start_token(bool may_begin_line) {
  if (may_begin_line) break_at(out_);
  put(' ');
  if (!opening_.empty()) [[unlikely]] {
    put(opening_);
    opening_ = {};
  }
}

void MovetextWriter::put(std::string_view text) { out_ = write_text(text, out_); }

void MovetextWriter::start_line(Color us, std::uint32_t number) {
  start_token();
  if (number < internal::kNumberTexts) [[likely]] {
    // The number's blank overwrites the character before it, which is restored.
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
  assert(reinterpret_cast<std::uintptr_t>(out_) > limit_);
  do {
    // Breaks at the last place that leaves no line too long; if there is none, at the first place
    // after it.
    char* const over =
        out_ - static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(out_) - limit_) + 1;
    std::size_t extra = 0;
    char* blank = last_place(over);
    if (blank == nullptr && *break_ == ' ') {
      blank = break_;
      extra = break_extra_;
    } else if (blank == nullptr) {
      blank = first_place(over);
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

char* MovetextWriter::last_place(char* over) {
  char* const begin = break_ + 1;
  char* end = std::min(over, plain_end_);
  while (true) {
    char* const blank = last_break(begin, end);
    if (blank == nullptr) return nullptr;
    end = annotation_around(begin, blank);
    if (end == nullptr) return blank;
  }
}

char* MovetextWriter::first_place(char* over) {
  char* const begin = break_ + 1;
  char* from = std::max(over, begin);
  while (true) {
    char* const blank = first_break(from, plain_end_);
    if (blank == nullptr || annotation_around(begin, blank) == nullptr) return blank;
    from = find_closing(blank);
  }
}

char* MovetextWriter::annotation_around(char* begin, char* place) {
  const std::string_view before(begin, place);
  const std::size_t open = before.rfind("[%");
  const bool inside = open != std::string_view::npos &&
                      before.find(']', open) == std::string_view::npos &&
                      find_closing(place) != plain_end_;
  return inside ? begin + open : nullptr;
}

// Does not search again for the next line the text that was searched for one line.
char* MovetextWriter::find_closing(char* place) {
  if (place > closing_) {
    closing_ = place;
    unclosed_ = place;
  } else if (place < unclosed_) {
    char* const before = std::find(place, unclosed_, ']');
    if (before != unclosed_) closing_ = before;
    unclosed_ = place;
  }
  closing_ = std::find(closing_, plain_end_, ']');
  return closing_;
}

void MovetextWriter::nag(unsigned value) {
  start_token();
  put('$');
  out_ = write_number(value, out_);
  wrap();
}

void MovetextWriter::comment(Bytes text) {
  const char first = static_cast<char>(text.front());
  start_token(!quoted_ || !(must_not_begin_line(first) || is_blank(first)));
  if (!quoted_) put('{');
  const std::size_t plain = copy_plain(as_text(text), out_);
  if (plain == text.size()) {
    out_ += plain;
    plain_end_ = out_;
  } else {
    with_utf8(text, [this](std::string_view clean) { put_comment_text(clean); });
  }
  if (!quoted_) put('}');
  wrap();
  plain_ = false;
}

void MovetextWriter::put_comment_text(std::string_view text) {
  while (true) {
    const std::string_view annotation = find_annotation(text);
    const auto before = static_cast<std::size_t>(annotation.data() - text.data());
    put_piece(text.substr(0, before), annotation.empty() ? '\0' : '[', false);
    if (annotation.empty()) return;
    text.remove_prefix(before + annotation.size());
    put_piece(annotation, text.empty() ? '\0' : text.front(), true);
  }
}

void MovetextWriter::put_piece(std::string_view text, char next, bool whole) {
  const char* in = text.data();
  const char* const end = in + text.size();
  while (true) {
    char* const begin = out_;
    const std::size_t plain = copy_plain({in, end}, out_);
    out_ += plain;
    in += plain;
    if (!whole && plain != 0) {
      plain_end_ = out_;
      wrap();
      if (char* const blank = last_break(std::max(begin, break_ + 1), out_)) break_at(blank);
    }
    // A word with other characters, or the rest of it.
    for (; in != end && !is_blank(*in); ++in) {
      if ((static_cast<unsigned char>(*in) & 0xC0) == 0x80) {
        ++limit_;
        ++break_extra_;
      }
      put(*in == '}' ? ')' : *in);
    }
    if (in != end) in = put_blanks(in, end, next, whole);
    if (in == end) return;
  }
}

const char* MovetextWriter::put_blanks(const char* in, const char* end, char next, bool whole) {
  const char* const run = in;
  bool line_end = false;
  bool tab = false;
  for (; in != end && is_blank(*in); ++in) {
    line_end |= *in == '\n';
    tab |= *in == '\t';
  }
  const char follows = in == end ? next : *in;
  const bool breakable = !whole && !must_not_begin_line(follows);
  if (!whole) wrap();
  const bool after_word = !is_blank(out_[-1]);
  if (!line_end) {
    const bool is_single = run + 1 == in && !tab;
    if (breakable && after_word && is_single) break_at(out_);
    for (const char c : std::string_view(run, in)) put(c == '\t' ? c : ' ');
  } else if (width_ == kNoWrap) {
    put(tab && follows != '\0' ? '\t' : ' ');
  } else if (breakable && after_word && follows != '\0') {
    break_at(out_);
    put('\n');
    limit_ = limit_of(out_);
  } else {
    if (breakable && after_word) break_at(out_);
    put(' ');
  }
  return in;
}

void MovetextWriter::open_quote() {
  assert(!quoted_);
  opening_ = opening_.empty() ? "{" : "({";
  quoted_ = true;
  plain_ = false;
}

void MovetextWriter::close_quote() {
  put('}');
  wrap();
  quoted_ = false;
  plain_ = false;
}

void MovetextWriter::open_variation() {
  opening_ = "(";
  was_plain_ = plain_;
  plain_ = false;
}

void MovetextWriter::close_variation() {
  if (!opening_.empty()) {
    opening_ = {};
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
  length_ += 1 + opening_;
  opening_ = 0;
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
  length_ += quoted_ ? 0 : 2;
  const std::size_t plain = plain_length(as_text(text));
  length_ += plain;
  if (plain != text.size()) {
    with_utf8(text.subspan(plain), [this](std::string_view clean) {
      // Line ends with the blanks around them are one character.
      std::size_t run = 0;
      bool line_end = false;
      for (const char c : clean) {
        ++length_;
        run = is_blank(c) ? run + 1 : 0;
        line_end = run != 0 && (line_end || c == '\n');
        if (line_end) length_ -= std::exchange(run, 1) - 1;
      }
    });
  }
  plain_ = false;
}

void MovetextMeter::open_quote() {
  assert(!quoted_);
  opening_ += 1;
  quoted_ = true;
  plain_ = false;
}

void MovetextMeter::close_quote() {
  ++length_;
  quoted_ = false;
  plain_ = false;
}

void MovetextMeter::open_variation() {
  opening_ = 1;
  was_plain_ = plain_;
  plain_ = false;
}

void MovetextMeter::close_variation() {
  if (opening_ != 0) {
    opening_ = 0;
    plain_ = was_plain_;
    return;
  }
  ++length_;
  plain_ = false;
}

std::size_t MovetextMeter::end(Result result) {
  start_token();
  length_ += result_token(result).size() + 2;
  return length_ - 1;  // the first token's blank replaces the line end before it
}

}  // namespace scidfs::codec
