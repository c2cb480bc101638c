#include "codec/pgn_reader/scanner.h"

#include <algorithm>

#include "codec/pgn_reader/tag.h"
#include "codec/pgn_reader/typography.h"
#include "codec/text_blocks.h"

namespace scidfs::codec::pgn_reader {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns where the first byte after `at` is that moves do not have: a comment, a tag or an escaped
// line may begin there. The size of the text if there is none.
std::size_t find_special(std::string_view text, std::size_t at) {
  const auto special = [](internal::TextBlock block) {
    return ((block | ' ') == '{') | (block == ';') | (block == '%');  // or `[`, of one bit less
  };
  const std::string_view rest = text.substr(at);
  return at + std::min(rest.size(),
                       internal::scan(rest, special, [](std::size_t, internal::TextBlock) {}));
}

// What is between a bracket and the word before it.
struct Gap {
  std::size_t begin = 0;
  unsigned line_ends = 0;
};

Gap gap_before(std::string_view text, std::size_t at) {
  Gap gap{.begin = at};
  while (gap.begin != 0) {
    const char c = text[gap.begin - 1];
    const std::size_t step = is_space(c) ? 1 : parting_before(text.substr(0, gap.begin));
    if (step == 0) break;
    gap.line_ends += c == '\n' ? 1 : 0;
    gap.begin -= step;
  }
  return gap;
}

bool ends_in_result(std::string_view text) {
  return text.ends_with('*') || text.ends_with("1-0") || text.ends_with("0-1") ||
         text.ends_with("1/2");
}

// Returns where a byte order mark before a tag begins, which files have that were put one after the
// other; if there is none, where the tag does.
std::size_t mark_before(std::string_view text, std::size_t at) {
  return text.substr(0, at).ends_with(kByteOrderMark) ? at - kByteOrderMark.size() : at;
}

// Returns whether the tag at `at`, which is after moves and the first in its line, begins another
// game.
bool begins_game(std::string_view text, std::size_t at) {
  return gap_before(text, mark_before(text, at)).line_ends > 1 ||
         parse_tag(text.substr(at, kTagBeginning)).name == "Event";
}

bool follows_result(std::string_view text, std::size_t at) {
  return ends_in_result(text.substr(0, gap_before(text, mark_before(text, at)).begin));
}

// Returns the end of the last empty line after `begin`; the size of the text if there is none.
std::size_t last_empty_line(std::string_view text, std::size_t begin) {
  const std::string_view part = text.substr(begin);
  const std::size_t plain = part.rfind("\n\n");
  const std::size_t with_return = part.rfind("\n\r\n");
  std::size_t end = 0;
  if (plain != std::string_view::npos) end = plain + 2;
  if (with_return != std::string_view::npos) end = std::max(end, with_return + 3);
  return end == 0 ? text.size() : begin + end;
}

}  // namespace

std::uint64_t count_lines(std::string_view text) {
  std::uint64_t count = 0;
  while (text.size() >= kTextBlock) {
    // A byte of a block counts up to 127.
    const std::size_t blocks = std::min<std::size_t>(text.size() / kTextBlock, 127);
    internal::TextBlock lines{};
    for (std::size_t i = 0; i < blocks; ++i) {
      lines -= internal::load_block(text.data() + i * kTextBlock) == '\n';
    }
    for (std::size_t i = 0; i < kTextBlock; ++i) count += static_cast<std::uint64_t>(lines[i]);
    text.remove_prefix(blocks * kTextBlock);
  }
  return count + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

std::optional<FoundGame> GameScanner::next(std::string_view text, bool is_end) {
  if (text.empty()) return std::nullopt;
  const std::string_view most = text.substr(0, kMaxGame);
  const bool is_bounded = most.size() == kMaxGame;
  bool is_short = false;
  while (!is_short && !ended_) {
    is_short = state_ == State::Tags    ? scan_tags(most, is_end || is_bounded)
               : state_ == State::Moves ? scan_moves(most, is_end || is_bounded)
                                        : scan_unclosed(most, is_end || is_bounded);
  }
  if (!ended_ && !is_end && !is_bounded) return std::nullopt;
  FoundGame game = game_;
  game.text = most.substr(0, game_end(most));
  const std::size_t no_brace_to = std::max(no_brace_to_, game.text.size());
  *this = {};
  no_brace_to_ = no_brace_to - game.text.size();
  return game;
}

std::size_t GameScanner::find_all(std::string_view text, bool is_end,
                                  std::vector<FoundGame>& games) {
  std::size_t length = 0;
  while (const std::optional<FoundGame> game = next(text.substr(length), is_end)) {
    games.push_back(*game);
    length += game->text.size();
  }
  return length;
}

std::size_t GameScanner::game_end(std::string_view text) const {
  if (ended_) return at_;
  if (text.size() < kMaxGame || state_ != State::Moves) return text.size();
  // The empty line between tags and moves parts nothing.
  std::size_t begin = std::max(game_.moves, comment_);
  while (begin < text.size() && is_space(text[begin])) ++begin;
  return last_empty_line(text, begin);
}

bool GameScanner::scan_tags(std::string_view text, bool is_end) {
  if (at_ == 0 && text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  if (at_ == 0 && kByteOrderMark.starts_with(text) && !is_end) return true;
  for (; at_ < text.size() && is_space(text[at_]); ++at_) line_ends_ += text[at_] == '\n' ? 1 : 0;
  if (at_ == text.size()) return true;
  if (!is_ascii(text[at_])) {
    if (!is_end && text.size() - at_ < kLongestParting) return true;
    if (const std::size_t parting = parting_at(text.substr(at_))) {
      at_ += parting;
      return false;
    }
  }
  switch (text[at_]) {
    case '[': {
      if (!is_end && text.size() < tag_needs_) return true;
      const RawTag tag = parse_tag(text.substr(at_));
      if (!is_end && tag.is_open) {
        // A tag that is parsed again has twice its length, so that time is linear in it.
        tag_needs_ = 2 * text.size() - at_;
        return true;
      }
      ended_ = has_tag_ && line_ends_ > 1 && tag.name == "Event";
      if (ended_) return false;
      at_ += tag.length;
      has_tag_ = true;
      line_ends_ = 0;
      game_.moves = at_;
      game_.has_early_comment |= has_comment_;
      return false;
    }
    case '{':
      has_comment_ = true;
      return pass_comment(text, is_end);
    case ';':
      has_comment_ = true;
      return pass_line(text, is_end);
    case '%':
      if (begins_line(text, at_)) return pass_line(text, is_end);
      break;
    default:
      break;
  }
  state_ = State::Moves;
  return false;
}

bool GameScanner::scan_moves(std::string_view text, bool is_end) {
  at_ = find_special(text, at_);
  if (at_ == text.size()) return true;
  switch (text[at_]) {
    case '{':
      return pass_comment(text, is_end);
    case '[':
      return take_bracket(text, is_end);
    case '%':
      if (!begins_line(text, at_)) {
        ++at_;
        return false;
      }
      break;
    default:
      break;
  }
  return pass_line(text, is_end);
}

bool GameScanner::scan_unclosed(std::string_view text, bool is_end) {
  at_ = std::min(text.find('[', at_), text.size());
  return at_ == text.size() || take_bracket(text, is_end);
}

bool GameScanner::pass_comment(std::string_view text, bool is_end) {
  const std::size_t from = std::max(at_ + 1, no_brace_to_);
  const std::size_t brace = std::min(text.find('}', from), text.size());
  no_brace_to_ = brace;
  const bool is_long = brace - at_ > kMaxComment;
  if (brace < text.size() && !is_long) {
    at_ = brace + 1;
    comment_ = at_;
    return false;
  }
  if (!is_long && !is_end) return true;
  state_ = State::UnclosedComment;
  ++at_;
  return false;
}

bool GameScanner::pass_line(std::string_view text, bool is_end) {
  const std::size_t end = text.find('\n', at_);
  if (end == std::string_view::npos && !is_end) return true;
  at_ = std::min(end, text.size());
  return false;
}

bool GameScanner::take_bracket(std::string_view text, bool is_end) {
  const std::string_view beginning = text.substr(at_, kTagBeginning);
  const bool has_line = beginning.find('\n') != std::string_view::npos;
  if (!has_line && beginning.size() < kTagBeginning && !is_end) return true;
  const TagLook look = look_of_tag(beginning);
  if (look.is_open && !is_end) return true;
  const std::size_t begin = mark_before(text, at_);
  const bool is_first = is_first_in_line(text, begin);
  const bool is_after_result = (is_first || state_ == State::Moves) && follows_result(text, at_);
  const bool is_tag = (is_first || is_after_result) && look.is_tag;
  if (is_tag && (is_after_result || begins_game(text, at_))) {
    ended_ = true;
    at_ = begin;
  } else {
    game_.has_late_tag |= is_tag && state_ == State::Moves;
    ++at_;
  }
  return false;
}

}  // namespace scidfs::codec::pgn_reader
