// What is in the members of an archive (FORMAT.md, sections 4, 5 and 7).
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <memory>

#include "codec/bytes.h"
#include "codec/scv/archive.h"

namespace scidfs::codec::scv {

// Takes the next unpacked bytes; false if it wants no more of them.
using Sink = absl::FunctionRef<bool(Bytes bytes)>;

struct Unpacked {
  Fault fault = Fault::None;
  std::uint64_t size = 0;          // of what was unpacked, also if something is wrong
  std::uint32_t crc32 = 0;         // of the same
  bool has_text_checksum = false;  // Scidb's, see FORMAT.md, section 4
};

// Real databases and games are packed to a tenth at best. What unpacks to so many times its size is
// made to take up time, unless it is small.
inline constexpr std::uint64_t kMaxHonestRatio = 200;
inline constexpr std::uint64_t kHarmlessSize = std::uint64_t{64} << 20;

// Unpacks a member to `sink`. Bytes that have been given to it are worth nothing unless the fault
// is None: only at the end does it show whether they are what they should be. Never gives more than
// FileSize says or, where it says nothing, than `most` and than the data can hold. Memory: some
// hundred KiB, but for LZO, which is unpacked in one piece of at most 256 MiB.
// REQUIRES: member.is_usable().
Unpacked unpack(const Member& member, ReadAt read, std::uint64_t most, Sink sink);

// Unpacks a gzip file (one stream or several in a row) that comes piece by piece. Memory: some ten
// KiB. Not thread-safe.
class Gunzipper {
 public:
  // Never gives more than `most` bytes to `sink`, which outlives it.
  Gunzipper(std::uint64_t most, Sink sink);
  ~Gunzipper();
  Gunzipper(const Gunzipper&) = delete;
  Gunzipper& operator=(const Gunzipper&) = delete;

  // The next bytes of the file. False if something is wrong: no more are wanted.
  bool add(Bytes bytes);
  // To be asked when all have been added.
  Unpacked finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether LZO is built in.
bool has_lzo();

}  // namespace scidfs::codec::scv
