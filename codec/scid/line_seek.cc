#include <cassert>

#include "codec/scid/line_scan.h"
#include "codec/scid/seek.h"

namespace scidfs::codec::scid {
namespace {

class LineLook {
 public:
  explicit LineLook(std::span<const Move> line) : follower_(line) {}

  bool is_through() const { return follower_.is_through(); }

  void start(const Position&) {}
  void move(const Position&, const Move& move) {
    agrees_ = agrees_ && !is_through() && follower_.follow(move);
  }

 private:
  LineFollower follower_;
  bool agrees_ = true;
};

}  // namespace

LineSeeker::LineSeeker(std::span<const Move> moves, CastlingRule rule)
    : moves_(moves.begin(), moves.end()), reader_(rule) {
  assert(!moves.empty());
}

std::optional<std::uint32_t> LineSeeker::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  const std::optional<Position>& fen = reader_.head().fen;
  if (fen.has_value() && !fen->has_same_board(standard_)) return std::nullopt;
  LineScan scan(moves_);
  reader_.replay(scan);
  if (scan.end() == nullptr) return std::nullopt;
  LineLook look(moves_);
  reader_.walk_to(scan.end(), look);
  if (!look.is_through()) return std::nullopt;
  return static_cast<std::uint32_t>(moves_.size());
}

}  // namespace scidfs::codec::scid
