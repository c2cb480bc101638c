// Cuts movetext into tokens, without deciding what words mean. Allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scidfs::codec::pgn_reader {

struct Token {
  enum class Kind : std::uint8_t {
    End,       // of the text
    Word,      // a move, a glyph, a result, ...
    Suffix,    // a run of `!` and `?`
    Nag,       // the text is the digits after `$`
    Comment,   // the text is what is between the braces, or after `;`
    Unclosed,  // a comment whose closing brace is missing: it goes to the end
    Open,      // of a variation
    Close,
    Star,  // "*"
    Tag,   // from its `[` on
    Junk,  // other text in brackets, and stray signs
  };

  Kind kind = Kind::End;
  std::string_view text;
};

// Returns one token after the other. Passes over move numbers, dots, blanks, lines that begin with
// `%`, and signs that mean nothing. Does not own the text.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  // Passes over what next() passes over before a word, and returns the rest of the text from there.
  std::string_view find_word();
  // Passes over a part of what find_word() has returned, as if it were a token.
  void pass(std::size_t length) { at_ += length; }
  // Returns where the last token ends.
  std::size_t at() const { return at_; }
  // Returns whether an empty line or the end of the text follows the last token.
  bool is_before_gap() const;
  // Passes over `(Q)` right after the last token, and returns the letter; 0 if it is not there.
  char take_promotion();

 private:
  // What a character begins, or does in a word; those from kWide on may end one. kWide: beyond
  // ASCII.
  enum Class : std::uint8_t { kInWord, kDigit, kDot, kWide, kBlank, kSign };
  using Classes = std::array<Class, 256>;
  static const Classes kClasses;

  Class class_at(std::size_t at) const { return kClasses[static_cast<unsigned char>(text_[at])]; }
  // Passes a move number, and a dot after it. Returns false if the digits begin a word.
  bool pass_number();
  // Returns whether a blank beyond ASCII is there.
  bool is_parting(std::size_t at) const;
  // Passes a blank beyond ASCII. Returns false if a word begins there.
  bool pass_parting();
  // Returns the end of the word at at_ that has characters beyond ASCII from `end` on, or blanks.
  std::size_t rare_word_end(std::size_t end) const;
  // Returns the end of the word at at_ that may have blanks in it, as "1 - 0"; else at_.
  std::size_t spaced_word_end() const;
  Token take(Token::Kind kind, std::size_t begin, std::size_t end, std::size_t next) {
    at_ = next;
    return {.kind = kind, .text = text_.substr(begin, end - begin)};
  }
  Token take_word();
  Token take_sign();
  Token take_comment();
  Token take_bracket();
  // Returns the end of the run of characters that `belongs` takes.
  template <class Belongs>
  std::size_t run_end(std::size_t at, Belongs&& belongs) const {
    while (at < text_.size() && belongs(text_[at])) ++at;
    return at;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline constexpr Lexer::Classes Lexer::kClasses = [] {
  Classes classes{};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    classes[c] = c <= ' ' ? kBlank : c < 0x80 ? kInWord : kWide;
  }
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  classes['.'] = kDot;
  for (const char c : std::string_view("{}()[];!?$*%<>\"")) {
    classes[static_cast<unsigned char>(c)] = kSign;
  }
  return classes;
}();

inline std::string_view Lexer::find_word() {
  while (at_ < text_.size()) {
    const Class c = class_at(at_);
    if (c == kInWord) break;
    if (c == kDigit) {
      if (!pass_number()) break;
    } else if (c == kBlank || c == kDot) {
      ++at_;
    } else if (c != kWide || !pass_parting()) {
      break;
    }
  }
  return text_.substr(at_);
}

inline Token Lexer::next() {
  while (!find_word().empty()) {
    if (class_at(at_) != kSign) return take_word();
    const Token token = take_sign();
    if (token.kind != Token::Kind::End) return token;
  }
  return {};
}

inline Token Lexer::take_word() {
  std::size_t end = at_;
  while (end < text_.size() && class_at(end) < kWide) ++end;
  const bool is_wide = end < text_.size() && class_at(end) == kWide;
  if (is_wide || class_at(at_) != kInWord) [[unlikely]]
    end = rare_word_end(end);
  return take(Token::Kind::Word, at_, end, end);
}

inline bool Lexer::pass_number() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && class_at(end) == kDigit) ++end;
  const char c = end < text_.size() ? text_[end] : ' ';
  if (c == '.') [[likely]] {
    at_ = end + 1;
    return true;
  }
  // Of castling, a result, or a null move.
  if (c == '-' || c == '/' || c == ':') return false;
  if (c == ' ' || static_cast<unsigned char>(c) >= 0x80) {
    if (c != ' ' && !is_parting(end)) return false;
    if (spaced_word_end() != at_) return false;
  }
  if (text_.substr(at_, end - at_) == "0000") return false;
  at_ = end;
  return true;
}

}  // namespace scidfs::codec::pgn_reader
