#include "fs/archive/zip_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/first_lines.h"
#include "fs/base/status_macros.h"
#include "fs/content/source_content.h"
#include "fs/file/unpacker.h"
#include "fs/pages/list_page.h"
#include "fs/pages/shared_files.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPgn = ".pgn";
constexpr std::string_view kInfoName = "info.txt";

// The files of the directory; their numbers are the entries of their places. Those from kZipPage on
// are kPageFiles.
constexpr std::array<std::string_view, 6> kZipFiles = {kInfoName,     "source.zip",  kPageFiles[0],
                                                       kPageFiles[1], kPageFiles[2], kPageFiles[3]};
constexpr std::size_t kZipPage = 2;

Child zip_file(std::size_t number) {
  return {.name = std::string(kZipFiles[number]),
          .place = {.entry = static_cast<std::uint8_t>(number + 1)}};
}

// Returns the name for a directory; one that no other has.
std::string take_name(const ZipMember& member, std::set<std::string>& taken) {
  const std::string name(member.file_name());
  const std::size_t stem = name.size() - packing_suffix(name).size() - kPgn.size();
  return free_name(name.substr(0, stem), name.substr(stem),
                   [&taken](const std::string& free) { return !taken.insert(free).second; });
}

// Leaves the first hundred of some lines, and one that counts the others.
void keep_first(std::vector<std::string>& lines) {
  constexpr std::size_t kMost = 100;
  if (lines.size() <= kMost) return;
  const std::size_t others = lines.size() - kMost;
  lines.resize(kMost);
  lines.push_back(fmt::format("{} more file{}", others, others == 1 ? "" : "s"));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ZipContents>> ZipContents::open(SourceFile file,
                                                                     const UnpackOptions& options,
                                                                     codec::CodePage names,
                                                                     IsSource is_source) {
  ASSIGN_OR_RETURN(std::vector<ZipMember> members, list_zip(file, names));
  const std::shared_ptr<ZipContents> contents(new ZipContents(std::move(file), options));
  contents->members_ = std::move(members);
  std::set<std::string> taken(kZipFiles.begin(), kZipFiles.end());
  for (std::size_t i = 0; i < contents->members_.size(); ++i) {
    const ZipMember& member = contents->members_[i];
    if (const std::string_view loss = member.loss(is_source); !loss.empty()) {
      contents->problems_.push_back(fmt::format("{}: {}", member.name, loss));
      continue;
    }
    if (!member.is_pgn()) {
      contents->left_out_.push_back(member.name);
      continue;
    }
    InnerDatabase database;
    database.name = take_name(member, taken);
    database.index_path = contents->file_.path() / std::filesystem::path(database.name);
    database.stamp = contents->stamp_of(member);
    // The object has the function, so the function must not keep the object.
    database.open_pgn =
        [weak = std::weak_ptr<const ZipContents>(contents), i, path = database.index_path](
            const std::function<bool()>& is_cancelled) -> absl::StatusOr<SourceFile> {
      const std::shared_ptr<const ZipContents> owner = weak.lock();
      if (owner == nullptr) return absl::FailedPreconditionError("the zip file is closed");
      return owner->unpack(i, path, is_cancelled);
    };
    contents->databases_.push_back(std::move(database));
  }
  keep_first(contents->problems_);
  keep_first(contents->left_out_);
  return contents;
}

// Returns a stamp as if the member were a file on disk; it changes whenever the zip file does.
FileStamp ZipContents::stamp_of(const ZipMember& member) const {
  FileStamp stamp = file_.stamp();
  stamp.inode = cache::fingerprint(member.name, stamp.inode + member.number);
  stamp.size = member.size;
  return stamp;
}

absl::StatusOr<SourceFile> ZipContents::unpack(std::size_t member,
                                               const std::filesystem::path& path,
                                               const std::function<bool()>& is_cancelled) const {
  UnpackOptions options = options_;
  options.is_cancelled = is_cancelled;
  ASSIGN_OR_RETURN(const std::shared_ptr<PrivateFile> room, PrivateFile::make(options));
  ZipMembers unpacked(file_);
  ASSIGN_OR_RETURN(const ByteInput input, unpacked.open(members_[member]));
  std::vector<std::uint8_t> piece(std::size_t{256} << 10);
  for (absl::StatusOr<std::size_t> count = 1; *count != 0;) {
    if (is_cancelled != nullptr && is_cancelled()) return absl::CancelledError();
    count = input(piece);
    if (!count.ok()) return count.status();
    RETURN_IF_ERROR(room->append(codec::Bytes(piece).first(*count)));
  }
  return SourceFile::unpacked(path, {.bytes = PrivateRange(room, 0, members_[member].size),
                                     .stamp = stamp_of(members_[member])});
}

std::string ZipSnapshot::summary() const {
  return fmt::format("zip file of {} file{}, {} of PGN", contents_->size(),
                     contents_->size() == 1 ? "" : "s", contents_->databases().size());
}

bool ZipSnapshot::exists(LocalId place) const {
  const std::size_t files = pages_ == PagesMode::None ? kZipPage : kZipFiles.size();
  return place.view == 0 && place.key == 0 && place.entry <= files;
}

std::optional<Child> ZipSnapshot::child(std::size_t position) const {
  const std::size_t databases = contents_->databases().size();
  if (position >= databases) {
    const std::size_t file = position - databases;
    const bool is_listed =
        file < kZipPage || lists_page_file(file - kZipPage, pages_, view_.path.empty());
    return is_listed ? std::optional(zip_file(file)) : std::nullopt;
  }
  if (!view_.inner[position].is_shown) return std::nullopt;
  return Child{.name = contents_->databases()[position].name,
               .place = {},
               .is_directory = true,
               .mounted = static_cast<std::uint32_t>(position)};
}

absl::Status ZipSnapshot::list(LocalId, std::uint64_t first, const WorkBudget&,
                               EmitChild emit) const {
  return list_children(
      first, contents_->databases().size() + kZipFiles.size(),
      [this](std::uint64_t position) { return child(position); }, emit);
}

std::optional<Child> ZipSnapshot::find(LocalId, std::string_view name) const {
  const auto* const file = std::ranges::find(kZipFiles, name);
  if (file != kZipFiles.end()) {
    Child child = zip_file(static_cast<std::size_t>(file - kZipFiles.begin()));
    return exists(child.place) ? std::optional(std::move(child)) : std::nullopt;
  }
  const auto& databases = contents_->databases();
  const auto found = std::ranges::find(databases, name, &InnerDatabase::name);
  return found == databases.end() ? std::nullopt
                                  : child(static_cast<std::size_t>(found - databases.begin()));
}

std::string ZipSnapshot::info_text() const {
  std::string text =
      fmt::format("folder: {}\n", view_.path.empty() ? "." : codec::clean_line(view_.path));
  FirstLines databases("database", "databases");
  FirstLines refused("refused", "files");
  for (std::size_t i = 0; i < contents_->databases().size(); ++i) {
    const std::string line = codec::clean_line(view_.inner[i].line);
    if (view_.inner[i].is_shown) {
      databases.add(fmt::format("{}: {}", contents_->databases()[i].name, line));
    } else {
      refused.add(line);
    }
  }
  text += databases.text() + refused.text();
  // Of these the contents have kept the first already.
  for (const std::string& problem : contents_->problems()) {
    text += fmt::format("refused: {}\n", problem);
  }
  for (const std::string& name : contents_->left_out()) text += fmt::format("left out: {}\n", name);
  return text + fmt::format("zip file: {} bytes, {}\n", contents_->file().size(), summary());
}

std::string ZipSnapshot::page_text() const {
  std::vector<Crumb> crumbs;
  if (!view_.path.empty()) crumbs.push_back(Crumb::folder_above(1));
  std::vector<PageEntry> entries;
  for (std::size_t i = 0; i < contents_->databases().size() + kZipPage; ++i) {
    const std::optional<Child> shown = child(i);
    if (!shown.has_value()) continue;
    const Link link = Link().name(shown->name);
    entries.push_back({.name = codec::clean_line(shown->name),
                       .link = shown->is_directory ? link.page() : link,
                       .words = {}});
  }
  return list_page(codec::clean_line(contents_->file().path().filename().string()), crumbs,
                   info_text(), entries);
}

absl::StatusOr<std::unique_ptr<Content>> ZipSnapshot::open(LocalId file, const WorkBudget&) const {
  const std::size_t number = file.entry - std::size_t{1};
  if (number == 0) return std::make_unique<TextContent>(info_text());
  if (number == kZipPage) return std::make_unique<TextContent>(page_text());
  if (number > kZipPage) {
    return std::make_unique<TextContent>(std::string(page_file_text(number - kZipPage)));
  }
  // A second descriptor: the content may live longer than the contents.
  return source_content(SourceFile::open(contents_->file().path()), contents_->file().stamp());
}

}  // namespace scidfs::fs
