// The contents of the members of an archive (FORMAT.md, sections 4, 5 and 7).
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <memory>

#include "codec/bytes.h"
#include "codec/scv/archive.h"

namespace scidfs::codec::scv {

// Takes the next unpacked bytes; returns false to get no more.
using Sink = absl::FunctionRef<bool(Bytes bytes)>;

struct Unpacked {
  Fault fault = Fault::None;
  std::uint64_t size = 0;          // of the unpacked bytes, even if something is wrong
  std::uint32_t crc32 = 0;         // of the same bytes
  bool has_text_checksum = false;  // Scidb's, see FORMAT.md, section 4
};

// Real databases and games are packed to a tenth at best. A member that unpacks to so many times
// its size was made to waste time, unless it is small.
inline constexpr std::uint64_t kMaxHonestRatio = 200;
inline constexpr std::uint64_t kHarmlessSize = std::uint64_t{64} << 20;

// Unpacks a member to `sink`. The bytes passed to it are valid only if the fault is None: only the
// end shows whether they are right. Never passes more than FileSize says or, if it is missing, than
// `most` and than the data can hold. Memory: some hundred KiB; but LZO is unpacked in one piece of
// at most 256 MiB.
// REQUIRES: member.is_usable().
Unpacked unpack(const Member& member, ReadAt read, std::uint64_t most, Sink sink);

// An unpacker of a gzip file (one stream or several in a row, with zeros after each or not) that
// comes piece by piece. Memory: some ten KiB. Not thread-safe.
class Gunzipper {
 public:
  // Never passes more than `most` bytes to `sink`, which must outlive this.
  Gunzipper(std::uint64_t most, Sink sink);
  ~Gunzipper();
  Gunzipper(const Gunzipper&) = delete;
  Gunzipper& operator=(const Gunzipper&) = delete;

  // Adds the next bytes of the file. Returns false if something is wrong: no more are needed.
  bool add(Bytes bytes);
  // Returns the result. REQUIRES: all bytes have been added.
  Unpacked finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns whether LZO is built in.
bool has_lzo();

}  // namespace scidfs::codec::scv
