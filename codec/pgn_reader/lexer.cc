#include "codec/pgn_reader/lexer.h"

#include <algorithm>

#include "codec/pgn_reader/tag.h"
#include "codec/pgn_reader/typography.h"

namespace scidfs::codec::pgn_reader {
namespace {

constexpr std::string_view kPromotions = "QRBNqrbn";

}  // namespace

bool Lexer::is_before_gap() const {
  unsigned line_ends = 0;
  std::size_t at = at_;
  for (; at < text_.size() && is_space(text_[at]); ++at) line_ends += text_[at] == '\n' ? 1 : 0;
  return at == text_.size() || line_ends > 1;
}

char Lexer::take_promotion() {
  const std::string_view rest = text_.substr(at_, 3);
  if (rest.size() < 3 || rest[0] != '(' || rest[2] != ')') return 0;
  if (kPromotions.find(rest[1]) == std::string_view::npos) return 0;
  at_ += rest.size();
  return rest[1];
}

bool Lexer::is_parting(std::size_t at) const { return parting_at(text_.substr(at)) != 0; }

bool Lexer::pass_parting() {
  const std::size_t length = parting_at(text_.substr(at_));
  at_ += length;
  return length != 0;
}

std::size_t Lexer::rare_word_end(std::size_t end) const {
  while (end < text_.size() && class_at(end) <= kWide && !is_parting(end)) {
    end += class_at(end) == kWide ? character_length(text_.substr(end)) : 1;
  }
  return std::max(end, spaced_word_end());
}

std::size_t Lexer::spaced_word_end() const { return at_ + spaced_result(text_.substr(at_)); }

// Returns a token of kind End for signs that mean nothing.
Token Lexer::take_sign() {
  const std::size_t begin = at_;
  switch (text_[begin]) {
    case '{':
      return take_comment();
    case ';': {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      return take(Token::Kind::Comment, begin + 1, end, end);
    }
    case '(':
      return take(Token::Kind::Open, begin, begin + 1, begin + 1);
    case ')':
      return take(Token::Kind::Close, begin, begin + 1, begin + 1);
    case '*':
      return take(Token::Kind::Star, begin, begin + 1, begin + 1);
    case '!':
    case '?': {
      const std::size_t end = run_end(begin, [](char c) { return c == '!' || c == '?'; });
      return take(Token::Kind::Suffix, begin, end, end);
    }
    case '$': {
      const std::size_t end = run_end(begin + 1, [](char c) { return c >= '0' && c <= '9'; });
      return take(Token::Kind::Nag, begin + 1, end, end);
    }
    case '[':
      return take_bracket();
    case '%':
      if (!begins_line(text_, begin)) return take(Token::Kind::Junk, begin, begin + 1, begin + 1);
      at_ = std::min(text_.find('\n', begin), text_.size());
      return {};
    case '}':
    case ']':
      return take(Token::Kind::Junk, begin, begin + 1, begin + 1);
    default:
      ++at_;
      return {};
  }
}

Token Lexer::take_comment() {
  const std::size_t begin = at_ + 1;
  const std::size_t end = text_.find('}', begin);
  if (end != std::string_view::npos) return take(Token::Kind::Comment, begin, end, end + 1);
  return take(Token::Kind::Unclosed, begin, text_.size(), text_.size());
}

Token Lexer::take_bracket() {
  const std::string_view rest = text_.substr(at_);
  if (is_first_in_line(text_, at_) && look_of_tag(rest).is_tag) {
    const std::size_t end = at_ + parse_tag(rest).length;
    return take(Token::Kind::Tag, at_, end, end);
  }
  const std::size_t end = run_end(at_ + 1, [](char c) { return c != ']' && c != '\n'; });
  const std::size_t next = end < text_.size() && text_[end] == ']' ? end + 1 : end;
  return take(Token::Kind::Junk, at_, next, next);
}

}  // namespace scidfs::codec::pgn_reader
