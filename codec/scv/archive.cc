#include "codec/scv/archive.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>
#include <utility>

#include "codec/number.h"
#include "codec/scv/line_reader.h"
#include "codec/scv/name.h"
#include "codec/unicode.h"

namespace scidfs::codec::scv {
namespace {

constexpr std::string_view kMagic = "iveArch";
constexpr std::string_view kHead = "<-- H E A D -->";
constexpr std::string_view kData = "<-- D A T A -->";
constexpr std::string_view kNoData = "<-- N O D A T A -->";
constexpr std::size_t kMaxHeaderLines = 1000;
constexpr std::size_t kMaxName = 4096;

bool is_same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_ascii_lower, to_ascii_lower);
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A line of a header: the part between `<` and `>`, and the part after it.
struct Attribute {
  std::string_view name;
  std::string_view value;
};
std::optional<Attribute> parse_attribute(std::string_view line) {
  const std::size_t end = line.find('>');
  if (!line.starts_with('<') || end == std::string_view::npos || end == 1) return std::nullopt;
  return Attribute{.name = line.substr(1, end - 1), .value = trim(line.substr(end + 1))};
}

// Parses an optional sign and at most 19 digits.
std::optional<std::int64_t> parse_signed(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  constexpr std::size_t kMaxDigits = 19;
  if (text.size() > kMaxDigits + (text.starts_with('-') ? 1 : 0)) return std::nullopt;
  return parse_number<std::int64_t>(text);
}

std::int64_t days_since_1970(std::int64_t year, std::int64_t month, std::int64_t day) {
  // Counts years from March, so that the leap day is the last day of a year.
  const std::int64_t y = year - (month <= 2 ? 1 : 0);
  const std::int64_t m = (month + 9) % 12;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719'468;
}

// Parses "YYYY-MM-DD hh:mm:ss", or seconds.
std::optional<std::int64_t> parse_time(std::string_view text) {
  if (const auto seconds = parse_signed(text)) {
    return text.find_first_not_of("0123456789") == std::string_view::npos ? seconds : std::nullopt;
  }
  constexpr std::string_view kForm = "0000-00-00 00:00:00";
  if (text.size() != kForm.size()) return std::nullopt;
  std::array<std::int64_t, 6> parts{};
  std::size_t part = 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] != '0') {
      if (text[i] != kForm[i]) return std::nullopt;
      ++part;
    } else {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      parts[part] = parts[part] * 10 + (text[i] - '0');
    }
  }
  const auto [year, month, day, hour, minute, second] = parts;
  if (year == 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 ||
      second > 60) {
    return std::nullopt;
  }
  return ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
}

Method parse_method(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Method>, 4> kMethods = {
      {{"raw", Method::Raw}, {"zlib", Method::Zlib}, {"gzip", Method::Gzip}, {"lzo", Method::Lzo}}};
  const auto found = std::ranges::find_if(
      kMethods, [name](const auto& method) { return is_same_word(name, method.first); });
  return found == kMethods.end() ? Method::Unknown : found->second;
}

// The values of a header; if a name occurs more than once, its first line counts.
class Header {
 public:
  explicit Header(std::span<const std::string_view> names) : names_(names), values_(names.size()) {}

  void take(const Attribute& attribute) {
    const auto found = std::ranges::find_if(
        names_, [&](std::string_view name) { return is_same_word(name, attribute.name); });
    if (found == names_.end()) return;
    auto& value = values_[static_cast<std::size_t>(found - names_.begin())];
    if (!value) value = attribute.value;
  }
  const std::optional<std::string>& operator[](std::size_t which) const { return values_[which]; }

 private:
  std::span<const std::string_view> names_;
  std::vector<std::optional<std::string>> values_;
};

enum ArchiveValue : std::uint8_t { kCount, kFormat, kType };
constexpr std::array<std::string_view, 3> kArchiveNames = {"Count", "Format", "Type"};

enum MemberValue : std::uint8_t {
  kFileName,
  kName,
  kDatabase,
  kUri,
  kFileSize,
  kSize,
  kCompression,
  kChecksum,
  kModified
};
constexpr std::array<std::string_view, 9> kMemberNames = {"FileName",    "Name",     "Database",
                                                          "URI",         "FileSize", "Size",
                                                          "Compression", "Checksum", "Modified"};

std::string text_of(const std::optional<std::string>& value) {
  return to_utf8(std::string_view(value.value_or("")).substr(0, kMaxName));
}

// Returns the member that a header describes, without the place of its data.
Member to_member(const Header& header) {
  Member member;
  const std::string& name = header[kFileName] ? *header[kFileName] : header[kName].value_or("");
  member.name = text_of(name);
  member.database = text_of(header[kDatabase]);
  member.uri = text_of(header[kUri]);
  if (header[kCompression]) {
    member.method_name = text_of(header[kCompression]);
    member.method = parse_method(*header[kCompression]);
  }
  if (header[kModified]) member.modified = parse_time(*header[kModified]);
  const bool is_elsewhere = is_url(member.name);
  if (name.empty()) {
    member.fault = Fault::NoName;
  } else if (name.size() > kMaxName || (!is_elsewhere && !is_safe_name(member.name))) {
    member.fault = Fault::UnsafeName;
  }
  if (header[kFileSize]) {
    const auto size = parse_signed(*header[kFileSize]);
    if (size && *size >= 0) {
      member.file_size = static_cast<std::uint64_t>(*size);
    } else if (member.fault == Fault::None) {
      member.fault = Fault::BadFileSize;
    }
  }
  if (header[kChecksum]) {
    // Some programs write signed numbers: their lower half is the same.
    const auto checksum = parse_signed(*header[kChecksum]);
    if (checksum) {
      member.checksum = static_cast<std::uint32_t>(*checksum);
    } else if (member.fault == Fault::None) {
      member.fault = Fault::WrongChecksum;
    }
  }
  return member;
}

class Parser {
 public:
  Parser(std::uint64_t size, ReadAt read) : lines_(size, read) {}

  Archive parse() {
    if (const Fault fault = parse_all(); archive_.fault == Fault::None) archive_.fault = fault;
    if (archive_.fault != Fault::None) archive_.fault_offset = lines_.position();
    return std::move(archive_);
  }

 private:
  Fault parse_all();
  Fault parse_archive_header();
  // Parses the member whose header starts here, and skips its data.
  Fault parse_member();
  Fault place_data(const Header& header, Member& member, bool has_no_data);
  Fault keep(Member member);

  LineReader lines_;
  Archive archive_;
  std::unordered_set<std::string> names_;  // case folded
};

Fault Parser::parse_all() {
  const auto magic = lines_.next();
  if (magic == "iveArch\r") return Fault::ConvertedLineEnds;
  if (magic != kMagic) {
    return lines_.fault() == Fault::Unreadable ? Fault::Unreadable : Fault::NotAnArchive;
  }
  if (const Fault fault = parse_archive_header(); fault != Fault::None) return fault;
  while (true) {
    if (archive_.members.size() == kMaxMembers) return Fault::TooManyMembers;
    if (const Fault fault = parse_member(); fault != Fault::None) return fault;
    lines_.skip_line_ends();
    if (lines_.at_end()) return Fault::None;
    const auto line = lines_.next();
    if (line != kHead) {
      return lines_.fault() == Fault::Unreadable ? Fault::Unreadable : Fault::NoDelimiter;
    }
  }
}

Fault Parser::parse_archive_header() {
  Header header(kArchiveNames);
  for (std::size_t count = 0;; ++count) {
    if (lines_.at_end()) return Fault::NoMembers;
    if (count == kMaxHeaderLines) return Fault::TooLong;
    const auto line = lines_.next();
    if (!line) return lines_.fault();
    if (*line == kHead) break;
    if (line->empty()) continue;
    // The delimiter of the data looks like an attribute.
    const auto attribute = line->starts_with("<-") ? std::nullopt : parse_attribute(*line);
    if (!attribute) return Fault::CorruptHeader;
    header.take(*attribute);
  }
  archive_.format = text_of(header[kFormat]);
  archive_.type = text_of(header[kType]);
  if (header[kCount]) {
    const auto games = parse_signed(*header[kCount]);
    if (games && *games >= 0) archive_.games = static_cast<std::uint64_t>(*games);
  }
  return Fault::None;
}

Fault Parser::parse_member() {
  Header header(kMemberNames);
  bool has_no_data = false;
  for (std::size_t count = 0;; ++count) {
    if (lines_.at_end()) return Fault::Unterminated;
    if (count == kMaxHeaderLines) return Fault::TooLong;
    const auto line = lines_.next();
    if (!line) return lines_.fault();
    if (*line == kData) break;
    if (*line == kNoData) {
      has_no_data = true;
      break;
    }
    if (line->empty()) continue;
    const auto attribute = line->starts_with("<-") ? std::nullopt : parse_attribute(*line);
    if (!attribute) return Fault::CorruptMemberHeader;
    header.take(*attribute);
  }
  Member member = to_member(header);
  if (const Fault fault = place_data(header, member, has_no_data); fault != Fault::None) {
    if (fault == Fault::SizeExceedsFile) {
      member.fault = fault;
      archive_.members.push_back(std::move(member));
    }
    return fault;
  }
  return keep(std::move(member));
}

Fault Parser::place_data(const Header& header, Member& member, bool has_no_data) {
  member.offset = lines_.position();
  const bool is_elsewhere = !member.uri.empty() || is_url(member.name);
  if (has_no_data || (is_elsewhere && !header[kSize])) {
    member.is_external = true;
    return Fault::None;
  }
  if (!header[kSize]) return Fault::NoSize;
  const auto size = parse_signed(*header[kSize]);
  if (!size) return Fault::BadSize;
  if (*size < 0 || static_cast<std::uint64_t>(*size) > lines_.remaining()) {
    return Fault::SizeExceedsFile;
  }
  member.size = static_cast<std::uint64_t>(*size);
  member.is_external = is_elsewhere && member.size == 0;
  lines_.skip(member.size);
  return Fault::None;
}

Fault Parser::keep(Member member) {
  if (member.fault == Fault::None && !is_url(member.name) &&
      !names_.insert(fold_case(member.name)).second) {
    member.fault = Fault::DuplicateName;
  }
  archive_.members.push_back(std::move(member));
  return Fault::None;
}

}  // namespace

Archive parse_archive(std::uint64_t size, ReadAt read) { return Parser(size, read).parse(); }

std::string_view describe(Fault fault) {
  switch (fault) {
    case Fault::None:
      return "nothing is wrong";
    case Fault::NotAnArchive:
      return "it is no archive";
    case Fault::ConvertedLineEnds:
      return "its line ends were converted, which destroys what is in it";
    case Fault::CorruptHeader:
      return "the header of the archive is corrupt";
    case Fault::NoMembers:
      return "there is nothing in it";
    case Fault::CorruptMemberHeader:
      return "the header of a member is corrupt";
    case Fault::Unterminated:
      return "it ends in a header";
    case Fault::TooLong:
      return "a header is too long";
    case Fault::NoSize:
      return "a member without Size: what follows cannot be found";
    case Fault::BadSize:
      return "a Size that is no number: what follows cannot be found";
    case Fault::NoDelimiter:
      return "no header where the data of a member end: its Size is wrong";
    case Fault::TooManyMembers:
      return "too many members";
    case Fault::SizeExceedsFile:
      return "Size exceeds the file";
    case Fault::Unreadable:
      return "it cannot be read";
    case Fault::NoName:
      return "no file name";
    case Fault::UnsafeName:
      return "an unsafe name";
    case Fault::DuplicateName:
      return "a name that another member has";
    case Fault::BadFileSize:
      return "FileSize is no number";
    case Fault::UnknownMethod:
      return "its compression is not supported";
    case Fault::BadData:
      return "bad compressed data";
    case Fault::Incomplete:
      return "the compressed data are incomplete";
    case Fault::TrailingBytes:
      return "bytes after the compressed data";
    case Fault::UnpacksToMore:
      return "it unpacks to more than it may";
    case Fault::WrongFileSize:
      return "it unpacks to less than FileSize says";
    case Fault::WrongChecksum:
      return "wrong checksum";
    case Fault::Overpacked:
      return "it unpacks to too many times its size";
    case Fault::TooMuchWork:
      return "not looked into: the archive takes too much work to unpack";
    case Fault::Refused:
      return "there is no room for it";
  }
  return "unknown";
}

}  // namespace scidfs::codec::scv
