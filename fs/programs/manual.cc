#include "fs/programs/manual.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace scidfs::fs {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kTextColumn = 23;  // where the explanations of options begin

// Returns the parts between the separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

// Words joined to lines, with breaks at the last column. Wide characters are not supported: our
// texts have none.
class Lines {
 public:
  explicit Lines(std::size_t indent) : indent_(indent) {}

  // Starts the first line after a text that is there already.
  void begin_at(std::string_view before) {
    text_ = before;
    column_ = before.size();
  }

  void add(std::string_view words) {
    for (const std::string_view word : split(words, " ")) {
      if (column_ > indent_ && column_ + 1 + word.size() > kColumns) {
        text_ += '\n';
        column_ = 0;
      }
      if (column_ < indent_) {
        text_.append(indent_ - column_, ' ');
        column_ = indent_;
      } else if (column_ > indent_) {
        text_ += ' ';
        ++column_;
      }
      text_ += word;
      column_ += word.size();
    }
  }

  std::string take() { return std::move(text_) + '\n'; }

 private:
  const std::size_t indent_;
  std::string text_;
  std::size_t column_ = 0;
};

std::string paragraphs(std::string_view text) {
  std::string result;
  for (const std::string_view paragraph : split(text, "\n\n")) {
    Lines lines(0);
    for (const std::string_view line : split(paragraph, "\n")) lines.add(line);
    result += (result.empty() ? "" : "\n") + lines.take();
  }
  return result;
}

std::string entry(const OptionText& option) {
  // A value is a word of its own, except in a list of options.
  const std::string_view between = option.value.empty()          ? ""
                                   : listed_name(option).empty() ? " "
                                                                 : "=";
  const std::string head = fmt::format("  {}{}{}", option.names, between, option.value);
  Lines lines(kTextColumn);
  const bool is_short = head.size() < kTextColumn;
  if (is_short) lines.begin_at(head);
  lines.add(option.text);
  return is_short ? lines.take() : head + '\n' + lines.take();
}

}  // namespace

std::string help_text(const Manual& manual) {
  std::string text =
      fmt::format("usage: {}\n\n{}", fmt::join(split(manual.usage, "\n"), "\n       "),
                  paragraphs(manual.purpose));
  for (const OptionGroup& group : manual.groups) {
    text += fmt::format("\n{}{}", group.title, group.title.empty() ? "" : "\n");
    for (const OptionText& option : group.options) text += entry(option);
  }
  return text + '\n' + paragraphs(manual.notes);
}

std::vector<WordOption> words_of(const Manual& manual) {
  std::vector<WordOption> words;
  for (const OptionGroup& group : manual.groups) {
    for (const OptionText& option : group.options) {
      if (!listed_name(option).empty()) continue;
      for (const std::string_view name : split(option.names, ", ")) {
        words.push_back({.name = name, .has_value = !option.value.empty()});
      }
    }
  }
  return words;
}

}  // namespace scidfs::fs
