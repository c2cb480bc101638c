#include "tests/support/xml_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace scidfs::tests {
namespace {

class XmlParser {
 public:
  explicit XmlParser(std::string_view text) : rest_(text) {}

  ParsedXml parse() {
    try {
      for (const char c : rest_) expect((c >= ' ' && c <= '~') || c == '\n', "a strange character");
      while (!rest_.empty()) parse_next();
      expect(open_.empty(), "an open element");
      expect(!parsed_.elements.empty(), "no element");
    } catch (const std::runtime_error& error) {
      parsed_.fault = std::string(error.what()) + " before: " + std::string(rest_.substr(0, 60));
    }
    return std::move(parsed_);
  }

 private:
  static void expect(bool holds, const char* fault) {
    if (!holds) throw std::runtime_error(fault);
  }

  // What stands before the first of some characters.
  std::string_view take_until(std::string_view ends) {
    const std::size_t end = rest_.find_first_of(ends);
    expect(end != std::string_view::npos, "no end");
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
  }
  std::string take_name() {
    constexpr std::string_view kLetters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:";
    const std::string name(rest_.substr(0, rest_.find_first_not_of(kLetters)));
    expect(!name.empty(), "no name");
    rest_.remove_prefix(name.size());
    return name;
  }
  static std::string unescaped(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string plain;
    while (!text.empty()) {
      const auto* const entity = std::ranges::find_if(
          kEntities, [&](const auto& each) { return text.starts_with(each.first); });
      expect(entity != kEntities.end() || text[0] != '&', "an unknown entity");
      expect(text[0] != '<' && text[0] != '>', "an unescaped bracket");
      plain += entity == kEntities.end() ? text[0] : entity->second;
      text.remove_prefix(entity == kEntities.end() ? 1 : entity->first.size());
    }
    return plain;
  }

  void parse_next() {
    if (rest_[0] != '<') {
      const std::size_t end = std::min(rest_.find('<'), rest_.size());
      const std::string text = unescaped(rest_.substr(0, end));
      const bool is_blank = text.find_first_not_of(" \n") == std::string::npos;
      expect(is_blank || !open_.empty(), "text outside the root");
      if (!open_.empty()) parsed_.elements[open_.back()].text += text;
      rest_.remove_prefix(end);
    } else if (take("</")) {
      const std::string name = take_name();
      expect(!open_.empty() && parsed_.elements[open_.back()].name == name, "another end tag");
      open_.pop_back();
      expect(take(">"), "no end of an end tag");
    } else {
      take("<");
      expect(!open_.empty() || parsed_.elements.empty(), "a second root");
      parse_start_tag();
    }
  }

  void parse_start_tag() {
    XmlElement element{.name = take_name(), .attributes = {}, .text = {}};
    bool is_empty = false;
    for (;;) {
      const bool has_blank = !rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n');
      skip_blanks();
      is_empty = take("/>");
      if (is_empty || take(">")) break;
      expect(has_blank, "no blank before an attribute");
      std::string name = take_name();
      expect(take("=\""), "no value");
      std::string value = unescaped(take_until("\""));
      take("\"");
      expect(std::ranges::none_of(element.attributes,
                                  [&](const auto& other) { return other.first == name; }),
             "an attribute twice");
      element.attributes.emplace_back(std::move(name), std::move(value));
    }
    parsed_.elements.push_back(std::move(element));
    if (!is_empty) open_.push_back(parsed_.elements.size() - 1);
  }

  std::string_view rest_;
  ParsedXml parsed_;
  std::vector<std::size_t> open_;  // places of the elements that have no end yet
};

}  // namespace

ParsedXml parse_xml(std::string_view text) { return XmlParser(text).parse(); }

}  // namespace scidfs::tests
