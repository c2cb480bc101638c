#include "fs/archive/archive_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/archive/archive_info.h"
#include "fs/base/first_lines.h"
#include "fs/base/status_macros.h"
#include "fs/pages/list_page.h"
#include "fs/pages/shared_files.h"

namespace scidfs::fs {
namespace {

using codec::scv::Member;
using MemberFile = ArchiveLayout::MemberFile;

std::uint64_t size_of(const ArchiveFile& archive, const MemberFile& file) {
  return file.is_gunzipped ? *archive.gunzipped_size(file.member) : archive.size(file.member);
}

absl::StatusOr<PrivateRange> bytes_of(const ArchiveFile& archive, const MemberFile& file,
                                      IsCancelled is_cancelled) {
  return file.is_gunzipped ? archive.gunzipped(file.member, is_cancelled)
                           : archive.bytes(file.member, is_cancelled);
}

// The bytes of a member, unpacked when they are first read.
class MemberContent : public Content {
 public:
  MemberContent(std::shared_ptr<const ArchiveFile> archive, const MemberFile& file)
      : archive_(std::move(archive)), member_(file) {}

  std::uint64_t size() const override { return size_of(*archive_, member_); }
  absl::Status prepare(const WorkBudget& budget) const override {
    constexpr std::uint64_t kQuick = std::uint64_t{1} << 20;
    const bool is_there = member_.is_gunzipped ? archive_->has_gunzipped(member_.member)
                                               : archive_->has_bytes(member_.member);
    if (is_there) return absl::OkStatus();
    if (size() > kQuick && !budget.is_unlimited()) return WorkBudget::exceeded();
    return bytes_of(*archive_, member_, [&budget] { return budget.is_cancelled(); }).status();
  }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    assert(offset + length <= size());
    ASSIGN_OR_RETURN(const PrivateRange bytes, bytes_of(*archive_, member_, never_cancelled));
    const std::size_t start = out.size();
    out.resize(start + length);
    ASSIGN_OR_RETURN(
        const std::size_t count,
        bytes.read(offset, {reinterpret_cast<std::uint8_t*>(out.data()) + start, length}));
    return count == length ? absl::OkStatus()
                           : absl::DataLossError("Cannot read what was unpacked");
  }
  std::size_t memory() const override { return sizeof(*this); }

 private:
  const std::shared_ptr<const ArchiveFile> archive_;
  const MemberFile member_;
};

}  // namespace

ArchiveContents::ArchiveContents(std::shared_ptr<const ArchiveFile> file, bool with_pgn)
    : file_(std::move(file)),
      layout_(*file_, with_pgn),
      problems_(archive_problems(*file_, layout_)) {}

absl::StatusOr<std::shared_ptr<const ArchiveContents>> ArchiveContents::open(
    SourceFile file, const UnpackOptions& options, bool with_pgn) {
  ASSIGN_OR_RETURN(std::shared_ptr<const ArchiveFile> archive,
                   ArchiveFile::open(std::move(file), options));
  std::shared_ptr<ArchiveContents> contents(new ArchiveContents(std::move(archive), with_pgn));
  const auto is_cancelled = [&options] {
    return options.is_cancelled != nullptr && options.is_cancelled();
  };
  RETURN_IF_ERROR(contents->unpack_databases(is_cancelled));
  return contents;
}

// Returns a stamp as if the member were a file on disk; it changes whenever the archive does.
FileStamp ArchiveContents::stamp_of(const MemberFile& file) const {
  const Member& found = file_->archive().members[file.member];
  FileStamp stamp = file_->file().stamp();
  stamp.inode = cache::fingerprint(found.name, stamp.inode);
  stamp.size = size_of(*file_, file);
  if (const auto time = credible_time(found)) {
    stamp.mtime_seconds = *time;
    stamp.mtime_nanoseconds = 0;
  }
  return stamp;
}

absl::Status ArchiveContents::unpack_databases(IsCancelled is_cancelled) {
  for (const PlacedDatabase& placed : layout_.databases()) {
    if (placed.pgn.has_value()) {
      databases_.push_back(database_of_pgn(placed));
      continue;
    }
    ASSIGN_OR_RETURN(InnerDatabase database, unpack_database(placed, is_cancelled));
    databases_.push_back(std::move(database));
  }
  return absl::OkStatus();
}

// Unpacks the files of a database; those for which there is no room become problems.
absl::StatusOr<InnerDatabase> ArchiveContents::unpack_database(const PlacedDatabase& placed,
                                                               IsCancelled is_cancelled) {
  const std::string& name = file_->archive().members[placed.index].name;
  const std::filesystem::path path = file_->file().path() / name;
  auto files = std::make_shared<UnpackedFiles>();
  for (const auto& [suffix, member] : placed.files) {
    absl::StatusOr<PrivateRange> bytes = file_->bytes(member, is_cancelled);
    if (absl::IsCancelled(bytes.status())) return bytes.status();
    if (!bytes.ok()) {
      problems_.emplace_back(std::string(bytes.status().message()));
      continue;
    }
    std::filesystem::path own = path;
    files->emplace(own.replace_extension(suffix),
                   UnpackedFile{.bytes = *std::move(bytes), .stamp = stamp_of({.member = member})});
  }
  std::filesystem::path index_path = path;
  index_path.replace_extension(placed.files.front().first);
  return InnerDatabase{.name = placed.name,
                       .parent = placed.parent,
                       .folder = placed.folder,
                       .index_path = std::move(index_path),
                       .origin = FileOrigin(std::move(files))};
}

InnerDatabase ArchiveContents::database_of_pgn(const PlacedDatabase& placed) const {
  const MemberFile& file = layout_.files()[placed.pgn->file];
  const std::filesystem::path path = file_->file().path() / placed.pgn->path;
  const FileStamp stamp = stamp_of(file);
  return {.name = placed.name,
          .parent = placed.parent,
          .folder = placed.folder,
          .index_path = path,
          .open_pgn = [archive = file_, file, path, stamp](
                          const std::function<bool()>& is_cancelled) -> absl::StatusOr<SourceFile> {
            ASSIGN_OR_RETURN(PrivateRange bytes, bytes_of(*archive, file, is_cancelled));
            return SourceFile::unpacked(path, {.bytes = std::move(bytes), .stamp = stamp});
          },
          .stamp = stamp};
}

std::string ArchiveSnapshot::summary() const {
  return archive_summary(*contents_->file(), layout());
}

bool ArchiveSnapshot::exists(LocalId place) const {
  if (place.view != 0) return false;
  const ArchiveLayout::Directory* const directory = layout().directory_of_text(place);
  switch (place.entry) {
    case kArchiveFile:
      return place.key < layout().files().size();
    case kArchiveInfo:
      return directory != nullptr && directory->is_folder;
    case kArchivePage:
      return directory != nullptr && page_file(*directory, 0).has_value();
    case kArchiveStyleSheet:
    case kArchiveScript:
    case kArchiveIcon:
      return pages_ != PagesMode::None && place.key == 0;
    case kArchiveIgnore:
    case kArchiveFdIgnore:
      return place.key == 0;
    default:
      return is_directory(place);
  }
}

absl::Status ArchiveSnapshot::list(LocalId place, std::uint64_t first, const WorkBudget&,
                                   EmitChild emit) const {
  const ArchiveLayout::Directory& directory = *layout().directory(place);
  const std::vector<Child>& listed = directory.listed;
  const bool is_mount_point = view_.path.empty() && place == LocalId{};
  return list_children(
      first, listed.size() + kPageFiles.size(),
      [&](std::uint64_t position) -> std::optional<Child> {
        if (position >= listed.size()) {
          const std::size_t number = position - listed.size();
          if (!lists_page_file(number, pages_, is_mount_point)) return std::nullopt;
          return page_file(directory, number);
        }
        return is_shown(listed[position]) ? std::optional(listed[position]) : std::nullopt;
      },
      emit);
}

std::optional<Child> ArchiveSnapshot::find(LocalId place, std::string_view name) const {
  const ArchiveLayout::Directory& directory = *layout().directory(place);
  const auto found = directory.taken.find(name);
  if (found == directory.taken.end()) {
    const auto* const file = std::ranges::find(kPageFiles, name);
    if (file != kPageFiles.end()) {
      return page_file(directory, static_cast<std::size_t>(file - kPageFiles.begin()));
    }
    const auto* const ignore = std::ranges::find(kIgnoreFiles, name);
    if (ignore == kIgnoreFiles.end() || place != LocalId{}) return std::nullopt;
    const auto number = static_cast<std::uint8_t>(ignore - kIgnoreFiles.begin());
    return Child{.name = std::string(name),
                 .place = {.entry = static_cast<std::uint8_t>(kArchiveIgnore + number)}};
  }
  return is_shown(found->second) ? std::optional(found->second) : std::nullopt;
}

std::optional<Child> ArchiveSnapshot::page_file(const ArchiveLayout::Directory& directory,
                                                std::size_t number) const {
  if (pages_ == PagesMode::None || directory.taken.contains(kPageFiles[number])) {
    return std::nullopt;
  }
  return Child{.name = std::string(kPageFiles[number]),
               .place = {.entry = static_cast<std::uint8_t>(kArchivePage + number),
                         .key = number == 0 ? directory.place.key : 0}};
}

// Returns what tells search programs where games are a second time: the text of a PGN file that has
// a database, and its member.
std::string ArchiveSnapshot::ignore_text() const {
  std::string text = "# Each game once, in databases. `rg -u` reads everything.\n";
  text += "/files/**/*.[Pp][Gg][Nn]\n";
  for (const PlacedDatabase& placed : layout().databases()) {
    if (!placed.pgn.has_value()) continue;
    text += '/';
    for (const char c : placed.pgn->path) {
      if (std::string_view("*?[]\\!# ").find(c) != std::string_view::npos) text += '\\';
      text += c;
    }
    text += '\n';
  }
  return text;
}

std::string ArchiveSnapshot::name_of(const ArchiveLayout::Directory& directory) const {
  return codec::clean_line(directory.place == LocalId{}
                               ? contents_->file()->file().path().filename().string()
                               : directory.path.substr(directory.path.rfind('/') + 1));
}

std::vector<Crumb> ArchiveSnapshot::crumbs_of(const ArchiveLayout::Directory& directory) const {
  std::vector<Crumb> crumbs;
  std::size_t levels = 0;
  const ArchiveLayout::Directory* above = &directory;
  while (above->place != LocalId{}) {
    above = layout().directory(above->parent);
    ++levels;
    if (!page_file(*above, 0).has_value()) continue;
    crumbs.push_back({.name = name_of(*above), .link = Link().up(levels).page()});
  }
  if (!view_.path.empty()) {
    crumbs.push_back(Crumb::folder_above(levels + 1));
  }
  std::ranges::reverse(crumbs);
  return crumbs;
}

std::string ArchiveSnapshot::page_text(const ArchiveLayout::Directory& directory) const {
  const auto link_of = [this](const Child& child) {
    if (!child.is_directory) return Link().name(child.name);
    const Link link = Link().name(child.name);
    const bool has_page =
        child.mounted.has_value() || page_file(*layout().directory(child.place), 0).has_value();
    return has_page ? link.page() : link.path("");
  };
  std::vector<PageEntry> entries;
  for (const Child& child : directory.listed) {
    if (!is_shown(child)) continue;
    entries.push_back({.name = codec::clean_line(child.name), .link = link_of(child), .words = {}});
  }
  return list_page(name_of(directory), crumbs_of(directory),
                   directory.is_folder ? info_text(directory) : std::string(), entries);
}

std::string ArchiveSnapshot::info_text(const ArchiveLayout::Directory& directory) const {
  std::string path = view_.path;
  if (!path.empty() && !directory.path.empty()) path += '/';
  path += directory.path;
  std::string text = fmt::format("folder: {}\n", path.empty() ? "." : codec::clean_line(path));
  FirstLines databases("database", "databases"), refused("refused", "databases");
  for (std::size_t i = 0; i < contents_->databases().size(); ++i) {
    const InnerDatabase& database = contents_->databases()[i];
    if (database.parent != directory.place) continue;
    const std::string line = codec::clean_line(view_.inner[i].line);
    if (view_.inner[i].is_shown) {
      databases.add(fmt::format("{}: {}", codec::clean_line(database.name), line));
    } else {
      refused.add(line);
    }
  }
  text += databases.text() + refused.text();
  if (directory.place == LocalId{}) {
    text += archive_info(*contents_->file(), layout(), contents_->problems());
  }
  return text;
}

absl::StatusOr<std::unique_ptr<Content>> ArchiveSnapshot::open(LocalId file,
                                                               const WorkBudget&) const {
  switch (file.entry) {
    case kArchiveInfo:
      return std::make_unique<TextContent>(info_text(*layout().directory_of_text(file)));
    case kArchivePage:
      return std::make_unique<TextContent>(page_text(*layout().directory_of_text(file)));
    case kArchiveStyleSheet:
    case kArchiveScript:
    case kArchiveIcon:
      return std::make_unique<TextContent>(
          std::string(page_file_text(std::size_t{file.entry} - kArchivePage)));
    case kArchiveIgnore:
      return std::make_unique<TextContent>(ignore_text());
    case kArchiveFdIgnore:
      // The program fd searches for names and should find all files.
      return std::make_unique<TextContent>("!*\n");
    default:
      return std::make_unique<MemberContent>(contents_->file(), layout().files()[file.key]);
  }
}

}  // namespace scidfs::fs
