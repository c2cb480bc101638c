#include "codec/scid/line_scan.h"
#include "codec/scid/main_line.h"
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
    : moves_(moves.begin(), moves.end()), rule_(rule) {}

bool LineSeeker::seek(Bytes record) {
  tags_.clear();
  RecordHead head;
  if (parse_record_head(record, tags_, head, rule_).has_value()) return false;
  if (head.fen.has_value() && !head.fen->has_same_board(standard_)) return false;
  LineScan scan(moves_);
  replay_.run(record, head, scan);
  if (scan.end() == nullptr) return false;
  LineLook look(moves_);
  walk_main_line(walker_, record,
                 record.first(static_cast<std::size_t>(scan.end() - record.data())), head, look);
  return look.is_through();
}

}  // namespace scidfs::codec::scid
