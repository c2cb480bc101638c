#include "fs/content/sectioned_content.h"

#include <algorithm>

namespace scidfs::fs {

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
