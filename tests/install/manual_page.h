// A manual page, read from its source in scdoc as far as tests want to know what it says.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// What a page says of something: `*name*` with an indented text after it, or `- *name*: text`.
struct ManualEntry {
  std::string section;               // "OPTIONS"
  std::string group;                 // the line with which the paragraph before a list begins
  std::string head{};                // "-o width=N"
  std::vector<std::string> names{};  // what is bold in the head
  std::string text{};                // a line
};

// Immutable. Texts are without markup; literal texts (examples) are left out.
class ManualPage {
 public:
  // Of the page called, for example, "scidfs.5". Without the file the test fails.
  explicit ManualPage(const std::string& name);

  std::vector<ManualEntry> section(std::string_view title) const;
  // Null if no entry of a section has this name.
  const ManualEntry* find(std::string_view section, std::string_view name) const;
  // All that is bold anywhere.
  const std::set<std::string>& bold() const { return bold_; }

 private:
  std::vector<ManualEntry> entries_;
  std::set<std::string> bold_;
};

}  // namespace scidfs::tests
