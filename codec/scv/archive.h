// Scidb archives (.scv, .ive): the container (FORMAT.md, sections 1 to 4 and 7).
//
// Reads liberally, as archives are in fact written, and believes nothing: sizes are compared with
// the file, names are checked, and what is kept in memory is bounded by what the file really has.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::codec::scv {

// Fills `out` with the bytes of the archive from `offset`. Is never asked for bytes beyond its end.
using ReadAt = absl::FunctionRef<absl::Status(std::uint64_t offset, std::span<std::uint8_t> out)>;

// What is wrong with an archive or a member.
enum class Fault : std::uint8_t {
  None,
  // Of the archive: what follows is lost.
  NotAnArchive,
  ConvertedLineEnds,  // somebody has turned LF into CR LF: members are lost
  CorruptHeader,      // a line that is none, before the first member
  NoMembers,
  CorruptMemberHeader,
  Unterminated,  // the file ends in a header
  TooLong,       // a line of more than 64 KiB, or a header of more than 1000 lines
  NoSize,
  BadSize,
  NoDelimiter,  // no header where the data of a member end
  TooManyMembers,
  // Of the archive and of its last member.
  SizeExceedsFile,
  Unreadable,  // the file cannot be read
  // Of a member, by its header.
  NoName,
  UnsafeName,
  DuplicateName,
  BadFileSize,
  UnknownMethod,  // a compression that is not known, or not built in
  // Of a member, by its data.
  BadData,
  Incomplete,     // the compressed data end too early
  TrailingBytes,  // there are bytes after the compressed data
  UnpacksToMore,  // than FileSize says, or than may be unpacked
  WrongFileSize,  // it unpacks to less than FileSize says
  WrongChecksum,
  Overpacked,   // it unpacks to more than is honest, see kMaxHonestRatio
  TooMuchWork,  // not unpacked, since those before it have taken all the time that there is
  Refused,      // whoever takes the bytes does not want them
};
std::string_view describe(Fault fault);

enum class Method : std::uint8_t { Raw, Zlib, Gzip, Lzo, Unknown };

struct Member {
  std::string name;      // UTF-8; directories are separated by `/`. A URL if it is nothing but that
  std::string database;  // that it says it belongs to
  std::string uri;       // where else it is
  Method method = Method::Raw;
  std::string method_name;                 // as it stands there
  std::uint64_t offset = 0;                // of its data
  std::uint64_t size = 0;                  // of its data, as stored
  std::optional<std::uint64_t> file_size;  // unpacked, as it says
  std::optional<std::uint32_t> checksum;
  std::optional<std::int64_t> modified;  // seconds since 1970, UTC
  bool is_external = false;              // it has no data here
  Fault fault = Fault::None;             // by its header

  bool is_usable() const { return fault == Fault::None && !is_external; }
};

struct Archive {
  // Hints, which are often wrong; see FORMAT.md, section 2.
  std::string format;
  std::string type;
  std::optional<std::uint64_t> games;
  std::vector<Member> members;  // in their order
  Fault fault = Fault::None;    // the members before it are good
  std::uint64_t fault_offset = 0;
};

inline constexpr std::size_t kMaxMembers = 10'000;

// Reads the headers of an archive of `size` bytes. Data of members are stepped over.
Archive parse_archive(std::uint64_t size, ReadAt read);

// Whether a name can be given to a file below some folder without harm: relative, UTF-8, of
// components that are neither empty nor dots, without backslashes, colons, control characters, `<`
// and `>`, and not longer than file systems allow (section 7, check 5).
bool is_safe_name(std::string_view name);

// The last component of a name or a URL.
std::string_view last_component(std::string_view name);

}  // namespace scidfs::codec::scv
