#include "fs/library/folder_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fs/base/filename.h"
#include "fs/pages/folder_page.h"
#include "fs/pages/shared_files.h"

namespace scidfs::fs {
namespace {

// The files of a folder.
enum File : std::uint8_t {
  kDirectory,
  kInfo,
  kPage,
  kStyleSheetFile,
  kScriptFile,
  kRobots,
  kIconFile,
  kEnd
};
constexpr std::array<std::string_view, kEnd> kFileNames = {
    "", kFolderInfoName, "index.html", "style.css", "board.js", "robots.txt", "icon.svg"};

Child file_child(std::uint8_t file) {
  return {.name = std::string(kFileNames[file]), .place = {.entry = file}};
}

}  // namespace

FolderSnapshot::FolderSnapshot(std::vector<std::string> names, Texts texts)
    : names_(std::move(names)), texts_(std::move(texts)) {
  by_name_.reserve(names_.size());
  for (std::uint32_t number = 0; number < names_.size(); ++number) {
    by_name_.emplace(names_[number], number);
  }
}

std::string FolderSnapshot::summary() const { return fmt::format("{} entries", names_.size()); }

std::uint64_t FolderSnapshot::memory() const {
  constexpr std::uint64_t kPerName = 100;
  return sizeof(*this) + texts_.info.size() + texts_.page.size() + kPerName * names_.size();
}

bool FolderSnapshot::exists(LocalId place) const {
  if (place.view != 0 || place.key != 0) return false;
  if (place.entry <= kInfo) return true;
  if (texts_.pages == PagesMode::None) return false;
  return place.entry < kEnd && (place.entry != kRobots || texts_.is_mount_point);
}

std::optional<Child> FolderSnapshot::child(std::size_t position) const {
  if (position < names_.size()) {
    return Child{.name = names_[position],
                 .place = {},
                 .is_directory = true,
                 .mounted = static_cast<std::uint32_t>(position)};
  }
  const auto file = static_cast<std::uint8_t>(kInfo + position - names_.size());
  const bool is_listed = file == kInfo || lists_page_file(file - std::size_t{kPage}, texts_.pages,
                                                          texts_.is_mount_point);
  if (!is_listed || !exists({.entry = file})) return std::nullopt;
  return file_child(file);
}

absl::Status FolderSnapshot::list(LocalId, std::uint64_t first, const WorkBudget&,
                                  EmitChild emit) const {
  return list_children(
      first, names_.size() + (kEnd - kInfo),
      [this](std::uint64_t position) -> std::optional<Child> {
        const bool is_last = position + 1 == names_.size();
        return is_last && !texts_.lists_last ? std::nullopt : child(position);
      },
      emit);
}

std::optional<Child> FolderSnapshot::find(LocalId, std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return child(found->second);
  const auto* const file = std::ranges::find(kFileNames, name);
  if (name.empty() || file == kFileNames.end()) return std::nullopt;
  const auto number = static_cast<std::uint8_t>(file - kFileNames.begin());
  if (!exists({.entry = number})) return std::nullopt;
  return file_child(number);
}

absl::StatusOr<std::unique_ptr<Content>> FolderSnapshot::open(LocalId file,
                                                              const WorkBudget&) const {
  switch (file.entry) {
    case kInfo:
      return std::make_unique<TextContent>(texts_.info);
    case kPage:
      return std::make_unique<TextContent>(texts_.page);
    case kStyleSheetFile:
      return std::make_unique<TextContent>(std::string(kStyleSheet));
    case kScriptFile:
      return std::make_unique<TextContent>(std::string(kBoardScript));
    case kRobots:
      return std::make_unique<TextContent>(robots_text());
    case kIconFile:
      return std::make_unique<TextContent>(std::string(kIcon));
    default:
      return absl::NotFoundError("no such file");
  }
}

TakenNames::TakenNames(bool is_mount_point, bool has_together) {
  for (std::uint8_t file = kInfo; file < kEnd; ++file) taken_.emplace(kFileNames[file]);
  if (is_mount_point) taken_.insert({std::string(kStatusName), std::string(kReadmeName)});
  if (has_together) taken_.emplace(kTogetherName);
}

std::string TakenNames::take(const std::string& name) {
  return free_name(name, "",
                   [this](const std::string& free) { return !taken_.insert(free).second; });
}

}  // namespace scidfs::fs
