// Conditions and ranges of HTTP requests: which answer a GET or HEAD of an existing file gets
// (RFC 9110, sections 13 and 14).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// What identifies a version of what is sent.
struct Validators {
  std::string etag;           // a strong one, with its quotes
  std::int64_t modified = 0;  // seconds since 1970; no two versions have the same
};

// The headers of a request that the answer depends on, as sent; empty: not sent. A HEAD has no
// ranges: leave `range` empty.
struct Conditions {
  std::string_view if_match{};
  std::string_view if_none_match{};
  std::string_view if_modified_since{};
  std::string_view if_unmodified_since{};
  std::string_view range{};
  std::string_view if_range{};
};

enum class Verdict {
  Whole,               // 200
  NotModified,         // 304
  PreconditionFailed,  // 412
  Ranges,              // 206
  Unsatisfiable,       // 416
};

// Bytes of a file; never none.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t size = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

struct Judged {
  Verdict verdict = Verdict::Whole;
  // In the order that the client wants them; all within the file, none overlaps another. Empty
  // unless `verdict` is Ranges.
  std::vector<ByteRange> ranges;
};

// A request for more ranges gets the whole file.
inline constexpr std::size_t kMostRanges = 16;

// Judges a request for a file of `size` bytes. An answer that is compressed has validators of its
// own and no ranges: its size is not known before.
//
// Ranges are ignored, as the RFC allows, if they have another unit or a wrong syntax, if they are
// too many or overlap (a short request could have the file sent many times), and of an empty file,
// where 416 would be all that there is to say.
Judged judge(const Conditions& conditions, const Validators& validators, std::uint64_t size,
             bool is_compressed);

}  // namespace scidfs::fs
