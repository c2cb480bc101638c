#include "fs/library/folder_snapshot.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace scidfs::fs {
namespace {

constexpr LocalId kInfo{.entry = 1};

}  // namespace

FolderSnapshot::FolderSnapshot(std::vector<std::string> names, std::string info)
    : names_(std::move(names)), info_(std::move(info)) {
  by_name_.reserve(names_.size());
  for (std::uint32_t number = 0; number < names_.size(); ++number) {
    by_name_.emplace(names_[number], number);
  }
}

std::string FolderSnapshot::summary() const { return fmt::format("{} entries", names_.size()); }

std::uint64_t FolderSnapshot::memory() const {
  constexpr std::uint64_t kPerName = 100;
  return sizeof(*this) + info_.size() + kPerName * names_.size();
}

bool FolderSnapshot::exists(LocalId place) const { return place == LocalId{} || place == kInfo; }

Child FolderSnapshot::child(std::size_t number) const {
  if (number == names_.size()) return {.name = std::string(kFolderInfoName), .place = kInfo};
  return {.name = names_[number],
          .place = {},
          .is_directory = true,
          .mounted = static_cast<std::uint32_t>(number)};
}

absl::Status FolderSnapshot::list(LocalId, std::uint64_t first, const WorkBudget&,
                                  EmitChild emit) const {
  return list_children(
      first, names_.size() + 1,
      [this](std::uint64_t position) { return std::optional(child(position)); }, emit);
}

std::optional<Child> FolderSnapshot::lookup(LocalId, std::string_view name) const {
  if (name == kFolderInfoName) return child(names_.size());
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return child(found->second);
}

absl::StatusOr<std::unique_ptr<Content>> FolderSnapshot::open(LocalId file,
                                                              const WorkBudget&) const {
  if (file != kInfo) return absl::NotFoundError("no such file");
  return std::make_unique<TextContent>(info_);
}

TakenNames::TakenNames(bool is_mount_point) : taken_{std::string(kFolderInfoName)} {
  if (is_mount_point) taken_.emplace(kStatusName);
}

std::string TakenNames::take(const std::string& name) {
  std::string free = name;
  for (unsigned number = 1; !taken_.insert(free).second; ++number) {
    free = fmt::format("{}~{}", name, number);
  }
  return free;
}

}  // namespace scidfs::fs
