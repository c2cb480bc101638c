// The text and the data of archives that Scidb can read (FORMAT.md, section 8).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "codec/bytes.h"

namespace scidfs::codec::scv {

struct ArchiveHeader {
  std::uint64_t total_size = 0;          // of all members, unpacked
  std::optional<std::uint64_t> games{};  // of all databases; omitted if unknown
  std::set<std::string> formats{};       // suffixes of the index members, without their dots
  bool is_single = true;                 // holds one database
};
// Returns the start of an archive, up to its first member.
std::string header_text(const ArchiveHeader& header);

struct MemberHeader {
  std::string_view name;  // see is_safe_name()
  std::uint64_t file_size = 0;
  std::int64_t modified = 0;  // seconds since 1970
};
// A header with room for the numbers that are known only after the data are written.
struct MemberText {
  std::string text;
  std::size_t size_at = 0;      // where in the text filled_in(size) goes
  std::size_t checksum_at = 0;  // where filled_in(checksum) goes
};
MemberText member_text(const MemberHeader& header, bool is_first);
// Returns a number padded to the width of its room. REQUIRES: number < 10^11.
std::string filled_in(std::uint64_t number);

// The most bytes of one member that Scidb can unpack.
inline constexpr std::uint64_t kMostStored = (std::uint64_t{1} << 31) - 1;

// A packer of a member, piece by piece. Not thread-safe.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Packs `bytes`. Returns the packed bytes that are ready; on the last call, all that are left.
  // They are valid until the next call.
  Bytes add(Bytes bytes, bool is_last);

  std::uint64_t packed_size() const;
  std::uint32_t packed_crc32() const;  // the value for <Checksum>
  std::uint32_t unpacked_crc32() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scidfs::codec::scv
