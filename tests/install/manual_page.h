// Parses a manual page from its source in scdoc, as far as tests need it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// An entry of a page: `*name*` with an indented text after it, or `- *name*: text`.
struct ManualEntry {
  std::string section;               // "OPTIONS"
  std::string group;                 // the line of the paragraph before a list
  std::string head{};                // "-o width=N"
  std::vector<std::string> names{};  // the bold parts of the head
  std::string text{};                // in one line
};

// Immutable. Texts have no markup; literal texts (examples) are left out.
class ManualPage {
 public:
  // Reads the page called, for example, "scidfs-tables.5". The test fails if the file does not
  // exist.
  explicit ManualPage(const std::string& name);

  std::vector<ManualEntry> section(std::string_view title) const;
  // Null if no entry of the section has this name.
  const ManualEntry* find(std::string_view section, std::string_view name) const;
  // All bold texts of the page.
  const std::set<std::string>& bold() const { return bold_; }

 private:
  std::vector<ManualEntry> entries_;
  std::set<std::string> bold_;
};

}  // namespace scidfs::tests
