#include "codec/scid/sample_seek.h"

#include "codec/scid/line_hash.h"

namespace scidfs::codec::scid {
namespace {

// Any number; another one would make other samples.
constexpr std::uint64_t kSampleSeed = 0x5C1D;

// A visitor of a replay.
class SampleScan {
 public:
  SampleScan(const RecordHead& head, std::uint32_t plies)
      : hash_(kSampleSeed, head), plies_(plies) {}

  std::uint64_t hash() const { return hash_.value(); }

  bool start(ReplayBoard, Color) { return true; }
  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard, const Move& move, const std::uint8_t*) {
    hash_.add(move);
    return hash_.plies() < plies_;
  }

 private:
  LineHash hash_;
  const std::uint32_t plies_;
};

}  // namespace

std::optional<std::uint32_t> SampleSeeker::seek(Bytes record) {
  const bool is_open = reader_.open(record);
  SampleScan scan(is_open ? reader_.head() : RecordHead(), sample_.plies);
  if (is_open) reader_.replay(scan);
  constexpr unsigned kHalf = 32;
  const std::uint64_t place = (scan.hash() >> kHalf) * sample_.of >> kHalf;
  if (place + 1 != sample_.number) return std::nullopt;
  return 0;
}

}  // namespace scidfs::codec::scid
