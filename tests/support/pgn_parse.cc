#include "tests/support/pgn_parse.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace scidfs::tests {
namespace {

using Kind = PgnToken::Kind;

constexpr std::string_view kSpaces = " \t\n\v\f\r";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(kSpaces) == std::string_view::npos;
}

// `[Name "value"]`; the value extends to the last quote, with any content.
bool parse_tag(std::string_view line, PgnTag& tag) {
  while (!line.empty() && kSpaces.find(line.back()) != std::string_view::npos)
    line.remove_suffix(1);
  const std::size_t quote = line.find(" \"");
  if (!line.starts_with('[') || !line.ends_with("\"]") || quote == std::string_view::npos ||
      quote < 2 || quote + 4 > line.size()) {
    return false;
  }
  tag.name = line.substr(1, quote - 1);
  tag.value = line.substr(quote + 2, line.size() - quote - 4);
  return tag.name.find_first_of(" \"[]") == std::string::npos;
}

// The length of the movetext at the beginning of `text`: up to a line that begins with a bracket
// outside of comments.
std::size_t movetext_length(std::string_view text) {
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_comment) {
      in_comment = c != '}';
    } else if (c == '{') {
      in_comment = true;
    } else if (c == '[' && (i == 0 || text[i - 1] == '\n')) {
      return i;
    }
  }
  return text.size();
}

bool is_result(std::string_view word) {
  constexpr std::array<std::string_view, 4> kResults = {"1-0", "0-1", "1/2-1/2", "*"};
  return std::ranges::find(kResults, word) != kResults.end();
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<PgnToken> run() {
    while (true) {
      at_ = text_.find_first_not_of(kSpaces, at_);
      if (at_ == std::string_view::npos) break;
      const char c = text_[at_];
      if (c == '{') {
        comment();
      } else if (c == '(' || c == ')') {
        ++at_;
        add({.kind = c == '(' ? PgnToken::Kind::Open : PgnToken::Kind::Close});
      } else {
        word();
      }
    }
    if (!number_.empty()) add({.kind = PgnToken::Kind::Unknown, .text = number_});
    return std::move(tokens_);
  }

 private:
  // A number is dropped if no move follows it.
  void add(PgnToken token) {
    if (token.kind == PgnToken::Kind::Move) {
      token.number = std::move(number_);
    } else if (!number_.empty() && token.kind != PgnToken::Kind::Unknown) {
      tokens_.push_back({.kind = PgnToken::Kind::Unknown, .text = number_});
    }
    number_.clear();
    tokens_.push_back(std::move(token));
  }

  void comment() {
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) {
      add({.text = std::string(text_.substr(at_))});
      at_ = text_.size();
      return;
    }
    add({.kind = PgnToken::Kind::Comment,
         .text = std::string(text_.substr(at_ + 1, end - at_ - 1))});
    at_ = end + 1;
  }

  void word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\n\v\f\r{}()", at_ + 1), text_.size());
    std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (is_result(word)) return add({.kind = PgnToken::Kind::Result, .text = std::string(word)});
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (digits != 0 && digits < word.size() && word[digits] == '.') {
      const std::size_t dots = std::min(word.find_first_not_of('.', digits), word.size());
      number_ = word.substr(0, dots);
      word.remove_prefix(dots);
      if (word.empty()) return;
    }
    if (word.size() > 1 && word[0] == '$' && std::all_of(word.begin() + 1, word.end(), is_digit)) {
      add({.kind = PgnToken::Kind::Nag, .text = std::string(word.substr(1))});
    } else if (std::isalpha(static_cast<unsigned char>(word[0])) != 0 || word.starts_with("--")) {
      add({.kind = PgnToken::Kind::Move, .text = std::string(word)});
    } else {
      add({.text = std::string(word)});
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string number_;
  std::vector<PgnToken> tokens_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const PgnToken& token) {
  switch (token.kind) {
    case PgnToken::Kind::Open:
      return out << '(';
    case PgnToken::Kind::Close:
      return out << ')';
    case PgnToken::Kind::Nag:
      return out << '$' << token.text;
    case PgnToken::Kind::Comment:
      return out << '{' << token.text << '}';
    case PgnToken::Kind::Unknown:
      return out << "unknown <" << token.text << '>';
    default:
      return out << token.number << token.text;
  }
}

bool PgnReader::next(PgnGame& game) {
  const std::string_view begin = rest_;
  std::string_view tags = rest_;
  game.tags.clear();
  game.bad_tags.clear();
  while (!tags.empty()) {
    std::string_view after = tags;
    const std::string_view line = take_line(after);
    if (is_blank(line)) {
      if (!game.tags.empty()) break;
    } else if (PgnTag tag; parse_tag(line, tag)) {
      game.tags.push_back(std::move(tag));
    } else if (line.starts_with('[')) {
      game.bad_tags.emplace_back(line);
    } else {
      break;
    }
    tags = after;
  }
  while (!tags.empty() && tags.front() == '\n') tags.remove_prefix(1);
  game.movetext = tags.substr(0, movetext_length(tags));
  rest_ = tags.substr(game.movetext.size());
  game.text = begin.substr(0, begin.size() - rest_.size());
  return !game.tags.empty() || !game.bad_tags.empty() || !is_blank(game.movetext);
}

std::vector<PgnGame> parse_pgn(std::string_view text) {
  std::vector<PgnGame> games;
  PgnReader reader(text);
  for (PgnGame game; reader.next(game);) games.push_back(game);
  return games;
}

std::vector<PgnToken> parse_movetext(std::string_view text) { return Tokenizer(text).run(); }

void drop_empty_variations(std::vector<PgnToken>& tokens) {
  std::vector<PgnToken> kept;
  for (PgnToken& token : tokens) {
    kept.push_back(std::move(token));
    if (kept.back().kind != Kind::Close) continue;
    auto open = kept.end() - 2;
    while (open->kind == Kind::Comment && open != kept.begin()) --open;
    if (open->kind != Kind::Open) continue;
    std::vector<PgnToken> comments(open + 1, kept.end() - 1);
    kept.erase(open, kept.end());
    // Before the other variations of the move.
    auto place = kept.end();
    for (int depth = 0; place != kept.begin() && (depth != 0 || place[-1].kind == Kind::Close);) {
      --place;
      depth += place->kind == Kind::Close ? 1 : place->kind == Kind::Open ? -1 : 0;
    }
    kept.insert(place, comments.begin(), comments.end());
  }
  tokens = std::move(kept);
}

std::string tag_value(const PgnGame& game, std::string_view name) {
  const auto tag = std::ranges::find(game.tags, name, &PgnTag::name);
  return tag == game.tags.end() ? std::string() : tag->value;
}

std::string unescape(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool escape =
        value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\');
    text += value[escape ? ++i : i];
  }
  return text;
}

std::string fold_spaces(std::string_view text) {
  std::string folded;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return folded;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
    if (!folded.empty()) folded += ' ';
    folded += word;
    text.remove_prefix(word.size());
  }
}

std::string_view epd_move(std::string_view line) {
  constexpr std::string_view kMove = "; sm ";
  if (line.ends_with("; c2 \"null move\";")) return "--";
  const std::size_t at = line.find(kMove);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + kMove.size());
  return line.substr(0, line.find_first_of("+#;"));
}

}  // namespace scidfs::tests
