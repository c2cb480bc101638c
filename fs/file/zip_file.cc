#include "fs/file/zip_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale() is of POSIX

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>

#include "codec/ending.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kMostEntries = 100'000;

// How libarchive describes an entry by a method whose memory a hostile file chooses, up to 4 GiB.
constexpr std::array<std::string_view, 2> kGreedyMethods = {"(lzma)", "(xz)"};

// libarchive converts names that are marked as UTF-8 to the encoding of the locale, and gives none
// where that has no such letters. Made before main(): the sandbox hides its files. Null where the
// system lacks it.
const locale_t kUtf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);

// The locale kUtf8 for one thread, while it lives.
class Utf8Locale {
 public:
  Utf8Locale() : before_(::uselocale(kUtf8)) {}
  ~Utf8Locale() { ::uselocale(before_); }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  const locale_t before_;
};

}  // namespace

// Reads the entries of a zip file one after the other.
class ZipReader {
 public:
  explicit ZipReader(const SourceFile& file) : file_(file) {}

  absl::Status open() {
    archive* const in = archive_.get();
    if (in == nullptr) return absl::ResourceExhaustedError("Out of memory");
    archive_read_support_format_zip_seekable(in);
    archive_read_set_read_callback(in, read_next);
    archive_read_set_seek_callback(in, seek);
    archive_read_set_callback_data(in, this);
    return archive_read_open1(in) == ARCHIVE_OK ? absl::OkStatus() : failure();
  }
  // Returns the next entry, valid until the next call; null at the end.
  absl::StatusOr<archive_entry*> next() {
    const Utf8Locale locale;
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    // A warning is about a name or an attribute.
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return failure();
    return entry;
  }
  // Fills the front of `out` with bytes of the entry. Returns their number, 0 at the end.
  absl::StatusOr<std::size_t> read(std::span<std::uint8_t> out) {
    const la_ssize_t count = archive_read_data(archive_.get(), out.data(), out.size());
    if (count < 0) return failure();
    return static_cast<std::size_t>(count);
  }
  // Returns whether the memory for the data of the entry has a limit.
  bool is_modest() const {
    const char* const format = archive_format_name(archive_.get());
    return format != nullptr &&
           std::ranges::none_of(kGreedyMethods, [format](std::string_view method) {
             return std::string_view(format).ends_with(method);
           });
  }
  absl::Status damaged(std::string_view reason) const {
    return absl::DataLossError(fmt::format("Cannot unpack {}: {}", file_.path().string(), reason));
  }

 private:
  static la_ssize_t read_next(archive*, void* self, const void** bytes) {
    auto& reader = *static_cast<ZipReader*>(self);
    const std::uint64_t left = reader.file_.size() - reader.at_;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece));
    reader.status_ = reader.file_.read(reader.at_, std::span(reader.room_).first(count));
    if (!reader.status_.ok()) return ARCHIVE_FATAL;
    reader.at_ += count;
    *bytes = reader.room_.data();
    return static_cast<la_ssize_t>(count);
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    auto& reader = *static_cast<ZipReader*>(self);
    const auto size = static_cast<la_int64_t>(reader.file_.size());
    if (whence == SEEK_CUR) offset += static_cast<la_int64_t>(reader.at_);
    if (whence == SEEK_END) offset += size;
    if (offset < 0 || offset > size) return ARCHIVE_FATAL;
    reader.at_ = static_cast<std::uint64_t>(offset);
    return offset;
  }
  absl::Status failure() const {
    if (!status_.ok()) return status_;
    const char* const reason = archive_error_string(archive_.get());
    return damaged(reason != nullptr ? reason : "it is damaged");
  }

  static constexpr std::size_t kPiece = std::size_t{64} << 10;

  const SourceFile& file_;
  absl::Status status_;  // of the last read
  std::uint64_t at_ = 0;
  std::vector<std::uint8_t> room_ = std::vector<std::uint8_t>(kPiece);
  const std::unique_ptr<archive, int (*)(archive*)> archive_{archive_read_new(), archive_read_free};
};

bool ZipMember::is_pgn() const {
  const std::string_view file = file_name();
  return has_name && !file.starts_with('.') &&
         codec::has_ending(file.substr(0, file.size() - packing_suffix(file).size()), ".pgn");
}

std::string_view ZipMember::loss(IsSource is_source) const {
  if (!has_name) return "its name cannot be read";
  if (!is_pgn()) {
    const bool is_hidden = file_name().starts_with('.');
    return !is_hidden && is_source(file_name()) ? "in a zip file only PGN files are read" : "";
  }
  if (is_link) return "it is a link";
  return is_encrypted ? "it is encrypted" : "";
}

absl::StatusOr<std::vector<ZipMember>> list_zip(const SourceFile& file, codec::CodePage names) {
  ZipReader reader(file);
  RETURN_IF_ERROR(reader.open());
  std::vector<ZipMember> members;
  for (std::size_t number = 0;; ++number) {
    ASSIGN_OR_RETURN(archive_entry* const entry, reader.next());
    if (entry == nullptr) return members;
    if (number == kMostEntries) return reader.damaged("it has too many entries");
    if (archive_entry_filetype(entry) == AE_IFDIR) continue;
    const char* const name = archive_entry_pathname(entry);
    members.push_back(
        {.name = name == nullptr ? fmt::format("entry {}", number + 1)
                                 : codec::clean_line(std::string_view(name), names),
         .number = number,
         .size = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0)),
         .seconds = archive_entry_mtime(entry),
         .has_name = name != nullptr,
         .is_encrypted = archive_entry_is_encrypted(entry) != 0,
         .is_link = archive_entry_filetype(entry) != AE_IFREG});
  }
}

bool is_zip(codec::Bytes front) { return codec::as_text(front).starts_with("PK\3\4"); }

absl::StatusOr<ByteInput> ZipMembers::open(const ZipMember& member) {
  assert(member.number >= next_);
  if (reader_ == nullptr) {
    reader_ = std::make_shared<ZipReader>(file_);
    RETURN_IF_ERROR(reader_->open());
  }
  for (; next_ <= member.number; ++next_) {
    ASSIGN_OR_RETURN(archive_entry* const entry, reader_->next());
    if (entry == nullptr) return reader_->damaged(member.name + " is not in it any more");
  }
  if (member.is_encrypted) return reader_->damaged(member.name + " is encrypted");
  if (member.is_link) return reader_->damaged(member.name + " is a link");
  if (!reader_->is_modest()) {
    return reader_->damaged(member.name + " is packed by LZMA or XZ, which may take any memory");
  }
  return [reader = reader_, &member, size = std::uint64_t{0}](
             std::span<std::uint8_t> out) mutable -> absl::StatusOr<std::size_t> {
    absl::StatusOr<std::size_t> count = reader->read(out);
    if (!count.ok()) return count;
    size += *count;
    const bool is_end = *count == 0 && !out.empty();
    if (size > member.size || (is_end && size != member.size)) {
      return reader->damaged(member.name + " is not as long as the directory says");
    }
    return count;
  };
}

}  // namespace scidfs::fs
