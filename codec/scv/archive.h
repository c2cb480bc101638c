// Scidb archives (.scv, .ive): the container (FORMAT.md, sections 1 to 4 and 7).
//
// The parser accepts archives as programs write them, and trusts nothing: it compares sizes with
// the file, checks names, and bounds memory by the real contents of the file.
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

// Fills `out` with the bytes of the archive from `offset`. Is never called for bytes beyond its
// end.
using ReadAt = absl::FunctionRef<absl::Status(std::uint64_t offset, std::span<std::uint8_t> out)>;

// The fault of an archive or a member.
enum class Fault : std::uint8_t {
  None,
  // Of the archive: the rest is lost.
  NotAnArchive,
  ConvertedLineEnds,  // a program has turned LF into CR LF: members are lost
  CorruptHeader,      // an invalid line before the first member
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
  UnknownMethod,  // a compression that is unknown, or not built in
  // Of a member, by its data.
  BadData,
  Incomplete,     // the compressed data end too early
  TrailingBytes,  // there are bytes after the compressed data
  UnpacksToMore,  // than FileSize says, or than may be unpacked
  WrongFileSize,  // it unpacks to less than FileSize says
  WrongChecksum,
  Overpacked,   // it unpacks to more than plausible, see kMaxHonestRatio
  TooMuchWork,  // not unpacked: those before it have used up the time limit
  Refused,      // the receiver of the bytes has rejected them
};
std::string_view describe(Fault fault);

enum class Method : std::uint8_t { Raw, Zlib, Gzip, Lzo, Unknown };

struct Member {
  std::string name;      // UTF-8; directories are separated by `/`. A URL if it is only that
  std::string database;  // to which it belongs, by its header
  std::string uri;       // where else it is
  Method method = Method::Raw;
  std::string method_name;                 // as stored
  std::uint64_t offset = 0;                // of its data
  std::uint64_t size = 0;                  // of its data, as stored
  std::optional<std::uint64_t> file_size;  // unpacked, as stated
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

// Reads the headers of an archive of `size` bytes. Skips the data of members.
Archive parse_archive(std::uint64_t size, ReadAt read);

// Returns whether a name is safe for a file below some folder: relative, UTF-8, of components that
// are neither empty nor dots, without backslashes, colons, control characters, `<` and `>`, and not
// longer than file systems allow (section 7, check 5).
bool is_safe_name(std::string_view name);

// Returns the last component of a name or a URL.
std::string_view last_component(std::string_view name);

}  // namespace scidfs::codec::scv
