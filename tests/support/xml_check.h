// What is wrong with an XML text, as far as our pictures use XML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scidfs::tests {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  // in their order
  std::string text;                                             // directly in it
};

// The elements in the order of their tags. A text that is not well-formed has a fault, which is one
// line. Comments, CDATA, processing instructions and entities are faults, too, but for those of the
// five characters that XML escapes; so are characters other than printable ASCII and line feeds.
struct ParsedXml {
  std::vector<XmlElement> elements;
  std::string fault;

  // Of the first element of a name; null if there is none.
  const XmlElement* find(std::string_view name) const {
    for (const XmlElement& element : elements) {
      if (element.name == name) return &element;
    }
    return nullptr;
  }
};

ParsedXml parse_xml(std::string_view text);

}  // namespace scidfs::tests
