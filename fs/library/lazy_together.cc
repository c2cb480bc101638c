#include "fs/library/lazy_together.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/text.h"
#include "fs/views/database_texts.h"

namespace scidfs::fs {

absl::StatusOr<LazyTogether::ReadPtr> LazyTogether::get(const WorkBudget& budget) const {
  return value_.get(budget, [&] {
    is_reading_ = true;
    absl::StatusOr<ReadPtr> value = read(budget);
    is_reading_ = false;
    return value;
  });
}

absl::StatusOr<LazyTogether::ReadPtr> LazyTogether::read(const WorkBudget& budget) const {
  std::vector<std::string> failures;
  for (const Member& member : members_) {
    if (member.lazy == nullptr) continue;
    const absl::Status status = member.lazy->get(budget).status();
    if (absl::IsUnavailable(status) || absl::IsCancelled(status) ||
        absl::IsResourceExhausted(status)) {
      return status;
    }
    if (!status.ok()) {
      failures.push_back(
          fmt::format("{}: {}", member.path, codec::clean_line(std::string(status.message()))));
    }
  }
  auto together = std::make_shared<Together>(known());
  together->unread.clear();  // those that failed
  std::ranges::move(failures, std::back_inserter(together->refused));
  auto value = std::make_shared<Read>();
  if (together->members.size() > 1) {
    value->views = std::make_shared<const DatabaseSnapshot>(std::move(together), repertoires_);
  }
  return value;
}

Together LazyTogether::known() const {
  Together together;
  for (const Member& member : members_) {
    together.has_pgn = together.has_pgn || member.is_pgn;
    if (member.lazy == nullptr) {
      together.members.push_back({.version = member.version, .path = member.path});
      continue;
    }
    const LazyDatabase::Ptr read = member.lazy->made();
    if (read == nullptr) {
      together.unread.push_back(member.path);
    } else if (read->views == nullptr) {
      together.refused.push_back(
          fmt::format("{}: {}", member.path, codec::clean_line(read->refusal)));
    } else {
      together.members.push_back({.version = read->views->version(), .path = member.path});
    }
  }
  return together;
}

std::size_t LazyTogether::unread() const {
  return static_cast<std::size_t>(std::ranges::count_if(members_, [](const Member& member) {
    return member.lazy != nullptr && member.lazy->made() == nullptr;
  }));
}

std::string LazyTogether::info_text() const { return together_text(known()); }

std::string LazyTogether::progress() const {
  if (!is_reading_) return {};
  return fmt::format("{} of {} databases have been read", members_.size() - unread(),
                     members_.size());
}

}  // namespace scidfs::fs
