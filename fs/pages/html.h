// A writer of HTML that escapes each text for the place where it is written.
//
// A page consists of elements, attributes and texts. Names of elements and attributes are constants
// that the compiler checks: an element that pages do not use, a style, a script or an event handler
// does not compile. Links are of a type of their own. So no text of a database can become markup.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scidfs::fs {

// A link to a name above or below the directory of a page, or to a place in the page.
class Link {
 public:
  Link() = default;

  // Returns the link to the directory that lies so many levels above this one.
  Link up(std::size_t levels) const;
  // Returns the link to a name in the directory of this link, or to a path of names.
  Link name(std::string_view name) const { return below(name, {}); }
  Link path(std::string_view names) const { return below(names, "/"); }
  // Returns the link to the page of the directory of this link.
  Link page() const { return name("index.html"); }
  // Returns the link to an element of the page.
  static Link to_element(std::string_view id);
  // Returns a link out of the mount; nothing but http: and https: leads there.
  static Link to_site(std::string_view url);

  const std::string& text() const { return text_; }

 private:
  explicit Link(std::string text) : text_(std::move(text)) {}
  Link below(std::string_view names, std::string_view also_plain) const;

  std::string text_;
};

namespace internal {

constexpr bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view known : names) {
    if (name == known) return true;
  }
  return false;
}

// Not constexpr: a call of it at compile time is an error.
inline void no_such_name() {}

}  // namespace internal

// The name of an element that pages use.
class ElementName {
 public:
  consteval ElementName(const char* name) : text_(name) {  // NOLINT(google-explicit-constructor)
    if (!internal::is_one_of(
            name,
            {"html",   "head",  "meta",    "title", "link",    "script",   "body", "nav",  "main",
             "h1",     "h2",    "p",       "a",     "ul",      "li",       "pre",  "code", "span",
             "div",    "table", "caption", "thead", "tbody",   "tr",       "th",   "td",   "img",
             "figure", "form",  "label",   "input", "button",  "noscript", "svg",  "rect", "path",
             "use",    "defs",  "g",       "text",  "details", "summary"})) {
      internal::no_such_name();
    }
  }
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// The name of an attribute whose value is text: no link, style or event handler.
class AttributeName {
 public:
  consteval AttributeName(const char* name) : text_(name) {  // NOLINT(google-explicit-constructor)
    if (internal::is_one_of(name, {"href", "src", "style", "srcdoc", "action", "formaction"}) ||
        text_.starts_with("on")) {
      internal::no_such_name();
    }
  }
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// An attribute with its value, escaped.
class Attribute {
 public:
  Attribute(AttributeName name, std::string_view value);
  Attribute(AttributeName name, std::uint64_t value);
  static Attribute href(const Link& link) { return {"href", link}; }
  static Attribute src(const Link& link) { return {"src", link}; }

  // Returns `name="value"`.
  const std::string& text() const { return text_; }

 private:
  Attribute(std::string_view name, const Link& link);

  std::string text_;
};

// Writes a document from front to back. Elements end in the reverse of the order in which they
// begin.
class Html {
 public:
  using Attributes = std::initializer_list<Attribute>;

  // An element that ends with the scope.
  class Scope {
   public:
    explicit Scope(Html& html) : html_(html) {}
    // NOLINTNEXTLINE(bugprone-exception-escape): only a lack of memory could end it.
    ~Scope() { html_.end(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Html& html_;
  };

  // Makes an empty part of a document.
  Html() = default;
  Html(Html&&) = default;
  Html& operator=(Html&&) = default;

  // Begins a document.
  void begin_document() { out_ = "<!DOCTYPE html>\n"; }
  // Begins an element, and ends the one that began last.
  void begin(ElementName name, Attributes attributes = {});
  void end();
  [[nodiscard]] Scope in(ElementName name, Attributes attributes = {}) {
    begin(name, attributes);
    return Scope(*this);
  }
  // Writes an element without content that HTML closes itself: meta, link, img, input.
  void add_empty(ElementName name, Attributes attributes);
  // Writes an element that contains one text.
  void add(ElementName name, std::string_view text, Attributes attributes = {});
  // Writes text: valid UTF-8; characters that HTML forbids are replaced.
  void add_text(std::string_view text);
  void add_text(std::uint64_t number);
  void add_link(const Link& link, std::string_view text) {
    add("a", text, {Attribute::href(link)});
  }

  // Adds a part, whose elements have all ended.
  void add(Html&& part) { out_ += part.out_; }

  // Returns what has been written. REQUIRES: all elements have ended.
  std::string finish() && {
    assert(open_.empty());
    return std::move(out_);
  }

 private:
  std::string out_;
  std::vector<std::string_view> open_;
};

}  // namespace scidfs::fs
