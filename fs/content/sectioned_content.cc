#include "fs/content/sectioned_content.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/run_tasks.h"

namespace scidfs::fs {

absl::StatusOr<SectionEnds> ends_of_sections(
    std::size_t count, std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<std::uint64_t>(std::size_t section)> length_of) {
  std::vector<std::uint64_t> ends(count);
  RETURN_IF_ERROR(run_tasks(count, workers, budget, [&](std::size_t, std::size_t section) {
    const absl::StatusOr<std::uint64_t> length = length_of(section);
    if (length.ok()) ends[section] = *length;
    return length.status();
  }));
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  return std::make_shared<const std::vector<std::uint64_t>>(std::move(ends));
}

absl::StatusOr<SectionEnds> measure_sections(
    std::size_t count, std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t section, std::string& out)> append) {
  return ends_of_sections(count, workers, budget,
                          [&](std::size_t section) -> absl::StatusOr<std::uint64_t> {
                            std::string text;
                            RETURN_IF_ERROR(append(section, text));
                            return text.size();
                          });
}

std::size_t section_at(const SectionEnds& ends, std::uint64_t offset) {
  return static_cast<std::size_t>(std::ranges::upper_bound(*ends, offset) - ends->begin());
}

absl::Status read_sections(
    const SectionEnds& ends, std::uint64_t offset, std::size_t length, std::string& out,
    absl::FunctionRef<absl::StatusOr<SectionText>(std::size_t section, std::uint64_t bytes)>
        text_of) {
  for (std::size_t section = section_at(ends, offset); length > 0; ++section) {
    const std::uint64_t begin = section == 0 ? 0 : (*ends)[section - 1];
    ASSIGN_OR_RETURN(const SectionText made, text_of(section, (*ends)[section] - begin));
    const std::string_view part = made.text.substr(offset - begin, length);
    out += part;
    offset += part.size();
    length -= part.size();
  }
  return absl::OkStatus();
}

SectionedContent::SectionedContent(SectionEnds ends, Render render, std::size_t cost)
    : ends_(std::move(ends)),
      render_(std::move(render)),
      cost_(cost),
      has_large_(std::ranges::any_of(*ends_, [begin = std::uint64_t{0}](std::uint64_t end) mutable {
        return end - std::exchange(begin, end) >= kLargeBytes;
      })) {}

std::size_t SectionedContent::cost(std::uint64_t offset, std::size_t length) const {
  if (cost_ == 0 || length == 0) return 0;
  std::size_t cost = 0;
  const std::size_t last = section_at(ends_, offset + length - 1);
  for (std::size_t section = section_at(ends_, offset); section <= last; ++section) {
    if (kept_.find(section) == nullptr) cost += cost_;
  }
  return cost;
}

absl::StatusOr<SectionedContent::SectionPtr> SectionedContent::make(std::size_t section,
                                                                    std::uint64_t bytes) const {
  Section made;
  made.text.reserve(bytes);
  RETURN_IF_ERROR(render_(section, made.text));
  if (made.text.size() != bytes) return absl::DataLossError("the length of a section changed");
  return std::make_shared<const Section>(std::move(made));
}

absl::Status SectionedContent::read(std::uint64_t offset, std::size_t length,
                                    std::string& out) const {
  return read_sections(
      ends_, offset, length, out,
      [this](std::size_t section, std::uint64_t bytes) -> absl::StatusOr<SectionText> {
        ASSIGN_OR_RETURN(SectionPtr made, bytes < kLargeBytes
                                              ? make(section, bytes)
                                              : kept_.get(section, WorkBudget::unlimited(nullptr),
                                                          [&] { return make(section, bytes); }));
        const std::string_view text = made->text;
        return SectionText{.text = text, .owner = std::move(made)};
      });
}

}  // namespace scidfs::fs
