#include "fs/serve/dav.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <pugixml.hpp>
#include <span>

#include "codec/text.h"
#include "fs/serve/file_answer.h"
#include "fs/serve/http_date.h"
#include "fs/serve/media_type.h"

namespace scidfs::fs {
namespace {

constexpr const char* kDav = "DAV:";
// The properties of all, and of files alone.
constexpr std::array<std::string_view, 7> kProperties = {
    "resourcetype", "displayname",      "getlastmodified", "creationdate",
    "getetag",      "getcontentlength", "getcontenttype"};
constexpr std::size_t kOfFiles = 4;  // the first of those

// Returns the namespace that a prefix stands for at an element.
std::string namespace_of(pugi::xml_node element, std::string_view prefix) {
  const std::string attribute = prefix.empty() ? "xmlns" : fmt::format("xmlns:{}", prefix);
  for (; !element.empty(); element = element.parent()) {
    if (const pugi::xml_attribute found = element.attribute(attribute.c_str())) {
      return found.value();
    }
  }
  return {};
}

DavQuestion::Property name_of(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {namespace_of(element, ""), std::string(name)};
  return {namespace_of(element, name.substr(0, colon)), std::string(name.substr(colon + 1))};
}

bool is_dav(pugi::xml_node element, std::string_view name) {
  return name_of(element) == DavQuestion::Property(kDav, name);
}

std::string creation_date(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), size};
}

// Adds a property with its value. Returns false if the place has none of this name.
bool add_value(pugi::xml_node properties, std::string_view property, std::string_view name,
               const Attributes& attributes) {
  const auto known = std::ranges::find(kProperties, property) - kProperties.begin();
  if (static_cast<std::size_t>(known) == kProperties.size()) return false;
  if (attributes.is_directory && static_cast<std::size_t>(known) >= kOfFiles) return false;
  pugi::xml_node element = properties.append_child(fmt::format("D:{}", property).c_str());
  const auto put = [&element](const std::string& text) {
    element.append_child(pugi::node_pcdata).set_value(text.c_str());
    return true;
  };
  if (property == "displayname") return put(codec::clean_line(name));
  if (property == "getlastmodified") return put(http_date(attributes.mtime.seconds));
  if (property == "creationdate") return put(creation_date(attributes.mtime.seconds));
  if (property == "getetag") return put(etag_of(attributes));
  if (property == "getcontentlength") return put(std::to_string(attributes.size));
  if (property == "getcontenttype") return put(std::string(media_type(name)));
  if (attributes.is_directory) element.append_child("D:collection");
  return true;
}

pugi::xml_node add_propstat(pugi::xml_node response, const char* status) {
  pugi::xml_node propstat = response.append_child("D:propstat");
  const pugi::xml_node properties = propstat.append_child("D:prop");
  propstat.append_child("D:status").append_child(pugi::node_pcdata).set_value(status);
  return properties;
}

void add_properties(const DavQuestion& question, std::string_view name,
                    const Attributes& attributes, pugi::xml_node response) {
  pugi::xml_node found = add_propstat(response, "HTTP/1.1 200 OK");
  if (question.form != DavQuestion::Form::Listed) {
    const std::size_t count = attributes.is_directory ? kOfFiles : kProperties.size();
    for (const std::string_view property : std::span(kProperties).first(count)) {
      if (question.form == DavQuestion::Form::Names) {
        found.append_child(fmt::format("D:{}", property).c_str());
      } else {
        add_value(found, property, name, attributes);
      }
    }
    return;
  }
  pugi::xml_node missing;
  for (const auto& [space, property] : question.properties) {
    if (space == kDav && add_value(found, property, name, attributes)) continue;
    if (missing.empty()) missing = add_propstat(response, "HTTP/1.1 404 Not Found");
    const bool has_space = !space.empty();  // a prefix may not stand for none
    pugi::xml_node element = missing.append_child((has_space ? "x:" + property : property).c_str());
    element.append_attribute(has_space ? "xmlns:x" : "xmlns") = space.c_str();
  }
}

// Appends what pugixml writes to a text.
class TextWriter final : public pugi::xml_writer {
 public:
  explicit TextWriter(std::string& text) : text_(text) {}
  void write(const void* data, std::size_t size) override {
    text_.append(static_cast<const char*>(data), size);
  }

 private:
  std::string& text_;
};

// Returns whether a name can be written again: each is, for each entry of a directory.
bool is_repeatable(const DavQuestion::Property& property) {
  constexpr std::size_t kMostBytes = 200;
  const auto is_fine = [](const std::string& text) {
    return text.size() <= kMostBytes && codec::is_utf8(codec::as_bytes(text)) &&
           std::ranges::none_of(text, [](unsigned char c) { return c < ' '; });
  };
  return is_fine(property.first) && is_fine(property.second);
}

}  // namespace

absl::StatusOr<DavQuestion> parse_propfind(std::string_view body) {
  constexpr std::size_t kMostProperties = 50;
  DavQuestion question;
  if (body.empty()) return question;
  pugi::xml_document document;
  // Without entities of a document type, which pugixml never expands.
  const pugi::xml_parse_result parsed = document.load_buffer(body.data(), body.size());
  if (!parsed) {
    return absl::InvalidArgumentError(
        fmt::format("The request is no XML: {} at byte {}", parsed.description(), parsed.offset));
  }
  const pugi::xml_node root = document.document_element();
  if (!is_dav(root, "propfind")) {
    return absl::InvalidArgumentError("The request is no propfind of DAV");
  }
  for (const pugi::xml_node form : root.children()) {
    if (is_dav(form, "propname")) question.form = DavQuestion::Form::Names;
    if (!is_dav(form, "prop")) continue;
    question.form = DavQuestion::Form::Listed;
    for (const pugi::xml_node property : form.children()) {
      if (property.type() != pugi::node_element) continue;
      if (question.properties.size() == kMostProperties) {
        return absl::InvalidArgumentError("The request asks for too many properties");
      }
      question.properties.push_back(name_of(property));
      if (!is_repeatable(question.properties.back())) {
        return absl::InvalidArgumentError("A property has no name, or too long a one");
      }
    }
  }
  return question;
}

Multistatus::Multistatus(DavQuestion question)
    : question_(std::move(question)),
      text_(R"(<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">)") {}

bool Multistatus::add(std::string_view path, std::string_view name, const Attributes& attributes) {
  pugi::xml_document document;
  pugi::xml_node response = document.append_child("D:response");
  response.append_child("D:href")
      .append_child(pugi::node_pcdata)
      .set_value(std::string(path).c_str());
  add_properties(question_, name, attributes, response);
  TextWriter writer(text_);
  document.save(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return text_.size() <= kMostBytes;
}

std::string Multistatus::take_text() {
  text_ += "</D:multistatus>";
  return std::move(text_);
}

}  // namespace scidfs::fs
