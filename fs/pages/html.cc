#include "fs/pages/html.h"

#include <fmt/format.h>

#include "codec/text.h"

namespace scidfs::fs {
namespace {

// Returns whether HTML forbids a character in a document: controls and noncharacters.
constexpr bool is_forbidden(char32_t code) {
  constexpr char32_t kFirstNoncharacter = 0xFDD0;
  constexpr char32_t kLastNoncharacter = 0xFDEF;
  constexpr char32_t kPlaneEnd = 0xFFFE;
  return (codec::is_control(code) && code != '\n' && code != '\t') ||
         (code >= kFirstNoncharacter && code <= kLastNoncharacter) ||
         (code & kPlaneEnd) == kPlaneEnd;
}

// Appends text that is safe in an element and in a quoted attribute.
void append_text(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const char c = text.front();
    if (!codec::is_ascii(c)) {
      const char32_t code = codec::take_code_point(text);
      codec::append_code_point(is_forbidden(code) ? U'\uFFFD' : code, out);
      continue;
    }
    text.remove_prefix(1);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += is_forbidden(static_cast<unsigned char>(c)) ? ' ' : c;
    }
  }
}

// Characters that a URL has as they are (RFC 3986, 2.3), and some of which file names have many.
constexpr bool is_plain_in_url(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~,=()+!").find(c) != std::string_view::npos;
}

void append_url(std::string_view name, std::string_view also_plain, std::string& out) {
  for (const char c : name) {
    if (is_plain_in_url(c) || also_plain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

}  // namespace

Link Link::up(std::size_t levels) const {
  std::string text = text_;
  for (std::size_t i = 0; i < levels; ++i) text += "../";
  return Link(std::move(text));
}

Link Link::below(std::string_view names, std::string_view also_plain) const {
  std::string text = text_;
  if (!text.empty() && text.back() != '/') text += '/';
  append_url(names, also_plain, text);
  return Link(std::move(text));
}

Link Link::to_element(std::string_view id) {
  std::string text = "#";
  append_url(id, {}, text);
  return Link(std::move(text));
}

Link Link::to_site(std::string_view url) {
  const bool is_http = url.starts_with("http://") || url.starts_with("https://");
  if (!is_http || url.ends_with("://")) return {};
  std::string text;
  append_url(url, "/:?#[]@$&*;%", text);
  return Link(std::move(text));
}

Attribute::Attribute(AttributeName name, std::string_view value) : text_(name.text()) {
  text_ += "=\"";
  append_text(value, text_);
  text_ += '"';
}

Attribute::Attribute(AttributeName name, std::uint64_t value)
    : text_(fmt::format("{}=\"{}\"", name.text(), value)) {}

Attribute::Attribute(std::string_view name, const Link& link) : text_(name) {
  text_ += "=\"";
  append_text(link.text(), text_);
  text_ += '"';
}

void Html::begin(ElementName name, Attributes attributes) {
  add_empty(name, attributes);
  open_.push_back(name.text());
}

void Html::end() {
  out_ += fmt::format("</{}>\n", open_.back());
  open_.pop_back();
}

void Html::add_empty(ElementName name, Attributes attributes) {
  out_ += '<';
  out_ += name.text();
  for (const Attribute& attribute : attributes) {
    out_ += ' ';
    out_ += attribute.text();
  }
  out_ += '>';
}

void Html::add(ElementName name, std::string_view text, Attributes attributes) {
  begin(name, attributes);
  append_text(text, out_);
  out_ += fmt::format("</{}>", open_.back());
  open_.pop_back();
}

void Html::add_text(std::string_view text) { append_text(text, out_); }

void Html::add_text(std::uint64_t number) { out_ += fmt::to_string(number); }

}  // namespace scidfs::fs
