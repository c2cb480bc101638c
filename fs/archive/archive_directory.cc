#include "fs/archive/archive_directory.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cache/sizes_file.h"
#include "fs/archive/archive_file.h"
#include "fs/archive/archive_info.h"
#include "fs/archive/archive_layout.h"

namespace scidfs::fs {
namespace {

using codec::scv::Member;

// The bytes of a member, unpacked when somebody reads them for the first time.
class MemberContent : public Content {
 public:
  MemberContent(std::shared_ptr<const ArchiveFile> archive, const ArchiveLayout::Text& text)
      : archive_(std::move(archive)), text_(text) {}

  std::uint64_t size() const override {
    return text_.is_gunzipped ? *archive_->gunzipped_size(text_.member)
                              : archive_->size(text_.member);
  }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    const absl::StatusOr<PrivateRange> bytes =
        text_.is_gunzipped ? archive_->gunzipped(text_.member) : archive_->bytes(text_.member);
    if (!bytes.ok()) return bytes.status();
    const std::size_t start = out.size();
    out.resize(start + length);
    const std::span<std::uint8_t> room(reinterpret_cast<std::uint8_t*>(out.data()) + start, length);
    if (bytes->read(offset, room) == static_cast<std::int64_t>(length)) return absl::OkStatus();
    return absl::DataLossError("Cannot read what was unpacked");
  }
  std::size_t memory() const override { return sizeof(*this); }

 private:
  const std::shared_ptr<const ArchiveFile> archive_;
  const ArchiveLayout::Text text_;
};

class ArchiveDirectory : public TextDirectory {
 public:
  explicit ArchiveDirectory(std::shared_ptr<const ArchiveFile> archive)
      : archive_(std::move(archive)),
        layout_(*archive_),
        problems_(archive_problems(*archive_, layout_)) {}

  // Unpacks the files of all databases. What there is no room for is a problem. Cancelled if it
  // `is_over`.
  absl::Status unpack_databases(IsOver is_over);

  std::string summary() const override { return archive_summary(*archive_, layout_); }
  std::vector<std::string> problems() const override { return problems_; }
  bool is_whole() const override { return archive_->archive().fault == codec::scv::Fault::None; }
  std::span<const InnerFolder> folders() const override { return layout_.folders(); }
  std::span<const InnerDatabase> databases() const override { return databases_; }
  std::string info() const override { return archive_info(*archive_, layout_, problems_); }

  bool is_directory(Place place) const override { return layout_.directory(place) != nullptr; }
  Place parent(Place directory) const override { return layout_.directory(directory)->parent; }
  void list(Place directory, std::uint64_t first, EmitChild emit) const override {
    const std::vector<Child>& listed = layout_.directory(directory)->listed;
    list_children(
        first, listed.size(),
        [&listed](std::uint64_t position) { return std::optional(listed[position]); }, emit);
  }
  std::optional<Child> lookup(Place directory, std::string_view name) const override {
    const auto& listed = layout_.directory(directory)->listed;
    const auto found = std::ranges::lower_bound(listed, name, {}, &Child::name);
    if (found == listed.end() || found->name != name) return std::nullopt;
    return *found;
  }
  absl::StatusOr<std::unique_ptr<Content>> open(Place file) const override {
    if (file.level != kArchiveText || file.key >= layout_.texts().size()) {
      return absl::NotFoundError("no such file");
    }
    return std::make_unique<MemberContent>(archive_, layout_.texts()[file.key]);
  }

 private:
  FileStamp stamp_of(std::size_t member) const;

  const std::shared_ptr<const ArchiveFile> archive_;
  const ArchiveLayout layout_;
  std::vector<std::string> problems_;
  std::vector<InnerDatabase> databases_;
};

// As if the member were a file on disk: another one whenever the archive is.
FileStamp ArchiveDirectory::stamp_of(std::size_t member) const {
  const Member& found = archive_->archive().members[member];
  FileStamp stamp = archive_->file().stamp();
  stamp.inode = cache::fingerprint(found.name, stamp.inode);
  stamp.size = archive_->size(member);
  if (const auto time = credible_time(found)) {
    stamp.mtime_seconds = *time;
    stamp.mtime_nanoseconds = 0;
  }
  return stamp;
}

absl::Status ArchiveDirectory::unpack_databases(IsOver is_over) {
  for (const PlacedDatabase& placed : layout_.databases()) {
    const std::string& name = archive_->archive().members[placed.index].name;
    const std::filesystem::path path = archive_->file().path() / name;
    auto files = std::make_shared<UnpackedFiles>();
    for (const auto& [suffix, member] : placed.files) {
      absl::StatusOr<PrivateRange> bytes = archive_->bytes(member, is_over);
      if (absl::IsCancelled(bytes.status())) return bytes.status();
      if (!bytes.ok()) {
        problems_.emplace_back(std::string(bytes.status().message()));
        continue;
      }
      std::filesystem::path own = path;
      files->emplace(own.replace_extension(suffix),
                     UnpackedFile{.bytes = *std::move(bytes), .stamp = stamp_of(member)});
    }
    std::filesystem::path index_path = path;
    index_path.replace_extension(placed.files.front().first);
    databases_.push_back({.name = placed.name,
                          .folder = placed.folder,
                          .index_path = std::move(index_path),
                          .origin = FileOrigin(std::move(files))});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TextDirectoryPtr> open_archive(SourceFile file, const TextFormat::Options& options) {
  absl::StatusOr<std::shared_ptr<const ArchiveFile>> archive =
      ArchiveFile::open(std::move(file), options.unpack);
  if (!archive.ok()) return archive.status();
  auto directory = std::make_shared<ArchiveDirectory>(*std::move(archive));
  const auto is_over = [&unpack = options.unpack] {
    return unpack.is_over != nullptr && unpack.is_over();
  };
  if (absl::Status status = directory->unpack_databases(is_over); !status.ok()) return status;
  return directory;
}

}  // namespace scidfs::fs
