#include "tests/bench/decoding.h"

#include <array>
#include <optional>

#include "codec/san.h"

namespace scidfs::bench {
namespace {

// Written texts stay in the cache of the processor, as those of reads by the kernel do.
constexpr std::size_t kTextRoom = 256 << 10;

struct CountingVisitor : MoveVisitor {
  template <codec::Color kUs>
  void move(const codec::Position& /*after*/, const codec::Move& /*move*/) {
    ++plies;
  }
  std::uint64_t plies = 0;
};

struct ReplayVisitor {
  bool start(codec::scid::ReplayBoard /*board*/, codec::Color /*to_move*/) { return true; }
  template <codec::Color kUs>
  bool move(codec::scid::ReplayBoard /*after*/, const codec::Move& /*move*/,
            const std::uint8_t* /*next*/) {
    ++plies;
    return true;
  }
  std::uint64_t plies = 0;
};

// Bare kings on squares where no game has them: the position stays possible with any pawns and
// pieces left, so every game is replayed to its end.
codec::TargetPosition unreached_target() {
  return {.position =
              codec::Position::from_fen("K7/8/8/8/8/8/8/k7 w - -").value_or(codec::Position())};
}

struct EndVisitor : MoveVisitor {
  void end(const codec::Position& end_of_line) { sum += end_of_line.occupied(); }
  std::uint64_t sum = 0;
};

struct SanVisitor : MoveVisitor {
  template <codec::Color kUs>
  [[gnu::always_inline]] void move(const codec::Position& after, const codec::Move& move) {
    out = codec::find_san<kUs>(after, move).write(out);
    if (out > last) [[unlikely]] {
      restart();
    }
  }
  void restart() {
    sum += static_cast<std::uint64_t>(out - room.data());
    out = room.data();
  }

  std::array<char, 4096> room;
  char* const last = room.data() + room.size() - codec::ShortText::kRoom;
  char* out = room.data();
  std::uint64_t sum = 0;
};

}  // namespace

Decoding::Decoding(const std::string& prefix) : database_(prefix), seeker_(unreached_target()) {
  for (std::uint32_t game = 0; game < database_.games(); ++game) {
    if (const std::optional<codec::Bytes> record = database_.record(game)) {
      games_.push_back({.tags = database_.tags(game),
                        .place = database_.place(game),
                        .record = *record,
                        .entry = database_.entry(game)});
    }
  }
  CountingVisitor visitor;
  walk_all(visitor);
  plies_ = visitor.plies;
  text_size_ = text();
}

template <class Visitor>
void Decoding::walk_all(Visitor& visitor) {
  for (const Game& game : games_) {
    extra_tags_.clear();
    codec::scid::RecordHead head;
    if (codec::scid::parse_record_head(game.record, extra_tags_, head)) continue;
    walker_.walk(game.record, head, visitor);
  }
}

std::uint64_t Decoding::moves() {
  EndVisitor visitor;
  walk_all(visitor);
  return visitor.sum;
}

std::uint64_t Decoding::replay() {
  ReplayVisitor visitor;
  for (const Game& game : games_) {
    extra_tags_.clear();
    codec::scid::RecordHead head;
    if (codec::scid::parse_record_head(game.record, extra_tags_, head)) continue;
    replay_.run(game.record, head, visitor);
  }
  return visitor.plies;
}

std::uint64_t Decoding::seek() {
  std::uint64_t found = 0;
  for (const Game& game : games_) found += seeker_.seek(game.record).has_value() ? 1 : 0;
  return found;
}

std::uint64_t Decoding::san() {
  SanVisitor visitor;
  walk_all(visitor);
  visitor.restart();
  return visitor.sum;
}

std::uint64_t Decoding::length() {
  std::uint64_t sum = 0;
  for (const Game& game : games_) {
    sum += writer_.length(game.tags, game.place, game.record, game.entry).length;
  }
  return sum;
}

std::uint64_t Decoding::text() {
  std::uint64_t sum = 0;
  buffer_.clear();
  for (const Game& game : games_) {
    writer_.append(game.tags, game.place, game.record, buffer_);
    if (buffer_.size() >= kTextRoom) {
      sum += buffer_.size();
      buffer_.clear();
    }
  }
  return sum + buffer_.size();
}

}  // namespace scidfs::bench
