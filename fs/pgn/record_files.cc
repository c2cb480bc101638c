#include "fs/pgn/record_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <span>
#include <vector>

#include "cache/hash.h"
#include "codec/number.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/file/cache_file.h"
#include "fs/file/cache_folder.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {
namespace {

constexpr std::array<std::string_view, 4> kEndings = {".si5", ".sn5", ".sg5", ".remarks"};
constexpr std::span<const std::string_view> kDatabaseEndings(kEndings.data(), 3);
constexpr std::string_view kTextEnding = kEndings[3];
// What the texts of all versions begin with.
constexpr std::string_view kOurs = "scidfs";
// Another one for each layout of the text. The first, without checksums, had "scidfs".
constexpr std::string_view kMagic = "scidfs4";
// More than remarks take (pgn_records.cc).
constexpr std::size_t kMostText = std::size_t{2} << 20;

std::optional<RecordName> parse_name(std::string_view file, std::string_view ending) {
  const std::size_t dash = file.find('-');
  if (!file.ends_with(ending) || dash == std::string_view::npos) return std::nullopt;
  file.remove_suffix(ending.size());
  const auto path = parse_cache_digits(file.substr(0, dash));
  const auto state = parse_cache_digits(file.substr(std::min(dash + 1, file.size())));
  if (!path.has_value() || !state.has_value()) return std::nullopt;
  return RecordName{.path = *path, .state = *state};
}

// Takes the number at the front of a line, and the character after it.
std::uint64_t take_number(std::string_view& line) {
  const std::size_t end = std::min(line.find_first_of(" \n"), line.size());
  const auto number = codec::parse_number<std::uint64_t>(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return number.value_or(0);
}

}  // namespace

std::optional<RecordName> RecordName::of_text(std::string_view file) {
  return parse_name(file, kTextEnding);
}

std::string RecordName::stem() const { return cache_digits(path) + "-" + cache_digits(state); }

bool RecordFiles::has_form(std::string_view name) {
  return std::ranges::any_of(
      kEndings, [name](std::string_view ending) { return parse_name(name, ending).has_value(); });
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
  text.front.bytes = take_number(rest);
  text.front.checksum = take_number(rest);
  text.is_cut = take_number(rest) != 0;
  text.remarks = rest;
  return text;
}

absl::Status RecordFiles::write(std::string_view text, NewFile::Existing existing) const {
  ASSIGN_OR_RETURN(std::unique_ptr<NewFile> file,
                   NewFile::create(this->text(), NewAccess::owner_only()));
  absl::Status status = file->append(text);
  if (status.ok()) status = file->sync();
  if (status.ok()) status = file->put_in_place(existing);
  return status;
}

absl::Status RecordFiles::claim() const {
  return write(fmt::format("{}\n", kMagic), NewFile::Existing::Keep);
}

absl::Status RecordFiles::save(const RecordsText& text) const {
  const std::string rest = fmt::format(
      "{} {} {} {} {} {} {:d}\n{}", text.database_checksum, text.last.offset, text.last.line,
      text.last.games, text.front.bytes, text.front.checksum, text.is_cut, text.remarks);
  return write(fmt::format("{}{} {}", mark(), checksum_of(rest), rest), NewFile::Existing::Replace);
}

bool RecordFiles::are_free() const {
  return std::ranges::none_of(kEndings, [this](std::string_view ending) {
    return has_name(std::filesystem::path(stem_).concat(ending));
  });
}

// The text goes last: it tells of what would be left.
absl::Status RecordFiles::remove() const {
  const std::string path = text().native();
  const Descriptor file(::open(path.c_str(), kOpenToRead));
  const absl::Status unknown = file.ok() ? absl::OkStatus() : file_error("read", path, errno);
  if (!file.ok()) return absl::IsResourceExhausted(unknown) ? unknown : absl::OkStatus();
  std::array<std::uint8_t, kOurs.size()> begin{};
  if (!read_fully(file.get(), 0, begin, path).ok() || codec::as_text(begin) != kOurs) {
    return absl::OkStatus();
  }
  for (const std::string_view ending : kEndings) {
    ::unlink(std::filesystem::path(stem_).concat(ending).c_str());
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
