#include "fs/pages/comment_marks.h"

#include <algorithm>
#include <cstddef>

#include "codec/text.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kSquareMark = 3;  // bytes of "Ga1"
constexpr std::size_t kArrowMark = 5;

bool is_square(std::string_view text) {
  return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

bool is_mark(std::string_view mark, std::size_t size) {
  return mark.size() == size &&
         std::string_view("BCGORY").find(mark[0]) != std::string_view::npos &&
         is_square(mark.substr(1)) && (size == kSquareMark || is_square(mark.substr(kSquareMark)));
}

// Appends the marks of a command, the text between its brackets; returns false if it is another
// command.
bool append_marks(std::string_view command, std::string& marks) {
  const bool is_squares = command.starts_with("%csl ");
  if (!is_squares && !command.starts_with("%cal ")) return false;
  const std::size_t size = is_squares ? kSquareMark : kArrowMark;
  std::string found;
  for (command.remove_prefix(kArrowMark); !command.empty();) {
    const std::size_t end = std::min(command.find(','), command.size());
    const std::string_view mark = codec::trim(command.substr(0, end));
    if (!is_mark(mark, size)) return false;
    found += ' ';
    found += mark;
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  if (marks.empty() && !found.empty()) found.erase(0, 1);
  marks += found;
  return true;
}

}  // namespace

MarkedComment take_marks(std::string_view comment) {
  MarkedComment marked;
  while (!comment.empty()) {
    const std::size_t begin = std::min(comment.find("[%c"), comment.size());
    marked.text += comment.substr(0, begin);
    comment.remove_prefix(begin);
    const std::size_t end = comment.find(']');
    if (end == std::string_view::npos) {
      marked.text += comment;
      break;
    }
    const std::string_view command = comment.substr(0, end + 1);
    comment.remove_prefix(command.size());
    if (!append_marks(command.substr(1, end - 1), marked.marks)) {
      marked.text += command;
    } else if (marked.text.empty() || marked.text.back() == ' ') {
      comment = codec::trim_left(comment);
    }
  }
  if (!marked.marks.empty()) marked.text = codec::trim(marked.text);
  return marked;
}

}  // namespace scidfs::fs
