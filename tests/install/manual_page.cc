#include "tests/install/manual_page.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "tests/support/configuration.h"
#include "tests/support/files.h"

namespace scidfs::tests {
namespace {

// Returns the text without markup, and its bold parts.
struct Marked {
  std::string plain;
  std::vector<std::string> bold;
};

Marked read_marked(std::string_view text) {
  Marked marked;
  bool is_bold = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (letter == '\\' && i + 1 < text.size()) {
      letter = text[++i];
    } else if (letter == '*') {
      is_bold = !is_bold;
      if (is_bold) marked.bold.emplace_back();
      continue;
    } else if (letter == '_') {
      continue;
    }
    marked.plain += letter;
    if (is_bold) marked.bold.back() += letter;
  }
  return marked;
}

// Reads line by line.
class Reader {
 public:
  void take(const std::string& line);
  // In the whole page.
  const std::string& text() const { return text_; }
  std::vector<ManualEntry> entries() &&;

 private:
  enum class Kind { None, Paragraph, Definition, Item };
  struct Raw {
    ManualEntry entry;  // with markup
    bool is_item = false;
  };

  void begin(std::string head, bool is_item) {
    raw_.push_back({.entry = {.section = section_, .group = group_, .head = std::move(head)},
                    .is_item = is_item});
  }

  std::string section_;
  std::string group_;
  std::string last_;  // last line read of the current paragraph
  Kind kind_ = Kind::None;
  bool is_literal_ = false;
  std::vector<Raw> raw_;
  std::string text_;
};

void Reader::take(const std::string& line) {
  constexpr std::string_view kSection = "# ";
  constexpr std::string_view kItem = "- ";
  const std::size_t from = std::min(line.find_first_not_of("\t "), line.size());
  const std::string content = line.substr(from);
  if (content == "```") {
    is_literal_ = !is_literal_;
    return;
  }
  if (is_literal_) return;
  text_ += content + ' ';
  if (content.empty()) {
    if (kind_ != Kind::Definition) kind_ = Kind::None;
  } else if (line.starts_with(kSection)) {
    section_ = content.substr(kSection.size());
    kind_ = Kind::None;
  } else if (line.starts_with(kItem)) {
    begin(content.substr(kItem.size()), true);
    kind_ = Kind::Item;
  } else if (from > 0 && kind_ == Kind::Paragraph && line[0] == '\t') {
    begin(last_, false);
    raw_.back().entry.text = content;
    kind_ = Kind::Definition;
  } else if (from > 0 && kind_ == Kind::Item) {
    raw_.back().entry.head += ' ' + content;
  } else if (from > 0 && kind_ == Kind::Definition) {
    raw_.back().entry.text += ' ' + content;
  } else {
    if (kind_ != Kind::Paragraph) group_ = content;
    last_ = content;
    kind_ = Kind::Paragraph;
  }
}

std::vector<ManualEntry> Reader::entries() && {
  constexpr std::string_view kColon = ": ";
  std::vector<ManualEntry> entries;
  for (auto& [entry, is_item] : raw_) {
    if (is_item) {
      const std::size_t colon = entry.head.find(kColon);
      if (colon == std::string::npos) continue;
      entry.text = entry.head.substr(colon + kColon.size());
      entry.head.resize(colon);
    }
    const Marked head = read_marked(entry.head);
    entries.push_back({.section = entry.section,
                       .group = read_marked(entry.group).plain,
                       .head = head.plain,
                       .names = head.bold,
                       .text = read_marked(entry.text).plain});
  }
  return entries;
}

}  // namespace

ManualPage::ManualPage(const std::string& name) {
  std::istringstream lines(read_file(source_path("scripts/install/man") / (name + ".scd")));
  Reader reader;
  for (std::string line; std::getline(lines, line);) reader.take(line);
  const std::vector<std::string> bold = read_marked(reader.text()).bold;
  bold_.insert(bold.begin(), bold.end());
  entries_ = std::move(reader).entries();
}

std::vector<ManualEntry> ManualPage::section(std::string_view title) const {
  std::vector<ManualEntry> found;
  std::ranges::copy_if(entries_, std::back_inserter(found),
                       [title](const ManualEntry& entry) { return entry.section == title; });
  return found;
}

const ManualEntry* ManualPage::find(std::string_view section, std::string_view name) const {
  const auto found = std::ranges::find_if(entries_, [&](const ManualEntry& entry) {
    return entry.section == section && std::ranges::count(entry.names, name) != 0;
  });
  return found == entries_.end() ? nullptr : &*found;
}

}  // namespace scidfs::tests
