#include "codec/scid/castling_seek.h"

#include <array>
#include <cassert>
#include <cstddef>

namespace scidfs::codec::scid {
namespace {

using Way = CastlingTarget::Way;

// How the sides have castled so far.
class CastlingLog {
 public:
  explicit CastlingLog(const CastlingTarget& target) : target_(target) {}

  void castle(Color us, const Move& move) {
    std::optional<Way>& way = ways_[static_cast<std::size_t>(us)];
    if (!way.has_value()) way = move.to == castling_target(us, true) ? Way::Short : Way::Long;
  }
  // Returns whether the target is met; nothing as long as castling may still decide that.
  std::optional<bool> verdict() const {
    if (target_.side.has_value()) {
      const std::optional<Way>& way = ways_[static_cast<std::size_t>(*target_.side)];
      if (!way.has_value()) return std::nullopt;
      return *way == target_.way;
    }
    if (!ways_[0].has_value() || !ways_[1].has_value()) return std::nullopt;
    return (ways_[0] == ways_[1]) == (target_.way == Way::Same);
  }

 private:
  const CastlingTarget target_;
  std::array<std::optional<Way>, 2> ways_;
};

// A visitor of a replay.
class CastlingScan {
 public:
  explicit CastlingScan(const CastlingTarget& target) : log_(target) {}

  std::optional<bool> verdict() const { return log_.verdict(); }
  // Returns the place after the move that decided. REQUIRES: verdict() has a value.
  const std::uint8_t* end() const {
    assert(verdict().has_value());
    return end_;
  }

  bool start(ReplayBoard, Color) { return true; }
  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard, const Move& move, const std::uint8_t* next) {
    if (move.kind != MoveKind::Castling) [[likely]]
      return true;
    log_.castle(kUs, move);
    end_ = next;
    return !log_.verdict().has_value();
  }

 private:
  CastlingLog log_;
  const std::uint8_t* end_ = nullptr;
};

// A visitor of a walk along the main line.
class CastlingLook {
 public:
  explicit CastlingLook(const CastlingTarget& target) : log_(target) {}

  std::optional<bool> verdict() const { return log_.verdict(); }
  std::uint32_t plies() const { return plies_; }

  void start(const Position&) {}
  void move(const Position& after, const Move& move) {
    ++plies_;
    if (move.kind == MoveKind::Castling) log_.castle(~after.side_to_move(), move);
  }

 private:
  CastlingLog log_;
  std::uint32_t plies_ = 0;
};

}  // namespace

std::optional<std::uint32_t> CastlingSeeker::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  CastlingScan scan(target_);
  reader_.replay(scan);
  CastlingLook look(target_);
  if (scan.verdict().has_value()) {
    if (!*scan.verdict()) return std::nullopt;
    reader_.walk_to(scan.end(), look);
    if (look.verdict() != true) return std::nullopt;
    return look.plies();
  }
  // The replay has seen all that the walk will see, but not whether the record is whole.
  if (target_.way != Way::No || reader_.walk(look).has_value()) return std::nullopt;
  return look.plies();
}

}  // namespace scidfs::codec::scid
