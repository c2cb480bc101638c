#include "codec/scid/main_line.h"
#include "codec/scid/seek.h"

namespace scidfs::codec::scid {
namespace {

// Follows a line as long as moves agree with it. From one position, squares and promotion tell one
// move from another.
class LineFollower {
 public:
  explicit LineFollower(std::span<const Move> line) : line_(line) {}

  bool is_through() const { return next_ == line_.size(); }
  // REQUIRES: it is not through. False if the move is another one.
  bool follow(const Move& move) {
    const Move& wanted = line_[next_];
    if (move.from != wanted.from || move.to != wanted.to || move.promotion != wanted.promotion) {
      return false;
    }
    ++next_;
    return true;
  }

 private:
  std::span<const Move> line_;
  std::size_t next_ = 0;
};

class LineScan {
 public:
  explicit LineScan(std::span<const Move> line) : follower_(line) {}

  // After the last move of the line; null: the game does not begin with it.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard, Color) { return true; }
  template <Color>
  bool move(ReplayBoard, const Move& move, const std::uint8_t* next) {
    if (!follower_.follow(move)) return false;
    if (follower_.is_through()) end_ = next;
    return !follower_.is_through();
  }

 private:
  LineFollower follower_;
  const std::uint8_t* end_ = nullptr;
};

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
