#include "codec/scid/game_epd.h"

#include <cstring>
#include <type_traits>

#include "codec/epd.h"
#include "codec/movegen.h"
#include "codec/scid/main_line.h"

namespace scidfs::codec::scid {
namespace {

// A visitor that passes the moves of the main line to an EpdWriter or an EpdMeter, which has begun
// already. Only for a writer it marks checkmate: `+` and `#` are of equal length.
template <class Epd>
class EpdVisitor {
 public:
  EpdVisitor(Epd& epd, CommentTexts texts) : epd_(epd), texts_(texts) {}

  void start(const Position&) {}

  template <Color kUs>
  void move(const Position& after, const Move& move) {
    if (depth_ != 0) return;
    epd_.template move<kUs>(after, move, after.in_check(~kUs));
    has_move_ = true;
  }

  std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() {
    return texts_.next().has_value() ? std::string_view() : "a comment's text is missing";
  }
  void begin_variation(const Position&) { ++depth_; }
  void end_variation(const Position&) { --depth_; }

  void end(const Position& end_of_line) {
    if constexpr (std::is_same_v<Epd, EpdWriter>) {
      if (has_move_ && is_checkmate(end_of_line)) epd_.mark_mate();
    }
  }

 private:
  Epd& epd_;
  CommentTexts texts_;
  std::size_t depth_ = 0;  // of variations
  bool has_move_ = false;
};

// A visitor of a walk along the main line that writes the line of one position.
class EpdLine {
 public:
  // Writes to `out`, which has room for two lines.
  EpdLine(std::string_view id_prefix, std::uint32_t game, std::uint32_t ply, char* out)
      : id_prefix_(id_prefix), game_(game), ply_(ply), out_(out) {}

  void start(const Position& position) { look(position); }
  void move(const Position& after, const Move& move) {
    const bool is_next = plies_++ == ply_;
    mates_ = is_next && is_checkmate(after);
    if (is_next && after.side_to_move() == Color::Black) {
      writer_.move<Color::White>(after, move, after.in_check(Color::Black));
    } else if (is_next) {
      writer_.move<Color::Black>(after, move, after.in_check(Color::White));
    }
    look(after);
  }

  // Ends the game. Returns whether it comes to the position.
  bool end(Result result, std::string_view remark) {
    if (plies_ < ply_) return false;
    if (mates_) writer_.mark_mate();
    writer_.end(result, remark);
    return true;
  }

 private:
  void look(const Position& position) {
    if (plies_ == ply_) writer_.begin(game_, ply_, position, out_, id_prefix_);
  }

  const std::string_view id_prefix_;
  const std::uint32_t game_;
  const std::uint32_t ply_;
  char* const out_;
  EpdWriter writer_;
  std::uint32_t plies_ = 0;
  bool mates_ = false;  // the last move is that of the line
};

}  // namespace

std::optional<RecordHead> GameEpd::parse_head(Bytes record) {
  tags_.clear();
  RecordHead head;
  if (parse_record_head(record, tags_, head, rule_).has_value()) return std::nullopt;
  return head;
}

template <class Epd>
std::string GameEpd::tell(const GamePlace& place, Bytes record, const RecordHead& head, Epd& epd) {
  EpdVisitor<Epd> visitor(epd, CommentTexts(record, head.moves_offset));
  const std::optional<Damage> damage = walker_.walk(record, head, visitor);
  return damage.has_value() ? damage_remark(place, *damage) : std::string();
}

void GameEpd::append(const GamePlace& place, Result result, Bytes record, TextBuffer& out) {
  const std::optional<RecordHead> head = parse_head(record);
  if (!head.has_value()) return;
  // Each move has a byte. The first position and the end need room, too.
  const std::size_t moves = record.size() - head->moves_offset;
  EpdWriter writer;
  writer.begin(place.number, 0, head->fen.value_or(Position()),
               out.room((moves + 2) * EpdWriter::kLineRoom + kMaxRemarkLength));
  const std::string remark = tell(place, record, *head, writer);
  out.commit(writer.end(result, remark));
}

void GameEpd::append_line(const GamePlace& place, Result result, Bytes record, std::uint32_t ply,
                          TextBuffer& out, std::string_view id_prefix) {
  const std::optional<RecordHead> head = parse_head(record);
  if (!head.has_value()) return;
  char* const begin = out.room(2 * (EpdWriter::kLineRoom + id_prefix.size()) + kMaxRemarkLength);
  EpdLine line(id_prefix, place.number, ply, begin);
  const std::optional<Damage> damage = walk_main_line(walker_, record, record, *head, line);
  if (!line.end(result, damage.has_value() ? damage_remark(place, *damage) : std::string())) return;
  out.commit(std::strchr(begin, '\n') + 1);
}

std::size_t GameEpd::length(const GamePlace& place, Result result, Bytes record) {
  const std::optional<RecordHead> head = parse_head(record);
  if (!head.has_value()) return 0;
  EpdMeter meter;
  meter.begin(place.number, head->fen.value_or(Position()));
  const std::string remark = tell(place, record, *head, meter);
  return meter.end(result, remark);
}

}  // namespace scidfs::codec::scid
