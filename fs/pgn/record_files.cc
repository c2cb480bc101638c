#include "fs/pgn/record_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <vector>

#include "cache/hash.h"
#include "codec/number.h"
#include "fs/file/cache_file.h"
#include "fs/file/io.h"
#include "fs/file/new_file.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {
namespace {

constexpr std::array<std::string_view, 3> kDatabaseEndings = {".si5", ".sn5", ".sg5"};
constexpr std::string_view kTextEnding = ".remarks";
// Another one for each layout of the text. The first, without checksums, had "scidfs".
constexpr std::string_view kMagic = "scidfs4";
// More than remarks take (pgn_records.cc).
constexpr std::size_t kMostText = std::size_t{2} << 20;

// Takes the number at the front of a line, and the character after it.
std::uint64_t take_number(std::string_view& line) {
  const std::size_t end = std::min(line.find_first_of(" \n"), line.size());
  const auto number = codec::parse_number<std::uint64_t>(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return number.value_or(0);
}

}  // namespace

std::optional<RecordFiles> RecordFiles::of_text(const std::filesystem::path& file) {
  if (file.extension() != kTextEnding) return std::nullopt;
  return RecordFiles(file.parent_path() / file.stem());
}

bool RecordFiles::has_ending(std::string_view name) {
  return name.ends_with(kTextEnding) ||
         std::ranges::any_of(kDatabaseEndings,
                             [name](std::string_view ending) { return name.ends_with(ending); });
}

std::filesystem::path RecordFiles::index() const {
  return std::filesystem::path(stem_).concat(kDatabaseEndings[0]);
}

std::filesystem::path RecordFiles::text() const {
  return std::filesystem::path(stem_).concat(kTextEnding);
}

std::uint64_t RecordFiles::bytes() const {
  std::uint64_t bytes = 0;
  for (const std::string_view ending : kDatabaseEndings) {
    bytes += stamp_of(std::filesystem::path(stem_).concat(ending)).size;
  }
  return bytes;
}

std::string RecordFiles::mark() const {
  std::string mark(kMagic);
  for (const std::string_view ending : kDatabaseEndings) {
    mark += fmt::format(" {}", stamp_of(std::filesystem::path(stem_).concat(ending)).size);
  }
  return mark + " ";
}

std::uint64_t RecordFiles::checksum_of(std::string_view text) const {
  return cache::fingerprint(text, cache::fingerprint(stem_.filename().native()));
}

absl::StatusOr<RecordsText> RecordFiles::load() const {
  const std::filesystem::path path = text();
  const absl::Status none = absl::NotFoundError("no records at " + path.native());
  const absl::StatusOr<Descriptor> opened = open_cache_file(path);
  if (!opened.ok()) return absl::IsResourceExhausted(opened.status()) ? opened.status() : none;
  std::vector<std::uint8_t> bytes(std::min<std::uint64_t>(stamp_of(path).size, kMostText));
  const absl::StatusOr<std::size_t> length = read_up_to(opened->get(), 0, bytes, path.native());
  if (!length.ok()) return none;
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), *length);
  const std::string mark = this->mark();
  if (!rest.starts_with(mark)) return none;
  rest.remove_prefix(mark.size());
  if (take_number(rest) != checksum_of(rest)) return none;
  RecordsText text;
  text.database_checksum = take_number(rest);
  text.last.offset = take_number(rest);
  text.last.line = take_number(rest);
  text.last.games = take_number(rest);
  text.bytes = take_number(rest);
  text.checksum = take_number(rest);
  text.is_cut = take_number(rest) != 0;
  text.remarks = rest;
  return text;
}

absl::Status RecordFiles::save(const RecordsText& text) const {
  absl::StatusOr<std::unique_ptr<NewFile>> file =
      NewFile::create(this->text(), NewAccess::owner_only());
  if (!file.ok()) return file.status();
  const std::string rest = fmt::format("{} {} {} {} {} {} {:d}\n{}", text.database_checksum,
                                       text.last.offset, text.last.line, text.last.games,
                                       text.bytes, text.checksum, text.is_cut, text.remarks);
  absl::Status status = (*file)->append(fmt::format("{}{} {}", mark(), checksum_of(rest), rest));
  if (status.ok()) status = (*file)->sync();
  if (status.ok()) status = (*file)->put_in_place(NewFile::Existing::Replace);
  return status;
}

void RecordFiles::remove() const {
  std::error_code ignored;
  std::filesystem::remove(text(), ignored);
  for (const std::string_view ending : kDatabaseEndings) {
    std::filesystem::remove(std::filesystem::path(stem_).concat(ending), ignored);
  }
}

}  // namespace scidfs::fs
