#include "fs/content/sectioned_content.h"

#include <algorithm>
#include <numeric>

#include "fs/content/run_tasks.h"

namespace scidfs::fs {

absl::StatusOr<SectionEnds> measure_sections(
    std::size_t count, std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t section, std::string& out)> append) {
  std::vector<std::uint64_t> ends(count);
  absl::Status status = run_tasks(count, workers, budget, [&](std::size_t, std::size_t section) {
    std::string text;
    absl::Status appended = append(section, text);
    ends[section] = text.size();
    return appended;
  });
  if (!status.ok()) return status;
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  return std::make_shared<const std::vector<std::uint64_t>>(std::move(ends));
}

absl::Status SectionedContent::read(std::uint64_t offset, std::size_t length,
                                    std::string& out) const {
  std::string text;
  auto section =
      static_cast<std::size_t>(std::ranges::upper_bound(*ends_, offset) - ends_->begin());
  for (; length > 0; ++section) {
    const std::uint64_t begin = section == 0 ? 0 : (*ends_)[section - 1];
    text.clear();
    if (absl::Status status = render_(section, text); !status.ok()) return status;
    if (text.size() != (*ends_)[section] - begin) {
      return absl::DataLossError("the length of a section changed");
    }
    const std::uint64_t skipped = offset - begin;
    const std::size_t count = std::min<std::uint64_t>(length, text.size() - skipped);
    out.append(text, skipped, count);
    offset += count;
    length -= count;
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
