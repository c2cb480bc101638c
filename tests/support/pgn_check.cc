#include "tests/support/pgn_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"

namespace scidfs::tests {
namespace {

using Kind = PgnToken::Kind;

constexpr std::array<std::string_view, 7> kRoster = {"Event", "Site",  "Date",  "Round",
                                                     "White", "Black", "Result"};

class Checker {
 public:
  explicit Checker(unsigned width) : width_(width) {}

  void check(const PgnGame& game) {
    check_tags(game);
    check_lines(game.movetext);
    check_tokens(parse_movetext(game.movetext), tag_value(game, "Result"));
    const std::string_view head = game.text.substr(0, game.text.size() - game.movetext.size());
    if (!head.ends_with("\n\n") || head.ends_with("\n\n\n")) {
      fault("no single empty line between tags and moves", game.text);
    }
    if (!game.movetext.ends_with("\n\n") || game.movetext.ends_with("\n\n\n")) {
      fault("no single empty line after the game", game.movetext);
    }
  }

  std::vector<std::string> faults;

 private:
  void fault(std::string_view what, std::string_view where) {
    constexpr std::size_t kShown = 200;
    faults.push_back(fmt::format("{}: <{}>", what, where.substr(0, kShown)));
  }

  void check_tags(const PgnGame& game) {
    for (const std::string& line : game.bad_tags) fault("a line that is no tag", line);
    for (std::size_t i = 0; i < kRoster.size(); ++i) {
      if (i >= game.tags.size() || game.tags[i].name != kRoster[i] || game.tags[i].value.empty()) {
        fault("the seven tag roster is not complete", game.text);
        break;
      }
    }
    std::vector<std::string> names;
    for (const PgnTag& tag : game.tags) {
      names.push_back(tag.name);
      constexpr std::string_view kAllowed =
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
      if (tag.name.starts_with('_') || tag.name.find_first_not_of(kAllowed) != std::string::npos) {
        fault("a tag's name that PGN does not allow", tag.name);
      }
      if (tag.value.find('\t') != std::string::npos) fault("a tab in a tag", tag.value);
      for (std::size_t at = 0; at < tag.value.size(); ++at) {
        const char c = tag.value[at];
        const char next = at + 1 < tag.value.size() ? tag.value[at + 1] : ' ';
        if (c == '"' || (c == '\\' && next != '"' && next != '\\')) {
          fault("a tag value without its escapes", tag.value);
        }
        if (c == '\\') ++at;
      }
    }
    std::ranges::sort(names);
    if (std::ranges::adjacent_find(names) != names.end()) fault("a tag twice", game.text);
  }

  void check_lines(std::string_view movetext) {
    bool in_comment = false;
    bool first = true;
    while (!movetext.empty()) {
      const std::string_view line = movetext.substr(0, movetext.find('\n'));
      movetext.remove_prefix(std::min(line.size() + 1, movetext.size()));
      check_line(line, in_comment, first);
      first = false;
      for (const char c : line) in_comment = in_comment ? c != '}' : c == '{';
    }
  }

  void check_line(std::string_view line, bool in_comment, bool first) {
    if (line.ends_with(' ') || line.ends_with('\t')) fault("a blank at the end of a line", line);
    if (line.empty() && in_comment) fault("an empty line inside a comment", line);
    // A comment keeps its blanks, but they do not hide a bracket.
    const std::string_view word = line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
    if (word.size() != line.size() && !in_comment && !first)
      fault("a blank at the start of a line", line);
    if (word.starts_with('[') || word.starts_with('%')) {
      fault("a line that looks like a tag or an escape", line);
    }
    if (!in_comment && line.ends_with('.') && line.find('{') == std::string_view::npos) {
      fault("a move number cut from its move", line);
    }
    if (width_ != 0 && count_characters(line) > width_ && is_breakable(line, in_comment)) {
      fault("a line too long", line);
    }
  }

  // True if a line break was possible between the first and the last character of a line: at a
  // single blank that does not follow a move number, is not inside `[%...]`, and after which no `[`
  // or `%` would begin a line.
  static bool is_breakable(std::string_view line, bool in_comment) {
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      in_comment = in_comment ? line[i - 1] != '}' : line[i - 1] == '{';
      if (line[i] != ' ' || line[i - 1] == ' ' || line[i - 1] == '\t') continue;
      if (std::string_view(" \t[%").find(line[i + 1]) != std::string_view::npos) continue;
      const std::size_t open = line.substr(0, i).rfind("[%");
      const std::size_t close = line.find_first_of("]}", i);
      const bool is_annotation = open != std::string_view::npos &&
                                 close != std::string_view::npos && line[close] == ']' &&
                                 line.substr(open, i - open).find(']') == std::string_view::npos;
      if (!is_annotation && (in_comment || line[i - 1] != '.')) return true;
    }
    return false;
  }

  void check_tokens(const std::vector<PgnToken>& tokens, const std::string& result) {
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const PgnToken& token = tokens[i];
      if (token.kind == Kind::Unknown) fault("an unknown token", token.text);
      if (token.kind == Kind::Open) ++depth;
      if (token.kind == Kind::Close && --depth < 0) fault("a bracket too many", "");
      if (token.kind == Kind::Close && i != 0 && tokens[i - 1].kind == Kind::Open) {
        fault("an empty variation", "");
      }
      if ((token.kind == Kind::Result) != (i + 1 == tokens.size())) {
        fault("the result is not at the end", token.text);
      }
    }
    if (depth > 0) fault("a bracket not closed", "");
    if (tokens.empty() || tokens.back().text != result)
      fault("the result is not the tag's", result);
  }

  unsigned width_;
};

}  // namespace

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> pgn_faults(std::string_view text, unsigned width) {
  Checker checker(width);
  if (!codec::is_utf8(as_bytes(text))) checker.faults.emplace_back("no valid UTF-8");
  const bool clean = std::ranges::none_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == 0x7F;
  });
  if (!clean) checker.faults.emplace_back("a control character");
  PgnReader reader(text);
  for (PgnGame game; reader.next(game);) checker.check(game);
  return std::move(checker.faults);
}

std::vector<std::string> cut_games(std::string_view text) {
  std::vector<std::string> games;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n[Event \"");
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 2;
    games.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return games;
}

}  // namespace scidfs::tests
