#include "fs/content/csv_content.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/content/run_tasks.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_cost.h"

namespace scidfs::fs {
namespace {

// Bytes of the table: a section has the lines that begin in so many of them.
constexpr std::uint64_t kSectionBytes = 128U << 10U;
// The rest of a line is read in steps of this size.
constexpr std::uint64_t kStep = 1024;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// With these Excel begins formulas. A tab, too, but that ends a field of the table.
constexpr std::string_view kFormulaSigns = "=+-@\r";

// Returns at least one: a table without lines may begin with a byte order mark.
std::size_t sections_of(const Content& table) {
  const std::uint64_t sections = (table.size() + kSectionBytes - 1) / kSectionBytes;
  return std::max<std::size_t>(static_cast<std::size_t>(sections), 1);
}

// Appends the lines that begin in a section.
absl::Status read_lines(const Content& table, std::size_t section, std::string& out) {
  const std::uint64_t begin = section * kSectionBytes;
  std::uint64_t end = std::min(begin + kSectionBytes, table.size());
  // The byte before tells whether a line begins with the section.
  const std::uint64_t from = begin == 0 ? 0 : begin - 1;
  RETURN_IF_ERROR(table.read(from, end - from, out));
  if (begin > 0) {
    const std::size_t line_end = out.find('\n');
    out.erase(0, line_end == std::string::npos ? out.size() : line_end + 1);
  }
  while (!out.empty() && out.back() != '\n' && end < table.size()) {
    const std::uint64_t length = std::min(kStep, table.size() - end);
    const std::size_t known = out.size();
    RETURN_IF_ERROR(table.read(end, length, out));
    end += length;
    const std::size_t line_end = out.find('\n', known);
    if (line_end != std::string::npos) out.resize(line_end + 1);
  }
  return absl::OkStatus();
}

absl::Status append_section(const Content& table, CsvForm form, std::size_t section,
                            std::string& out) {
  std::string lines;
  absl::Status status = read_lines(table, section, lines);
  if (!status.ok()) return status;
  if (form == CsvForm::Excel && section == 0) out += kByteOrderMark;
  append_csv(lines, form, out);
  return status;
}

void skip_digits(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
}

// Returns whether a field is a number as tables write them: 2700, 5.5, -0.35.
bool is_number(std::string_view field) {
  if (field.starts_with('-')) field.remove_prefix(1);
  const std::size_t size = field.size();
  skip_digits(field);
  if (field.size() == size) return false;
  if (field.empty()) return true;
  if (!field.starts_with('.') || field.size() == 1) return false;
  field.remove_prefix(1);
  skip_digits(field);
  return field.empty();
}

bool is_quoted(std::string_view field, CsvForm form) {
  if (form == CsvForm::Excel) return !field.empty() && !is_number(field);
  return field.find_first_of(",\"") != std::string_view::npos;
}

class CsvContent : public SectionedContent {
 public:
  CsvContent(SectionEnds ends, std::shared_ptr<const Content> table, CsvForm form)
      : SectionedContent(ends,
                         [table, form](std::size_t section, std::string& out) {
                           return append_section(*table, form, section, out);
                         }),
        ends_(std::move(ends)),
        table_(std::move(table)) {}

  std::size_t cost(std::uint64_t offset, std::size_t length) const override {
    const std::uint64_t first = section_at(offset) * kSectionBytes;
    const std::uint64_t end = (section_at(offset + length) + 1) * kSectionBytes;
    return table_->cost(first, std::min(end, table_->size()) - first);
  }
  std::size_t memory() const override {
    return sizeof *this + ends_->capacity() * sizeof(std::uint64_t) + table_->memory();
  }

 private:
  // Returns the section of a byte, the last one for the end.
  std::uint64_t section_at(std::uint64_t offset) const {
    const auto section = std::ranges::upper_bound(*ends_, offset) - ends_->begin();
    return static_cast<std::uint64_t>(section) - (section == std::ssize(*ends_) ? 1 : 0);
  }

  const SectionEnds ends_;
  const std::shared_ptr<const Content> table_;
};

}  // namespace

void append_csv(std::string_view lines, CsvForm form, std::string& out) {
  assert(lines.empty() || lines.ends_with('\n'));
  while (!lines.empty()) {
    const std::size_t end = lines.find_first_of("\t\n");
    const std::string_view field = lines.substr(0, end);
    if (!is_quoted(field, form)) {
      out += field;
    } else {
      out += '"';
      const bool is_formula = kFormulaSigns.find(field.front()) != std::string_view::npos;
      if (form == CsvForm::Excel && is_formula) out += '\'';
      for (const char c : field) out.append(c == '"' ? 2 : 1, c);
      out += '"';
    }
    out += lines[end] == '\t' ? ',' : '\n';
    lines.remove_prefix(end + 1);
  }
}

absl::StatusOr<std::unique_ptr<Content>> open_csv(std::unique_ptr<Content> table, CsvForm form,
                                                  const WorkBudget& budget) {
  const std::shared_ptr<const Content> shared = std::move(table);
  const std::uint64_t size = shared->size();
  const std::size_t cost = shared->cost(0, size);
  if (!budget.spend(cost + static_cast<std::size_t>(size / kTableBytesOfGame))) {
    return WorkBudget::exceeded();
  }
  RETURN_IF_ERROR(shared->prepare(budget));
  std::vector<std::uint64_t> ends(sections_of(*shared));
  RETURN_IF_ERROR(run_tasks(ends.size(), thread_count(budget.threads(), ends.size()), budget,
                            [&](std::size_t, std::size_t section) {
                              std::string text;
                              absl::Status done = append_section(*shared, form, section, text);
                              ends[section] = text.size();
                              return done;
                            }));
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  return std::make_unique<CsvContent>(
      std::make_shared<const std::vector<std::uint64_t>>(std::move(ends)), shared, form);
}

}  // namespace scidfs::fs
