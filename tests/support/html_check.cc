#include "tests/support/html_check.h"

#include <algorithm>
#include <array>
#include <vector>

#include "codec/text.h"

namespace scidfs::tests {
namespace {

constexpr std::array<std::string_view, 42> kElements = {
    "html",   "head",  "meta",    "title", "link",    "script",   "body", "nav",  "main",
    "h1",     "h2",    "p",       "a",     "ul",      "li",       "pre",  "code", "span",
    "div",    "table", "caption", "thead", "tbody",   "tr",       "th",   "td",   "img",
    "figure", "form",  "label",   "input", "button",  "noscript", "svg",  "rect", "path",
    "use",    "defs",  "g",       "text",  "details", "summary"};
constexpr std::array<std::string_view, 4> kEmpty = {"meta", "link", "img", "input"};
constexpr std::array<std::string_view, 5> kPageEntities = {"amp;", "lt;", "gt;", "quot;", "#39;"};

bool is_one_of(std::string_view name, auto names) { return std::ranges::count(names, name) != 0; }

// Reads a page from front to back.
class PageReader {
 public:
  explicit PageReader(std::string_view page) : rest_(page) {}

  std::string fault() {
    if (!codec::is_utf8(codec::as_bytes(rest_))) return "the page is not UTF-8";
    if (!take("<!DOCTYPE html>\n")) return "no document type";
    while (!rest_.empty() && fault_.empty()) {
      if (take("</")) {
        end();
      } else if (take("<")) {
        begin();
      } else {
        text(rest_.substr(0, rest_.find('<')));
        rest_.remove_prefix(std::min(rest_.find('<'), rest_.size()));
      }
    }
    if (fault_.empty() && !open_.empty()) fault_ = "an element does not end: " + open_.back();
    return fault_;
  }

 private:
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  std::string take_name() {
    const auto end = std::ranges::find_if_not(rest_, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || (c >= '0' && c <= '9');
    });
    std::string name(rest_.begin(), end);
    rest_.remove_prefix(name.size());
    return name;
  }

  void text(std::string_view text) {
    if (!open_.empty() && open_.back() == "script") fault_ = "a script has text";
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '>' || c == '"') fault_ = "text is not escaped: " + std::string(text);
      if (codec::is_ascii_control(c) && c != '\n' && c != '\t') fault_ = "a control character";
      if (c != '&') continue;
      const std::string_view after = text.substr(i + 1);
      const bool is_entity = std::ranges::any_of(
          kPageEntities, [&](std::string_view entity) { return after.starts_with(entity); });
      if (!is_entity) fault_ = "text is not escaped: " + std::string(text);
    }
  }

  void begin() {
    const std::string name = take_name();
    if (!is_one_of(name, kElements)) fault_ = "element " + name;
    while (fault_.empty() && take(" ")) attribute();
    if (fault_.empty() && !take(">")) fault_ = "a tag does not end: " + name;
    if (!is_one_of(name, kEmpty)) open_.push_back(name);
  }

  void attribute() {
    const std::string name = take_name();
    if (name.empty() || name == "style" || name.starts_with("on")) fault_ = "attribute " + name;
    if (!take("=\"")) fault_ = "an attribute has no value: " + name;
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) {
      fault_ = "a value does not end: " + name;
      return;
    }
    const std::string_view value = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (value.find('<') != std::string_view::npos) fault_ = "a value is not escaped: " + name;
    text(value);
    if (name != "href" && name != "src") return;
    const bool leads_out = value.starts_with("http://") || value.starts_with("https://");
    if (!leads_out && (value.find(':') != std::string_view::npos || value.starts_with('/'))) {
      fault_ = "link " + std::string(value);
    }
  }

  void end() {
    const std::string name = take_name();
    if (open_.empty() || open_.back() != name || !take(">")) {
      fault_ = "an element ends that is not open: " + name;
      return;
    }
    open_.pop_back();
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string fault_;
};

}  // namespace

std::string html_fault(std::string_view page) { return PageReader(page).fault(); }

}  // namespace scidfs::tests
