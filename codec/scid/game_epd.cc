#include "codec/scid/game_epd.h"

#include <type_traits>

#include "codec/epd.h"
#include "codec/movegen.h"

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
  writer.begin(place.number, head->fen.value_or(Position()),
               out.room((moves + 2) * EpdWriter::kLineRoom + kMaxRemarkLength));
  const std::string remark = tell(place, record, *head, writer);
  out.commit(writer.end(result, remark));
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
