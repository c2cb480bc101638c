#include "codec/pgn.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "codec/date.h"
#include "codec/scid/names.h"
#include "codec/text.h"

namespace scidfs::codec {
namespace {

constexpr std::size_t kBlock = scid::NameTable::kPadding;

char* write_text(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// Copies whole blocks: both sides have that much behind their end.
char* write_padded(std::string_view text, char* out) {
  std::size_t done = 0;
  do {
    std::memcpy(out + done, text.data() + done, kBlock);
    done += kBlock;
  } while (done < text.size());
  return out + text.size();
}

char* write_number(std::uint32_t value, char* out) {
  return std::to_chars(out, out + 10, value).ptr;
}

char* write_rating(std::string_view color, Rating rating, char* out) {
  if (rating.value == 0) return out;
  *out++ = '[';
  out = write_text(color, out);
  out = write_text(rating_name(rating.type), out);
  out = write_text(" \"", out);
  out = write_number(rating.value, out);
  return write_text("\"]\n", out);
}

constexpr std::array<internal::ShortText, internal::kNumberTexts> make_move_numbers() {
  std::array<internal::ShortText, internal::kNumberTexts> texts{};
  for (unsigned number = 0; number < texts.size(); ++number) {
    if (number >= 100) texts[number].append(static_cast<char>('0' + number / 100));
    if (number >= 10) texts[number].append(static_cast<char>('0' + number / 10 % 10));
    texts[number].append(static_cast<char>('0' + number % 10));
    texts[number].append('.');
    texts[number].append(' ');
  }
  return texts;
}

// A line that began with one of these could be taken for a tag or for an escaped line.
constexpr bool must_not_begin_line(char c) { return c == '[' || c == '%'; }

}  // namespace

namespace internal {
constinit const std::array<ShortText, kNumberTexts> kMoveNumbers = make_move_numbers();
}

char* write_tag(std::string_view name, std::string_view value, char* out) {
  *out++ = '[';
  out = write_text(name, out);
  out = write_text(" \"", out);
  out = write_text(value, out);
  return write_text("\"]\n", out);
}

char* write_tags(const GameTags& tags, char* out) {
  out = write_text("[Event \"", out);
  out = write_padded(tags.event, out);
  out = write_text("\"]\n[Site \"", out);
  out = write_padded(tags.site, out);
  out = write_text("\"]\n[Date \"", out);
  out = write_date(tags.date, out);
  out = write_text("\"]\n[Round \"", out);
  out = write_padded(tags.round, out);
  out = write_text("\"]\n[White \"", out);
  out = write_padded(tags.white, out);
  out = write_text("\"]\n[Black \"", out);
  out = write_padded(tags.black, out);
  out = write_text("\"]\n[Result \"", out);
  out = write_text(result_token(tags.result), out);
  out = write_text("\"]\n", out);
  out = write_rating("White", tags.white_rating, out);
  out = write_rating("Black", tags.black_rating, out);
  if (eco_base(tags.eco) != kEcoBases) {
    out = write_text("[ECO \"", out);
    out = write_eco(tags.eco, out);
    out = write_text("\"]\n", out);
  }
  if (!tags.event_date.empty()) {
    out = write_text("[EventDate \"", out);
    out = write_date(tags.event_date, out);
    out = write_text("\"]\n", out);
  }
  return out;
}

std::size_t max_tags_length(const GameTags& tags) {
  constexpr std::size_t kFixed = 320;  // brackets, names, dates, ratings and the last block's slack
  return kFixed + tags.event.size() + tags.site.size() + tags.round.size() + tags.white.size() +
         tags.black.size();
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

void MovetextWriter::put_number(const Position& before, std::string_view dots) {
  out_ = write_number(before.move_number(), out_);
  put(dots);
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
  const std::string_view raw(reinterpret_cast<const char*>(text.data()), text.size());
  if (is_utf8(text)) {
    put_comment_text(raw);
  } else {
    std::string repaired;
    append_utf8(text, repaired);
    put_comment_text(repaired);
  }
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

}  // namespace scidfs::codec
